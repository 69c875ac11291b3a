package gitmerge

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/git"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/taskjson"
	"github.com/pawl-dev/pawl/store/file"
)

// errDry ends a dry run before anything is written.
var errDry = errors.New("dry run")

// carryOut merges joints into the work tree and the index, and notes that they were.
func (l *look) carryOut(ctx context.Context, o Options, joints []joint) (merge.Outcome, error) {
	out := merge.Outcome{Dry: o.DryRun, Board: strings.TrimSuffix(l.prefix, "/"), Left: l.left, Waits: l.waits()}
	boards, err := l.boards(ctx, joints)
	if err != nil {
		return out, err
	}
	before, err := l.known(ctx)
	if err != nil {
		return out, err
	}
	for _, j := range joints {
		out.Sources = append(out.Sources, merge.Source{Kind: j.Kind, Ours: j.Ours, Theirs: j.Theirs, Commit: j.Commit, Name: j.name})
	}
	if len(joints) == 0 {
		if apart, err := l.mayHaveTwo(ctx); err != nil || !apart {
			if err == nil {
				out.Report.Moved = before.moves(before.is, nil) // by a colleague, whose merge git has brought
			}
			if err == nil && (!o.DryRun || o.status) {
				l.follow(ctx, out.Report.Moved)
				l.settle(out.Report.Moved, false, func(*memory) {})
			}
			return out, err
		}
	}
	var was file.Files
	var is merged
	var back *undo
	rev, err := l.store.Rewrite(ctx, file.Why{By: o.By, Verb: pawl.VerbMerge}, func(f file.Files) (file.Rewriting, error) {
		was = f
		work, crlf := workBoard(f, boards)
		is = combine(work, boards)
		is.report.Moved = append(is.report.Moved, before.moves(is.board, is.report.Moved)...)
		w := rewriting(f, work, is, boards, crlf)
		if back = nil; len(w.Tasks) > 0 || w.Mark > f.Mark {
			back = l.before(f, joints)
		}
		if o.DryRun {
			return file.Rewriting{}, errDry
		}
		if back != nil {
			l.keep(back) // before the commit: nobody could tell afterwards what was there
		}
		if l.tree != nil && len(w.Moved) > 0 { // or a command in between would not know of it
			l.note(func(w *memory) { w.move(ours(is.report.Moved)) })
		}
		return w, nil
	})
	if err != nil && !errors.Is(err, errDry) {
		return out, err
	}
	out.Report, out.Origin = is.report, was.Origin
	if back != nil && !o.DryRun {
		out.Revision = rev
	}
	if len(joints) == 0 && back != nil {
		out.Sources = []merge.Source{{Kind: merge.KindApart}}
	}
	if out.Added, out.Removed, err = l.stage(ctx, o, joints, is, back); err != nil {
		if out.Revision == 0 {
			return out, err
		}
		out.Remark = "the tasks are merged, but not in git's index: " + err.Error()
	}
	out.Done = len(joints) > 0 && back == nil && len(out.Added)+len(out.Removed) == 0
	out.Commit = l.tree != nil && out.Waits == "" && back != nil && len(l.left) == 0
	if o.DryRun && !(o.status && back == nil && len(out.Added)+len(out.Removed) == 0) {
		return out, nil
	}
	if back != nil {
		back.Revision = rev
		l.keep(back)
	}
	l.follow(ctx, ours(is.report.Moved))
	if out.Remark == "" {
		l.settle(out.Report.Moved, len(out.Added)+len(out.Removed) > 0, func(w *memory) {
			for _, j := range joints {
				w.took(j.taken)
			}
		})
	}
	return out, nil
}

