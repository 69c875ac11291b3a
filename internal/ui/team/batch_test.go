package team

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

var ctx = context.Background()

// gated is a board whose commits wait to be let through.
type gated struct {
	query.Board
	gate  chan struct{}
	mu    sync.Mutex
	sizes []int
	fail  func(requests []pawl.Request) error
	spoil func(pawl.Request) error // has one of them fail alone
}

func (g *gated) DoAll(ctx context.Context, want query.Want, requests ...pawl.Request) ([]query.Outcome, error) {
	<-g.gate
	g.mu.Lock()
	g.sizes = append(g.sizes, len(requests))
	g.mu.Unlock()
	if g.fail != nil {
		if err := g.fail(requests); err != nil {
			return make([]query.Outcome, len(requests)), err
		}
	}
	outcomes, err := g.Board.DoAll(ctx, want, requests...)
	if g.spoil != nil {
		errs := make([]error, len(requests))
		for i := range requests {
			errs[i] = cmp.Or(pawl.ErrorAt(err, i), g.spoil(requests[i]))
		}
		if slices.ContainsFunc(errs, func(err error) bool { return err != nil }) {
			err = &pawl.BatchError{Errs: errs}
		}
	}
	return outcomes, err
}

func newGated(t *testing.T) (*gated, *batcher) {
	g := &gated{Board: query.Local(pawl.NewBoard(memory.New())), gate: make(chan struct{})}
	t.Cleanup(func() { g.Close() })
	return g, &batcher{Board: g, log: slog.New(slog.DiscardHandler)}
}

func create(subject string) pawl.Request {
	return pawl.Request{By: pawl.Actor{Name: "ada"}, ID: pawl.OpID(subject), Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: subject}}}}
}

// What comes while a commit is under way goes together in the next one. A request that
// fails is one caller's alone, and each claim gets another task.
func TestBatch(t *testing.T) { synctest.Test(t, batch) }

func batch(t *testing.T) {
	g, b := newGated(t)
	var wg sync.WaitGroup
	first := make(chan error, 1)
	go func() {
		_, err := b.DoAll(ctx, 0, create("one"), create("two"), create("three"))
		first <- err
	}()
	synctest.Wait()
	got := make([]query.Outcome, 4)
	errs := make([]error, 4)
	for i := range 4 {
		wg.Go(func() {
			by := pawl.Actor{Name: fmt.Sprintf("agent-%d", i)}
			if i == 3 {
				got[i], errs[i] = b.Do(ctx, pawl.Request{By: by, Op: pawl.Complete{IDs: []pawl.ID{99}}}, query.WantTasks)
				return
			}
			got[i], errs[i] = b.Do(ctx, pawl.Request{By: by, Op: pawl.ClaimTask{}}, query.WantTasks)
		})
	}
	synctest.Wait()
	g.gate <- struct{}{}
	must.Do(t, <-first)
	g.gate <- struct{}{}
	wg.Wait()
	if fmt.Sprint(g.sizes) != "[3 4]" {
		t.Errorf("commits of %v requests, want [3 4]", g.sizes)
	}
	seen := map[pawl.ID]bool{}
	for i := range 3 {
		if errs[i] != nil || len(got[i].Result.IDs) != 1 || seen[got[i].Result.IDs[0]] || got[i].Left != nil {
			t.Errorf("claim %d: %+v, %v", i, got[i].Result, errs[i])
			continue
		}
		seen[got[i].Result.IDs[0]] = true
	}
	if !errors.Is(errs[3], pawl.NotFound) || strings.Contains(errs[3].Error(), "requests[") {
		t.Errorf("the one that fails: %v", errs[3])
	}
}

// A commit that fails as a whole is tried again for each caller: what one of them does
// to the store, or to this program, is not the others' failure.
func TestBatchFailsAlone(t *testing.T) { synctest.Test(t, batchFailsAlone) }

func batchFailsAlone(t *testing.T) {
	for _, kind := range []string{"error", "panic"} {
		g, b := newGated(t)
		g.fail = func(requests []pawl.Request) error {
			for _, r := range requests {
				if r.ID == "poison" {
					if kind == "panic" {
						panic("poison")
					}
					return pawl.Errorf(pawl.Unavailable, "the disk is full")
				}
			}
			return nil
		}
		var wg sync.WaitGroup
		errs := map[string]error{}
		var mu sync.Mutex
		do := func(name string) {
			wg.Go(func() {
				_, err := b.Do(ctx, create(name), 0)
				mu.Lock()
				defer mu.Unlock()
				errs[name] = err
			})
		}
		do("first")
		synctest.Wait()
		do("good")
		do("poison")
		do("fine")
		synctest.Wait()
		close(g.gate)
		wg.Wait()
		if errs["first"] != nil || errs["good"] != nil || errs["fine"] != nil || errs["poison"] == nil {
			t.Errorf("%s: got %v", kind, errs)
		}
	}
}

// What was done together stays done: a request that fails for damaged data, or for the
// store, has none of its neighbours run a second time.
func TestBatchRunsOnce(t *testing.T) { synctest.Test(t, batchRunsOnce) }

func batchRunsOnce(t *testing.T) {
	g, b := newGated(t)
	g.spoil = func(request pawl.Request) error {
		if request.ID == "damaged" {
			return pawl.Errorf(pawl.Internal, "#1 cannot be changed")
		}
		return nil
	}
	var wg sync.WaitGroup
	outcomes := map[string]query.Outcome{}
	errs := map[string]error{}
	var mu sync.Mutex
	do := func(name string) {
		wg.Go(func() {
			outcome, err := b.Do(ctx, create(name), 0)
			mu.Lock()
			defer mu.Unlock()
			outcomes[name], errs[name] = outcome, err
		})
	}
	do("first")
	synctest.Wait()
	do("good")
	do("damaged")
	do("fine")
	synctest.Wait()
	close(g.gate)
	wg.Wait()
	for _, name := range []string{"good", "fine"} {
		if r := outcomes[name].Result; errs[name] != nil || r.Repeated || len(r.Changes) == 0 {
			t.Errorf("%s: %+v, %v", name, r, errs[name])
		}
	}
	if !errors.Is(errs["damaged"], pawl.Internal) {
		t.Errorf("the one that fails: %v", errs["damaged"])
	}
}

// A caller that goes before its order has begun takes it back; one that goes later
// stops nothing.
func TestBatchWithdraw(t *testing.T) { synctest.Test(t, batchWithdraw) }

func batchWithdraw(t *testing.T) {
	g, b := newGated(t)
	first := make(chan error, 1)
	leaving, leave := context.WithCancel(ctx)
	go func() {
		_, err := b.Do(leaving, create("first"), 0)
		first <- err
	}()
	synctest.Wait()
	second := make(chan error, 1)
	go func() {
		_, err := b.Do(leaving, create("second"), 0)
		second <- err
	}()
	synctest.Wait()
	leave()
	if err := <-second; !errors.Is(err, context.Canceled) {
		t.Errorf("the one that waited: %v", err)
	}
	close(g.gate)
	if err := <-first; err != nil {
		t.Errorf("the one under way: %v", err)
	}
	tasks, err := query.Of(ctx, g.Board, query.Asker{}, query.TasksQuery{})
	if err != nil || len(tasks.Page.Tasks) != 1 || tasks.Page.Tasks[0].Subject != "first" {
		t.Errorf("got %+v, %v", tasks.Page.Tasks, err)
	}
}
