package storetest

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"pgregory.net/rapid"
)

// seeds is how many fixed sequences each store plays. Many stores play them, some over
// a network or with the race detector; runModel finds more.
const seeds = uint64(2)

// modelChecks run fixed sequences, the same on every machine; runModel runs
// random ones.
func modelChecks() []check {
	var checks []check
	for seed := range seeds {
		checks = append(checks, check{name: fmt.Sprint("model 120 moves from seed ", seed), run: func(w *world) {
			m := newMachine(w)
			c := dice{rand.New(rand.NewPCG(seed, 120))}
			for range 120 {
				m.step(c)
				if w.Failed() {
					w.Fatalf("the script so far:\n%s", strings.Join(m.script, "\n"))
				}
			}
		}})
	}
	return append(checks, check{name: "model what a completion without checks keeps", run: func(w *world) {
		m := newMachine(w)
		for _, lines := range batches(storyTexts()["5.11-unchecked"]) {
			m.play(lines)
		}
	}})
}

var modelTime = flag.Duration("storetest.time", 2*time.Second, "how long the random moves on one store may take; zero: no limit")

// runModel makes random moves, as many as rapid's flags say and as the time
// allows: some stores wait for a disk after each.
func runModel(t *testing.T, o *opener) {
	t.Run("model random moves", func(t *testing.T) {
		const least = 10
		start, ran, failed := time.Now(), 0, false
		rapid.Check(t, func(rt *rapid.T) {
			if late := *modelTime > 0 && time.Since(start) > *modelTime; late && ran >= least && !failed {
				return
			}
			ran++
			at := *o
			at.t = t
			m := newMachine(newWorld(rt, &at))
			rt.Cleanup(func() {
				if failed = failed || rt.Failed(); failed { // from here on it is run again to make it smaller
					rt.Logf("the script:\n%s", strings.Join(m.script, "\n"))
				}
			})
			rt.Repeat(map[string]func(*rapid.T){
				"move": func(rt *rapid.T) { m.step(drawn{rt}) },
			})
		})
		t.Logf("%d sequences of random moves", ran)
	})
}

// A chooser decides what happens next.
type chooser interface {
	// pick returns a number from 0 to n-1.
	pick(what string, n int) int
}

type dice struct{ *rand.Rand }

func (d dice) pick(_ string, n int) int { return d.IntN(n) }

type drawn struct{ *rapid.T }

func (d drawn) pick(what string, n int) int { return rapid.IntRange(0, n-1).Draw(d.T, what) }

// A machine makes moves on a board and on a model, and compares the two.
type machine struct {
	w        *world
	model    *model
	writer   writer
	script   []string // to be kept as a story when it found something
	compared int      // change sets
	glances  int
}

func newMachine(w *world) *machine { return &machine{w: w, model: newModel()} }

// step makes one move.
func (m *machine) step(c chooser) {
	m.w.Helper()
	m.writer.last, m.writer.rev = m.model.last, m.model.rev()
	m.play(m.writer.write(c))
}

// play makes one move that is written down.
func (m *machine) play(lines []string) {
	m.w.Helper()
	m.script = append(m.script, lines[0])
	for _, line := range lines[1:] {
		m.script = append(m.script, "& "+line)
	}
	base := m.w.lens().base
	mv, isMove, err := parseMove(lines, base)
	if err != nil {
		m.w.Fatalf("%q: %v", lines, err)
	}
	if !isMove {
		if _, err := m.w.look(lines[0]); err != nil {
			m.w.Fatalf("%q: %v", lines, err)
		}
		m.compare()
		return
	}
	relative, _, _ := parseMove(lines, 0)
	want := m.model.carryOut(relative, m.w.clock.stored())
	got := m.w.carryOut(mv)
	base = m.w.lens().base // the first change has set it
	for i, res := range got {
		same(m.w, "what came of "+lines[i], want[i], m.came(res, base))
	}
	m.compare()
}

// came is a result as the model says it.
func (m *machine) came(res outcome, base pawl.Revision) expected {
	if res.Err != nil {
		if _, ok := res.Err.(*pawl.Error); !ok {
			return expected{Kind: res.Err}
		}
		return expected{Kind: pawl.KindOf(res.Err)}
	}
	e := expected{Again: res.Repeated, IDs: res.IDs, Refs: res.Refs, Ready: res.Ready, Holding: res.Holding}
	if res.Revision != 0 {
		e.Rev = res.Revision - base
	}
	return e
}

