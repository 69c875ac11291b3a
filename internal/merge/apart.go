package merge

import (
	"bytes"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// Apart gives every task of a board a file of its own, where git has put two into
// one and no longer says what they come from: after a squash, in a tarball,
// on a branch that was rebased. Such a file has the other task under the key
// merging, or conflict lines of git. The elder task keeps the number; the others
// get new ones, and was says which they had.
//
// The files tell what such a number means in another one. Edges stand on both
// sides: if 13 waits for 12, the 12 that blocks 13 is meant. Where that does not
// decide, the elder is taken, and the report names it under Unclear.
//
// A board without such files is returned as it is. Files that cannot be taken apart
// stay as they are.
func Apart(b Board) (Board, Report) {
	all, reports := apart([]Board{b})
	return all[0], reports[0]
}

// apart is [Apart] for boards that are to be merged: a task that one of them has in
// a file of its own gets the same number on the others.
func apart(boards []Board) ([]Board, []Report) {
	reports := make([]Report, len(boards))
	if !slices.ContainsFunc(boards, shared) {
		return boards, reports
	}
	all := make([]*aparting, len(boards))
	found := make([]bool, len(boards))
	for i, b := range boards {
		all[i] = &aparting{was: b, at: map[pawl.ID][]*piece{}}
		if found[i] = all[i].read(); found[i] {
			all[i].reunite()
		}
	}
	if !slices.Contains(found, true) {
		return boards, reports
	}
	renumberAll(all)
	boards = slices.Clone(boards)
	for i, a := range all {
		if found[i] {
			a.refer()
			boards[i], reports[i] = a.write(), a.report
		}
	}
	return boards, reports
}

type aparting struct {
	was    Board
	pieces []*piece             // in order of number, the eldest first
	at     map[pawl.ID][]*piece // by the number that they had
	given  map[pawl.ID]bool     // the new numbers
	report Report
}

// A piece is a task of the board.
type piece struct {
	version
	id, now pawl.ID // its number, and the one that it gets
	on      *aparting
	from    []byte // the file that is all its own; nil: it shares one
	waits   []*piece
	blocks  []*piece
}

// read reads the tasks of all files, and reports whether one has several or has
// conflict lines.
func (a *aparting) read() bool {
	found := false
	for _, id := range slices.Sorted(maps.Keys(a.was.Tasks)) {
		text := a.was.Tasks[id]
		if base, ours, theirs, ok := taskjson.Sides(text); ok {
			if text, ok = File(id, base, ours, theirs); !ok {
				continue
			}
			found = true
		}
		all, ok := versionsOf(text)
		if !ok || all[0].task.ID != id {
			continue
		}
		slices.SortFunc(all, byAge)
		found = found || len(all) > 1
		for _, v := range all {
			p := &piece{version: v, id: id, now: id}
			if len(all) == 1 && bytes.Equal(text, a.was.Tasks[id]) {
				p.from = text
			}
			a.pieces = append(a.pieces, p)
			a.at[id] = append(a.at[id], p)
		}
	}
	return found
}

// joined reports quickly whether a text may hold several tasks: what is looked for
// begins with a letter that is rarer than a quote.
func joined(text []byte) bool {
	return bytes.Contains(text, []byte(`merging"`)) || bytes.Contains(text, []byte("<<<<<<<"))
}

// reunite merges a task into the file that it has already: a branch that was cut
// before it was moved brings it back under its old number.
func (a *aparting) reunite() {
	alike := map[identity][]*piece{}
	for _, p := range a.pieces {
		alike[identityOf(p.task)] = append(alike[identityOf(p.task)], p)
	}
	for _, id := range slices.Sorted(maps.Keys(a.at)) {
		if !a.contested(id) {
			continue
		}
		a.at[id] = slices.DeleteFunc(a.at[id], func(p *piece) bool {
			home := slices.IndexFunc(alike[identityOf(p.task)], func(q *piece) bool {
				return q.id != id && len(a.at[q.id]) == 1 && oneTask(nil, q.version, p.version)
			})
			if home < 0 {
				return false
			}
			q := alike[identityOf(p.task)][home]
			merged, report := Boards(nil, q.board(), p.board())
			all, ok := versionsOf(merged.Tasks[q.id])
			if !ok || len(merged.Tasks) > 1 || len(report.Beside) > 0 {
				return false
			}
			q.version, q.from = all[0], nil
			a.pieces = slices.DeleteFunc(a.pieces, func(other *piece) bool { return other == p })
			return true
		})
	}
}

// kin is by what a task is known on every board, also among those of one identity.
type kin struct {
	identity
	print uint64
}

func kinOf(t *pawl.Task) kin { return kin{identityOf(t), orderOf(t).print} }

// renumberAll gives all but the eldest at each number another one: that which the task
// has on another board already, else a new one.
func renumberAll(all []*aparting) {
	m := &merger{taken: map[pawl.ID]bool{}}
	home := map[kin]*piece{}
	var younger []*piece
	for _, a := range all {
		m.mention(slices.Collect(maps.Keys(a.was.Tasks))...)
		m.mention(a.was.Mark)
		for _, p := range a.pieces {
			m.mention(p.task.BlockedBy...)
			m.mention(p.task.Blocks...)
			m.mention(p.task.Was...)
			m.mention(p.task.Parent)
			switch h := home[kinOf(p.task)]; {
			case p != a.at[p.id][0]:
				p.on = a
				younger = append(younger, p)
			case h == nil || len(p.task.Was) > len(h.task.Was) || len(p.task.Was) == len(h.task.Was) && p.id < h.id:
				home[kinOf(p.task)] = p
			}
		}
	}
	slices.SortStableFunc(younger, func(p, q *piece) int { return byAge(p.version, q.version) })
	free, want := m.high, map[pawl.ID][]kref{}
	given := map[kin]pawl.ID{}
	for _, p := range younger {
		used := func(id pawl.ID) bool { return id == 0 || p.on.was.Tasks[id] != nil || p.on.given[id] }
		id := given[kinOf(p.task)]
		if h := home[kinOf(p.task)]; h != nil && !used(h.id) {
			id = h.id
		}
		if used(id) {
			free = m.after(free, want)
			id, given[kinOf(p.task)] = free, free
		}
		p.now = id
		if p.on.given == nil {
			p.on.given = map[pawl.ID]bool{}
		}
		p.on.given[id] = true
	}
}

// plain is the board with one task in each file.
func (a *aparting) plain() Board {
	b := a.was
	b.Tasks = maps.Clone(a.was.Tasks)
	for id, all := range a.at {
		if delete(b.Tasks, id); len(all) > 0 {
			b.Tasks[id] = all[0].text
		}
	}
	return b
}

// contested reports whether several tasks have a number.
func (a *aparting) contested(id pawl.ID) bool { return len(a.at[id]) > 1 }

// write makes the files.
func (a *aparting) write() Board {
	b := a.plain()
	for _, p := range a.pieces {
		want := p.task.Clone()
		want.ID = p.now
		if p.now != p.id && !slices.Contains(want.Was, p.id) {
			want.Was = taskjson.CutWas(append(want.Was, p.id))
		}
		a.relist(p, &want)
		text, err := taskjson.Patch(p.text, &want)
		if err != nil { // it is too large
			a.report.Beside = append(a.report.Beside, Leftover{ID: p.now, Why: err.Error(), Text: p.text})
			continue
		}
		b.Tasks[p.now] = text
		if p.now == p.id && p.from == nil || p.from != nil && !bytes.Equal(p.from, text) {
			a.report.Changed = append(a.report.Changed, p.now)
		}
		if p.now != p.id {
			elder := a.at[p.id][0].task
			a.report.Moved = append(a.report.Moved, Moved{
				Named: Named{p.now, p.task.Subject}, From: p.id, CreatedAt: p.task.CreatedAt,
				Elder: elder.Subject, ElderBy: elder.Owner,
			})
		}
	}
	slices.Sort(a.report.Changed)
	slices.SortFunc(a.report.Moved, func(x, y Moved) int { return int(x.ID - y.ID) })
	return b
}
