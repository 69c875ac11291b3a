package query

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/share"
)

// A Syncer keeps a board in step with those of other clones, through a git remote.
// It is safe for concurrent use.
type Syncer interface {
	// Active reports whether the board is shared now: in a process that runs on, that
	// can change.
	Active() bool
	// Confirm exchanges the board with the remote, until ctx ends, so that the remote
	// has the claims that by made. If another sync is under way, it waits for that one, and
	// then asks wanted whether this one is still needed. A nil wanted means that nobody reads
	// the report, such as changed numbers. The error says in one sentence why the remote may
	// lack the claims; the report is returned with it.
	Confirm(ctx context.Context, by pawl.Actor, wanted func() bool) (*share.Report, error)
	// Copied reports whether this clone is a copy of another one, and the board shows claims
	// of that one as its own, until the next sync.
	Copied() bool
	// Former reports whether this clone is a copy of the one with that id.
	Former(clone string) bool
	// Sent reports whether the remote has what this clone did up to a revision.
	Sent(rev pawl.Revision) bool
	// Recover restores what a backup of the board undid, for by, and does not ask the remote.
	// It is called before a change, if more was sent than the board has revisions: once the
	// board reaches these numbers again, nothing tells the changes apart.
	Recover(ctx context.Context, by pawl.Actor) error
	// Offline reports whether the person's setting lets claims count here while the
	// remote cannot be reached.
	Offline() bool
	// Changed says that more of the board was changed than a lease; soon: others wait for
	// it. It does not wait for the network, and never fails.
	Changed(ctx context.Context, soon bool)
	// Looked says that somebody reads the board, as Changed does.
	Looked(ctx context.Context)
}

// Syncing lets s keep the board in step with other clones, after each change.
func Syncing(s Syncer) Option { return func(l *local) { l.syncer = s } }

// lookEach is how long somebody who watches a board waits for what others did
// elsewhere, beside what the syncer takes.
const lookEach = 20 * time.Second

// looking lets the syncer know that somebody watches the board, until ctx ends.
func (l local) looking(ctx context.Context) {
	t := time.NewTicker(lookEach)
	defer t.Stop()
	for {
		l.syncer.Looked(ctx)
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
	}
}

// Shared is what a remote says of the claims that a request made on a shared board.
type Shared struct {
	Confirmed []pawl.ID `json:"confirmed,omitempty"` // the remote has them
	Here      []pawl.ID `json:"here,omitempty"`      // claimed here only: another clone may get them, too
	Why       string    `json:"why,omitempty"`       // why that is so, one sentence
	// Passed are the tasks that a claim without an id would have got here, but that
	// another clone has, or that are not ready by now.
	Passed []Passed `json:"passed,omitempty"`
	// Report is, in the first outcome of a call, what the sync did; without what Passed names.
	Report *share.Report `json:"report,omitempty"`
}

// Passed is a task that another clone was first to claim, or that is not ready by now.
type Passed struct {
	merge.Named
	By    string `json:"by,omitempty"`    // who has it
	Clone string `json:"clone,omitempty"` // where
}

// nextTries is how many ready tasks a claim without an id tries to get.
const nextTries = 5

// A claim that lost a second task waits up to this long, at random, before it tries another
// one, so that clones which met do not meet again. After the first the sync has paused.
const jitter = 500 * time.Millisecond

// chance is the randomness that keeps clones apart; tests replace it.
type chance struct {
	below func(n int64) int64 // a random number from 0 on
	sleep func(context.Context, time.Duration) error
}

// A madeClaim is what made somebody the owner of a task: a claim, the completion of a task
// that this clone had not claimed, also by an undo or an import, or what left one in progress
// without a claim, as these do.
type madeClaim struct {
	request  int
	task     pawl.Task
	was      *pawl.Task    // before a completion
	revision pawl.Revision // of the request's change
	own      bool          // the request made it, and can take it back; else it renewed an older claim
	known    bool          // the caller showed the token of the older claim
}

// synced confirms the claims that requests made, or lets others know later of what
// they changed. A claim that the remote gave to another clone or did not confirm fails
// its request.
func (l local) synced(ctx context.Context, want Want, requests []pawl.Request, all []Outcome, failed error) ([]Outcome, error) {
	if !l.syncer.Active() {
		return all, failed
	}
	made := l.claimsOf(requests, all, failed)
	if len(made) == 0 {
		if more, soon := changed(all); more {
			l.syncer.Changed(ctx, soon)
		} else {
			l.syncer.Looked(ctx)
		}
		return all, failed
	}
	waiting, cancel := context.WithTimeout(ctx, share.Patience)
	defer cancel()
	errs := make([]error, len(requests))
	for i := range errs {
		errs[i] = pawl.ErrorAt(failed, i)
	}
	var whole *share.Report
	told := map[pawl.ID]bool{} // tasks that an error or Passed names
	for try := 1; len(made) > 0; try++ {
		var again []madeClaim
		lost, report := l.confirm(ctx, want, requests, made, all)
		whole = both(whole, report)
		for _, c := range lost {
			errs[c.request] = c.err
			told[c.id] = true
			claim, is := requests[c.request].Op.(pawl.ClaimTask)
			if is && claim.ID == 0 && try < nextTries && c.passed != nil {
				again = append(again, madeClaim{request: c.request})
				all[c.request].Shared.Passed = append(all[c.request].Shared.Passed, *c.passed)
			}
		}
		if made = nil; len(again) == 0 || try > 1 && l.chance.sleep(waiting, time.Duration(l.chance.below(int64(jitter)))) != nil {
			break
		}
		next := make([]pawl.Request, len(again))
		for n, c := range again {
			next[n] = requests[c.request]
			op, _ := next[n].Op.(pawl.ClaimTask)
			op.Skip = int(l.chance.below(mostSkipped))
			next[n].Op = op
			if next[n].ID != "" {
				next[n].ID = another(next[n].ID, try)
			}
		}
		some, err := l.merged(ctx, want, next)
		for n, c := range again {
			some[n].Shared = all[c.request].Shared
			all[c.request], errs[c.request] = some[n], pawl.ErrorAt(err, n)
			for _, m := range l.claimsOf(next[n:n+1], some[n:n+1], pawl.ErrorAt(err, n)) {
				m.request = c.request
				made = append(made, m)
			}
		}
	}
	if whole != nil {
		whole.Lost = slices.DeleteFunc(slices.Clone(whole.Lost), func(y merge.Yielded) bool { return told[y.ID] })
	}
	if whole != nil && !whole.Empty() {
		if all[0].Shared == nil {
			all[0].Shared = &Shared{}
		}
		all[0].Shared.Report = whole
	}
	return all, batch(errs)
}

