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

// modelChecks run fixed sequences, the same on every machine; runModel runs
// random ones.
func modelChecks() []check {
	var checks []check
	for seed := range uint64(4) {
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
	return checks
}

var modelTime = flag.Duration("storetest.time", 10*time.Second, "how long the random moves on one store may take; zero: no limit")

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
				"move": func(rt *rapid.T) { m.w.TB = rt; m.step(drawn{rt}) },
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
}

func newMachine(w *world) *machine { return &machine{w: w, model: newModel()} }

// step makes one move.
func (m *machine) step(c chooser) {
	m.w.Helper()
	m.writer.last, m.writer.rev = m.model.last, m.model.rev()
	lines := m.writer.write(c)
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
func (m *machine) came(res pawl.Result, base pawl.Revision) expected {
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
		same(m.w, fmt.Sprint("change set ", m.compared+1),
			[]any{base + pawl.Revision(m.compared+1), past.verb, past.by, past.op, past.at, slices.Sorted(maps.Keys(past.before.differs(past.after)))},
			[]any{set.Revision, set.Verb, set.By, set.OpID, set.At, ids})
	}
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

// A writer makes up the next lines of a script.
type writer struct {
	last pawl.ID
	rev  pawl.Revision
	sent []string // requests with an op id
	made int      // refs given so far
}

// write returns a line, or a batch.
func (g *writer) write(c chooser) []string {
	switch n := c.pick("kind", 20); {
	case g.last == 0 || g.last < 3 && n < 10:
		return []string{g.actor(c) + ": " + g.create(c)}
	case n < 3:
		return []string{"wait " + g.of(c, "1m", "5m", "9m", "10m", "10m", "30m", "-3m")}
	case n < 4:
		return []string{g.actor(c) + ": undo " + fmt.Sprint(max(1, g.rev+1-pawl.Revision(c.pick("back", 5))))}
	case n < 5 && g.of(c, "on", "restart") == "restart":
		return []string{"restart"}
	case n < 8:
		lines := []string{g.request(c)}
		for range 1 + c.pick("more", 3) {
			lines = append(lines, g.request(c))
		}
		return lines
	}
	return []string{g.request(c)}
}

func (g *writer) of(c chooser, words ...string) string { return words[c.pick("word", len(words))] }

func (g *writer) actor(c chooser) string {
	return g.of(c, "ada/s1", "ada/s2", "bob/s3", "bob/s1", "eve/s4/explore")
}

// id is mostly one that was given, sometimes one that was not.
func (g *writer) id(c chooser) string {
	return fmt.Sprint(1 + c.pick("id", int(g.last)+1))
}

func (g *writer) ids(c chooser) string {
	ids := []string{g.id(c)}
	for c.pick("more ids", 4) == 0 && len(ids) < 3 {
		ids = append(ids, g.id(c))
	}
	return strings.Join(ids, " ")
}

// maybe returns a part in one of n cases.
func (g *writer) maybe(c chooser, n int, part func() string) string {
	if c.pick("maybe", n) == 0 {
		return " " + part()
	}
	return ""
}

func (g *writer) request(c chooser) string {
	if c.pick("op id", 8) > 0 {
		return g.actor(c) + ": " + g.op(c)
	}
	// A request with an op id: a new one, one sent before, or another one under
	// an id that was given.
	kind := c.pick("new or again", 5)
	if kind < 2 && len(g.sent) > 0 {
		return g.sent[c.pick("which", len(g.sent))]
	}
	n := len(g.sent) + 1
	if kind == 2 {
		n = 1 + c.pick("which", n)
	}
	line := fmt.Sprintf("%s [op%d]: %s", g.actor(c), n, g.op(c))
	g.sent = append(g.sent, line)
	return line
}

func (g *writer) op(c chooser) string {
	force := func() string { return g.maybe(c, 5, func() string { return "force" }) }
	token := func() string {
		return g.maybe(c, 5, func() string { return fmt.Sprint("token:", 1+c.pick("token", int(g.rev)+1)) })
	}
	lease := func() string { return g.maybe(c, 1, func() string { return "lease:" + g.of(c, "0s", "10m", "20m") }) }
	switch c.pick("op", 16) {
	case 0:
		if g.last < 12 {
			return g.create(c)
		}
		return "renew"
	case 1, 2:
		return "update " + g.id(c) + g.edits(c) + token()
	case 3, 4:
		return "claim " + g.id(c) + lease() + token() + force()
	case 5, 6:
		return "claim" + lease() + g.maybe(c, 4, func() string { return g.of(c, "pri:high", "label:x", "parent:"+g.id(c)) })
	case 7:
		return "start " + g.ids(c) + lease() + force()
	case 8, 9, 10:
		return "complete " + g.ids(c) + token() + force()
	case 11:
		return "reopen " + g.ids(c)
	case 12:
		return "release " + g.ids(c) + token() + force() + g.maybe(c, 4, func() string { return "hold:why" })
	case 13:
		return g.of(c, "hold "+g.ids(c)+" why:because", "lift "+g.ids(c), "note "+g.id(c)+" text:noted")
	case 14:
		return g.of(c, "renew", "renew "+g.ids(c)+token(), "assign "+g.ids(c)+" to:"+g.of(c, "ada", "bob", `""`))
	default:
		if c.pick("spare it", 3) > 0 {
			return "lift " + g.ids(c)
		}
		return "delete " + g.ids(c) + force()
	}
}

// edits of one task. What is removed is not added again in the same op, for
// then only the order of edges would tell.
func (g *writer) edits(c chooser) string {
	var edits string
	switch c.pick("edit", 8) {
	case 0:
		edits = " subject:" + g.of(c, "renamed", "again")
	case 1, 2:
		edits = " pri:" + g.of(c, "high", "medium", "low")
	case 3:
		edits = " parent:" + g.of(c, "0", g.id(c), g.id(c))
	case 4:
		edits = " -after:" + g.id(c)
	case 5:
		edits = " -blocks:" + g.id(c)
	case 6:
		edits = " after:" + g.id(c)
	case 7:
		edits = " blocks:" + g.id(c) + g.maybe(c, 2, func() string { return "after:" + g.id(c) })
	}
	return edits + g.maybe(c, 5, func() string { return "+label:" + g.of(c, "x", "y") })
}

func (g *writer) create(c chooser) string {
	tasks := make([]string, 1+c.pick("tasks", 4))
	first := g.made
	g.made += len(tasks)
	for i := range tasks {
		one := func() string { // mostly one made here before it, or one that was there
			if n := c.pick("old or new", 6); n > 3 || i == 0 && n > 0 {
				return g.id(c)
			} else if n > 0 {
				return fmt.Sprint("r", first+c.pick("ref", i))
			}
			return fmt.Sprint("r", first+c.pick("ref", len(tasks)))
		}
		tasks[i] = fmt.Sprintf("task%d ref:r%d", first+i, first+i) +
			g.maybe(c, 3, func() string { return "pri:" + g.of(c, "high", "low") }) +
			g.maybe(c, 3, func() string { return "after:" + one() }) +
			g.maybe(c, 8, func() string { return "blocks:" + one() }) +
			g.maybe(c, 5, func() string { return "parent:" + one() }) +
			g.maybe(c, 8, func() string { return "owner:" + g.of(c, "ada", "bob") }) +
			g.maybe(c, 5, func() string { return "label:x" })
	}
	return "create " + strings.Join(tasks, " | ")
}
