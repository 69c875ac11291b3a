package share

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
)

// simTruth is what somebody who sees all clones at all times knows of a history.
// Tasks are known by their names, claims and completions by their numbers.
type simTruth struct {
	tasks      map[string]bool // there were
	older      map[string]bool // of them, those from before the board was shared
	deleted    map[string]bool
	gone       map[string]map[string]bool // by task: notes that somebody deleted with it
	notes      map[string]string          // their tasks
	labels     map[string]string
	unlabelled map[string]bool
	holds      map[string]string
	lifted     map[string]bool
	edges      map[[2]string]bool // who waits for whom
	unedged    map[[2]string]bool
	cut        map[[2]string]bool  // edges and parents that closed a cycle
	reparented map[string]bool     // children that two clones gave to others
	parents    map[string][]string // by child: the parents that it got, "" for none

	begun    map[int]nonces // claims and completions: what was known when they were made
	done     []simDone      // completions
	undone   nonces         // completions that somebody reopened, or deleted
	reopens  map[string][]*simReopen
	revived  map[string]bool // completed parents that a merge reopened
	forced   nonces
	thrown   nonces            // claims that a rewind took from the remote
	twins    nonces            // claims that two clones have, since one is a copy of the other
	shared   nonces            // those that a copy has, too, though somebody in the original made them
	snapped  map[simState]bool // claims and completions that came into a commit
	rewound  bool
	number   map[string]pawl.ID // of each task, as it was first on the remote
	accepted map[simState]bool
}

type simState struct {
	uid    string
	nonce  int
	status pawl.Status
}

type simDone struct {
	uid   string
	nonce int
	owner string
	knows nonces // completions of the task whose reopening was known
}

// A simReopen is one reopening: where, of which completion, and in which commit.
type simReopen struct {
	by     []*simClone // and the copies of its folder
	of     int
	commit string // "": not yet in one
}

func (x *simTruth) init() {
	*x = simTruth{
		tasks: map[string]bool{}, older: map[string]bool{}, deleted: map[string]bool{}, gone: map[string]map[string]bool{}, notes: map[string]string{},
		labels: map[string]string{}, unlabelled: map[string]bool{}, holds: map[string]string{}, lifted: map[string]bool{},
		edges: map[[2]string]bool{}, unedged: map[[2]string]bool{}, cut: map[[2]string]bool{}, parents: map[string][]string{}, reparented: map[string]bool{},
		begun: map[int]nonces{}, reopens: map[string][]*simReopen{}, revived: map[string]bool{},
		number: map[string]pawl.ID{}, accepted: map[simState]bool{}, snapped: map[simState]bool{},
	}
}

func (x *simTruth) adopted(child, parent string) { x.parents[child] = append(x.parents[child], parent) }

// removed notes that somebody deleted a task, with what it said.
func (x *simTruth) removed(t *simTask) {
	x.deleted[t.uid] = true
	if x.gone[t.uid] == nil {
		x.gone[t.uid] = map[string]bool{}
	}
	for _, n := range t.Notes {
		x.gone[t.uid][n.Text] = true
	}
	for _, l := range t.Labels {
		x.unlabelled[l] = true
	}
	if t.Hold != nil {
		x.lifted[t.Hold.Reason] = true
	}
	x.undone.add(t.nonce)
	for _, n := range t.Notes {
		x.undone.add(nonceIn(n.Text))
		if i := strings.LastIndex(n.Text, "hold0"); i >= 0 { // "... put this task on hold: hold0013"
			x.lifted[n.Text[i:min(i+8, len(n.Text))]] = true
		}
	}
}

func (x *simTruth) completed(c *simClone, t *simTask, n int) {
	var knows nonces
	for _, r := range x.reopens[t.uid] {
		if slices.Contains(r.by, c) || r.commit != "" && c.w.remote.isAncestor(r.commit, c.last) {
			knows.add(r.of)
		}
	}
	known := x.begun[n]
	known.join(c.known[t.uid])
	x.begun[n] = known
	x.done = append(x.done, simDone{t.uid, n, fmt.Sprintf("n%04d", n), knows})
}

