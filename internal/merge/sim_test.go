package merge

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// A sim makes histories of boards: what agents on several clones do to them. Every
// task has a name of its own that no merge looks at (metadata "uid"), every note
// begins with one, and a mention of a task is followed by its name: "n7 after #12 (u5)".
type sim struct {
	rng   *rand.Rand
	clock time.Time
	names int
	odd   map[string]bool // tasks of programs that do not say when they made them
	gone  map[string]bool // tasks that somebody deleted
	seen  map[string]bool // tasks that there were
	read  map[string]*pawl.Task
}

func newSim(seed uint64) *sim {
	return &sim{rng: rand.New(rand.NewPCG(seed, 4)), clock: time.UnixMilli(1_800_000_000_000).UTC(), odd: map[string]bool{}, gone: map[string]bool{}, seen: map[string]bool{}, read: map[string]*pawl.Task{}}
}

// now is the time on some clone. Often it stands still, and clocks are not set alike.
func (s *sim) now(who int) time.Time {
	if s.rng.IntN(3) > 0 {
		s.clock = s.clock.Add(time.Duration(1+s.rng.IntN(3)) * time.Millisecond)
	}
	return s.clock.Add(time.Duration(who*who*7-10) * time.Millisecond)
}

func (s *sim) name(kind string) string { s.names++; return fmt.Sprint(kind, s.names) }

// table is a board in the hand.
type table struct {
	tasks map[pawl.ID]*pawl.Task
	texts map[pawl.ID][]byte
	mark  pawl.ID
}

func open(b Board) *table {
	t := &table{map[pawl.ID]*pawl.Task{}, b.Tasks, b.Mark}
	for id, text := range b.Tasks {
		f, err := taskjson.Decode(text)
		if err != nil {
			panic(fmt.Sprintf("%v: %v\n%s", id, err, text))
		}
		t.tasks[id] = &f.Task
	}
	return t
}

// look opens a board that is not changed: of a history, each text is read once.
func (s *sim) look(b Board) *table {
	t := &table{map[pawl.ID]*pawl.Task{}, b.Tasks, b.Mark}
	for id, text := range b.Tasks {
		if s.read[string(text)] == nil {
			s.read[string(text)] = open(Board{Tasks: map[pawl.ID][]byte{id: text}}).tasks[id]
		}
		t.tasks[id] = s.read[string(text)]
	}
	return t
}

func (t *table) close() Board {
	b := Board{Tasks: map[pawl.ID][]byte{}, Mark: t.mark}
	for id, task := range t.tasks {
		if text := t.texts[id]; text != nil {
			patched, err := taskjson.Patch(text, task)
			if err != nil {
				panic(err)
			}
			b.Tasks[id] = patched
		} else {
			b.Tasks[id] = taskjson.Encode(task)
		}
	}
	return b
}

func (t *table) ids() []pawl.ID { return slices.Sorted(maps.Keys(t.tasks)) }

// needs are what a task waits for, recorded on either side, and its children.
func (t *table) needs(id pawl.ID) (all []pawl.ID) {
	all = t.waits(id)
	for _, other := range t.ids() {
		if t.tasks[other].Parent == id {
			all = append(all, other)
		}
	}
	return all
}

func (t *table) waits(id pawl.ID) (all []pawl.ID) {
	for _, other := range t.ids() {
		if slices.Contains(t.tasks[other].Blocks, id) || slices.Contains(t.tasks[id].BlockedBy, other) {
			all = append(all, other)
		}
	}
	return all
}

func (t *table) reaches(from, to pawl.ID) bool {
	seen := map[pawl.ID]bool{}
	for todo := []pawl.ID{from}; len(todo) > 0; {
		id := todo[0]
		todo = todo[1:]
		if id == to {
			return true
		}
		if !seen[id] {
			seen[id] = true
			todo = append(todo, t.needs(id)...)
		}
	}
	return false
}

func uid(t *pawl.Task) string {
	var s string
	_ = json.Unmarshal(t.Metadata["uid"], &s)
	return s
}

