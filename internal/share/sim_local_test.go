package share

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// A simBoard is the board in a clone, as a store keeps it: files, claims, a history.
type simBoard struct {
	texts   map[pawl.ID][]byte
	held    map[pawl.ID]LocalHeld
	mark    pawl.ID
	last    pawl.ID // the highest number that was ever given, which a store does not forget
	rev     pawl.Revision
	log     []simEntry
	trimmed pawl.Revision // the history begins after it
	ops     map[pawl.OpID]bool
	put     map[pawl.ID][]byte // older texts that files came back with
}

// A simEntry is what a change set did to the status of a task, or to its file.
type simEntry struct {
	rev                     pawl.Revision
	id                      pawl.ID
	expiry, removed, forced bool
}

func newSimBoard() *simBoard {
	return &simBoard{texts: map[pawl.ID][]byte{}, held: map[pawl.ID]LocalHeld{}, ops: map[pawl.OpID]bool{}, put: map[pawl.ID][]byte{}}
}

func (b *simBoard) copy() *simBoard {
	c := *b
	c.texts, c.held, c.ops, c.put = maps.Clone(b.texts), maps.Clone(b.held), maps.Clone(b.ops), maps.Clone(b.put)
	c.log = append([]simEntry(nil), b.log...)
	return &c
}

// String tells for a trace how a board stands.
func (b *simBoard) String() string {
	var s strings.Builder
	for _, id := range slices.Sorted(maps.Keys(b.texts)) {
		t, _ := taskjson.Decode(b.texts[id])
		fmt.Fprintf(&s, " %v%s:%.1s%s", id, t.Task.Metadata["uid"], t.Task.Status, t.Task.Owner)
		if h := b.held[id].Claim; h.Clone != "" {
			fmt.Fprint(&s, "@", h.Clone)
		}
	}
	return s.String()
}

// turn records that the status, the owner or the claim of a task changed.
func (b *simBoard) turn(id pawl.ID, expiry bool) {
	b.log = append(b.log, simEntry{rev: b.rev, id: id, expiry: expiry, forced: b.held[id].Claim.Clone != ""})
}

// A simLocal is the board as one sync of the clone sees it.
type simLocal struct{ *simSync }

func (l simLocal) Revision(context.Context) (pawl.Revision, bool, error) {
	l.step("revision")
	return l.c.board.rev, l.c.edited, nil
}

func (l simLocal) Read(_ context.Context, since pawl.Revision, base map[pawl.ID][]byte) (*Board, error) {
	l.step("read")
	b := l.board(since)
	b.Since.Put = map[pawl.ID][]byte{}
	for id, text := range l.c.board.put {
		if since > 0 && !bytes.Equal(b.Tasks[id], base[id]) {
			b.Since.Put[id] = text
		}
	}
	return b, nil
}

func (l simLocal) board(since pawl.Revision) *Board {
	b := l.c.board
	l.c.edited = false
	out := &Board{Tasks: maps.Clone(b.texts), Damaged: map[pawl.ID]string{}, Claims: maps.Clone(b.held), Mark: b.mark, Revision: b.rev, Now: l.c.clock().Wall}
	out.Since = History{Known: since >= b.trimmed && since <= b.rev, Turns: map[pawl.ID]Turns{}, Removed: map[pawl.ID]bool{}}
	for _, e := range b.log {
		switch {
		case e.rev <= since || e.rev <= b.trimmed:
		case e.removed:
			out.Since.Removed[e.id] = true
		default:
			t := out.Since.Turns[e.id]
			if t.N == 0 {
				t.Doubtful, t.Forced = e.expiry, e.forced && !e.expiry
			}
			t.N++
			out.Since.Turns[e.id] = t
		}
	}
	return out
}

func (l simLocal) Write(_ context.Context, op pawl.OpID, since pawl.Revision, _ map[pawl.ID][]byte, fn func(*Board) (*Written, error)) (pawl.Revision, error) {
	l.step("write")
	if l.unwelcome() && !strings.HasPrefix(string(op), BackOp) {
		l.w.violate("f a stopped clone writes its board")
	}
	if l.c.board.ops[op] { // it runs once
		return l.c.board.rev, nil
	}
	l.locked = true // others cannot change the board
	write, err := fn(l.board(since))
	l.locked = false
	if err != nil {
		return 0, err
	}
	if !strings.HasPrefix(string(op), BackOp) {
		l.c.last = l.fetched // also where the board says all of it already
	}
	b := l.c.board
	if b.same(write) {
		return b.rev, nil
	}
	b.rev++
	l.w.truth.overwrites(l.simSync, write)
	b.ops[op] = true
	move := map[pawl.ID]pawl.ID{}
	for _, m := range write.Moved {
		move[m.From] = m.ID
	}
	for i, e := range b.log {
		if to, ok := move[e.id]; ok && !e.removed {
			b.log[i].id = to
		}
	}
	for id, text := range write.Tasks {
		delete(b.put, id)
		if text == nil {
			l.checkGone(id, write)
			delete(b.texts, id)
			delete(b.held, id)
		} else {
			b.texts[id] = text
		}
	}
	for id, held := range write.Claims {
		if held == (LocalHeld{}) {
			delete(b.held, id)
		} else {
			b.held[id] = held
		}
	}
	b.mark = max(b.mark, write.Mark)
	for id := range b.texts {
		b.last = max(b.last, id)
	}
	l.c.learn()
	return b.rev, nil
}

// checkGone checks that a file which a sync takes away is that of a task that somebody
// deleted, or that has another number now.
func (l simLocal) checkGone(id pawl.ID, write *Written) {
	uid := l.w.task(l.c.board.texts[id]).uid
	for _, text := range write.Tasks {
		if text != nil && l.w.task(text).uid == uid {
			return
		}
	}
	moved := l.c.own != "" && l.w.tasksOf(l.w.remote.at(l.c.own).Board)[uid] != nil // a backup had it under an older number
	if !l.w.truth.deleted[uid] && !moved {
		l.w.violate("a clone %d loses %s by a sync", l.c.i, uid)
	}
}

// same reports whether a write changes nothing.
func (b *simBoard) same(w *Written) bool {
	if w == nil {
		return true
	}
	for id, text := range w.Tasks {
		if old, ok := b.texts[id]; ok != (text != nil) || !bytes.Equal(old, text) {
			return false
		}
	}
	for id, held := range w.Claims {
		if b.held[id] != held {
			return false
		}
	}
	return w.Mark <= b.mark
}

func (l simLocal) Pass(_ context.Context, is, to pawl.Revision) error {
	l.step("pass")
	if b := l.c.board; b.rev < to && b.rev != is {
		return ErrRace
	} else if b.rev < to {
		b.rev = to
	}
	return nil
}

func (l simLocal) Wrote(_ context.Context, op pawl.OpID) (bool, error) {
	l.step("wrote")
	return l.c.board.ops[op], nil
}
