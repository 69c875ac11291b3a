package share

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
)

// A Sharer keeps one clone's board in step with the remote. It is safe for concurrent
// use; its caller must let only one process at a time sync a clone.
type Sharer struct {
	repo   Repository
	local  Local
	memory Memory
	clock  Clock
	rename func() string // a new name for this clone

	one   sync.Mutex
	step  func(string) // tests stop here
	sleep func(context.Context, time.Duration) error
	rand  func() float64
	onto  func(bases []merge.Board, ours, theirs merge.Board) (merge.Board, merge.Report)
}

// New returns a sharer. rename gives a clone a name that no other one has, when it
// turns out to be a copy.
func New(repo Repository, local Local, memory Memory, clock Clock, rename func() string) *Sharer {
	return &Sharer{
		repo: repo, local: local, memory: memory, clock: clock, rename: rename,
		step: func(string) {}, sleep: Sleep, rand: rand.Float64, onto: merge.Onto,
	}
}

// Sleep waits, or until ctx ends.
func Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A StopError says that a person has to decide before a sync goes on.
type StopError struct{ Stop Stop }

func (e *StopError) Error() string {
	switch e.Stop {
	case StopRewound:
		return "the remote lacks commits of the board that it had"
	case StopDeleted:
		return "the board is gone from the remote"
	case StopTracked:
		return "the branch that is checked out has the board's files, too"
	}
	return "sharing has stopped: " + string(e.Stop)
}

// Sync brings this clone's board and the remote's together. An error leaves both as
// they were, or the next sync reports what became of them.
func (s *Sharer) Sync(ctx context.Context, o Options) (Report, error) {
	s.one.Lock()
	defer s.one.Unlock()
	state, err := s.memory.Load(ctx)
	if err != nil {
		return Report{}, err
	}
	c := &cycle{Sharer: s, o: o, state: state}
	err = c.run(ctx)
	c.report.Merge = andThen(c.put, c.report.Merge)
	if err != nil && !errors.As(err, new(*StopError)) && !errors.Is(err, ErrRace) && !errors.Is(err, context.Canceled) {
		if c.state.Failures++; c.state.Failures == 1 {
			c.state.Since = s.clock.Now().Wall
		}
		c.state.Failed = err.Error()
		err = errors.Join(err, s.memory.Save(context.WithoutCancel(ctx), c.state))
	}
	return c.report, err
}

// A cycle is one sync.
type cycle struct {
	*Sharer
	o      Options
	state  *State
	report Report

	since    pawl.Revision // what the history counts from
	behind   bool          // what a backup brought is older than what was counted
	before   merge.Board   // what the own commit had before the snapshot
	from     string        // the own commit before the snapshot
	own      string        // S: the snapshot
	side     merge.Board   // its board
	at       pawl.Revision // of the board in this clone, when the snapshot was taken
	same     bool          // the board says what the own commit says
	line     []Commit      // what the remote has got since the clone last looked
	whole    bool          // line has all of it
	began    time.Duration // the try, by the clock that counts since the start of the machine
	dry      bool          // nothing is kept
	put      merge.Report  // what putting the board back told
	restored []merge.Named // and files that nobody had deleted, which have their numbers again
}

// begin makes the snapshot that is to be sent.
func (c *cycle) begin(ctx context.Context) error {
	if err := c.settle(ctx); err != nil {
		return err
	}
	if !c.state.Stopped.rechecked() && !c.o.Resume {
		return &StopError{c.state.Stopped}
	}
	return c.snapshot(ctx)
}

func (c *cycle) run(ctx context.Context) error {
	if d := c.state.Turn.giveWay(c.clock.Now(), c.rand()); c.o.Claims && d > 0 {
		if err := c.sleep(ctx, d); err != nil {
			return fmt.Errorf("%w: this clone let others go first", ErrRace)
		}
	}
	if err := c.begin(ctx); err != nil {
		return err
	}
	for {
		c.began = c.clock.Now().Up
		err := c.once(ctx)
		if errors.Is(err, errStale) {
			if c.state, err = c.memory.Load(ctx); err != nil {
				return err
			}
			err = errRenamed
		}
		if errors.Is(err, errRenamed) {
			if err = c.snapshot(ctx); err != nil {
				return err
			}
			continue
		}
		if !errors.Is(err, ErrRace) {
			return err
		}
		c.report.Tries++
		if err := c.sleep(ctx, pause(c.clock.Now().Up-c.began, c.rand())); err != nil {
			return fmt.Errorf("%w, %d times", ErrRace, c.report.Tries)
		}
		// Take along changes that other processes of this clone made since: else their syncs
		// would race this one.
		rev, edited, err := c.local.Revision(ctx)
		if err == nil && (rev != c.at || edited) {
			if c.state, err = c.memory.Load(ctx); err == nil {
				err = c.begin(ctx)
			}
		}
		if err != nil {
			return err
		}
	}
}

// once is one try, which another clone may be faster with.
func (c *cycle) once(ctx context.Context) error {
	tip, err := c.fetch(ctx)
	if err != nil {
		return err
	}
	done, err := c.join(ctx, tip)
	if err != nil {
		return err
	}
	return c.write(ctx, done)
}

// errStale says that another sync of this clone was faster, and what this one has made
// is of no use.
var errStale = errors.New("another sync of this clone was faster")

