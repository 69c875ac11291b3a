package ask_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/store/memory"
)

// A faster clone has claimed each task that ada claims, before her claim arrives.
type faster struct {
	board *pawl.Board
	by    pawl.Actor
	asked int
}

func (f *faster) Confirm(ctx context.Context, by pawl.Actor, _ func() bool) (*share.Report, error) {
	f.asked++
	var theirs []pawl.ID
	err := f.board.View(ctx, func(r pawl.Reader) error {
		page, err := r.Select(pawl.Query{Mine: by, Status: []pawl.Status{pawl.InProgress}})
		for _, t := range page.Tasks {
			theirs = append(theirs, t.ID)
		}
		return err
	})
	if err == nil && len(theirs) > 0 {
		_, err = f.board.Do(ctx, pawl.Request{By: f.by, Op: pawl.Start{IDs: theirs, Force: true}})
	}
	return nil, err
}

func (*faster) Active() bool                  { return true }
func (*faster) Copied() bool                  { return false }
func (*faster) Former(string) bool            { return false }
func (*faster) Sent(pawl.Revision) bool       { return false }
func (*faster) Offline() bool                 { return false }
func (*faster) Changed(context.Context, bool) {}
func (*faster) Looked(context.Context)        {}

// After a lost race a claim without an id waits a moment and tries a random one of the
// ready tasks; at the end it names who was faster.
func TestLostRace(t *testing.T) {
	t.Parallel()
	board := pawl.NewBoard(memory.New())
	var pauses []time.Duration
	random := int64(1)
	l := ask.Local(board, ask.Syncing(&faster{board: board, by: pawl.Actor{Name: "bob", Session: "b"}}), ask.Chances(
		func(n int64) int64 { random++; return random % n },
		func(_ context.Context, d time.Duration) error { pauses = append(pauses, d); return nil },
	))
	if same := l; same != l { // as a server does, which looks whether a board is the one that it opened
		t.Error("a board is not itself")
	}
	var create pawl.Create
	for range 10 {
		create.Tasks = append(create.Tasks, pawl.NewTask{Subject: "x"})
	}
	if _, err := l.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "ada", Session: "a"}, Op: create}, 0); err != nil {
		t.Fatal(err)
	}
	o, err := l.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "ada", Session: "a"}, Op: pawl.ClaimTask{}}, 0)
	if pawl.KindOf(err) != pawl.Conflict || err.Error() != "#5 is claimed by bob, who was first" {
		t.Errorf("the last try: %v", err)
	}
	var tried []pawl.ID
	for _, p := range o.Shared.Passed {
		tried = append(tried, p.ID)
	}
	// The first; then those behind 2 of nine, 4 of eight, 6 of seven and 8 of six. The first
	// pause is that of the sync.
	if want := []pawl.ID{1, 4, 7, 10}; !slices.Equal(tried, want) {
		t.Errorf("tried %v, not %v", tried, want)
	}
	if want := []time.Duration{3, 5, 7}; !slices.Equal(pauses, want) {
		t.Errorf("waited %v, not %v", pauses, want)
	}
}

// A breaking store cannot be read any longer once it breaks.
type breaking struct {
	pawl.Store
	broken bool
}

func (b *breaking) View(ctx context.Context, read func(pawl.Reader) error) error {
	if b.broken {
		return errors.New("the disk is gone")
	}
	return b.Store.View(ctx, read)
}

// A breaker breaks the store during a sync.
type breaker struct {
	faster
	store *breaking
}

func (b *breaker) Confirm(context.Context, pawl.Actor, func() bool) (*share.Report, error) {
	b.store.broken = true
	return &share.Report{}, nil
}

// A claim whose board cannot be read after the sync ended with success, though nobody knew
// whether another clone had the task.
func TestUnreadAfterSync(t *testing.T) {
	t.Parallel()
	store := &breaking{Store: memory.New()}
	l := ask.Local(pawl.NewBoard(store), ask.Syncing(&breaker{store: store}))
	ada := pawl.Actor{Name: "ada", Session: "a"}
	must(t, l, pawl.Request{By: ada, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "x"}}}})
	_, err := l.Do(t.Context(), pawl.Request{By: ada, Op: pawl.ClaimTask{ID: 1}}, 0)
	if pawl.KindOf(err) != pawl.Unavailable || err.Error() != "it is not known who has #1: the disk is gone" {
		t.Errorf("the claim ends with %v", err)
	}
	store.broken = false
	his, err := ask.Of(t.Context(), l, ask.Asker{By: ada}, ask.TasksQuery{Query: pawl.Query{Mine: ada}})
	if err != nil || len(his.Page.Tasks) != 1 {
		t.Errorf("it was taken back: %v, %v", his, err)
	}
}