func (t *table) last() pawl.ID {
	last := t.mark
	for id, task := range t.tasks {
		last = max(last, id, task.Parent)
		for _, ids := range [][]pawl.ID{task.BlockedBy, task.Blocks, task.Was} {
			for _, id := range ids {
				last = max(last, id)
			}
		}
	}
	return last
}

// act does something on a board.
func (s *sim) act(b Board, who int) Board {
	t := open(b)
	now := s.now(who)
	ids := t.ids()
	op := s.rng.IntN(31)
	if op < 6 || len(ids) == 0 {
		n := 1
		if s.rng.IntN(5) == 0 {
			n = 2 + s.rng.IntN(3)
		}
		for range n {
			s.add(t, now)
		}
		return t.close()
	}
	id := ids[s.rng.IntN(len(ids))]
	task := t.tasks[id]
	before := *task
	switch op {
	case 6, 7:
		s.complete(t, id, now)
	case 8:
		if task.Status == pawl.Pending && len(task.BlockedBy) == 0 && task.Hold == nil {
			task.Status, task.Owner, task.StartedAt = pawl.InProgress, fmt.Sprint("agent", who), now
		}
	case 9, 10:
		s.block(t, id, ids[s.rng.IntN(len(ids))], now)
	case 11:
		if w := t.waits(id); len(w) > 0 {
			t.unlink(w[s.rng.IntN(len(w))], id)
		}
	case 12, 13:
		task.Notes = append(task.Notes, pawl.Note{At: now, By: fmt.Sprint("agent", who), Text: s.name("n") + s.mention(t)})
	case 14:
		task.Subject = s.name("s") + s.mention(t)
	case 15:
		task.Description = s.name("d") + s.mention(t)
	case 16:
		if s.rng.IntN(2) == 0 {
			s.remove(t, id)
			return t.close()
		}
	case 17:
		s.reopen(t, id)
	case 18:
		if task.Hold == nil && task.Open() {
			task.Hold = &pawl.Hold{Reason: s.name("h") + s.mention(t), At: now, By: fmt.Sprint("agent", who)}
		} else {
			task.Hold = nil
		}
	case 19:
		if len(task.Labels) > 1 && s.rng.IntN(2) == 0 {
			task.Labels = slices.Clone(task.Labels[1:])
		} else {
			task.Labels = append(slices.Clone(task.Labels), s.name("l"))
		}
	case 20:
		task.Priority = pawl.Priority(s.rng.IntN(3) - 1)
	case 21:
		task.Metadata = maps.Clone(task.Metadata)
		task.Metadata[fmt.Sprint("k", s.rng.IntN(4))] = json.RawMessage(fmt.Sprintf("%q", s.name("m")))
	case 22:
		task.Extra = maps.Clone(task.Extra)
		if task.Extra == nil {
			task.Extra = map[string]json.RawMessage{}
		}
		task.Extra["suites"] = json.RawMessage(fmt.Sprintf(`[{"name":"c%d","run":%q}]`, s.rng.IntN(3), s.name("x")))
	case 23:
		p := ids[s.rng.IntN(len(ids))]
		switch {
		case s.rng.IntN(3) == 0:
			task.Parent = 0
		case p != id && t.tasks[p].Open() && !t.reaches(id, p):
			task.Parent = p
		}
	case 24:
		task.Owner = fmt.Sprint("agent", who)
	case 26:
		s.bringIn(t, now)
		return t.close()
	case 27, 28, 29, 30:
		s.shows(task, now, who)
	case 25:
		task.ActiveForm = s.name("a")
	}
	if fmt.Sprint(before) != fmt.Sprint(*task) {
		task.UpdatedAt = now
	}
	return t.close()
}

func (s *sim) mention(t *table) string {
	ids := t.ids()
	if len(ids) == 0 || s.rng.IntN(2) == 0 {
		return ""
	}
	id := ids[s.rng.IntN(len(ids))]
	return fmt.Sprintf(" after %v (%s)", id, uid(t.tasks[id]))
}

