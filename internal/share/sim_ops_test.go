package share

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// A simView is a board in the hand of somebody who changes it.
type simView struct {
	*simBoard
	c     *simClone
	w     *simWorld
	now   time.Time
	ids   []pawl.ID
	tasks map[pawl.ID]*simTask
}

func (c *simClone) view() *simView {
	v := &simView{simBoard: c.board, c: c, w: c.w, now: c.clock().Wall, tasks: make(map[pawl.ID]*simTask, len(c.board.texts))}
	v.ids = slices.Sorted(maps.Keys(c.board.texts))
	for _, id := range v.ids {
		v.tasks[id] = c.w.task(c.board.texts[id])
	}
	return v
}

// edit changes a task in its file.
func (v *simView) edit(id pawl.ID, fn func(*pawl.Task)) {
	t := *v.tasks[id].Task
	t.BlockedBy, t.Blocks, t.Labels, t.Notes = slices.Clone(t.BlockedBy), slices.Clone(t.Blocks), slices.Clone(t.Labels), slices.Clone(t.Notes)
	t.UpdatedAt = v.now
	fn(&t)
	text, err := taskjson.Patch(v.texts[id], &t)
	if err != nil {
		panic(err)
	}
	v.texts[id], v.tasks[id] = text, v.w.task(text)
}

// work changes the status of a task.
func (v *simView) work(id pawl.ID, status pawl.Status, owner string) {
	v.edit(id, func(t *pawl.Task) {
		t.Status, t.Owner, t.CompletedAt = status, owner, time.Time{}
		switch status {
		case pawl.Pending:
			t.StartedAt = time.Time{}
		case pawl.InProgress:
			t.StartedAt = v.now
		case pawl.Completed:
			t.CompletedAt = v.now
		}
	})
	v.turn(id, false)
}

// expire records leases that have ended, as the next op on a board does.
func (v *simView) expire() {
	for _, id := range v.ids {
		h := v.held[id]
		if !h.Claim.Live() || h.Claim.Lease == 0 || v.now.Before(h.Claim.Until) || v.tasks[id].Status != pawl.InProgress {
			continue
		}
		v.rev++
		v.work(id, pawl.Pending, "")
		v.log[len(v.log)-1].expiry = true
		v.held[id] = LocalHeld{Expired: h.Expired + 1}
		v.w.happen["expiries"]++
	}
}

// mine reports whether somebody in this clone holds the task.
func (v *simView) mine(id pawl.ID) bool {
	c := v.held[id].Claim
	return v.tasks[id].Status == pawl.InProgress && c.Live() && c.Clone == "" && !v.c.foreign.has(v.tasks[id].nonce)
}

func (v *simView) ready(id pawl.ID) bool {
	t := v.tasks[id]
	return t.Status == pawl.Pending && len(t.BlockedBy) == 0 && t.Hold == nil && !v.openChild(id)
}

func (v *simView) openChild(id pawl.ID) bool {
	for _, t := range v.tasks {
		if t.Parent == id && t.Open() {
			return true
		}
	}
	return false
}

// needs are what a task waits for, and its children.
func (v *simView) needs(id pawl.ID) (all []pawl.ID) {
	for _, other := range v.ids {
		t := v.tasks[other]
		if t.Parent == id || slices.Contains(t.Blocks, id) || slices.Contains(v.tasks[id].BlockedBy, other) {
			all = append(all, other)
		}
	}
	return all
}

func (v *simView) reaches(from, to pawl.ID) bool {
	seen := map[pawl.ID]bool{}
	for todo := []pawl.ID{from}; len(todo) > 0; {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if id == to {
			return true
		}
		if !seen[id] && v.tasks[id] != nil {
			seen[id] = true
			todo = append(todo, v.needs(id)...)
		}
	}
	return false
}

func (v *simView) uid(id pawl.ID) string { return v.tasks[id].uid }

func (v *simView) some(ids []pawl.ID) pawl.ID { return ids[v.w.rng.IntN(len(ids))] }

