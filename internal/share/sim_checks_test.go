package share

import (
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
)

// believers checks that no two clones take a claim of one task for confirmed.
func (w *simWorld) believers() {
	x := &w.truth
	type believer struct {
		clone *simClone
		nonce int
	}
	first := map[string]believer{}
	for _, c := range w.clones {
		for id, h := range c.board.held {
			if !h.Claim.Live() || h.Claim.Clone != "" || !c.believes(h) {
				continue
			}
			t := w.task(c.board.texts[id])
			if t.Status != pawl.InProgress || c.foreign.has(t.nonce) {
				continue
			}
			if !x.accepted[simState{t.uid, t.nonce, pawl.InProgress}] {
				w.violate("b clone %d takes its claim %d of %s for confirmed, which the remote never had", c.i, t.nonce, t.uid)
			}
			other, ok := first[t.uid]
			first[t.uid] = believer{c, t.nonce}
			if !ok {
				continue
			}
			if excused(x, other.nonce) || excused(x, t.nonce) {
				w.happen["two believers, after a rewind, by force, or in a copy"]++
			} else {
				w.violate("b clones %d and %d both take their claims %d and %d of %s for confirmed", other.clone.i, c.i, other.nonce, t.nonce, t.uid)
			}
		}
	}
}

// believes reports whether a clone takes a claim of its own for confirmed.
func (c *simClone) believes(h LocalHeld) bool {
	return !h.Claim.Confirmed.IsZero() && believed(c.state, h.Claim.Token, c.clock())
}

// believed reports whether a clone may take its claim for confirmed: the remote has it,
// and the lease has not ended by either clock since the renewal was written.
func believed(s *State, token pawl.Revision, now Instant) bool {
	r, ok := s.Agreed[key(&merge.Held{Clone: s.Clone, Token: token})]
	if !ok {
		return false
	}
	if r.Lease == 0 {
		return true
	}
	wall, up := now.since(r.At)
	return r.At.Boot == now.Boot && max(wall, up) < r.Lease
}

func excused(x *simTruth, n int) bool { return x.thrown.has(n) || x.forced.has(n) || x.twins.has(n) }

// finish syncs all clones until nothing is left to send, and checks what is there then.
func (w *simWorld) finish() {
	for _, c := range w.clones {
		c.crash()
		c.away, c.asleep = 0, 0
	}
	for range 3 {
		for _, c := range w.clones {
			w.now += 1000
			if err := c.settle(); err != nil {
				w.violate("e clone %d cannot sync: %v", c.i, err)
				return
			}
		}
	}
	w.believers()
	tip := w.remote.tip
	if tip == "" {
		w.violate("e nothing is on the remote")
		return
	}
	final := w.remote.at(tip).Board
	for _, c := range w.clones {
		if !maps.EqualFunc(c.board.texts, final.Tasks, slices.Equal) {
			w.violate("e clone %d does not have what the remote has%s", c.i, w.differ(c, final.Tasks))
			return
		}
		for id, beside := range final.Beside {
			h := c.board.held[id].Claim
			if (beside.Held != nil) != h.Live() {
				w.violate("e clone %d does not have the claim of %v that the remote has: %+v, %+v", c.i, id, beside.Held, h)
			} else if h.Live() && h.Session != beside.Held.Session {
				w.violate("e clone %d has another claim of %v than the remote", c.i, id)
			}
		}
		for n := range c.lost {
			if c.told[n] == 0 && !w.truth.rewound && w.happen["twins"] == 0 && !w.truth.twins.has(n) && !w.truth.shared.has(n) && !c.doubled {
				w.violate("g clone %d is not told that its claim %d was lost", c.i, n)
			}
		}
	}
	w.checkTasks(final.Tasks)
	w.checkWhole(final.Tasks)
}

func (w *simWorld) differ(c *simClone, texts map[pawl.ID][]byte) string {
	for _, id := range slices.Sorted(maps.Keys(texts)) {
		if string(texts[id]) != string(c.board.texts[id]) {
			return "\n" + string(texts[id]) + string(c.board.texts[id])
		}
	}
	return ", but more"
}

