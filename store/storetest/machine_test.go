package storetest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
)

// Package memory is the model of all stores. Under a board it is held to a model of the
// rules, which was written from the specification.
func TestRulesByModel(t *testing.T) {
	start := func(tb TB) player { return newMachine(newWorld(tb, sound(t, nil))) }
	for seed := range uint64(2) {
		t.Run(fmt.Sprint("moves from seed ", seed), func(t *testing.T) { fromSeed(t, start, seed, 120) })
	}
	t.Run("moves at random", func(t *testing.T) { atRandom(t, start) })
	t.Run("what a completion without checks keeps", func(t *testing.T) {
		m := start(t)
		for _, lines := range batches(storyTexts(t)["5.11-unchecked"]) {
			if mv, ok, err := parseMove(lines); err != nil {
				t.Fatal(err)
			} else if ok {
				m.play(mv)
			}
		}
	})
}

// A model that sees nothing would be worth nothing.
func TestModelSeesADifference(t *testing.T) {
	for _, fault := range []string{"an unblock is lost", "places that moved are forgotten", "a hold is lost", "history has a gap", "a result is not remembered"} {
		failures := try(func(tb TB) {
			fromSeed(tb, func(tb TB) player { return newMachine(newWorld(tb, sound(t, plantOf(t, fault)))) }, 1, 120)
		})
		if failures == nil {
			t.Errorf("%s: not seen", fault)
		}
	}
}

// What is made up has to get everywhere: every op accepted and refused, by
// every kind of refusal that it has, leases that end, results that come again.
// The model alone says what would come of each move.
func TestMovesGetEverywhere(t *testing.T) {
	came := map[string]int{}
	for seed := range uint64(40) {
		m, clock, g := newModel(), NewClock(), newWriter(seed)
		for range 120 {
			mv := g.next(m.last, m.rev())
			if len(mv.requests) == 0 {
				if clock.Advance(mv.wait); mv.wait == 0 {
					came["restart"]++
				}
				continue
			}
			for i, e := range m.carryOut(mv, clock.stored()) {
				what := strings.TrimPrefix(fmt.Sprintf("%T", mv.requests[i].Op), "pawl.")
				switch {
				case e.Kind != nil:
					what = fmt.Sprint(what, " ", e.Kind)
				case e.Again:
					what = "again"
				case e.Rev == 0:
					what += " changes nothing"
				}
				came[what]++
			}
		}
		for _, past := range m.past {
			came["set "+past.verb]++
			for _, task := range past.after {
				if task.Hold != nil && task.Hold.By == "pawl" {
					came["held after expiries"]++
				}
			}
		}
	}
	for _, what := range []string{
		"Create", "Create invalid", "Create not_found", "Create conflict",
		"Update", "Update invalid", "Update not_found", "Update conflict", "Update changes nothing",
		"ClaimTask", "ClaimTask not_found", "ClaimTask conflict", "ClaimTask blocked", "ClaimTask idle", "ClaimTask busy",
		"Start", "Start not_found", "Start conflict", "Start blocked", "Start changes nothing",
		"Complete", "Complete not_found", "Complete conflict", "Complete blocked", "Complete changes nothing",
		"Reopen", "Reopen not_found", "Reopen conflict", "Reopen changes nothing",
		"Release", "Release not_found", "Release conflict",
		"Assign", "Assign conflict", "PutHold", "PutHold conflict", "LiftHold", "AddNote",
		"Delete", "Delete conflict", "Delete not_found", "Renew", "Renew conflict", "Renew changes nothing",
		"Undo", "Undo conflict", "Undo not_found", "again", "restart", "set expire", "held after expiries",
	} {
		if came[what] < 3 {
			t.Errorf("%s: %d times", what, came[what])
		}
	}
	t.Log(came)
}

// A machine makes moves on a board and on a model, and compares the two.
type machine struct {
	w        *world
	model    *model
	compared int // change sets
	glances  int
}

func newMachine(w *world) *machine { return &machine{w: w, model: newModel()} }

func (m *machine) next(g *writer) move { return g.next(m.model.last, m.model.rev()) }

func (m *machine) end() {}

// play makes one move.
func (m *machine) play(mv move) {
	m.w.Helper()
	if len(mv.requests) == 0 {
		m.w.play(mv)
		m.compare()
		return
	}
	want := m.model.carryOut(mv, m.w.clock.stored())
	for i, res := range m.w.carryOut(mv) {
		same(m.w, "what came of it", want[i], m.came(res, m.w.first()))
	}
	m.compare()
	if m.w.Failed() {
		m.w.Fatalf("the model differs")
	}
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
	now, base := m.w.clock.stored(), m.w.first()
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
	base := m.w.first()
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
	base := m.w.first()
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

// glance is the answer in the plainest way there is.
func (d draft) glance(q pawl.GlanceQuery, now time.Time, rev pawl.Revision) pawl.Glance {
	g := pawl.Glance{Revision: rev}
	asked := q.IDs[:min(len(q.IDs), pawl.MaxGlance)]
	for _, t := range d.list() {
		t = t.Settle(now)
		if t.Status == pawl.InProgress && q.Session != "" && t.Claim.Of(q.Session) && len(g.Claimed) < pawl.MaxGlance {
			g.Claimed = append(g.Claimed, t.Clone())
		}
		if slices.Contains(asked, t.ID) {
			g.Tasks = append(g.Tasks, t.Clone())
		}
		if q.Ready > 0 && free(&t) && t.Damage == "" && (t.Owner == "" || t.Owner == q.For) {
			g.Ready = append(g.Ready, t.Brief())
		}
	}
	g.Free = len(g.Ready)
	slices.SortFunc(g.Ready, func(a, b pawl.Task) int { return pawl.ByUrgency.Compare(a.Rank(), b.Rank()) })
	g.Ready = g.Ready[:min(max(q.Ready, 0), pawl.MaxGlance, len(g.Ready))]
	return g
}
