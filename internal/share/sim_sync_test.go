package share

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
)

// A simSync is a sync that runs in a clone, step by step.
type simSync struct {
	c       *simClone
	w       *simWorld
	resume  bool
	final   bool // nothing goes wrong any more
	stopped Stop // how the clone was when the sync began
	saw     string
	fetched string
	yield   func(string) bool
	next    func() (string, bool)
	stop    func()
	dead    bool
	locked  bool // in a transaction of the store
	report  *Report
	err     error
}

// simCrash unwinds a sync that was dropped.
type simCrash struct{}

// step lets others go on before a sync goes on, or ends it.
func (y *simSync) step(what string) {
	if y.yield == nil || y.locked {
		return
	}
	y.w.say("  clone %d: %s; tip %s owed %d", y.c.i, what, y.c.state.Tip, len(y.c.state.Owed))
	if y.dead || !y.yield(what) {
		y.dead = true
		panic(simCrash{})
	}
}

// unwelcome reports whether the clone has stopped, and the remote still lacks what it saw.
func (y *simSync) unwelcome() bool {
	return y.stopped != "" && !y.resume && !y.c.doubled && !y.w.remote.isAncestor(y.saw, y.fetched)
}

// sync begins a sync, which goes on with each call of next.
func (c *simClone) sync(resume bool) *simSync {
	y := c.prepare(resume)
	y.next, y.stop = iter.Pull(iter.Seq[string](func(yield func(string) bool) {
		defer func() {
			if r := recover(); r != nil && r != any(simCrash{}) {
				panic(r)
			}
		}()
		y.yield = yield
		y.run()
	}))
	c.running = append(c.running, y)
	return y
}

func (c *simClone) prepare(resume bool) *simSync {
	y := &simSync{c: c, w: c.w, resume: resume}
	y.stopped, y.saw = c.state.Stopped, c.state.Tip
	return y
}

// drop is a crash.
func (y *simSync) drop() {
	y.dead = true
	y.stop()
}

// settle syncs without trouble, as a person would at the end of the day.
func (c *simClone) settle() error {
	for range 4 {
		y := c.prepare(true)
		y.final = true
		y.run()
		if y.err != nil {
			return y.err
		}
		if y.report.Empty() {
			break
		}
	}
	return nil
}

// run syncs, and keeps what came of it.
func (y *simSync) run() {
	c, w := y.c, y.w
	w.say("clone %d: sync", c.i)
	if w.happen["syncs"]%3 == 1 && !y.final {
		if err := c.sharer(y).Keep(context.Background(), pawl.Actor{}); err == nil {
			w.happen["commits without the remote"]++
		}
	}
	report, err := c.sharer(y).Sync(context.Background(), Options{Resume: y.resume, Renew: w.chance(0.5)})
	y.report, y.err = &report, err
	if w.trace != nil {
		said, _ := json.Marshal(report)
		w.say("clone %d: synced, %s, %v; %s", c.i, said, err, c.board)
	}
	w.tell(y)
	if y.err == nil {
		c.seen = y.fetched
		w.happen["syncs"]++
		if !y.final && !unlocked && w.chance(0.1) { // another sync may have read the board as it was
			c.backUp()
		}
	} else if !errors.Is(y.err, ErrAway) && !errors.Is(y.err, ErrRace) {
		w.happen["syncs that stop: "+y.err.Error()]++
	}
}

// sharer is the real protocol, over this world.
func (c *simClone) sharer(y *simSync) *Sharer {
	s := New(simRepo{y}, simLocal{y}, simMemory{y}, c, func() string {
		c.w.happen["new names of copies"]++
		if c.w.happen["twins"] == 0 && !c.doubled {
			c.w.violate("h clone %d takes another name, and it is no copy", c.i)
		}
		c.foreign.join(c.nonces())
		c.w.truth.twins.join(c.nonces())
		return fmt.Sprintf("clone%d.%d", c.i, c.w.name())
	})
	s.step = y.step
	s.onto = func(bases []merge.Board, ours, theirs merge.Board) (merge.Board, merge.Report) {
		b, r := merge.Onto(bases, ours, theirs)
		c.w.truth.merged(c.w, b, r)
		if c.w.trace != nil {
			said, _ := json.Marshal(r)
			y.w.say("  merged: %s", said)
		}
		return b, r
	}
	s.rand = func() float64 { return 0.5 }
	races := 0
	s.sleep = func(context.Context, time.Duration) error {
		if races++; races == 4 {
			return context.DeadlineExceeded
		}
		y.step("pause")
		return nil
	}
	return s
}

// A simMemory is what a clone remembers. A crash loses what was not saved.
type simMemory struct{ *simSync }

func (m simMemory) Load(context.Context) (*State, error) {
	m.step("load")
	return saved(m.c.state), nil
}

func (m simMemory) Save(_ context.Context, s *State) error {
	m.step("save")
	m.c.state = saved(s)
	return nil
}

// saved is a state as it comes from the disk.
func saved(s *State) *State {
	c := *s
	c.Former, c.Notices = slices.Clone(s.Former), slices.Clone(s.Notices)
	c.Counted, c.Written, c.Agreed, c.Seen = maps.Clone(s.Counted), maps.Clone(s.Written), maps.Clone(s.Agreed), maps.Clone(s.Seen)
	return &c
}

// nonces are the claims and completions that the board has.
func (c *simClone) nonces() (all nonces) {
	for _, text := range c.board.texts {
		all.add(c.w.task(text).nonce)
	}
	return all
}

// duplicate copies the folder of a clone. Both go on, the copy under another name, unless
// it is a twin: then nothing tells it from the original but what it does.
func (c *simClone) duplicate() {
	w := c.w
	d := newSimClone(w, len(w.clones))
	d.board, d.own, d.state, d.last, d.seen = c.board.copy(), c.own, saved(c.state), c.last, c.seen
	d.skew, d.booted, d.slept = c.skew, c.booted, c.slept
	d.known = maps.Clone(c.known)
	for _, all := range w.truth.reopens {
		for _, r := range all {
			if slices.Contains(r.by, c) {
				r.by = append(r.by, d)
			}
		}
	}
	inherited := c.nonces()
	for _, text := range c.board.texts {
		if t := w.task(text); w.truth.number[t.uid] == 0 {
			w.truth.older[t.uid] = true
		}
	}
	w.truth.shared.join(inherited)
	if w.chance(0.5) {
		w.truth.twins.join(inherited)
		w.happen["twins"]++
	} else {
		d.foreign = inherited
		d.state.Renamed(fmt.Sprint("clone", d.i))
		w.happen["copies"]++
	}
	w.clones = append(w.clones, d)
}
