package gitmerge

import (
	"bytes"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// sides are a joint as boards.
type sides struct {
	bases              []merge.Board
	ours, theirs, left merge.Board
	tip                merge.Board
	full, closed       bool
	steps              []step[merge.Board] // of a rebase that ended
	settled            bool                // a later commit has what it makes

	shared   []pawl.ID    // files of left in which git's driver has put two tasks
	together merge.Board  // the merge of both sides
	is       merge.Board  // and of what somebody did to it before the commit
	report   merge.Report // of together
}

// merged is what came of combining.
type merged struct {
	board  merge.Board   // for the work tree
	report merge.Report  // against what was there
	index  []merge.Board // of each joint: is, for git's index
}

// combine merges the joints, begun and given with the oldest first, into the board in
// the work tree. The newest comes first there: it knows best what git made of the files, and
// has the others in it as a rule.
func combine(work merge.Board, joints []sides) merged {
	out := merged{board: work, index: make([]merge.Board, len(joints))}
	joints = slices.Clone(joints)
	for i := range joints {
		out.index[i] = joints[i].is
	}
	for _, j := range slices.Backward(joints) {
		var second merge.Report
		if !j.settled {
			out.board, second = j.into(out.board)
		}
		second.Deleted = slices.DeleteFunc(second.Deleted, j.joined)
		if !j.full {
			j.report = merge.Report{}
		}
		out.report = then(out.report, join(j.report, second))
	}
	if is, report := merge.Apart(out.board); !sameBoard(is, out.board) {
		// Which of the two was known here under their number nobody can say; who
		// used it is to hear that it means the elder one now.
		each(&report.Moved, func(m *merge.Moved) { m.Side = merge.Ours })
		out.board, out.report = is, then(out.report, report)
	}
	return out
}

// begin merges the two sides, of which each may come from a merge before.
func (j *sides) begin(earlier []sides) {
	left := j.left
	j.bases = slices.Clone(j.bases)
	edited := j.edited()
	for i := range earlier {
		e := &earlier[i]
		for b := range j.bases {
			j.bases[b] = e.settle(j.bases[b])
		}
		j.ours, j.theirs, left = e.settle(j.ours), e.settle(j.theirs), e.settle(left)
	}
	for id := range j.left.Tasks {
		if j.alone(id) != nil {
			j.shared = append(j.shared, id)
		}
	}
	ours := j.ours
	ours.Mark = max(ours.Mark, highest(j.tip))
	j.together, j.report = merge.Boards(j.bases, ours, j.theirs)
	j.is = j.together
	switch {
	case len(j.steps) > 0:
		j.is = j.replay()
		j.report = renumbered(j.report, numbersIn(j.together, j.is))
	case j.closed:
		left, _ = j.single(left)
		is := merge.Like(j.is, left)
		j.is, _ = merge.Boards([]merge.Board{j.mechanical(left, is)}, left, is)
	default:
		left, _ = j.single(left)
		if made := j.mechanical(left, j.is); !sameBoard(made, left) {
			j.is, _ = merge.Boards([]merge.Board{made}, left, j.is)
		}
	}
	if len(edited) > 0 {
		j.is.Tasks = maps.Clone(j.is.Tasks)
		for _, e := range edited {
			j.apply(e)
		}
	}
}

// An edit is what somebody did to a file with two tasks before git committed it.
type edit struct {
	id       pawl.ID
	was, now []byte // the file's own task
}

// edited returns the files with two tasks that are not as git's driver left them,
// in a merge that git has committed. For a rebase its steps tell.
func (j *sides) edited() []edit {
	if len(j.steps) > 0 || !j.closed {
		return nil
	}
	var edits []edit
	for _, id := range slices.Sorted(maps.Keys(j.left.Tasks)) {
		text, o, t := j.left.Tasks[id], j.ours.Tasks[id], j.theirs.Tasks[id]
		if !two(text) || bytes.Equal(text, o) || bytes.Equal(text, t) {
			continue
		}
		var base []byte
		if len(j.bases) > 0 {
			base = j.bases[0].Tasks[id]
		}
		driven, ok := merge.File(id, base, o, t)
		if !ok || bytes.Equal(driven, text) {
			continue
		}
		was, _, err := taskjson.Split(driven)
		now, _, err2 := taskjson.Split(text)
		if err == nil && err2 == nil && !bytes.Equal(was, now) {
			edits = append(edits, edit{id, was, now})
		}
	}
	return edits
}

// apply merges an edit into the merged board.
func (j *sides) apply(e edit) {
	if is, ok := merge.File(e.id, e.was, j.is.Tasks[e.id], e.now); ok && !two(is) {
		j.is.Tasks[e.id] = is
		return
	}
	j.report.Beside = append(j.report.Beside, merge.Leftover{ID: e.id, Why: "it was written before the boards were merged, and its task has another number now", Text: e.now})
}

// into takes what the sides make into a board that came after them. Of a merge that git
// has committed the numbers stand that the tasks have by now.
func (j *sides) into(b merge.Board) (merge.Board, merge.Report) {
	now, left := j.single(b)
	now = asLeft(now, left)
	if sameBoard(now, left) {
		now = left
	}
	is := j.is
	if j.closed && len(j.steps) == 0 {
		is = merge.Like(is, now)
		left = merge.Settled(merge.Like(left, now), is, now)
	}
	return merge.Boards([]merge.Board{left}, now, is)
}

// changes reports whether the merge makes tasks of a later commit other than they are.
func (j *sides) changes(later merge.Board) bool {
	next, _ := j.into(later)
	return !maps.EqualFunc(next.Tasks, later.Tasks, bytes.Equal)
}

// joined reports whether a task of theirs is gone from its number because it is the same
// as one of ours: two clones imported it.
func (j *sides) joined(gone merge.Named) bool {
	return j.ours.Tasks[gone.ID] == nil && slices.ContainsFunc(j.report.Moved, func(m merge.Moved) bool {
		return m.Side == merge.Theirs && m.From == gone.ID
	})
}

// settle takes apart what git's driver put into one file in this merge, on the board of
// a later commit that has such a file as it was left. The file alone does not say which
// of its tasks another one names.
func (j *sides) settle(b merge.Board) merge.Board {
	has := func(id pawl.ID) bool { return bytes.Equal(j.left.Tasks[id], b.Tasks[id]) }
	if !slices.ContainsFunc(j.shared, has) {
		return b
	}
	now, left := j.single(b)
	is, _ := merge.Boards([]merge.Board{left}, now, j.is)
	return is
}

// separate takes out of base and theirs what git has as merged and what names a
// number that the sides gave to two tasks: it stands in our numbering, for all that
// is known. In theirs it would mean the other task.
func (j *sides) separate() {
	base := j.bases[0]
	contested := map[pawl.ID]bool{}
	for id, text := range j.theirs.Tasks {
		if o := j.ours.Tasks[id]; o != nil && base.Tasks[id] == nil && !bytes.Equal(o, text) {
			contested[id] = true
		}
	}
	if len(contested) == 0 {
		return
	}
	for id, text := range base.Tasks {
		if !bytes.Equal(text, j.ours.Tasks[id]) || !bytes.Equal(text, j.theirs.Tasks[id]) {
			continue
		}
		f, err := taskjson.Decode(text)
		if err != nil {
			continue
		}
		for _, n := range slices.Concat(f.Task.BlockedBy, f.Task.Blocks, []pawl.ID{f.Task.Parent}) {
			if contested[n] {
				delete(base.Tasks, id)
				delete(j.theirs.Tasks, id)
			}
		}
	}
}

// single is a board and what git left, where git's driver put two tasks into a file
// that nobody has touched since: ours stands alone there, as it does without the
// driver. In such a file nothing says which of the two another file means.
func (j *sides) single(b merge.Board) (now, left merge.Board) {
	now = merge.Board{Tasks: maps.Clone(b.Tasks), Mark: b.Mark}
	left = merge.Board{Tasks: maps.Clone(j.left.Tasks), Mark: j.left.Mark}
	for _, id := range j.shared {
		if bytes.Equal(j.left.Tasks[id], b.Tasks[id]) {
			one := j.alone(id)
			now.Tasks[id], left.Tasks[id] = one, one
		}
	}
	return now, left
}

// alone is the task that stands alone then; nil: git's driver has not put two into one.
func (j *sides) alone(id pawl.ID) []byte {
	one := j.ours.Tasks[id]
	if one == nil {
		one = j.theirs.Tasks[id]
	}
	if !two(j.left.Tasks[id]) || two(one) {
		return nil
	}
	return one
}

func two(text []byte) bool { return bytes.Contains(text, []byte(`"merging"`)) }

// asLeft is a board of the work tree, in which a file that has git's conflict lines
// counts as git left it.
func asLeft(work, left merge.Board) merge.Board {
	now := merge.Board{Tasks: maps.Clone(work.Tasks), Mark: work.Mark}
	for id, text := range work.Tasks {
		if was, ok := left.Tasks[id]; ok && (bytes.Equal(text, was) || marked(text)) {
			now.Tasks[id] = was // if equal the same memory, which is quick to compare
		}
	}
	return now
}

// mechanical is what git may have made of a merge: left, without what somebody did to
// it before the commit, or put into the index. Those files are as before instead,
// or as the sides make them, if who did it had merged these.
func (j *sides) mechanical(left, made merge.Board) merge.Board {
	is := merge.Board{Tasks: make(map[pawl.ID][]byte, len(left.Tasks)), Mark: left.Mark}
	base := merge.Board{}
	if len(j.bases) > 0 {
		base = j.bases[0]
	}
	for id, text := range left.Tasks {
		o, t := j.ours.Tasks[id], j.theirs.Tasks[id]
		switch {
		case j.byGit(base, id, text):
			is.Tasks[id] = text
		case o == nil && t == nil: // it came with the commit
		case base.Tasks[id] != nil:
			is.Tasks[id] = base.Tasks[id]
		}
	}
	for id, text := range base.Tasks { // removed with the commit, or by one side
		if _, ok := left.Tasks[id]; !ok && j.ours.Tasks[id] != nil && j.theirs.Tasks[id] != nil {
			is.Tasks[id] = text
		}
	}
	given := merge.Board{Tasks: map[pawl.ID][]byte{}} // numbers that no side has: by a merge
	for id, text := range left.Tasks {
		if j.ours.Tasks[id] == nil && j.theirs.Tasks[id] == nil {
			given.Tasks[id] = text
		}
	}
	return merge.Settled(is, made, given)
}

// byGit reports whether git, its driver or nobody made a text: one of the sides, or
// what both make together.
func (j *sides) byGit(base merge.Board, id pawl.ID, text []byte) bool {
	o, t := j.ours.Tasks[id], j.theirs.Tasks[id]
	if bytes.Equal(text, o) || bytes.Equal(text, t) {
		return true
	}
	if o != nil && t != nil {
		if made, ok := merge.File(id, base.Tasks[id], o, t); ok && bytes.Equal(made, text) {
			return true
		}
	}
	return j.paired(base, id, text)
}

// paired reports whether git made a text out of lines of two files, as it does
// when it takes one for the other under a new name.
func (j *sides) paired(base merge.Board, id pawl.ID, text []byte) bool {
	for _, pair := range [][2]merge.Board{{j.ours, j.theirs}, {j.theirs, j.ours}} {
		here, there := pair[0], pair[1]
		own := here.Tasks[id]
		if own == nil {
			continue
		}
		for _, from := range slices.Sorted(maps.Keys(base.Tasks)) {
			old, new := base.Tasks[from], there.Tasks[from]
			if new == nil || bytes.Equal(old, new) || from != id && here.Tasks[from] != nil {
				continue
			}
			if got, ok := mergeLines(old, own, new); ok && bytes.Equal(got, text) {
				return true
			}
		}
	}
	return false
}

func highest(b merge.Board) pawl.ID {
	most := b.Mark
	for id := range b.Tasks {
		if id <= pawl.MaxForeignID {
			most = max(most, id)
		}
	}
	return most
}

func sameBoard(a, b merge.Board) bool {
	return a.Mark == b.Mark && maps.EqualFunc(a.Tasks, b.Tasks, bytes.Equal)
}

// changes are the files that are other in one board than in another, nil for those
// that are gone.
func changes(from, to merge.Board) map[pawl.ID][]byte {
	diff := map[pawl.ID][]byte{}
	for id, text := range to.Tasks {
		if was, ok := from.Tasks[id]; !ok || !bytes.Equal(was, text) {
			diff[id] = text
		}
	}
	for id := range from.Tasks {
		if _, ok := to.Tasks[id]; !ok {
			diff[id] = nil
		}
	}
	return diff
}
