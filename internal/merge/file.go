package merge

import (
	"bytes"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// File merges the file of one number, for git's merge driver, which sees no other.
// Without ok the file has to stay as it is.
//
// The number decides what the file is about. Git takes a file that one side removed
// and one that the other side made for a rename if they look alike, and hands over
// the texts of two tasks: a side with another number than the file's has no say,
// unless it is the same task before it was moved.
//
// Two sides that are about one task are merged as [Boards] does it. Two tasks under
// one number stay whole: the elder one is the file's, and the other stands in it
// under the key merging until [Apart], or [Boards], gives it a number of its own.
func File(id pawl.ID, base, ours, theirs []byte) (merged []byte, ok bool) {
	o, readable := versionsOf(ours)
	t, readable2 := versionsOf(theirs)
	if !readable || !readable2 {
		return nil, false
	}
	b, _ := versionsOf(base) // without one, both sides are new
	oFits, tFits := o[0].task.ID == id, t[0].task.ID == id
	switch {
	case !oFits && !tFits:
		return nil, false
	case !oFits || !tFits:
		if len(o) == 1 && len(t) == 1 && oneTask(b, o[0], t[0]) {
			if v, ok := united(b, o[0], t[0]); ok && v.task.ID == id {
				return v.text, true
			}
		}
		if oFits {
			return ours, true
		}
		return theirs, true
	case bytes.Equal(ours, theirs):
		return ours, true
	}
	all, ok := meet(b, o, t)
	if !ok {
		return nil, false
	}
	var others [][]byte
	for _, v := range all[1:] {
		others = append(others, v.text)
	}
	merged, err := taskjson.Join(all[0].text, others)
	return merged, err == nil
}

// version is one task of a file.
type version struct {
	text []byte
	task *pawl.Task
}

// versionsOf reads the tasks in a file: its own, and those under its key merging.
// If a program has put one there twice, they are merged.
func versionsOf(text []byte) ([]version, bool) {
	own, others, err := taskjson.Split(text)
	if err != nil {
		return nil, false
	}
	var all []version
	for _, text := range append([][]byte{own}, others...) {
		file, err := taskjson.Decode(text)
		if err != nil {
			return nil, false
		}
		v := version{text, &file.Task}
		twin := slices.IndexFunc(all, func(other version) bool { return orderOf(v.task) == orderOf(other.task) })
		if twin < 0 {
			all = append(all, v)
			continue
		}
		var ok bool
		if all[twin], ok = united(nil, all[twin], v); !ok {
			return nil, false
		}
	}
	return all, true
}

// board is the version as a board of its own.
func (v version) board() Board {
	return Board{Tasks: map[pawl.ID][]byte{v.task.ID: v.text}}
}

func boardsOf(versions []version) []Board {
	var boards []Board
	for _, v := range versions {
		boards = append(boards, v.board())
	}
	return boards
}

// oneTask reports whether two versions are about the same task.
func oneTask(bases []version, o, t version) bool {
	m := &merger{}
	m.read(boardsOf(bases), o.board(), t.board())
	m.match()
	return slices.ContainsFunc(m.kinds, func(k *kind) bool { return k.o != nil && k.t != nil })
}

// meet merges the tasks of two files, and returns them by age. A task that one side
// no longer has, and the other has not changed, is gone: it was taken apart there.
func meet(bases, ours, theirs []version) ([]version, bool) {
	m := meetingOf{bases: bases, left: theirs}
	// First those that nobody could confuse. A task may have got another subject since
	// the base, and one that does not say when it was made is then known by its place.
	ours = m.pair(ours, func(o, t version) bool { return orderOf(o.task) == orderOf(t.task) })
	ours = m.pair(ours, func(o, t version) bool {
		return identityOf(o.task) == identityOf(t.task) && !o.task.CreatedAt.IsZero() && oneTask(closest(bases, o, t), o, t)
	})
	if len(ours) == 1 && len(m.left) == 1 && len(m.met) == 0 {
		ours = m.pair(ours, func(o, t version) bool { return oneTask(bases, o, t) })
	}
	all := m.met
	for _, v := range slices.Concat(ours, m.left) {
		all = append(all, alone(bases, v)...)
	}
	if len(all) == 0 {
		all = slices.Concat(ours, m.left)
	}
	slices.SortFunc(all, byAge)
	return all, !m.failed
}

// meetingOf is a merge of two files' tasks.
type meetingOf struct {
	bases  []version
	left   []version // of theirs: those without their like on our side
	met    []version // merged
	failed bool
}

// pair merges each of ours with the first of theirs that is the same, and returns
// the others.
func (m *meetingOf) pair(ours []version, same func(o, t version) bool) []version {
	var rest []version
	for _, o := range ours {
		i := slices.IndexFunc(m.left, func(t version) bool { return same(o, t) })
		if i < 0 {
			rest = append(rest, o)
			continue
		}
		merged, ok := united(closest(m.bases, o, m.left[i]), o, m.left[i])
		m.left = slices.Delete(slices.Clone(m.left), i, i+1)
		m.met = append(m.met, merged)
		m.failed = m.failed || !ok
	}
	return rest
}

// closest are the bases that are most likely about a task.
func closest(bases []version, o, t version) []version {
	for _, like := range []func(a, b version) bool{
		func(a, b version) bool { return orderOf(a.task) == orderOf(b.task) },
		func(a, b version) bool { return identityOf(a.task) == identityOf(b.task) },
	} {
		var found []version
		for _, b := range bases {
			if like(b, o) || like(b, t) {
				found = append(found, b)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return bases
}

// united merges two versions of one task.
func united(bases []version, o, t version) (version, bool) {
	merged, report := Boards(boardsOf(bases), o.board(), t.board())
	for _, text := range merged.Tasks {
		if all, ok := versionsOf(text); ok {
			return all[0], len(merged.Tasks) == 1 && len(all) == 1 && len(report.Beside) == 0
		}
	}
	return version{}, false
}

// alone returns a version that only one side has, unless that side only kept it.
func alone(bases []version, v version) []version {
	for _, b := range closest(bases, v, v) {
		if oneTask(nil, b, v) {
			if merged, _ := Boards([]Board{b.board()}, v.board(), Board{}); len(merged.Tasks) == 0 {
				return nil
			}
		}
	}
	return []version{v}
}

// byAge orders tasks: the elder keeps a number that two have.
func byAge(a, b version) int {
	if c := orderOf(a.task).compare(orderOf(b.task)); c != 0 {
		return c
	}
	return bytes.Compare(a.text, b.text)
}

func orderOf(t *pawl.Task) order {
	return order{identity: identityOf(t), print: printOf(strings.TrimSpace(t.Subject)), least: t.ID}
}