func (x *simTruth) reopened(c *simClone, t *simTask) {
	x.undone.add(t.nonce)
	if x.accepted[simState{t.uid, t.nonce, pawl.Completed}] { // of another one nobody else knows
		x.reopens[t.uid] = append(x.reopens[t.uid], &simReopen{by: []*simClone{c}, of: t.nonce})
	}
}

// written notes which commit has what a clone did.
func (x *simTruth) written(c *simClone, id string) {
	for _, text := range c.w.remote.at(id).Board.Tasks {
		t := c.w.task(text)
		x.snapped[simState{t.uid, t.nonce, t.Status}] = true
	}
	for _, all := range x.reopens {
		for _, r := range all {
			if slices.Contains(r.by, c) && r.commit == "" {
				r.commit = id
			}
		}
	}
}

// merged notes what a merge told of, for good reasons.
func (x *simTruth) merged(w *simWorld, m merge.Board, r merge.Report) {
	uid := func(id pawl.ID) string {
		if text, ok := m.Tasks[id]; ok {
			return w.task(text).uid
		}
		return ""
	}
	for _, e := range r.Cut {
		x.cut[[2]string{uid(e.Task), uid(e.For)}] = true
		w.happen["cycles cut"]++
	}
	for _, n := range r.Noted {
		if n.Field == pawl.FieldParent {
			x.reparented[uid(n.ID)] = true
		}
	}
	for _, t := range r.Reopened {
		x.revived[uid(t.ID)] = true
		w.happen["parents reopened"]++
	}
}

// thrown notes what a rewind of the remote takes back.
func (w *simWorld) thrown(from, to string) {
	w.truth.rewound = true
	for _, c := range w.remote.commits {
		if !w.remote.isAncestor(c.ID, from) || w.remote.isAncestor(c.ID, to) {
			continue
		}
		for _, text := range c.Board.Tasks {
			w.truth.thrown.add(w.task(text).nonce)
		}
	}
}

// tasksOf are the tasks of a board by name.
func (w *simWorld) tasksOf(b merge.Board) map[string]*simTask {
	all := make(map[string]*simTask, len(b.Tasks))
	for _, text := range b.Tasks {
		t := w.task(text)
		all[t.uid] = t
	}
	return all
}

// accept checks what a push changes on the remote.
func (w *simWorld) accept(y *simSync, old, tip string) {
	x, r := &w.truth, &w.remote
	w.say("clone %d: push of %s on %s is accepted", y.c.i, tip, old)
	if w.trace != nil {
		b := r.at(tip).Board
		for _, id := range slices.Sorted(maps.Keys(b.Tasks)) {
			beside := b.Beside[id]
			t := w.task(b.Tasks[id])
			w.say("    %v %s %.1s%s turn %d %+v %v %v", id, t.uid, t.Status, t.Owner, beside.Turn, beside.Held, t.BlockedBy, t.Blocks)
		}
	}
	w.happen["pushes"]++
	if y.unwelcome() {
		w.violate("f a stopped clone pushes")
	}
	if seen := y.c.seen; seen != "" && !y.resume && !y.c.doubled && !r.isAncestor(seen, tip) {
		w.violate("f clone %d pushes onto a remote that lacks %s, which it had", y.c.i, seen)
	}
	if old != "" && !r.isAncestor(old, tip) {
		w.violate("f clone %d pushes what does not follow %s", y.c.i, old)
	}
	var before map[string]*simTask
	if old != "" {
		before = w.tasksOf(r.at(old).Board)
	}
	after := w.tasksOf(r.at(tip).Board)
	for uid, was := range before {
		held := func(tip string, t *simTask) bool { return r.at(tip).Board.Beside[t.ID].Held != nil }
		if t := after[uid]; t != nil && t.Status == pawl.InProgress && t.nonce == was.nonce && held(old, was) && !held(tip, t) {
			w.violate("b nobody has ended the claim %d of %s, and the remote loses it", t.nonce, uid)
		}
	}
	for uid := range before {
		if after[uid] == nil && !x.deleted[uid] {
			w.violate("a the remote loses %s", uid)
		}
	}
	for id, text := range r.at(tip).Board.Tasks {
		t := w.task(text)
		if first, ok := x.number[t.uid]; !x.rewound && ok && first != id {
			w.violate("d the number of %s changed from %v to %v though it was synced", t.uid, first, id)
		}
		x.number[t.uid] = id
		if was := before[t.uid]; was != nil && t.Status == pawl.Completed && !x.rewound {
			w.checkCompletion(was, t, tip, old)
		}
		x.accepted[simState{t.uid, t.nonce, t.Status}] = true
	}
}