// boards reads the boards of joints.
func (l *look) boards(ctx context.Context, joints []joint) ([]sides, error) {
	var shapes []shape
	for _, j := range joints {
		shapes = append(append(shapes, j.ours, j.theirs, j.left, j.tip), j.bases...)
		for _, s := range j.steps {
			shapes = append(shapes, s.base, s.theirs, s.from, s.to)
		}
	}
	if len(shapes) == 0 {
		return nil, nil
	}
	read, err := l.read(ctx, shapes...)
	if err != nil {
		return nil, err
	}
	all := make([]sides, len(joints))
	for i, j := range joints {
		all[i] = sides{ours: read[0], theirs: read[1], left: read[2], tip: read[3], bases: read[4 : 4+len(j.bases)], full: j.full, closed: j.closed}
		read = read[4+len(j.bases):]
		for _, s := range j.steps {
			all[i].steps = append(all[i].steps, step[merge.Board]{base: read[0], theirs: read[1], from: read[2], to: read[3], picked: s.picked, stopped: s.stopped})
			read = read[4:]
		}
		if j.Kind == merge.KindStages && !j.known {
			all[i].separate()
		}
		all[i].begin(all[:i])
		if all[i].settled, err = l.settled(ctx, j, &all[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// mostLater is how many commits after a merge are looked at, the first ones.
const mostLater = 20

// settled reports whether a commit after a merge has all that the merge makes of its
// sides. Later commits then work on the merged board: there is nothing to merge
// again.
func (l *look) settled(ctx context.Context, j joint, s *sides) (bool, error) {
	if !j.closed || j.Kind != merge.KindMerge || j.Commit == l.state.Head {
		return false, nil
	}
	if !s.changes(s.left) {
		return false, nil // it has it itself, which the merge finds out
	}
	later, err := l.tree.Between(ctx, j.Commit, l.state.Head, l.dir, mostLater)
	if err != nil {
		return false, err
	}
	shapes, err := l.commits(ctx, later...)
	if err != nil {
		return false, err
	}
	for _, shape := range shapes {
		boards, err := l.read(ctx, shape)
		if err != nil || ctx.Err() != nil {
			return false, errors.Join(err, ctx.Err())
		}
		if !s.changes(boards[0]) {
			return true, nil
		}
	}
	return false, nil
}

// mayHaveTwo reports whether a file has two tasks.
func (l *look) mayHaveTwo(ctx context.Context) (bool, error) {
	found := false
	err := l.store.View(ctx, func(r pawl.Reader) error {
		page, err := r.Select(pawl.Query{Merging: true, Brief: true, Limit: 1})
		found = page.Total > 0
		return err
	})
	return found, err
}

// workBoard is the board in the work tree, in the line ends that git keeps. crlf
// says that the files had others.
func workBoard(f file.Files, joints []sides) (work merge.Board, crlf bool) {
	work = merge.Board{Tasks: maps.Clone(f.Tasks), Mark: f.Mark}
	for id, text := range f.Tasks {
		if !bytes.Contains(text, []byte("\r\n")) {
			continue
		}
		for i := range joints {
			if git, ok := joints[i].left.Tasks[id]; ok && !bytes.Contains(git, []byte("\r\n")) {
				work.Tasks[id], crlf = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), true
				break
			}
		}
	}
	return work, crlf
}

// rewriting is what has to be done to the files so that they are the merged board.
func rewriting(f file.Files, work merge.Board, is merged, joints []sides, crlf bool) file.Rewriting {
	w := file.Rewriting{Tasks: changes(work, is.board), Safe: map[pawl.ID]bool{}, Beside: map[string][]byte{}}
	for id, text := range w.Tasks {
		if crlf && text != nil && !bytes.Contains(text, []byte("\r\n")) {
			text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
			w.Tasks[id] = text
		}
		if bytes.Equal(text, f.Tasks[id]) && (text == nil) == (f.Tasks[id] == nil) {
			delete(w.Tasks, id)
			continue
		}
		_, _, _, both := taskjson.Sides(f.Tasks[id])
		asLeft := slices.ContainsFunc(joints, func(j sides) bool { return bytes.Equal(j.left.Tasks[id], work.Tasks[id]) })
		if both || asLeft { // git has it: also a task that it took for another one under a new name
			w.Safe[id] = true
		}
	}
	if is.board.Mark > 0 && (is.board.Mark > f.Mark || marked(f.MarkText)) {
		w.Mark = is.board.Mark
	}
	for _, m := range ours(is.report.Moved) {
		w.Moved = append(w.Moved, file.Move{From: m.From, To: m.ID, CreatedAt: m.CreatedAt})
	}
	for i, l := range is.report.Beside {
		if l.Text != nil {
			w.Beside["task_"+strconv.FormatInt(int64(l.ID), 10)+"."+strconv.Itoa(i)+".merge"] = l.Text
		}
	}
	return w
}

// ours are the moves of tasks that were in the work tree.
func ours(moved []merge.Moved) []merge.Moved {
	return slices.DeleteFunc(slices.Clone(moved), func(m merge.Moved) bool { return m.Side != merge.Ours })
}

// stage puts into git's index what git waits for. Where no conflict is and nothing
// is under way, the index is the user's.
func (l *look) stage(ctx context.Context, o Options, joints []joint, is merged, back *undo) (added, removed []string, err error) {
	unmerged := l.unmerged()
	if len(joints) == 0 || len(unmerged) == 0 && !l.underNow(joints) {
		return nil, nil, nil
	}
	// The last joint is the one that git is at, if any is: earlier ones are
	// committed.
	last := len(joints) - 1
	if joints[last].closed {
		return nil, nil, nil
	}
	want := is.index[last]
	now := map[string]git.Entry{}
	conflict := map[string]bool{}
	for _, e := range l.entries {
		if strings.Contains(e.Name, "/") {
			continue
		}
		if e.Stage == 0 {
			now[e.Name] = e
		} else {
			conflict[e.Name] = true
		}
	}
	var names []string
	var texts [][]byte
	put := func(name string, text []byte) {
		if e, ok := now[name]; ok && e.Mode.Regular() && bytes.Equal(l.blobs[e.ID], text) {
			return
		}
		names, texts = append(names, name), append(texts, text)
	}
	for _, id := range slices.Sorted(maps.Keys(want.Tasks)) {
		put(taskFile(id), want.Tasks[id])
	}
	// The mark may be higher than on either side: the number of a task that was moved and
	// deleted since.
	if conflict[waterName] || want.Mark > taskjson.Mark(l.blobs[now[waterName].ID]) {
		put(waterName, strconv.AppendInt(nil, int64(want.Mark), 10))
	}
	var gone []string
	for _, e := range l.entries {
		id, ok := merge.TaskID(e.Name)
		if _, stays := want.Tasks[id]; ok && !stays && !slices.Contains(gone, e.Name) {
			gone = append(gone, e.Name)
		}
	}
	added, removed = l.full(names), l.full(gone)
	if o.DryRun || len(names)+len(gone) == 0 {
		return added, removed, nil
	}
	l.keepStages(back, joints, append(slices.Clone(names), gone...))
	ids, err := l.tree.Put(ctx, texts)
	if err != nil {
		return nil, nil, err
	}
	entries := make([]git.Entry, len(names))
	for i, name := range names {
		mode := git.Regular
		for _, e := range l.entries {
			if e.Name == name && e.Mode.Regular() {
				mode = e.Mode
			}
		}
		entries[i] = git.Entry{Name: name, Mode: mode, ID: ids[i]}
	}
	if err := l.tree.Update(ctx, l.dir, gone, entries...); err != nil {
		return nil, nil, err
	}
	_ = l.tree.Refresh(ctx, l.dir, names...) // git does it itself at the next chance
	return added, removed, nil
}

// underNow reports whether one of the joints is an operation under way.
func (l *look) underNow(joints []joint) bool {
	return slices.ContainsFunc(joints, func(j joint) bool { return j.Under != "" })
}

// full are names in the board as git's paths.
func (l *look) full(names []string) []string {
	var all []string
	for _, name := range names {
		all = append(all, l.prefix+name)
	}
	return all
}

// waits is the command that ends what git has under way.
func (l *look) waits() string {
	if l.tree == nil {
		return ""
	}
	switch u, name := l.state.Under, l.state.Under.Name(); {
	case name == "", name == "cherry-pick" && u.Pick == "": // between two of several
		return ""
	case name == "merge":
		return "git commit"
	case name == "bisect":
		return "git bisect reset"
	default:
		return "git " + name + " --continue"
	}
}

// settle notes that everything was taken that there was. In the middle of a rebase
// the way of HEAD is not noted: at its end it is looked at as a whole. After a write
// to the index the next look finds a new one, which costs a call of git.
func (l *look) settle(moved []merge.Moved, wrote bool, took func(*memory)) {
	if l.tree == nil {
		return
	}
	stamp := l.stamp
	if wrote {
		stamp.Index = ""
	}
	l.note(func(w *memory) {
		for _, t := range l.ended {
			if i := w.find(t); i >= 0 {
				w.Taken[i].Commit = t.Commit
			}
		}
		took(w)
		w.Failed, w.FailedAt = "", 0
		w.move(ours(moved))
		if l.state.Rebase == nil {
			w.Head, w.Stamp = l.state.Head, stamp
		}
	})
}