// compare holds the whole board against the model: every field of every task,
// as recorded and as readers see it, the ready order, and history.
func (m *machine) compare() {
	m.w.Helper()
	m.poll()
	b := m.w.snapshot()
	now, base := m.w.clock.stored(), m.w.lens().base
	for _, side := range []struct {
		what      string
		want, got []pawl.Task
	}{
		{"tasks as recorded", m.model.tasks.list(), b.tasks},
		{"tasks as they are seen", m.model.seen(now).list(), b.settled},
	} {
		for i := range side.got {
			if side.got[i].Claim.Live() {
				side.got[i].Claim.Token -= base
			}
		}
		same(m.w, side.what, even(side.want), even(side.got))
	}
	same(m.w, "last id", m.model.last, b.lastID)
	same(m.w, "ready", m.model.seen(now).ready(""), b.ready)
	m.glance()
	if len(b.sets) != len(m.model.past) {
		m.w.Errorf("%d change sets, want %d", len(b.sets), len(m.model.past))
		return
	}
	for ; m.compared < len(b.sets); m.compared++ { // those before were compared, and are replayed each time
		past, set := m.model.past[m.compared], b.sets[m.compared]
		var ids []pawl.ID
		for _, c := range set.Changes {
			ids = append(ids, c.ID)
		}
		if set.Undoes != 0 {
			set.Undoes -= base
		}
		same(m.w, fmt.Sprint("change set ", m.compared+1),
			[]any{base + pawl.Revision(m.compared+1), past.verb, past.by, past.op, past.at, past.undoes, slices.Sorted(maps.Keys(past.before.differs(past.after)))},
			[]any{set.Revision, set.Verb, set.By, set.OpID, set.At, set.Undoes, ids})
	}
}

// glance looks at the board in passing, for each session in turn, and holds what
// it sees to what the model knows.
func (m *machine) glance() {
	m.w.Helper()
	n := m.glances
	m.glances++
	q := pawl.GlanceQuery{Session: fmt.Sprint("s", 1+n%4), Ready: n % 5, For: []string{"", "ada", "bob"}[n%3]}
	for id := pawl.ID(1 + n%3); id <= m.model.last && len(q.IDs) < pawl.MaxGlance; id += 3 {
		q.IDs = append(q.IDs, id)
	}
	got, err := m.w.board.Glance(m.w.ctx, q)
	if err != nil {
		m.w.Fatalf("Glance(%+v): %v", q, err)
	}
	base := m.w.lens().base
	for _, tasks := range [][]pawl.Task{got.Claimed, got.Tasks, got.Ready} {
		for i := range tasks {
			if tasks[i].Claim.Live() {
				tasks[i].Claim.Token -= base
			}
		}
		even(tasks)
	}
	want := m.model.tasks.glance(q, m.w.clock.stored(), got.Revision)
	even(want.Claimed)
	even(want.Tasks)
	even(want.Ready)
	same(m.w, fmt.Sprintf("Glance(%+v)", q), want, got)
}

// poll asks what changed since a revision in the middle, and holds the answer to
// what the model knows.
func (m *machine) poll() {
	m.w.Helper()
	if len(m.model.past) == 0 {
		return
	}
	since, now := len(m.model.past)/2, m.w.clock.stored()
	changed := map[pawl.ID]bool{}
	for _, past := range m.model.past[since:] {
		for id, fields := range past.before.differs(past.after) {
			before, after := past.before[id], past.after[id]
			renewed := slices.Equal(fields, []pawl.Field{pawl.FieldClaim}) && before.Claim.Token == after.Claim.Token
			changed[id] = changed[id] || !renewed
		}
	}
	for id := range m.model.tasks.differs(m.model.seen(now)) {
		changed[id] = true // a lease has ended, and nobody has recorded it
	}
	maps.DeleteFunc(changed, func(_ pawl.ID, yes bool) bool { return !yes })
	base := m.w.lens().base
	got, next, err := m.w.board.ChangedSince(m.w.ctx, base+pawl.Revision(since))
	if err != nil {
		m.w.Fatalf("ChangedSince: %v", err)
	}
	same(m.w, fmt.Sprint("what changed since ", since), slices.Sorted(maps.Keys(changed)), got)
	same(m.w, "the revision to ask with next", base+m.model.rev(), next)
}

// even takes away the differences between tasks that mean nothing: the order
// in which a task waits, and whether what is empty is there.
func even(tasks []pawl.Task) []pawl.Task {
	for i := range tasks {
		t := &tasks[i]
		slices.Sort(t.BlockedBy)
		for _, ids := range []*[]pawl.ID{&t.BlockedBy, &t.Blocks, &t.Blockers, &t.Children} {
			if len(*ids) == 0 {
				*ids = nil
			}
		}
		if len(t.Labels) == 0 {
			t.Labels = nil
		}
		if len(t.Notes) == 0 {
			t.Notes = nil
		}
		if len(t.Metadata) == 0 {
			t.Metadata = nil
		}
	}
	return tasks
}