// checkTasks checks that nothing was lost, and nothing is there twice.
func (w *simWorld) checkTasks(texts map[pawl.ID][]byte) {
	x := &w.truth
	at := map[string]*simTask{}
	count := map[string]int{}
	words := map[string]string{} // all that a task says, by name
	for id, text := range texts {
		t := w.task(text)
		if at[t.uid] != nil && !x.rewound { // then two clones may bring one task back with two subjects
			w.violate("a %s is there twice", t.uid)
		}
		if t.ID != id {
			w.violate("d the file of %v says that it is %v", id, t.ID)
		}
		at[t.uid] = t
		for _, n := range t.Notes {
			count[n.Text]++
			words[t.uid] += n.Text + "\n"
		}
	}
	for uid := range x.tasks {
		if at[uid] == nil && !x.deleted[uid] {
			w.violate("a %s is lost", uid)
		}
	}
	for note, uid := range x.notes {
		if count[note] == 0 && !x.gone[uid][note] && !(at[uid] == nil && x.deleted[uid] && len(x.gone[uid]) == 0) {
			w.violate("a %s of %s is lost", note, uid)
		}
		if count[note] > 1 {
			w.violate("a %s of %s is there twice", note, uid)
		}
	}
	for label, uid := range x.labels {
		if t := at[uid]; t != nil && !x.unlabelled[label] && !slices.Contains(t.Labels, label) {
			w.violate("a %s of %s is lost", label, uid)
		}
	}
	for hold, uid := range x.holds {
		if t := at[uid]; t != nil && !x.lifted[hold] && (t.Hold == nil || t.Hold.Reason != hold) && !strings.Contains(words[uid], hold) {
			w.violate("a %s of %s is lost", hold, uid)
		}
	}
	for e := range x.edges {
		waiter, blocker := at[e[0]], at[e[1]]
		if waiter == nil || blocker == nil || x.unedged[e] || x.cut[e] || x.deleted[e[0]] || x.deleted[e[1]] {
			continue
		}
		if !slices.Contains(blocker.Blocks, waiter.ID) {
			w.violate("a %s no longer waits for %s", e[0], e[1])
		}
	}
	for child, parents := range x.parents {
		c, p := at[child], at[parents[0]]
		if len(parents) > 1 || x.reparented[child] || c == nil || p == nil || x.deleted[child] || x.deleted[parents[0]] || x.cut[[2]string{child, parents[0]}] {
			continue
		}
		if c.Parent != p.ID {
			w.violate("a %s is no longer a child of %s", child, parents[0])
		}
	}
	for _, d := range x.done {
		t := at[d.uid]
		switch {
		case x.undone.has(d.nonce), x.revived[d.uid], t == nil && x.deleted[d.uid]:
		case x.accepted[simState{d.uid, d.nonce, pawl.Completed}]: // what became of it then, others did
		case t != nil && (t.Status == pawl.Completed && t.nonce == d.nonce || strings.Contains(words[d.uid], d.owner)):
		default:
			w.violate("c the completion %d of %s is lost", d.nonce, d.uid)
		}
	}
}

// checkWhole checks that a board is as Pawl keeps it.
func (w *simWorld) checkWhole(texts map[pawl.ID][]byte) {
	v := &simView{w: w, tasks: map[pawl.ID]*simTask{}, ids: slices.Sorted(maps.Keys(texts))}
	for id, text := range texts {
		v.tasks[id] = w.task(text)
	}
	for _, id := range v.ids {
		t := v.tasks[id]
		for _, other := range t.Blocks {
			o := v.tasks[other]
			if o != nil && t.Open() && o.Open() && !slices.Contains(o.BlockedBy, id) {
				w.violate("a %v waits for %v, and its file does not say so", other, id)
			}
		}
		for _, other := range t.BlockedBy {
			if o := v.tasks[other]; o != nil && (!slices.Contains(o.Blocks, id) || !t.Open()) {
				w.violate("a %v says that it waits for %v", id, other)
			}
		}
		for _, need := range v.needs(id) {
			if v.reaches(need, id) {
				w.violate("a %v needs itself", id)
				return
			}
		}
	}
}