// claimsOf are the claims that requests made or asked for again, and that the
// remote does not have for all that is known. A copy of a clone has none of its claims.
func (l local) claimsOf(requests []pawl.Request, all []Outcome, failed error) []madeClaim {
	var made []madeClaim
	for i := range requests {
		if pawl.ErrorAt(failed, i) != nil {
			continue
		}
		r := &all[i].Result
		seen := map[pawl.ID]bool{}
		for _, c := range r.Changes {
			t := c.After
			if t == nil {
				continue
			}
			claimed := here(t.Status, t.Claim) && (c.Before == nil || c.Before.Claim.Token != t.Claim.Token)
			owned := t.Status == pawl.InProgress && t.Owner != "" && !t.Claim.Live() && (c.Before == nil || c.Before.Status != t.Status || c.Before.Owner != t.Owner)
			done := t.Status == pawl.Completed && c.Before != nil && c.Before.Status != pawl.Completed && !l.sure(c.Before.Status, c.Before.Claim)
			if claimed || owned || done {
				seen[t.ID] = true
				m := madeClaim{request: i, task: *t, revision: r.Revision, own: true}
				if done {
					m.was = c.Before
				}
				made = append(made, m)
			}
		}
		op, asks := begins(requests[i].Op)
		_, several := requests[i].Op.(pawl.All) // nothing says which tasks these begin
		for n := range r.Tasks {
			if t := &r.Tasks[n]; asks && !several && (r.Repeated || !l.sure(t.Status, t.Claim)) && !seen[t.ID] {
				made = append(made, madeClaim{request: i, task: *t, revision: r.Revision, own: r.Repeated, known: op.Token != 0 && !l.syncer.Copied()})
			}
		}
	}
	return made
}

// here reports whether a task is claimed in this clone, or in the one that it is a copy of.
func here(s pawl.Status, c pawl.Claim) bool {
	return s == pawl.InProgress && c.Live() && c.Clone == ""
}

// sure reports whether the remote has this clone's claim of a task. A copy of a clone has
// none of its claims.
func (l local) sure(s pawl.Status, c pawl.Claim) bool {
	return here(s, c) && !c.Confirmed.IsZero() && !l.syncer.Copied()
}

// changed reports whether more was changed than that leases were renewed; soon: others wait
// for it, a task that is completed, released, held or free again.
func changed(all []Outcome) (more, soon bool) {
	for i := range all {
		for _, c := range all[i].Result.Changes {
			more = more || c.Before == nil || c.After == nil || len(c.Fields) != 1 || c.Fields[0] != pawl.FieldClaim
			soon = soon || slices.Contains(c.Fields, pawl.FieldStatus) || slices.Contains(c.Fields, pawl.FieldHold)
		}
	}
	return more, soon
}

// begins returns the claim, or the start as one, that an op is or has in it.
func begins(op pawl.Op) (claim pawl.ClaimTask, is bool) {
	switch op := op.(type) {
	case pawl.ClaimTask:
		return op, true
	case pawl.Start:
		return pawl.ClaimTask{Force: op.Force}, true
	case pawl.All:
		for i := 0; i < len(op.Ops) && !is; i++ {
			claim, is = begins(op.Ops[i])
		}
	}
	return claim, is
}

// mostSkipped bounds how many ready tasks a claim passes over at random.
const mostSkipped = 1 << 20

// another is the op id of one more try of a request, so that the request repeated
// tries the same.
func another(id pawl.OpID, try int) pawl.OpID {
	const suffix = "~next"
	next := string(id) + suffix + string(rune('0'+try))
	if len(next) > pawl.MaxOpID {
		next = next[len(next)-pawl.MaxOpID:]
	}
	return pawl.OpID(next)
}

// both is the report of two syncs, one after the other.
func both(a, b *share.Report) *share.Report {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	sum := *b
	sum.Arrived = append(slices.Clone(a.Arrived), b.Arrived...)
	sum.Changed = append(slices.Clone(a.Changed), b.Changed...)
	sum.Deleted = append(slices.Clone(a.Deleted), b.Deleted...)
	sum.Sent = append(slices.Clone(a.Sent), b.Sent...)
	sum.Confirmed = append(slices.Clone(a.Confirmed), b.Confirmed...)
	sum.Lost = append(slices.Clone(a.Lost), b.Lost...)
	sum.Restored = append(slices.Clone(a.Restored), b.Restored...)
	sum.Merge.Moved = append(slices.Clone(a.Merge.Moved), b.Merge.Moved...)
	sum.Tries += a.Tries
	return &sum
}
