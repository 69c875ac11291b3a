package query_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/query"
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

func (*faster) Active() bool                              { return true }
func (*faster) Copied() bool                              { return false }
func (*faster) Former(string) bool                        { return false }
func (*faster) Sent(pawl.Revision) bool                   { return false }
func (*faster) Recover(context.Context, pawl.Actor) error { return nil }
func (*faster) Offline() bool                             { return false }
func (*faster) Changed(context.Context, bool)             {}
func (*faster) Looked(context.Context)                    {}

// After a lost race a claim without an id waits a moment and tries a random one of the
// ready tasks; at the end it names who was faster.
func TestLostRace(t *testing.T) {
	t.Parallel()
	board := pawl.NewBoard(memory.New())
	var pauses []time.Duration
	random := int64(1)
	l := query.Local(board, query.Syncing(&faster{board: board, by: pawl.Actor{Name: "bob", Session: "b"}}), query.Chances(
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
	must.Do(t, errOf(l.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "ada", Session: "a"}, Op: create}, 0)))
	o, err := l.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "ada", Session: "a"}, Op: pawl.ClaimTask{}}, 0)
	if pawl.KindOf(err) != pawl.Conflict || err.Error() != "#5 is claimed by bob (session b), who was first" {
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
	l := query.Local(pawl.NewBoard(store), query.Syncing(&breaker{store: store}))
	ada := pawl.Actor{Name: "ada", Session: "a"}
	mustDo(t, l, pawl.Request{By: ada, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "x"}}}})
	_, err := l.Do(t.Context(), pawl.Request{By: ada, Op: pawl.ClaimTask{ID: 1}}, 0)
	if pawl.KindOf(err) != pawl.Unavailable || err.Error() != "it is not known who has #1: the disk is gone" {
		t.Errorf("the claim ends with %v", err)
	}
	store.broken = false
	his, err := query.Of(t.Context(), l, query.Asker{By: ada}, query.TasksQuery{Query: pawl.Query{Mine: ada}})
	if err != nil || len(his.Page.Tasks) != 1 {
		t.Errorf("it was taken back: %v, %v", his, err)
	}
}

// A clone hears at a sync what another clone has done, and the remote is away afterwards. What
// it did itself up to a revision was sent.
type hearing struct {
	faster
	news []pawl.Op
	sent pawl.Revision
}

func (h *hearing) Confirm(ctx context.Context, _ pawl.Actor, _ func() bool) (*share.Report, error) {
	h.asked++
	var err error
	for _, op := range h.news {
		_, failed := h.board.Do(ctx, pawl.Request{By: h.by, Op: op})
		err = errors.Join(err, failed)
	}
	h.news = nil
	return nil, errors.Join(err, share.ErrAway)
}

func (*hearing) Offline() bool                      { return true }
func (h *hearing) Sent(revision pawl.Revision) bool { return revision <= h.sent }

// hear has ada do something on a board with two tasks and one that she
// works on, in a clone that hears this of bob's.
func hear(t *testing.T, op pawl.Op, news ...pawl.Op) (query.Outcome, *pawl.Task, error) {
	t.Helper()
	board := pawl.NewBoard(memory.New())
	bob := pawl.Actor{Name: "bob", Session: "b"}
	made, err := board.Do(t.Context(), pawl.Request{By: bob, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "one"}, {Subject: "two"}}}})
	must.Do(t, err)
	more := []pawl.ImportTask{
		{NewTask: pawl.NewTask{Subject: "three", Owner: "ada"}, Status: pawl.InProgress, Hold: &pawl.Hold{Reason: "later"}},
		{NewTask: pawl.NewTask{Subject: "four"}, Status: pawl.Completed},
		{NewTask: pawl.NewTask{Subject: "five"}, Hold: &pawl.Hold{Reason: "later"}},
		{NewTask: pawl.NewTask{Subject: "six", BlockedBy: []pawl.Ref{pawl.RefID(1)}}},
	}
	if made, err = board.Do(t.Context(), pawl.Request{By: bob, Op: pawl.Import{Tasks: more}}); err != nil {
		t.Fatal(err)
	}
	clone := &hearing{faster{board: board, by: bob}, news, made.Revision}
	t.Cleanup(func() {
		if claim, is := op.(pawl.ClaimTask); clone.asked > 1 && !(is && claim.ID == 0) {
			t.Errorf("the remote is away, and it was asked %d times", clone.asked)
		}
	})
	o, err := query.Local(board, query.Syncing(clone)).Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "ada", Session: "a"}, Op: op}, 0)
	tasks := must.Get(board.Get(t.Context(), 1))(t)
	return o, &tasks[0], err
}

