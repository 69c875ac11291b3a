package pawl_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/store/memory"
)

// A counting store counts the tasks that it was asked to read by queries.
type counting struct {
	*memory.Store
	selected int
}

func (s *counting) Update(ctx context.Context, fn func(pawl.Reader) (pawl.Commit, error)) (pawl.Revision, error) {
	return s.Store.Update(ctx, func(r pawl.Reader) (pawl.Commit, error) { return fn(countingReader{r, s}) })
}

type countingReader struct {
	pawl.Reader
	s *counting
}

func (r countingReader) Select(q pawl.Query) (pawl.Page, error) {
	page, err := r.Reader.Select(q)
	r.s.selected += len(page.Tasks)
	return page, err
}

// A batch of claims reads each ready task once: to read past what the claims before
// took made a full batch cost a hundred times as much.
func TestClaimsReadOnce(t *testing.T) {
	store := &counting{Store: memory.New()}
	board := pawl.NewBoard(store)
	ctx := context.Background()
	var op pawl.Create
	for i := range 300 {
		op.Tasks = append(op.Tasks, pawl.NewTask{Subject: fmt.Sprint(i), Priority: pawl.Priority(i%3 - 1)})
	}
	must.Do(t, errOf(board.Do(ctx, pawl.Request{Op: op})))
	assigned := pawl.ID(3) // the first of high priority
	must.Do(t, errOf(board.Do(ctx, pawl.Request{Op: pawl.Assign{IDs: ids(assigned), Owner: "agent 7"}})))
	const claims = 100
	var requests []pawl.Request
	for i := range claims {
		requests = append(requests, pawl.Request{By: pawl.Actor{Name: fmt.Sprint("agent ", i%10), Session: fmt.Sprint(i)}, Op: pawl.ClaimTask{}})
	}
	store.selected = 0
	results, err := board.DoAll(ctx, requests...)
	must.Do(t, err)
	var got []pawl.ID
	for i, res := range results {
		got = append(got, res.IDs...)
		if (res.IDs[0] == assigned) != (i == 7) { // its first claim, for which it comes first
			t.Errorf("claim %d of agent %d got %v; assigned to agent 7 is %v", i, i%10, res.IDs[0], assigned)
		}
	}
	if slices.Sort(got); len(slices.Compact(got)) != claims {
		t.Errorf("%d claims got %v", claims, got)
	}
	if most := 2 * claims; store.selected > most {
		t.Errorf("%d claims read %d tasks; the most is %d", claims, store.selected, most)
	}
}
