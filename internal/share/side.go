package share

import (
	"bytes"
	"maps"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// side makes a clone's board one side of a merge.
type side struct {
	state *State
	base  merge.Board // what the clone's own commit has
	now   Instant
	renew bool // send renewals, too
	onto  func(bases []merge.Board, ours, theirs merge.Board) (merge.Board, merge.Report)

	out      merge.Board
	undue    map[string]bool    // claims of other clones that the board ended before their time
	minted   map[string]Renewal // renewals that the side has and the base has not
	lost     []merge.Yielded    // what the clone did to claims that were not its to take
	restored []merge.Named      // files that nobody deleted
	told     merge.Report       // of putting the board back
	due      bool               // half a lease has passed since a renewal that the remote has
}

// of fills out: the texts of the board, and beside them the turns and claims, counted
// on from the base. Three things are not as the board has them:
//
//   - a file that went, became unreadable, or was replaced by another task without an
//     op is as the base has it: git or another program did that, and nobody who wanted
//     it gone everywhere. The other task gets another number;
//   - a claim of another clone that ended here, but not for certain, stands;
//   - what a copied clone did to claims of the original is taken back.
func (x *side) of(b *Board) error {
	if texts := dated(b, x.base.Tasks); len(texts) > 0 {
		back := *b
		back.Tasks = maps.Clone(b.Tasks)
		maps.Copy(back.Tasks, texts)
		b = &back
	}
	x.out = merge.Board{Tasks: maps.Clone(b.Tasks), Mark: max(b.Mark, x.base.Mark), Beside: map[pawl.ID]merge.Beside{}, Gone: x.base.Gone}
	if x.out.Tasks == nil {
		x.out.Tasks = map[pawl.ID][]byte{}
	}
	x.minted, x.undue = map[string]Renewal{}, map[string]bool{}
	for _, id := range slices.Sorted(maps.Keys(b.Damaged)) {
		delete(x.out.Tasks, id)
		if text, ok := x.base.Tasks[id]; ok {
			x.out.Tasks[id], x.out.Beside[id] = text, x.base.Beside[id]
		}
	}
	left := x.left(b)
	replaced, others := x.replaced(b, left)
	had := x.base
	put := x.older(b, left, replaced)
	out := finder{texts: x.out.Tasks}
	for _, id := range slices.Sorted(maps.Keys(left)) {
		if _, there := b.Tasks[id]; there {
			continue
		}
		t := taskOf(left[id])
		if t != nil && (others[identityOf(t)] || x.base.Tasks[id] == nil && out.find(id, t) != nil) {
			continue // it is there; one of others gives the number back that it has
		}
		if err := x.bring(b, id, left[id]); err != nil {
			return err
		}
		out.add(t)
	}
	for _, id := range slices.Sorted(maps.Keys(b.Tasks)) {
		if _, damaged := b.Damaged[id]; damaged {
			continue
		}
		if err := x.task(b, id); err != nil {
			return err
		}
	}
	if err := x.putBack(b, had, put, left); err != nil {
		return err
	}
	slices.SortFunc(x.restored, func(a, b merge.Named) int { return int(a.ID - b.ID) })
	return nil
}

// left are the tasks that this clone knows of and has not deleted, by number and as it left
// them, whatever became of their files since.
func (x *side) left(b *Board) map[pawl.ID][]byte {
	all, _ := copied(x.base)
	maps.Copy(all, b.Since.Left)
	maps.DeleteFunc(all, func(id pawl.ID, _ []byte) bool { return b.Since.Removed[id] && b.Since.Known })
	return all
}

// bring has a task stand as this clone left it, with its claim.
func (x *side) bring(b *Board, id pawl.ID, text []byte) error {
	was, is := taskOf(x.base.Tasks[id]), taskOf(text)
	if now := taskOf(b.Tasks[id]); now == nil || is == nil || !sameTask(now, is) {
		x.restored = append(x.restored, merge.Named{ID: id, Subject: subjectOf(text)})
	}
	x.out.Tasks[id] = text
	if was == nil || is != nil && !sameWork(is, was) {
		left := *b
		left.Tasks = map[pawl.ID][]byte{id: text}
		return x.task(&left, id)
	}
	if beside, ok := x.base.Beside[id]; ok {
		x.out.Beside[id] = beside
	}
	return nil
}

// older makes the base what the board was changed from, and returns the numbers at which it
// differs. A file that came back with an older text was changed from that. A number that
// another task has taken had none before it.
func (x *side) older(b *Board, left map[pawl.ID][]byte, replaced []pawl.ID) []pawl.ID {
	if len(replaced)+len(b.Since.Put) == 0 {
		return nil
	}
	had, all := x.base, slices.Clone(replaced)
	x.base.Tasks, x.base.Beside = copied(had)
	for _, id := range replaced {
		delete(x.base.Tasks, id)
		delete(x.base.Beside, id)
	}
	put, there, buried := b.Since.Put, finder{texts: had.Tasks}, map[identity]bool{}
	for _, g := range had.Gone {
		if t := taskOf(g.Text); t != nil {
			buried[identityOf(t)] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(put)) {
		then := taskOf(put[id])
		is := there.find(id, then)
		same := bytes.Equal(put[id], had.Tasks[id]) && bytes.Equal(left[id], had.Tasks[id])
		if same || then == nil || is == nil && !buried[identityOf(then)] {
			continue // a task that the board never had is news
		}
		if is != nil {
			if now := taskOf(b.Tasks[is.ID]); now == nil || !sameTask(now, is) {
				delete(x.base.Tasks, is.ID) // it is only here
				delete(x.base.Beside, is.ID)
			}
		}
		delete(x.base.Beside, id)
		if x.base.Tasks[id] = put[id]; is != nil && sameWork(is, then) {
			x.base.Beside[id] = had.Beside[is.ID]
		}
		for n := 0; is != nil && n < len(is.Blocks); n++ { // an edge holds by the file of what is waited for
			if t := taskOf(x.base.Tasks[is.Blocks[n]]); t != nil && !slices.Contains(then.Blocks, t.ID) {
				t.BlockedBy = slices.DeleteFunc(t.BlockedBy, func(on pawl.ID) bool { return on == id })
				x.base.Tasks[t.ID] = With(x.base.Tasks[t.ID], t, []pawl.Field{pawl.FieldBlockedBy})
			}
		}
		if _, is := slices.BinarySearch(replaced, id); !is {
			all = append(all, id)
		}
	}
	return all
}

// dated are texts of the board with the times back by which their tasks are known: a program
// that rewrote a file may have left createdAt out. Under another subject it is another task.
func dated(b *Board, base map[pawl.ID][]byte) map[pawl.ID][]byte {
	texts := map[pawl.ID][]byte{}
	for id, text := range b.Tasks {
		old := base[id]
		if old == nil || bytes.Equal(text, old) {
			continue
		}
		was, is := taskOf(old), taskOf(text)
		if was == nil || is == nil || was.CreatedAt.IsZero() || !is.CreatedAt.IsZero() || is.Subject != was.Subject {
			continue
		}
		is.CreatedAt = was.CreatedAt
		if text, err := taskjson.Patch(text, is); err == nil {
			texts[id] = text
		}
	}
	return texts
}

// replaced are the numbers of tasks that this clone had which another task has on the
// board, though nobody deleted the first, nor gave it another number; and who these others are.
func (x *side) replaced(b *Board, had map[pawl.ID][]byte) (numbers []pawl.ID, others map[identity]bool) {
	news, gone := finder{texts: map[pawl.ID][]byte{}}, map[pawl.ID][2]*pawl.Task{}
	for id, text := range b.Tasks {
		if bytes.Equal(text, had[id]) {
			continue
		}
		was, is := taskOf(had[id]), taskOf(text)
		if was != nil && is != nil && sameTask(was, is) {
			continue // it may be as old as the one that is looked for
		}
		if news.texts[id] = text; was != nil && is != nil && !was.CreatedAt.IsZero() && b.Damaged[id] == "" {
			gone[id] = [2]*pawl.Task{was, is}
		}
	}
	others = map[identity]bool{}
	for id, t := range gone {
		if news.find(id, t[0]) == nil {
			numbers, others[identityOf(t[1])] = append(numbers, id), true
		}
	}
	slices.Sort(numbers)
	return numbers, others
}

func copied(b merge.Board) (map[pawl.ID][]byte, map[pawl.ID]merge.Beside) {
	tasks, beside := map[pawl.ID][]byte{}, map[pawl.ID]merge.Beside{}
	maps.Copy(tasks, b.Tasks)
	maps.Copy(beside, b.Beside)
	return tasks, beside
}

// putBack does what was done to an older board to the one that the clone had, as it left that:
// after a checkout of an old branch, a backup, or git clean and a first task on the empty board.
func (x *side) putBack(b *Board, had merge.Board, put []pawl.ID, left map[pawl.ID][]byte) error {
	if len(put) == 0 {
		return nil
	}
	is, older := x.out, x.base
	x.base = had
	x.out.Mark = had.Mark
	x.out.Tasks, x.out.Beside = copied(had)
	for _, id := range put {
		delete(x.out.Tasks, id)
		delete(x.out.Beside, id)
		if text, ok := left[id]; ok {
			if err := x.bring(b, id, text); err != nil {
				return err
			}
		}
	}
	x.out, x.told = x.onto([]merge.Board{older}, is, x.out)
	x.out.Gone = had.Gone // the exchange buries, and digs out
	x.lost = append(x.lost, slices.DeleteFunc(x.told.Yielded, func(y merge.Yielded) bool {
		return y.Owner == y.By && x.state.worked(x.out.Beside[y.ID])
	})...)
	return nil
}

// task fills what stands beside one file.
func (x *side) task(b *Board, id pawl.ID) error {
	text, old := b.Tasks[id], x.base.Tasks[id]
	was, turns, local := x.base.Beside[id], b.Since.Turns[id], b.Claims[id]
	if bytes.Equal(text, old) && turns.N == 0 && !local.Claim.Live() && was.Held == nil && local.Expired == was.Expired {
		if was != (merge.Beside{}) {
			x.out.Beside[id] = was
		}
		return nil
	}
	for i := 0; old == nil && i < len(x.base.Gone); i++ {
		if gone := &x.base.Gone[i]; gone.ID == id { // a sync kept what had changed here since
			old, was = gone.Text, gone.Beside
		}
	}
	now, err := taskjson.Decode(text)
	if err != nil { // the store could read it; the merge keeps it as a text
		return nil
	}
	var then taskjson.File
	if old != nil {
		if then, err = taskjson.Decode(old); err != nil || !sameTask(&then.Task, &now.Task) {
			then, old, was = taskjson.File{}, nil, merge.Beside{}
		}
	}
	if b.Since.Put[id] != nil && was == (merge.Beside{}) && sameWork(&then.Task, &now.Task) {
		return nil // the claims of that time are not this board's
	}
	is := merge.Beside{Turn: was.Turn + turns.N, Expired: local.Expired, Held: x.held(&was, &now.Task, local)}
	if b.forgot(id, was) && sameWork(&then.Task, &now.Task) {
		is.Held, is.Expired = was.Held, was.Expired
	}
	if now.Task.Status == pawl.Completed || now.Task.Status == pawl.InProgress && is.Held == nil {
		if is.Ended = was.Ended; !sameWork(&then.Task, &now.Task) {
			is.Ended = merge.EndedUnder(x.state.Clone, nil)
			if x.state.mine(was.Held) && then.Task.Owner == now.Task.Owner {
				is.Ended = merge.EndedUnder(x.state.Clone, was.Held)
			}
		}
	}
	if turns.N > 0 && now.Task.Status != pawl.Pending && sameWork(&then.Task, &now.Task) && sameHeld(was.Held, is.Held) {
		is.Turn = was.Turn // no claim or completion is made twice: what this board did yielded since
	}
	changed := old == nil && now.Task.Status != pawl.Pending || old != nil && !sameWork(&then.Task, &now.Task) || !sameHeld(was.Held, is.Held)
	if changed && is.Turn == was.Turn {
		is.Turn++
	}
	if is.Turn != was.Turn && x.takes(was.Held, b.Since.Known, turns) {
		return x.takeBack(b, id, &now.Task, &then.Task, was)
	}
	x.sign(&is, &was, local)
	if is != (merge.Beside{}) {
		x.out.Beside[id] = is
	}
	return nil
}

// forgot reports whether a claim that the base has is gone from here though nobody ended it:
// with .tasks/.pawl, or with a file that was away for a while.
func (b *Board) forgot(id pawl.ID, was merge.Beside) bool {
	return b.Claims[id] == (LocalHeld{}) && (!b.Since.Known || was.Held != nil && b.Since.Turns[id].N == 0)
}

// held is the claim that the board has, as all clones know it.
func (x *side) held(was *merge.Beside, t *pawl.Task, local LocalHeld) *merge.Held {
	c := local.Claim
	switch {
	case t.Status != pawl.InProgress || !c.Live():
		return nil
	case c.Clone != "":
		if was.Held != nil && was.Held.Clone == c.Clone {
			return was.Held
		}
		return nil // of a claim that this clone has forgotten, the remote knows more
	case was.Held != nil && was.Held.Token == c.Token && was.Held.Session == c.Session && x.state.copied(was.Held):
		return was.Held // the original's
	}
	h := x.state.heldAs(c)
	if was.Held != nil && key(was.Held) == key(h) {
		h.Renewal = was.Held.Renewal
	}
	return h
}

// takes reports whether the board took a claim that was not its own to take: one of
// another clone, whose lease may go on and which only an edit of the file ended, or one of
// the clone that it is a copy of, which no person took by force.
func (x *side) takes(h *merge.Held, known bool, turns Turns) bool {
	if h == nil || x.state.mine(h) {
		return false
	}
	doubtful := x.state.copied(h) && !turns.Forced || !known || turns.N == 0 || turns.Doubtful || x.state.Undue[key(h)]
	return doubtful && !x.state.ended(h, x.now)
}

// takeBack leaves a task with its present holder. A completion by this clone becomes
// a note.
func (x *side) takeBack(b *Board, id pawl.ID, now, then *pawl.Task, was merge.Beside) error {
	want := now.Clone()
	want.Status, want.Owner, want.StartedAt, want.CompletedAt = then.Status, then.Owner, then.StartedAt, then.CompletedAt
	lost := merge.Yielded{
		Named: merge.Named{ID: id, Subject: now.Subject}, Was: now.Status, Owner: now.Owner,
		Now: then.Status, By: then.Owner, Winner: was.Held,
	}
	if c := b.Claims[id].Claim; c.Live() && c.Clone == "" {
		lost.Held = x.state.heldAs(c)
	}
	if now.Status == pawl.Completed {
		if note := merge.YieldNote(now.Owner, merge.Beside{Held: lost.Held, Ended: x.state.Clone}, now.CompletedAt); !slices.ContainsFunc(want.Notes, func(n pawl.Note) bool { return n == note }) {
			want.Notes = append(want.Notes, note)
		}
	}
	if now.Status != pawl.Pending {
		x.lost = append(x.lost, lost)
	}
	text, err := taskjson.Patch(b.Tasks[id], &want)
	if err != nil { // the note is too much for the file: the report tells of it
		want.Notes = now.Notes
		text, err = taskjson.Patch(b.Tasks[id], &want)
	}
	if err != nil {
		return err
	}
	x.out.Tasks[id], x.out.Beside[id] = text, was
	x.undue[key(was.Held)] = true
	return nil
}

// sign counts a renewal of a claim of this clone, where it showed life since the last.
func (x *side) sign(is, was *merge.Beside, local LocalHeld) {
	if !x.state.mine(is.Held) {
		return
	}
	k := key(is.Held)
	last, ok := x.state.Written[k]
	if ok {
		is.Held.Renewal = max(is.Held.Renewal, last.N)
	}
	fresh := Renewal{N: is.Held.Renewal, At: x.now, Lease: time.Duration(is.Held.Lease), Until: local.Claim.Until}
	switch {
	case !sameHeld(is.Held, was.Held): // a new claim
		if !ok || last.N != is.Held.Renewal {
			x.minted[k] = fresh
		}
	case is.Held.Lease == 0:
		if !ok {
			x.minted[k] = fresh // it was forgotten, and one without a lease counts at any time
		}
	case !ok || !last.Until.Equal(local.Claim.Until):
		if agreed, sent := x.state.Agreed[k]; !sent || agreed.half(x.now) {
			x.due = true
		}
		if x.renew {
			is.Held.Renewal++
			fresh.N = is.Held.Renewal
			x.minted[k] = fresh
		}
	}
}

// An identity is what a task keeps under another number: when it was made, and its
// first number.
type identity struct {
	made  int64
	first pawl.ID
}

func identityOf(t *pawl.Task) identity {
	return identity{t.CreatedAt.UnixNano(), taskjson.First(t)}
}

func sameTask(a, b *pawl.Task) bool { return identityOf(a) == identityOf(b) }

// movedOn are the moves of two merges, one after the other.
func movedOn(first, then []merge.Moved) []merge.Moved {
	all := slices.Clone(then)
	for _, m := range first {
		if i := slices.IndexFunc(all, func(o merge.Moved) bool { return o.From == m.ID }); i >= 0 {
			all[i].From = m.From
		} else {
			all = append(all, m)
		}
	}
	return all
}

// sameWork reports whether two texts of a task say the same of who works on it.
func sameWork(a, b *pawl.Task) bool {
	eq := func(x, y time.Time) bool { return x.Equal(y) }
	return a.Status == b.Status && a.Owner == b.Owner && eq(a.StartedAt, b.StartedAt) && eq(a.CompletedAt, b.CompletedAt)
}

// sameHeld reports whether two are one claim, renewed or not.
func sameHeld(a, b *merge.Held) bool {
	if a == nil || b == nil {
		return a == b
	}
	return key(a) == key(b) && a.Session == b.Session && a.Agent == b.Agent && a.Lease == b.Lease
}

func subjectOf(text []byte) string {
	if t := taskOf(text); t != nil {
		return t.Subject
	}
	return ""
}

// taskOf reads a text; nil: it is not a task.
func taskOf(text []byte) *pawl.Task {
	f, err := taskjson.Decode(text)
	if err != nil {
		return nil
	}
	return &f.Task
}

// sameBoards reports whether two boards say the same, beside their files too.
func sameBoards(a, b merge.Board) bool {
	return a.Mark == b.Mark && maps.EqualFunc(a.Tasks, b.Tasks, bytes.Equal) &&
		maps.EqualFunc(a.Beside, b.Beside, sameBeside) && slices.EqualFunc(a.Gone, b.Gone, func(x, y merge.Gone) bool {
		return x.ID == y.ID && bytes.Equal(x.Text, y.Text) && sameBeside(x.Beside, y.Beside)
	})
}

func sameBeside(a, b merge.Beside) bool {
	if a.Turn != b.Turn || a.Expired != b.Expired || a.Ended != b.Ended || (a.Held == nil) != (b.Held == nil) {
		return false
	}
	return a.Held == nil || *a.Held == *b.Held
}
