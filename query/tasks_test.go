package query_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/query/querytest"
	"github.com/pawl-dev/pawl/store/memory"
)

// Who asks what changed is told it once, page by page, and what has gone.
func TestChangedSince(t *testing.T) {
	w := newWorld(t)
	board := querytest.Loop(query.Local(w.board))
	read := func(since pawl.Revision, q pawl.Query) query.Tasks {
		t.Helper()
		tasks, err := query.Of(t.Context(), board, query.Asker{By: ada}, query.TasksQuery{Query: q, Since: &since})
		must.Do(t, err)
		return tasks
	}
	var made []pawl.NewTask
	for range 5 {
		made = append(made, pawl.NewTask{Subject: "Work"})
	}
	w.do(ada, pawl.Create{Tasks: made})
	all := read(0, pawl.Query{Limit: 2})
	if all.Page.Total != 5 || all.Page.Next == nil || len(all.Removed) != 0 {
		t.Fatalf("since the beginning: %+v", all)
	}
	from := all.Page.Revision
	if none := read(from, pawl.Query{}); none.Page.Tasks == nil || none.Page.Total != 0 || none.Page.Revision != from || len(none.Removed) != 0 {
		t.Errorf("nothing changed: %+v", none)
	}
	if none, err := query.Of(t.Context(), board, query.Asker{By: ada}, query.TasksQuery{Since: &from, Totals: true}); err != nil || *none.Totals != (query.Totals{}) {
		t.Errorf("of no changed task: %+v, %v", none.Totals, err)
	}
	if none := read(from, pawl.Query{After: &pawl.Cursor{Revision: from - 1}}); none.Page.Revision != from-1 {
		t.Errorf("a page after others begins again at %d, not where they do", none.Page.Revision)
	}
	w.do(ada, pawl.Complete{IDs: []pawl.ID{1, 2, 3}})
	w.do(ada, pawl.Delete{IDs: []pawl.ID{4}})
	first := read(from, pawl.Query{Limit: 1})
	if first.Page.Total != 3 || !slices.Equal(first.Removed, []pawl.ID{4}) || first.Page.Revision == from || first.Page.Next == nil {
		t.Fatalf("%+v", first)
	}
	w.do(ada, pawl.AddNote{ID: 5, Text: "meanwhile"})
	second := read(from, pawl.Query{Limit: 1, After: first.Page.Next})
	if second.Page.Revision != first.Page.Revision || len(second.Removed) != 0 || len(second.Page.Tasks) != 1 || second.Page.Tasks[0].ID != 2 {
		t.Errorf("%+v", second)
	}
	if later := read(first.Page.Revision, pawl.Query{}); later.Page.Total != 1 || later.Page.Tasks[0].ID != 5 {
		t.Errorf("next time: %+v", later)
	}
	open := read(from, pawl.Query{Status: []pawl.Status{pawl.Pending}})
	if !slices.Equal(open.Removed, []pawl.ID{1, 2, 3, 4}) || open.Page.Total != 1 {
		t.Errorf("of what is pending: %+v", open)
	}
	for _, bad := range []query.TasksQuery{{Since: new(query.Nth(9_999))}, {Since: new(pawl.Revision(9_999))}} {
		if _, err := query.Of(t.Context(), board, query.Asker{By: ada}, bad); !errors.Is(err, pawl.NotFound) && !errors.Is(err, pawl.Gone) {
			t.Errorf("since %d: %v", *bad.Since, err)
		}
	}
	if _, err := query.Of(t.Context(), board, query.Asker{By: ada, AsDone: []pawl.ID{5}}, query.TasksQuery{Since: &from}); !errors.Is(err, pawl.Invalid) {
		t.Errorf("in a what-if: %v", err)
	}
}

// gauged is a store that keeps how many whole tasks one read asked for at most.
type gauged struct {
	pawl.Store
	most int
}

func (g *gauged) View(ctx context.Context, fn func(pawl.Reader) error) error {
	return g.Store.View(ctx, func(r pawl.Reader) error { return fn(gauge{r, g}) })
}

type gauge struct {
	pawl.Reader
	of *gauged
}

func (g gauge) Get(ids ...pawl.ID) ([]pawl.Task, error) {
	g.of.most = max(g.of.most, len(ids))
	return g.Reader.Get(ids...)
}

func (g gauge) Select(q pawl.Query) (pawl.Page, error) {
	page, err := g.Reader.Select(q)
	if !q.Brief {
		g.of.most = max(g.of.most, len(page.Tasks))
	}
	return page, err
}

// An export has few whole tasks in memory at once, for each may be large.
func TestExportInParts(t *testing.T) {
	store := &gauged{Store: memory.New()}
	board := querytest.Loop(query.Local(pawl.NewBoard(store)))
	var made []pawl.NewTask
	for range 300 {
		made = append(made, pawl.NewTask{Subject: "Work", Description: "at length"})
	}
	must.Do(t, errOf(board.Do(t.Context(), pawl.Request{By: ada, Op: pawl.Create{Tasks: made}}, 0)))
	store.most = 0
	id := pawl.ID(0)
	for task, err := range board.Export(t.Context(), query.Asker{}, pawl.Query{}) {
		if id++; err != nil || task.ID != id || task.Description != "at length" {
			t.Fatal(task, err)
		}
	}
	if id != 300 || store.most == 0 || store.most > 20 {
		t.Errorf("%d tasks, %d whole ones at once", id, store.most)
	}
}