func (v *simView) filter(keep func(pawl.ID) bool) (ids []pawl.ID) {
	for _, id := range v.ids {
		if keep(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// add makes a task. Often several clones do so in the same millisecond, and with the
// same number.
func (c *simClone) add() {
	v, w := c.view(), c.w
	last := max(v.mark, v.last)
	for _, id := range v.ids {
		t := v.tasks[id]
		last = max(last, id, t.Parent)
		for _, ids := range [][]pawl.ID{t.BlockedBy, t.Blocks, t.Was} {
			for _, id := range ids {
				last = max(last, id)
			}
		}
	}
	id, name := last+1, fmt.Sprint("u", w.name())
	v.rev++
	v.last = id
	made := v.now
	if w.chance(0.3) && id > c.most { // a number that a backup gives again, it gives at another time
		made = simStart.Add(w.now.Truncate(10 * time.Minute))
		w.happen["tasks of one millisecond"]++
	}
	c.most = max(c.most, id)
	t := &pawl.Task{ID: id, Subject: "Task " + name, Status: pawl.Pending, CreatedAt: made, UpdatedAt: made,
		Metadata: map[string]json.RawMessage{"uid": json.RawMessage(`"` + name + `"`)}}
	v.texts[id] = taskjson.Encode(t)
	v.tasks[id] = w.task(v.texts[id])
	old := v.ids
	v.ids = append(slices.Clone(old), id)
	w.truth.tasks[name] = true
	for range w.rng.IntN(3) {
		if len(old) > 0 {
			v.block(id, v.some(old))
		}
	}
	if len(old) > 0 && w.chance(0.2) {
		v.adopt(id, v.some(old))
	}
}

// block makes a task wait for another.
func (v *simView) block(id, on pawl.ID) {
	a, b := v.tasks[on], v.tasks[id]
	if id == on || slices.Contains(a.Blocks, id) || v.reaches(on, id) {
		return
	}
	v.edit(on, func(t *pawl.Task) { t.Blocks = append(t.Blocks, id) })
	if a.Open() && b.Open() {
		v.edit(id, func(t *pawl.Task) { t.BlockedBy = append(t.BlockedBy, on) })
	}
	v.w.truth.edges[[2]string{b.uid, a.uid}] = true
}

func (v *simView) unblock(id, on pawl.ID) {
	v.edit(on, func(t *pawl.Task) { t.Blocks = without(t.Blocks, id) })
	v.edit(id, func(t *pawl.Task) { t.BlockedBy = without(t.BlockedBy, on) })
	v.w.truth.unedged[[2]string{v.uid(id), v.uid(on)}] = true
}

// adopt makes a task the child of another.
func (v *simView) adopt(id, parent pawl.ID) {
	if id != parent && v.tasks[parent].Open() && !v.reaches(id, parent) {
		v.edit(id, func(t *pawl.Task) { t.Parent = parent })
		v.w.truth.adopted(v.uid(id), v.uid(parent))
	}
}

func (v *simView) reopen(id pawl.ID) {
	t := v.tasks[id]
	if p := v.tasks[t.Parent]; p != nil && !p.Open() {
		return
	}
	v.w.truth.reopened(v.c, t)
	v.work(id, pawl.Pending, "")
	for _, other := range v.ids {
		if o := v.tasks[other]; o.Open() && slices.Contains(o.Blocks, id) {
			v.edit(id, func(t *pawl.Task) { t.BlockedBy = append(t.BlockedBy, other) })
		}
		if o := v.tasks[other]; o.Open() && slices.Contains(v.tasks[id].Blocks, other) && !slices.Contains(o.BlockedBy, id) {
			v.edit(other, func(o *pawl.Task) { o.BlockedBy = append(o.BlockedBy, id) })
		}
	}
}

func (v *simView) remove(id pawl.ID) {
	v.w.truth.removed(v.tasks[id])
	v.mark = max(v.mark, id)
	delete(v.texts, id)
	delete(v.put, id)
	delete(v.tasks, id)
	delete(v.held, id)
	v.ids = without(v.ids, id)
	for _, other := range v.ids {
		o := v.tasks[other]
		if slices.Contains(o.Blocks, id) || slices.Contains(o.BlockedBy, id) || o.Parent == id {
			v.edit(other, func(o *pawl.Task) {
				o.Blocks, o.BlockedBy = without(o.Blocks, id), without(o.BlockedBy, id)
				if o.Parent == id {
					o.Parent = 0
				}
			})
		}
	}
	v.log = append(v.log, simEntry{rev: v.rev, id: id, removed: true})
}

func without[T comparable](all []T, one T) []T {
	return slices.DeleteFunc(slices.Clone(all), func(x T) bool { return x == one })
}