func (s *sim) add(t *table, now time.Time) {
	id := t.last() + 1
	name := s.name("u")
	task := &pawl.Task{ID: id, Subject: name + s.mention(t), Status: pawl.Pending, CreatedAt: now, UpdatedAt: now}
	if s.rng.IntN(8) == 0 {
		task.CreatedAt, task.UpdatedAt = time.Time{}, time.Time{}
		task.Description = s.name("d")
		s.odd[name] = true
	}
	task.Metadata = map[string]json.RawMessage{"uid": json.RawMessage(fmt.Sprintf("%q", name))}
	ids := t.ids()
	t.tasks[id] = task
	for range s.rng.IntN(3) {
		if len(ids) > 0 {
			s.block(t, id, ids[s.rng.IntN(len(ids))], now)
		}
	}
	if len(ids) > 0 && s.rng.IntN(4) == 0 {
		if p := ids[s.rng.IntN(len(ids))]; t.tasks[p].Open() && !t.reaches(id, p) {
			task.Parent = p
		}
	}
}

// bringIn imports one of a few issues of a tracker, if the board has it not.
func (s *sim) bringIn(t *table, now time.Time) {
	issue := 1 + s.rng.IntN(3)
	name := fmt.Sprint("u90", issue)
	for _, task := range t.tasks {
		if uid(task) == name {
			return
		}
	}
	id := t.last() + 1
	t.tasks[id] = &pawl.Task{
		ID: id, Subject: s.name("s"), Status: pawl.Pending, CreatedAt: time.UnixMilli(1_700_000_000_000 + int64(issue)).UTC(), UpdatedAt: now,
		Metadata: map[string]json.RawMessage{"uid": json.RawMessage(strconv.Quote(name)), pawl.RefKey: json.RawMessage(fmt.Sprintf("%q", fmt.Sprint("gh:", issue)))},
	}
}

// block lets a task wait for another.
func (s *sim) block(t *table, id, on pawl.ID, now time.Time) {
	a, b := t.tasks[on], t.tasks[id]
	if id == on || slices.Contains(a.Blocks, id) || t.reaches(on, id) {
		return
	}
	a.Blocks = append(slices.Clone(a.Blocks), id)
	a.UpdatedAt = now
	if a.Open() && b.Open() {
		b.BlockedBy = append(slices.Clone(b.BlockedBy), on)
	}
}

func drop(ids []pawl.ID, id pawl.ID) []pawl.ID {
	return slices.DeleteFunc(slices.Clone(ids), func(i pawl.ID) bool { return i == id })
}

func (t *table) unlink(blocker, waiter pawl.ID) {
	t.tasks[blocker].Blocks = drop(t.tasks[blocker].Blocks, waiter)
	t.tasks[waiter].BlockedBy = drop(t.tasks[waiter].BlockedBy, blocker)
}

func (s *sim) complete(t *table, id pawl.ID, now time.Time) {
	task := t.tasks[id]
	for _, other := range t.tasks {
		if other.Parent == id && other.Open() {
			return
		}
	}
	if !task.Open() || len(task.BlockedBy) > 0 || task.Hold != nil {
		return
	}
	task.Status, task.CompletedAt = pawl.Completed, now
	for _, other := range t.tasks {
		other.BlockedBy = drop(other.BlockedBy, id)
	}
}

func (s *sim) reopen(t *table, id pawl.ID) {
	task := t.tasks[id]
	if task.Open() || task.Parent != 0 && !t.tasks[task.Parent].Open() {
		return
	}
	task.Status, task.Owner, task.StartedAt, task.CompletedAt = pawl.Pending, "", time.Time{}, time.Time{}
	for other, o := range t.tasks {
		if o.Open() && slices.Contains(o.Blocks, id) {
			task.BlockedBy = append(task.BlockedBy, other)
		}
		if o.Open() && slices.Contains(task.Blocks, other) {
			o.BlockedBy = append(slices.Clone(o.BlockedBy), id)
		}
	}
	slices.Sort(task.BlockedBy)
}

func (s *sim) remove(t *table, id pawl.ID) {
	s.gone[uid(t.tasks[id])] = true
	if id >= t.last() {
		t.mark = id
	}
	delete(t.tasks, id)
	for _, o := range t.tasks {
		o.BlockedBy, o.Blocks = drop(o.BlockedBy, id), drop(o.Blocks, id)
		if o.Parent == id {
			o.Parent = 0
		}
	}
}
