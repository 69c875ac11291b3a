package query_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
)

// falselyDone is a board of 60 completed tasks. Nothing shows that the second and the
// fifth of them are done.
func falselyDone(t *testing.T) *world {
	w := newWorld(t)
	var made pawl.Create
	for i := range 60 {
		n := pawl.NewTask{Subject: fmt.Sprint("task ", i+1)}
		if i == 1 || i == 4 {
			n.Checks = []pawl.Check{{Name: "unit", Run: []string{"go", "test"}}}
		}
		made.Tasks = append(made.Tasks, n)
	}
	w.do(ada, made)
	for i := range 60 {
		op := pawl.Complete{IDs: []pawl.ID{pawl.ID(i + 1)}}
		if i == 1 || i == 4 {
			op.Unchecked = "no time"
		}
		w.do(ada, op)
	}
	return w
}

func idsOfCards(cards []query.Card) (ids []pawl.ID) {
	for i := range cards {
		ids = append(ids, cards[i].Task.ID)
	}
	return ids
}

// A task that was completed long ago and is not shown to be done is the first thing in
// the lane of what is done, and counted: only the newest ten had a card, and nothing said
// that there was another one among the rest.
func TestLanesBeginWithWhatIsNotShown(t *testing.T) {
	w := falselyDone(t)
	lanes := func(who query.Asker, q query.LanesQuery) query.Lanes {
		t.Helper()
		who.By = ada
		l, err := query.Of(t.Context(), query.Local(w.board), who, q)
		must.Do(t, err)
		return l
	}
	l := lanes(query.Asker{}, query.LanesQuery{Done: 3})
	if got, want := idsOfCards(l.Cards[query.Finished]), []pawl.ID{5, 2, 60, 59, 58}; !slices.Equal(got, want) {
		t.Errorf("the cards are %v, want %v", got, want)
	}
	if l.Unshown != 2 || l.Total[query.Finished] != 60 {
		t.Errorf("%d of %d are not shown to be done, want 2 of 60", l.Unshown, l.Total[query.Finished])
	}
	l = lanes(query.Asker{}, query.LanesQuery{Done: 60}) // they have one card each
	if got := idsOfCards(l.Cards[query.Finished]); len(got) != 60 || got[0] != 5 || got[2] != 60 || got[59] != 1 {
		t.Errorf("the cards are %v", got)
	}
	l = lanes(query.Asker{}, query.LanesQuery{Done: 3, Reach: 50})
	if got := idsOfCards(l.Cards[query.Finished]); len(got) != 13 || got[0] != 5 || got[12] != 50 {
		t.Errorf("to reach #50 the cards are %v", got)
	}
	l = lanes(query.Asker{Archive: 30*time.Second + time.Second/2}, query.LanesQuery{Done: 3})
	if got := idsOfCards(l.Cards[query.Finished]); !slices.Equal(got, []pawl.ID{5, 2, 60, 59, 58}) || l.Unshown != 2 || l.Total[query.Finished] != 33 || l.Archived != 27 {
		t.Errorf("with an archive: cards %v, %d not shown, %d done, %d archived", got, l.Unshown, l.Total[query.Finished], l.Archived)
	}
	l = lanes(query.Asker{}, query.LanesQuery{Done: 3, Tasks: pawl.Query{Text: "task 5"}})
	if got := idsOfCards(l.Cards[query.Finished]); len(got) != 4 || got[0] != 5 || l.Unshown != 1 {
		t.Errorf("with a filter: cards %v, %d not shown", got, l.Unshown)
	}
	l = lanes(query.Asker{}, query.LanesQuery{Done: 3, Tasks: pawl.Query{Status: []pawl.Status{pawl.Pending}}})
	if len(l.Cards[query.Finished]) != 0 || l.Unshown != 0 {
		t.Errorf("of what is open: cards %v, %d not shown", idsOfCards(l.Cards[query.Finished]), l.Unshown)
	}
}

// Lists, the status and a check of the board count them on the whole board, archived ones too.
func TestUnshownAreCounted(t *testing.T) {
	w := falselyDone(t)
	who := query.Asker{By: ada, Archive: 10 * time.Second}
	list, err := query.Of(t.Context(), query.Local(w.board), who, query.TasksQuery{Query: pawl.Query{Unshown: true}})
	if err != nil || list.Page.Total != 2 || list.Archived != 0 {
		t.Errorf("%d are listed and %d archived, %v", list.Page.Total, list.Archived, err)
	}
	o, err := query.Of(t.Context(), query.Local(w.board), who, query.OverviewQuery{Unshown: 1})
	if err != nil || o.Counts.Unshown != 2 || len(o.Unshown) != 1 || o.Unshown[0].ID != 5 {
		t.Errorf("the status counts %d and names %v, %v", o.Counts.Unshown, o.Unshown, err)
	}
	p, err := query.Of(t.Context(), query.Local(w.board), query.Asker{By: ada}, query.ProblemsQuery{})
	if err != nil || p.Unshown != 2 || len(p.Problems) != 0 {
		t.Errorf("the check counts %d, with problems %v, %v", p.Unshown, p.Problems, err)
	}
}