// checkCompletion checks a completion that the remote gets.
func (w *simWorld) checkCompletion(was, t *simTask, tip, old string) {
	x := &w.truth
	if was.nonce == t.nonce || t.nonce == 0 {
		return
	}
	known := x.begun[t.nonce]
	if was.nonce != 0 && was.Status != pawl.Pending && !known.has(was.nonce) && !x.forced.has(was.nonce) && !x.twins.has(was.nonce) {
		w.violate("c %s: the completion %d takes the place of the work of %d", t.uid, t.nonce, was.nonce)
	}
	if was.Status != pawl.Pending {
		return
	}
	for _, d := range x.done {
		if d.uid != t.uid || d.nonce != t.nonce {
			continue
		}
		for _, r := range x.reopens[t.uid] {
			if r.commit != "" && w.remote.isAncestor(r.commit, old) && !d.knows.has(r.of) {
				w.violate("c %s: the completion %d undoes a reopening that it did not know", t.uid, t.nonce)
			}
		}
		break
	}
}

// overwrites checks what a sync does to the board of its clone, before it does it.
func (x *simTruth) overwrites(y *simSync, write *Written) {
	c, w := y.c, y.w
	for id, text := range write.Tasks {
		old, ok := c.board.texts[id]
		if !ok {
			continue
		}
		was := w.task(old)
		if !c.made.has(was.nonce) || was.nonce == 0 || x.undone.has(was.nonce) || x.twins.has(was.nonce) || c.foreign.has(was.nonce) || c.outdated.has(was.nonce) {
			continue
		}
		var is *simTask
		if text != nil && w.task(text).uid == was.uid {
			is = w.task(text)
		} else {
			for _, other := range write.Tasks {
				if other != nil && w.task(other).uid == was.uid {
					is = w.task(other)
				}
			}
		}
		settled := x.accepted[simState{was.uid, was.nonce, was.Status}] // what became of it then, others did
		if is != nil && is.nonce != was.nonce && !x.revived[was.uid] && (!settled || was.Status == pawl.InProgress && is.nonce != 0) {
			if x.snapped[simState{was.uid, was.nonce, was.Status}] { // else a crash may leave it untold
				c.lost[was.nonce]++
			}
			w.say("clone %d: %d of %s gives way to %d", c.i, was.nonce, was.uid, is.nonce)
		}
	}
}

// tell checks what a sync told of.
func (w *simWorld) tell(y *simSync) {
	c := y.c
	for _, lost := range y.report.Lost {
		n := nonceOf(lost.Owner)
		if n == 0 || w.truth.twins.has(n) || w.truth.shared.has(n) || c.foreign.has(n) || c.outdated.has(n) || c.doubled {
			continue
		}
		if lost.Owner == lost.By {
			w.violate("c clone %d: its completion %d yields to its own claim", c.i, n)
		}
		c.told[n]++
		w.say("clone %d: told that %d was lost", c.i, n)
		if c.told[n] > 1 {
			w.violate("g clone %d is told twice that its claim %d was lost", c.i, n)
		}
		for _, text := range c.board.texts {
			if t := w.task(text); t.nonce == n {
				w.violate("g clone %d is told that its claim %d was lost, and it was not", c.i, n)
			}
		}
	}
}
