package query_test

import (
	"context"
	"errors"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// meddled is a store on which something happens after a view, as often as said.
type meddled struct {
	pawl.Store
	times   int
	happens func()
}

func (m *meddled) View(ctx context.Context, fn func(pawl.Reader) error) error {
	err := m.Store.View(ctx, fn)
	if m.times > 0 {
		m.times--
		m.happens()
	}
	return err
}

// A what-if does not fail because a task changes hands while it is asked.
func TestWhatIfWhileOwnersChange(t *testing.T) {
	for times, want := range []error{nil, nil, pawl.Conflict} {
		w := newWorld(t)
		w.do(ada, pawl.Create{Tasks: []pawl.NewTask{{Subject: "One"}, {Subject: "Two", BlockedBy: []pawl.Ref{pawl.RefID(1)}}}})
		holders, n := []pawl.Actor{ada, bob}, 0
		store := &meddled{Store: w.store, times: []int{0, 1, 100}[times]}
		store.happens = func() {
			w.do(holders[n%2], pawl.ClaimTask{ID: 1, Force: true})
			n++
		}
		lanes, err := query.Of(t.Context(), query.Local(pawl.NewBoard(store)), query.Asker{By: pawl.Actor{Name: "eve"}, AsDone: []pawl.ID{1}}, query.LanesQuery{})
		if !errors.Is(err, want) || err == nil && len(lanes.AsDone) != 1 {
			t.Errorf("%d changes: %v done, %v", store.times, lanes.AsDone, err)
		}
	}
}
