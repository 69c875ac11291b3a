package share

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
)

// simActs are what somebody may do in a clone, each as often as it stands here.
var simActs = func() (acts []string) {
	for act, n := range map[string]int{
		"add": 3, "claim": 5, "done": 3, "renew": 4, "release": 1, "reopen": 1, "force": 1,
		"edit": 1, "note": 2, "delete": 1, "block": 1, "unblock": 1, "label": 1, "parent": 1, "hold": 1, "lift": 1,
	} {
		for range n {
			acts = append(acts, act)
		}
	}
	slices.Sort(acts)
	return acts
}()

// act does something in a clone.
func (c *simClone) act() {
	w := c.w
	if c.board.rev < c.state.Counted[c.own] && !c.recover() {
		return
	}
	act := simActs[w.rng.IntN(len(simActs))]
	if w.timely {
		act = []string{"add", "claim", "claim", "claim", "claim", "claim", "claim", "renew", "renew", "renew", "release", "done", "reopen", "reopen"}[w.rng.IntN(14)]
		if act == "add" && len(c.board.texts) > 1 {
			act = "claim"
		}
	}
	c.view().expire()
	if act == "add" || len(c.board.texts) == 0 {
		c.add()
		w.say("clone %d: add; %s", c.i, c.board)
		return
	}
	v := c.view()
	v.rev++
	id := v.some(v.ids)
	defer func() { w.say("clone %d: %s, perhaps of %v; %s", c.i, act, id, c.board) }()
	if act == "done" || act == "renew" || act == "release" {
		if mine := v.filter(v.mine); len(mine) > 0 {
			id = v.some(mine)
		}
	}
	switch act {
	case "claim":
		if ready := v.filter(v.ready); len(ready) > 0 {
			v.claim(v.some(ready), false)
		}
	case "force":
		if t := v.tasks[id]; t.Status == pawl.InProgress && !v.mine(id) && w.chance(0.3) {
			v.claim(id, true)
		}
	case "renew":
		if h := v.held[id]; v.mine(id) {
			h.Claim.Until = v.now.Add(time.Duration(h.Claim.Lease))
			v.held[id] = h
		}
	case "done":
		v.done(id)
	case "release":
		if v.mine(id) {
			v.work(id, pawl.Pending, "")
			delete(v.held, id)
		}
	case "reopen":
		if !v.tasks[id].Open() {
			v.reopen(id)
		}
	case "delete":
		if w.chance(0.5) && (v.tasks[id].Status != pawl.InProgress || v.mine(id)) {
			v.remove(id)
		}
	case "block":
		v.block(id, v.some(v.ids))
	case "unblock":
		if t := v.tasks[id]; len(t.Blocks) > 0 {
			if waiter := v.some(t.Blocks); v.tasks[waiter] != nil {
				v.unblock(waiter, id)
			}
		}
	case "parent":
		if v.tasks[id].Parent != 0 {
			v.edit(id, func(t *pawl.Task) { t.Parent = 0 })
			w.truth.adopted(v.uid(id), "")
		} else {
			v.adopt(id, v.some(v.ids))
		}
	default:
		v.describe(act, id)
	}
	c.learn()
}

// recover puts back what a backup undid, before the first change: once the history has the
// revisions again of what was sent, nothing tells the two apart. It waits for a sync under way.
func (c *simClone) recover() bool {
	if len(c.running) > 0 {
		return false
	}
	return c.sharer(c.prepare(false)).Keep(context.Background(), pawl.Actor{}) == nil
}

// describe changes what a task says.
func (v *simView) describe(act string, id pawl.ID) {
	w, uid := v.w, v.uid(id)
	n := w.name()
	v.edit(id, func(t *pawl.Task) {
		switch act {
		case "edit":
			if w.truth.older[uid] { // a clone that joins with another subject has another task
				return
			}
			t.Subject = fmt.Sprint("Task ", uid, " as ", n)
		case "note":
			note := fmt.Sprintf("note%04d", n)
			t.Notes = append(t.Notes, pawl.Note{At: v.now, By: fmt.Sprint("a", v.c.i), Text: note})
			w.truth.notes[note] = uid
		case "label":
			if len(t.Labels) > 0 && w.chance(0.4) {
				w.truth.unlabelled[t.Labels[0]] = true
				t.Labels = t.Labels[1:]
			} else {
				label := fmt.Sprintf("label%04d", n)
				t.Labels = append(t.Labels, label)
				w.truth.labels[label] = uid
			}
		case "hold":
			if t.Hold == nil && t.Open() {
				t.Hold = &pawl.Hold{Reason: fmt.Sprintf("hold%04d", n), At: v.now, By: fmt.Sprint("a", v.c.i)}
				w.truth.holds[t.Hold.Reason] = uid
			}
		case "lift":
			if t.Hold != nil {
				w.truth.lifted[t.Hold.Reason] = true
				t.Hold = nil
			}
		}
	})
}

// claim makes somebody in this clone the owner.
func (v *simView) claim(id pawl.ID, force bool) {
	n := v.w.name()
	t := v.tasks[id]
	if force {
		v.w.truth.forced.add(n)
		v.w.truth.forced.add(t.nonce)
	}
	owner := v.ownerOf(n, t.uid)
	v.work(id, pawl.InProgress, owner)
	v.held[id] = LocalHeld{Claim: pawl.Claim{Session: owner, Agent: "agent", Token: v.rev, Lease: pawl.Duration(simLease), Until: v.now.Add(simLease)}, Expired: v.held[id].Expired}
	v.w.happen["claims"]++
}

