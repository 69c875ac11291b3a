package query_test

import (
	"errors"
	"math"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/query/querytest"
	"github.com/pawl-dev/pawl/store/file"
)

func TestParseRevision(t *testing.T) {
	for text, want := range map[string]pawl.Revision{"0": 0, "12": 12, "@3": query.Nth(3), "@0": 0, "1790000000123": 1790000000123} {
		if got, ok := query.ParseRevision(text); !ok || got != want {
			t.Errorf("%q is %d, %v, want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "@", "@@3", "@-3", "-3", "+3", "@+3", "@ 3", "3@", "@9999999999999999999", "@3.0", "HEAD"} {
		if got, ok := query.ParseRevision(text); ok {
			t.Errorf("%q is %d", text, got)
		}
	}
}

// Whatever takes a revision takes a short one for it, on a board whose revisions
// are long, and says the same.
func TestShortRevisions(t *testing.T) {
	store, err := file.Open(t.TempDir() + "/.tasks")
	must.Do(t, err)
	counted := &querytest.Counted{Store: store}
	board := querytest.Loop(query.Local(pawl.NewBoard(counted)))
	who := query.Asker{By: ada}
	do := func(op pawl.Op) query.Outcome {
		t.Helper()
		o, err := board.Do(t.Context(), pawl.Request{By: ada, Op: op}, 0)
		must.Do(t, err)
		return o
	}
	if _, err := query.Of(t.Context(), board, who, query.HistoryQuery{At: query.Nth(1)}); !errors.Is(err, pawl.NotFound) || err.Error() != "no change @1: the board has none yet" {
		t.Errorf("on a new board: %v", err)
	}
	var full []pawl.Revision
	for _, subject := range []string{"One", "Two", "Three"} {
		full = append(full, do(pawl.Create{Tasks: []pawl.NewTask{{Subject: subject}}}).Result.Revision)
	}
	h, err := query.Of(t.Context(), board, who, query.HistoryQuery{At: query.Nth(2)})
	if err != nil || h.Sets[0].Revision != full[1] || full[1].Short(h.Origin) != "@2" {
		t.Errorf("@2 is %v (%v)", h.Sets, err)
	}
	h, err = query.Of(t.Context(), board, who, query.HistoryQuery{After: query.Nth(1), Before: query.Nth(3), Limit: 9})
	if err != nil || len(h.Sets) != 1 || h.Sets[0].Revision != full[1] {
		t.Errorf("between @1 and @3: %v (%v)", h.Sets, err)
	}
	tasks, err := query.Of(t.Context(), board, who, query.TasksQuery{Since: new(query.Nth(2))})
	if err != nil || len(tasks.Page.Tasks) != 1 || tasks.Page.Tasks[0].ID != 3 {
		t.Errorf("since @2: %v (%v)", tasks.Page.Tasks, err)
	}
	var news []pawl.Revision
	for n, err := range board.Watch(t.Context(), who, query.From{After: query.Nth(1)}) {
		must.Do(t, err)
		if n.Set != nil {
			news = append(news, n.Set.Revision)
		}
		if n.Revision.Short(n.Origin)[0] != '@' {
			t.Errorf("%d counts from %d", n.Revision, n.Origin)
		}
		if len(news) == 2 {
			break
		}
	}
	if news[0] != full[1] || news[1] != full[2] {
		t.Errorf("after @1: %v, want %v", news, full[1:])
	}

	undone := do(pawl.Undo{Revision: query.Nth(3)})
	if undone.Result.Undoes != full[2] || undone.Result.Revision.Short(undone.Head.Origin) != "@4" {
		t.Errorf("undo of @3: %+v", undone.Result)
	}
	for _, try := range []func() error{
		func() error {
			_, err := board.Try(t.Context(), 0, pawl.Request{By: ada, Op: pawl.Undo{Revision: query.Nth(9)}})
			return err
		},
		func() error {
			_, err := board.DoAll(t.Context(), 0, pawl.Request{By: ada, Op: pawl.Undo{Revision: query.Nth(2)}}, pawl.Request{By: ada, Op: pawl.Undo{Revision: math.MinInt64}})
			if pawl.ErrorAt(err, 0) != nil {
				t.Errorf("of two undos the right one failed: %v", err)
			}
			return pawl.ErrorAt(err, 1)
		},
		func() error {
			for _, err := range board.Watch(t.Context(), who, query.From{After: query.Nth(9)}) {
				return err
			}
			return nil
		},
		func() error {
			_, err := query.Of(t.Context(), board, who, query.TasksQuery{Since: new(query.Nth(9))})
			return err
		},
		func() error {
			_, err := query.Of(t.Context(), board, who, query.HistoryQuery{After: math.MinInt64, Forward: true, Limit: 1})
			return err
		},
	} {
		if err := try(); !errors.Is(err, pawl.NotFound) {
			t.Errorf("%v, want not found", err)
		}
	}
	if _, err := query.Of(t.Context(), board, who, query.HistoryQuery{At: query.Nth(9)}); err == nil || err.Error() != "no change @9; the last is @5" {
		t.Errorf("a change that never was: %v", err)
	}

	counted.N = 0
	if _, err := query.Of(t.Context(), board, who, query.HistoryQuery{After: query.Nth(1), Limit: 9}); err != nil || counted.N != 1 {
		t.Errorf("a page of history took %d accesses (%v)", counted.N, err)
	}
}
