package query_test

import (
	"errors"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/query/querytest"
	"github.com/pawl-dev/pawl/store/memory"
)

// A graph is the first that is small enough, and comes with the task beside it.
func TestGraphFits(t *testing.T) {
	store := &querytest.Counted{Store: memory.New()}
	board := querytest.Loop(query.Local(pawl.NewBoard(store)))
	tasks := []pawl.NewTask{{Subject: "Begin"}}
	for i := range pawl.ID(9) {
		tasks = append(tasks, pawl.NewTask{Subject: "Go on", BlockedBy: []pawl.Ref{pawl.RefID(i + 1)}})
	}
	for _, task := range tasks {
		must.Do(t, errOf(board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: pawl.Create{Tasks: []pawl.NewTask{task}}}, 0)))
	}
	fit := []query.Fit{{Most: 3}, {Depth: 4, Most: 3}, {Depth: 2, Most: 3}}
	for _, c := range []struct {
		q            query.GraphQuery
		tasks, depth int
	}{
		{query.GraphQuery{Around: 1, Fit: fit}, 3, 2},
		{query.GraphQuery{Around: 1, Fit: fit[:2], Depth: 1, Most: 5}, 2, 1},
		{query.GraphQuery{Around: 1, Fit: []query.Fit{{Most: 10}}, Depth: 1, Most: 1}, 10, 0},
		{query.GraphQuery{Around: 1, Fit: fit[:1], Depth: 1, Most: 1}, 0, 0},
		{query.GraphQuery{Around: 99, Fit: fit}, 0, 0},
		{query.GraphQuery{Depth: 1}, 10, 0},
	} {
		for _, id := range []pawl.ID{0, 4, 99} {
			c.q.Detail = id
			store.N = 0
			g, err := query.Of(t.Context(), board, query.Asker{}, c.q)
			accesses := 1
			if pawl.KindOf(err) == pawl.NotFound { // and what the last task is
				accesses = 2
			}
			if store.N != accesses || len(g.Tasks) != c.tasks || g.Depth != c.depth || (err != nil) != (c.tasks == 0) {
				t.Errorf("%+v: %d accesses, %d tasks, depth %d, %v", c.q, store.N, len(g.Tasks), g.Depth, err)
			}
			if err != nil {
				if c.q.Around == 99 != errors.Is(err, pawl.NotFound) {
					t.Errorf("%+v: %v", c.q, err)
				}
				continue
			}
			if has := g.Detail != nil; has != (id == 4) || has && g.Detail.Task.ID != 4 {
				t.Errorf("%+v: %+v", c.q, g.Detail)
			}
		}
	}
}
