package query_test

import (
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/query/querytest"
	"github.com/pawl-dev/pawl/store/memory"
)

// What was done long ago leaves lists, lanes and counts alike, and nothing else:
// not what is asked for by name or by its text, the graph, or a parent's progress.
func TestArchivedTasksAreLeftOut(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	local := pawl.NewBoard(memory.New(memory.WithClock(func() time.Time { return now })))
	board := querytest.Loop(query.Local(local))
	do := func(op pawl.Op) {
		t.Helper()
		must.Do(t, errOf(board.Do(t.Context(), pawl.Request{By: ada, Op: op}, 0)))
	}
	do(pawl.Create{Tasks: []pawl.NewTask{
		{Subject: "Ship it"}, {Subject: "Old part", Parent: pawl.Ref{ID: 1}, Labels: []string{"old"}}, {Subject: "New part", Parent: pawl.Ref{ID: 1}}, {Subject: "Old chore"},
	}})
	do(pawl.Complete{IDs: []pawl.ID{2, 4}})
	now = now.Add(40 * 24 * time.Hour)
	do(pawl.Complete{IDs: []pawl.ID{3}})
	now = now.Add(time.Hour)

	with := query.Asker{By: ada, Archive: 30 * 24 * time.Hour}
	completed := pawl.Query{Status: []pawl.Status{pawl.Completed}}
	list := func(who query.Asker, q query.TasksQuery) (ids []pawl.ID, archived int) {
		t.Helper()
		a, err := query.Of(t.Context(), board, who, q)
		must.Do(t, err)
		for _, task := range a.Page.Tasks {
			ids = append(ids, task.ID)
		}
		if a.Page.Total != len(ids) {
			t.Errorf("%d tasks, and the page says %d", len(ids), a.Page.Total)
		}
		return ids, a.Archived
	}
	for name, c := range map[string]struct {
		who      query.Asker
		q        query.TasksQuery
		want     []pawl.ID
		archived int
	}{
		"everything":         {with, query.TasksQuery{}, []pawl.ID{1, 3}, 2},
		"what is done":       {with, query.TasksQuery{Query: completed}, []pawl.ID{3}, 2},
		"what is open":       {with, query.TasksQuery{Query: pawl.Query{Status: []pawl.Status{pawl.Pending}}}, []pawl.ID{1}, 0},
		"the archived":       {with, query.TasksQuery{Archived: true}, []pawl.ID{2, 4}, 0},
		"none is archived":   {query.Asker{By: ada}, query.TasksQuery{Archived: true}, nil, 0},
		"without archiving":  {query.Asker{By: ada}, query.TasksQuery{}, []pawl.ID{1, 2, 3, 4}, 0},
		"by a text":          {with, query.TasksQuery{Query: pawl.Query{Text: "old"}}, []pawl.ID{2, 4}, 0},
		"by their ids":       {with, query.TasksQuery{Query: pawl.Query{IDs: []pawl.ID{2, 3}}}, []pawl.ID{2, 3}, 0},
		"since a revision":   {with, query.TasksQuery{Since: new(pawl.Revision(1))}, []pawl.ID{2, 3, 4}, 0},
		"of a parent":        {with, query.TasksQuery{Query: pawl.Query{Parent: 1}}, []pawl.ID{3}, 1},
		"done, with totals":  {with, query.TasksQuery{Query: completed, Totals: true}, []pawl.ID{3}, 2},
		"open, with totals":  {with, query.TasksQuery{Query: pawl.Query{Ready: true}, Totals: true}, []pawl.ID{1}, 2},
		"archived of a name": {with, query.TasksQuery{Query: pawl.Query{Labels: []string{"old"}}, Archived: true}, []pawl.ID{2}, 0},
	} {
		ids, archived := list(c.who, c.q)
		if len(ids) != len(c.want) || archived != c.archived {
			t.Errorf("%s: %v and %d archived, want %v and %d", name, ids, archived, c.want, c.archived)
			continue
		}
		for i := range ids {
			if ids[i] != c.want[i] {
				t.Errorf("%s: %v, want %v", name, ids, c.want)
			}
		}
	}

	o, err := query.Of(t.Context(), board, with, query.OverviewQuery{})
	if err != nil || o.Counts.Completed != 1 || o.Counts.Archived != 2 || o.Counts.Open != 1 {
		t.Errorf("counts: %+v (%v)", o.Counts, err)
	}
	l, err := query.Of(t.Context(), board, with, query.LanesQuery{Done: 9})
	if err != nil || l.Total[query.Finished] != 1 || len(l.Cards[query.Finished]) != 1 || l.Archived != 2 {
		t.Errorf("lanes: %v of %v, %d archived (%v)", l.Cards[query.Finished], l.Total, l.Archived, err)
	}
	l, err = query.Of(t.Context(), board, with, query.LanesQuery{Done: 9, Tasks: pawl.Query{Text: "old"}})
	if err != nil || l.Total[query.Finished] != 2 || l.Archived != 0 {
		t.Errorf("lanes of a search: %v, %d archived (%v)", l.Total, l.Archived, err)
	}
	f, err := query.Of(t.Context(), board, with, query.FacetsQuery{})
	if err != nil || len(f.Labels) != 0 {
		t.Errorf("facets: %+v (%v)", f.Labels, err)
	}
	d, err := query.Of(t.Context(), board, with, query.TaskQuery{Names: []string{"1", "2"}})
	if err != nil || d.Tasks[1].Fault != nil || len(d.Tasks[0].Detail.Task.Children) != 2 {
		t.Errorf("in full: %+v (%v)", d.Tasks, err)
	}
	g, err := query.Of(t.Context(), board, with, query.GraphQuery{All: true, Alone: true})
	if err != nil || len(g.Tasks) != 4 {
		t.Errorf("the graph has %d tasks (%v)", len(g.Tasks), err)
	}

	do(pawl.Reopen{IDs: []pawl.ID{4}}) // which brings it back at once, and done again it is new
	if ids, _ := list(with, query.TasksQuery{}); len(ids) != 3 {
		t.Errorf("reopened: %v", ids)
	}
	do(pawl.Complete{IDs: []pawl.ID{4}})
	if ids, archived := list(with, query.TasksQuery{Query: completed}); len(ids) != 2 || archived != 1 {
		t.Errorf("done again: %v, %d archived", ids, archived)
	}
}