// A claim, a start and a completion counted though the sync that was to confirm them brought
// what the board refuses them for. Its own rule refuses them now, and nothing is left of them.
func TestRefusedByNews(t *testing.T) {
	t.Parallel()
	ids := []pawl.ID{1}
	hold, note := pawl.PutHold{IDs: ids, Reason: "bob decides"}, pawl.AddNote{ID: 1, Text: "begun"}
	blocked := pawl.Update{ID: 1, AddBlockedBy: []pawl.ID{2}}
	check := pawl.Update{ID: 1, AddChecks: []pawl.Check{{Name: "unit", Run: []string{"go", "test"}}}}
	claim, start, done := pawl.ClaimTask{ID: 1}, pawl.Start{IDs: ids}, pawl.Complete{IDs: ids}
	bobs := pawl.Start{IDs: ids, Force: true}
	const held, waits = "#1 is on hold: bob decides", "#1 is blocked by #2 (not completed)"
	for name, c := range map[string]struct {
		op      pawl.Op
		news    []pawl.Op
		refused string // empty: it stands
	}{
		"claim on hold":               {claim, []pawl.Op{hold}, held},
		"claim blocked":               {claim, []pawl.Op{blocked}, waits},
		"claim with a check":          {claim, []pawl.Op{check}, ""},
		"claim by force":              {pawl.ClaimTask{ID: 1, Force: true}, []pawl.Op{hold}, ""},
		"start on hold":               {start, []pawl.Op{hold}, held},
		"start with a note":           {pawl.All{Ops: []pawl.Op{start, note}}, []pawl.Op{hold, note}, held},
		"start, and a note elsewhere": {pawl.All{Ops: []pawl.Op{start, pawl.AddNote{ID: 2, Text: "x"}}}, nil, ""},
		"lift and claim, on hold":     {pawl.All{Ops: []pawl.Op{pawl.LiftHold{IDs: ids}, claim}}, []pawl.Op{hold}, held},
		"start, then blocked here":    {pawl.All{Ops: []pawl.Op{start, blocked}}, nil, ""},
		"done on hold":                {done, []pawl.Op{hold}, held},
		"done blocked":                {done, []pawl.Op{blocked}, waits},
		"done with a check":           {done, []pawl.Op{check}, "#1 is not shown to be done: unit: has not run"},
		"done by force":               {pawl.Complete{IDs: ids, Force: true}, []pawl.Op{hold}, ""},
		"claimed and given back":      {claim, []pawl.Op{bobs, pawl.Release{IDs: ids}}, "#1 can be claimed again"},
		"completed":                   {claim, []pawl.Op{bobs, done}, "#1 is completed, as another clone says"},
		"nothing new":                 {done, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, is, err := hear(t, c.op, c.news...)
			if err != nil && err.Error() != c.refused || err == nil && c.refused != "" {
				t.Errorf("it ends with %v", err)
			}
			if stands := is.Owner == "ada" || is.Status == pawl.Completed && is.Owner == ""; stands == (err != nil) {
				t.Errorf("afterwards it is %v by %q", is.Status, is.Owner)
			}
			if c.refused == held && (is.Hold == nil || is.Status != pawl.Pending) {
				t.Errorf("it is %v, on hold: %v", is.Status, is.Hold)
			}
		})
	}
	if _, _, err := hear(t, pawl.ClaimTask{ID: 3}); err != nil {
		t.Errorf("her own work beside a hold: %v", err)
	}
	for id, first := range map[pawl.ID]pawl.Op{
		4: pawl.Reopen{IDs: []pawl.ID{4}}, 5: pawl.LiftHold{IDs: []pawl.ID{5}}, 6: pawl.Update{ID: 6, RemoveBlockedBy: []pawl.ID{1}},
	} {
		if _, _, err := hear(t, pawl.All{Ops: []pawl.Op{first, pawl.ClaimTask{ID: id}}}); err != nil {
			t.Errorf("%s, and a claim: %v", first.Verb(), err)
		}
	}
	o, _, err := hear(t, pawl.ClaimTask{}, hold)
	if err != nil || !slices.Equal(o.Result.IDs, []pawl.ID{2}) || len(o.Shared.Passed) != 1 || o.Shared.Passed[0].By != "" {
		t.Errorf("the next one is %v, with %+v: %v", o.Result.IDs, o.Shared, err)
	}
}