// ownerOf names somebody in this clone who begins or completes a task.
func (v *simView) ownerOf(n int, uid string) string {
	known := v.c.known[uid]
	v.w.truth.begun[n] = known
	v.c.made.add(n)
	return fmt.Sprintf("a%dn%04d", v.c.i, n)
}

// done completes a task, which its owner does, or somebody who claimed nothing.
func (v *simView) done(id pawl.ID) {
	t, mine := v.tasks[id], v.mine(id)
	if v.openChild(id) || len(t.BlockedBy) > 0 || !mine && !v.ready(id) {
		return
	}
	owner, n := t.Owner, t.nonce
	if !mine {
		n = v.w.name()
		owner = v.ownerOf(n, t.uid)
	}
	v.w.truth.completed(v.c, t, n)
	v.work(id, pawl.Completed, owner)
	delete(v.held, id)
	for _, other := range v.ids {
		if slices.Contains(v.tasks[other].BlockedBy, id) {
			v.edit(other, func(o *pawl.Task) { o.BlockedBy = without(o.BlockedBy, id) })
		}
	}
}

// learn notes which claims and completions the board has.
func (c *simClone) learn() {
	for _, text := range c.board.texts {
		t := c.w.task(text)
		known := c.known[t.uid]
		known.add(t.nonce)
		c.known[t.uid] = known
	}
}

// byHand is what happens to files of a board without Pawl.
func (c *simClone) byHand() {
	v, w := c.view(), c.w
	if len(v.ids) == 0 {
		return
	}
	c.edited = true
	v.rev++ // the store notices it with the next read
	id := v.some(v.ids)
	defer func() { w.say("clone %d: by hand; %s", c.i, c.board) }()
	switch w.rng.IntN(6) {
	case 0:
		v.edit(id, func(t *pawl.Task) { t.Priority = pawl.Priority(w.rng.IntN(3) - 1) })
	case 1:
		v.vanish(id)
	case 2:
		for _, id := range v.ids {
			v.vanish(id)
		}
	case 3:
		v.trimmed = v.rev - 1
	case 4:
		v.forget()
	case 5: // the file was away for a while
		delete(v.held, id)
		w.happen["files that come back"]++
	}
}

// committed reports whether the clone's commit has all that its board says, and stays its own.
func (c *simClone) committed() bool {
	mayGo := c.w.happen["twins"] > 0 && len(c.running) > 0
	return !mayGo && c.own != "" && maps.EqualFunc(c.board.texts, c.w.remote.at(c.own).Board.Tasks, slices.Equal)
}

// backUp takes a backup of a board that the clone's commit has, or brings one back: one of its
// files, or all in the place of what is there, with its history or without.
func (c *simClone) backUp() {
	v, w := c.view(), c.w
	switch {
	case !c.committed() || len(v.ids) == 0:
		return
	case c.saved == nil || w.chance(0.5) || !w.remote.isAncestor(c.savedAt, c.own):
		c.saved, c.savedAt = c.board.copy(), c.own
		return
	}
	defer func() { w.say("clone %d: restored; %s", c.i, c.board) }()
	c.edited = true
	v.rev++
	id := v.some(v.ids)
	now := w.remote.at(c.own).Board.Tasks
	mark := func(id pawl.ID) {
		if text := v.texts[id]; !bytes.Equal(text, now[id]) {
			v.put[id] = text
			c.outdated.add(w.task(text).nonce)
		}
	}
	is := c.saved.copy()
	switch w.rng.IntN(3) {
	case 0:
		if is.texts[id] == nil || v.texts[id] == nil || w.task(is.texts[id]).uid != v.uid(id) {
			return
		}
		v.texts[id] = is.texts[id]
		if was, is := v.tasks[id], w.task(is.texts[id]); was.Status != is.Status || was.Owner != is.Owner {
			v.turn(id, true)
			if h := v.held[id]; h.Claim.Live() {
				v.held[id] = LocalHeld{Expired: h.Expired}
			}
		}
		mark(id)
		w.happen["files that are restored"]++
		return
	case 1:
		is.held, is.ops, is.log, is.rev, is.trimmed = map[pawl.ID]LocalHeld{}, map[pawl.OpID]bool{}, nil, v.rev, v.rev
		is.last = max(is.last, v.last)
	}
	*v.simBoard = *is
	for id := range v.texts {
		mark(id)
	}
	w.happen["boards that are restored"]++
}

// forget takes away what the store keeps beside the files, as rm -rf .tasks/.pawl does. What
// is done here next finds no claim.
func (v *simView) forget() {
	v.held, v.ops, v.log, v.trimmed = map[pawl.ID]LocalHeld{}, map[pawl.OpID]bool{}, nil, v.rev
	v.w.happen["boards that forget"]++
}

// vanish takes a file away, as git clean does. What no commit has could not come back: this
// board has no steps, as a store has in its journal. A twin that finds out what it is takes
// the commit of that sync back.
func (v *simView) vanish(id pawl.ID) {
	mayGo := v.w.happen["twins"] > 0 && len(v.c.running) > 0
	if own := v.c.own; !mayGo && own != "" && string(v.w.remote.at(own).Board.Tasks[id]) == string(v.texts[id]) {
		delete(v.texts, id)
		delete(v.held, id)
		v.w.happen["files that vanish"]++
	}
}
