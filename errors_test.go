package pawl_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/memory"
)

// The error of a batch names each request that failed, and no other.
func TestBatchError(t *testing.T) {
	w := newWorld(t)
	w.chain("a", "b")
	requests := []pawl.Request{
		{By: ada, Op: pawl.Complete{IDs: ids(2)}},
		{By: ada, Op: pawl.Complete{IDs: ids(1)}},
		{By: ada, Op: pawl.Complete{IDs: ids(7)}},
	}
	for i, ask := range []func(context.Context, ...pawl.Request) ([]pawl.Result, error){w.TryAll, w.DoAll} {
		name := []string{"try", "do"}[i]
		results, err := ask(t.Context(), requests...)
		if len(results) != 3 || results[0].IDs != nil || len(results[1].IDs) != 1 || results[2].IDs != nil {
			t.Errorf("%s: results %+v", name, results)
		}
		if !errors.Is(err, pawl.Blocked) || !errors.Is(err, pawl.NotFound) || errors.Is(err, pawl.Conflict) {
			t.Errorf("%s: the error is %v", name, err)
		}
		if !errors.Is(pawl.ErrorAt(err, 0), pawl.Blocked) || pawl.ErrorAt(err, 1) != nil || !errors.Is(pawl.ErrorAt(err, 2), pawl.NotFound) {
			t.Errorf("%s: by place: %v, %v, %v", name, pawl.ErrorAt(err, 0), pawl.ErrorAt(err, 1), pawl.ErrorAt(err, 2))
		}
		lines := strings.Split(err.Error(), "\n")
		if len(lines) != 2 || !strings.HasPrefix(lines[0], "requests[0]: #2 ") || !strings.HasPrefix(lines[1], "requests[2]: ") {
			t.Errorf("%s: it reads %q", name, err)
		}
	}
	if results, err := w.DoAll(t.Context()); err != nil || len(results) > 0 {
		t.Errorf("no requests: %v, %v", results, err)
	}
	if err := pawl.ErrorAt(context.Canceled, 3); err != context.Canceled {
		t.Errorf("an error of all requests, at one: %v", err)
	}
}

// What fails all requests of a batch is told once.
func TestBatchErrorOfAll(t *testing.T) {
	down := errors.New("the disk is gone")
	board := pawl.NewBoard(broken{memory.New(), down})
	request := pawl.Request{By: ada, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "a"}}}}
	for name, ask := range map[string]func(context.Context, ...pawl.Request) ([]pawl.Result, error){"try": board.TryAll, "do": board.DoAll} {
		results, err := ask(t.Context(), request, request)
		if len(results) != 2 || !errors.Is(pawl.ErrorAt(err, 0), down) || !errors.Is(pawl.ErrorAt(err, 1), down) || err.Error() != down.Error() {
			t.Errorf("%s: %v, %v", name, results, err)
		}
	}
	if _, err := board.Do(t.Context(), request); err != down {
		t.Errorf("one request: %v", err)
	}
}

// broken is a store that cannot be reached.
type broken struct {
	pawl.Store
	err error
}

func (b broken) View(context.Context, func(pawl.Reader) error) error { return b.err }
func (b broken) Update(context.Context, func(pawl.Reader) (pawl.Commit, error)) (pawl.Revision, error) {
	return 0, b.err
}