// errRenamed says that this clone has another name from now on.
var errRenamed = errors.New("this clone is a copy of another one")

// pause is how long a clone waits after a lost race: at random, so that clones which
// met once do not meet again, and no longer than a try takes, which is how long others
// are in the way.
func pause(took time.Duration, random float64) time.Duration {
	return time.Duration(random * float64(min(8*time.Second, max(took, 50*time.Millisecond))))
}

// settle finds out whether the last write to the board was made, if that is not known.
func (c *cycle) settle(ctx context.Context) error {
	p := c.state.Pending
	if p == nil {
		return nil
	}
	wrote, err := c.local.Wrote(ctx, p.Op)
	if err != nil {
		return err
	}
	if wrote && p.From != p.To {
		if err := c.repo.SetOwn(ctx, p.From, p.To); err != nil && !errors.Is(err, ErrRace) {
			return err
		}
	}
	c.state.Pending = nil
	return nil
}

// snapshot makes a commit of the board as it is, on the clone's last one, before the
// remote can have any of it.
func (c *cycle) snapshot(ctx context.Context) error {
	own, err := c.repo.Own(ctx)
	if err != nil {
		return err
	}
	c.from, c.own, c.since = own, own, c.state.Counted[own]
	c.side, c.same, c.report = merge.Board{}, false, Report{Tries: c.report.Tries, Reached: c.report.Reached}
	now := c.clock.Now()
	if even := c.state.Even; even != nil && even.Commit == own && own != "" && !c.o.Renew && !c.state.Due(now) {
		rev, edited, err := c.local.Revision(ctx)
		if err != nil {
			return err
		}
		if rev == even.Revision && !edited {
			c.at, c.same = rev, true
			return nil // c.side is read when it is needed
		}
	}
	if c.before, err = c.board(ctx, own); err != nil {
		return err
	}
	b, err := c.local.Read(ctx, c.since, c.before.Tasks)
	if err != nil {
		return err
	}
	c.step("read")
	past := c.since
	if c.behind = b.Revision < past; c.behind { // a backup brought its history, which counts from here
		c.since, c.state.Even = b.Revision, nil
	}
	if b, err = c.back(ctx, b); err != nil {
		return err
	}
	if b.Revision < past { // a claim would get a token that another one has elsewhere
		if err := c.local.Pass(ctx, b.Revision, past); err != nil {
			return err
		}
		b.Revision, c.since = past, past
	}
	c.at = b.Revision
	x, err := c.sideOf(c.before, b, c.o.Renew)
	if err != nil {
		return err
	}
	if !c.o.Renew && (x.due || !sameBoards(x.out, c.before)) { // what is sent anyway takes renewals along
		if x, err = c.sideOf(c.before, b, true); err != nil {
			return err
		}
	}
	c.report.Restored = slices.Concat(c.restored, x.restored)
	c.side, c.state.Undue = x.out, x.undue
	if sameBoards(x.out, c.before) {
		if c.same = len(x.restored)+len(x.lost)+len(b.Damaged) == 0; !c.same {
			c.state.Even = nil // the board has to be written
		}
		return nil
	}
	c.state.Even = nil
	if c.state.Written == nil {
		c.state.Written = map[string]Renewal{}
	}
	for k, r := range x.minted {
		c.state.Written[k] = r
	}
	commit := Commit{Board: x.out, Name: c.o.By.Name, At: now.Wall, Message: c.message(headline(c.o.By.Name, c.before, x.out), "", merge.Report{})}
	if own != "" {
		commit.Parents = []string{own}
	}
	if c.own, err = c.repo.Write(ctx, commit, c.before); err != nil {
		return err
	}
	c.state.count(c.own, b.Revision, own)
	if err := c.save(ctx); err != nil {
		return err
	}
	c.step("snapshot")
	if err := c.repo.SetOwn(ctx, own, c.own); err != nil {
		return err
	}
	c.step("own")
	return nil
}

// sideOf makes a board of this clone a side of a merge, on a commit of the clone.
func (c *cycle) sideOf(base merge.Board, b *Board, renew bool) (*side, error) {
	x := &side{state: c.state, base: base, now: c.clock.Now(), renew: renew, onto: c.onto}
	return x, x.of(b)
}

// board reads a commit; without one the board is empty.
func (c *cycle) board(ctx context.Context, commit string) (merge.Board, error) {
	if commit == "" {
		return merge.Board{}, nil
	}
	boards, err := c.repo.Read(ctx, commit)
	if err != nil {
		return merge.Board{}, err
	}
	return boards[0], nil
}

func (c *cycle) save(ctx context.Context) error {
	if c.dry {
		return nil
	}
	err := c.memory.Save(ctx, c.state)
	c.step("saved")
	return err
}

// lose notes claims that this clone has lost.
func (c *cycle) lose(lost []merge.Yielded) {
	for _, y := range lost {
		known := func(o merge.Yielded) bool {
			if o.Held != nil && y.Held != nil {
				return key(o.Held) == key(y.Held)
			}
			return o.ID == y.ID && o.Owner == y.Owner
		}
		own := y.Held == nil || y.Held.Clone == c.state.Clone || c.state.copied(y.Held)
		if own && y.Was != pawl.Pending && !slices.ContainsFunc(c.state.Owed, known) {
			c.state.Owed = append(c.state.Owed, y)
		}
	}
}
