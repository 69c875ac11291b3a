package gitmerge

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/git"
	"github.com/pawl-dev/pawl/internal/gitdir"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// A rebase is looked at again when it is over, commit by commit: what git and the
// driver made of each is right for every file by itself, but not for numbers that
// files without a conflict name. Only what git picked is played again, so that a
// commit that the user dropped stays away.

// mostSteps is how many files of steps are looked at. A rebase of more is taken as
// one merge of its two ends.
const mostSteps = 1_000_000

// A step is a commit that a rebase made.
type step[B any] struct {
	base, theirs B    // the commit that it was before, and that one's parent
	from, to     B    // the commit before it, and the commit
	picked       bool // base and theirs are known
	stopped      bool // git may have stopped, so that there may be more in it
}

// steps finds the commits of a rebase that ended. Not ok: they are not in a line, or
// too many.
func (l *look) steps(ctx context.Context, onto, tip, end string, moves []gitdir.Move) (steps []step[shape], ok bool, err error) {
	made, err := l.tree.Authored(ctx, onto, end, mostMoves)
	if err != nil || len(made) == mostMoves {
		return nil, false, err
	}
	old, err := l.tree.Authored(ctx, onto, tip, mostMoves)
	if err != nil {
		return nil, false, err
	}
	smooth := map[string]bool{}
	for _, m := range moves {
		if m.Step() == "pick" {
			smooth[m.To] = true
		}
	}
	for _, c := range made {
		if len(c.Parents) != 1 {
			return nil, false, nil
		}
		was := original(&old, c)
		ids := []string{c.Parents[0], c.ID}
		if was != nil && len(was.Parents) == 1 {
			ids = append(ids, was.Parents[0], was.ID)
		}
		shapes, err := l.commits(ctx, ids...)
		if err != nil {
			return nil, false, err
		}
		s := step[shape]{from: shapes[0], to: shapes[1], stopped: !smooth[c.ID]}
		if len(shapes) > 2 {
			s.base, s.theirs, s.picked = shapes[2], shapes[3], true
		}
		if s.from.id == s.to.id && (!s.picked || s.base.id == s.theirs.id) {
			continue // it did not touch the board
		}
		if steps = append(steps, s); len(steps)*4*(len(s.to.tasks)+1) > mostSteps {
			return nil, false, nil
		}
	}
	return steps, true, nil
}

// original takes out of commits the one that a rebase made another one of: it keeps
// who wrote it and when, and mostly the message.
func original(old *[]git.Authored, made git.Authored) *git.Authored {
	same := func(c git.Authored) bool { return c.Key == made.Key && c.Subject == made.Subject }
	i := slices.IndexFunc(*old, func(c git.Authored) bool { return c.ID == made.ID })
	if i < 0 {
		i = slices.IndexFunc(*old, same)
	}
	if i < 0 {
		i = slices.IndexFunc(*old, func(c git.Authored) bool { return c.Key == made.Key })
	}
	if i < 0 {
		return nil
	}
	found := (*old)[i]
	*old = slices.Delete(slices.Clone(*old), i, i+1)
	return &found
}

// replay is what the steps of a rebase make of the board that they are put on.
func (j *sides) replay() merge.Board {
	is := j.theirs
	used := highest(j.ours) // numbers of commits that are still to come
	pick := func(s *step[merge.Board], on merge.Board) merge.Board {
		on.Mark = max(on.Mark, used)
		made, _ := merge.Boards([]merge.Board{s.base}, on, s.theirs)
		return made
	}
	for i := range j.steps {
		s := &j.steps[i]
		if !s.picked {
			is, _ = merge.Boards([]merge.Board{s.from}, is, s.to)
			continue
		}
		is = pick(s, is)
		if !s.stopped {
			continue
		}
		// The stop as Pawl and git merge it; the difference is a person's work.
		git := sides{bases: []merge.Board{s.base}, ours: s.from, theirs: s.theirs}
		if plain := git.plain(pick(s, s.from), s.to); !sameBoard(plain, s.to) {
			is, _ = merge.Boards([]merge.Board{plain}, is, s.to)
		}
	}
	mark := max(j.theirs.Mark, j.left.Mark)
	if most := highest(merge.Board{Tasks: is.Tasks}); is.Mark <= most {
		is.Mark = min(is.Mark, max(mark, 0)) // the files tell as much
	}
	return is
}

// plain is a commit of a stop without what somebody did to files beside what Pawl
// or git made of them: those files are as Pawl merges them.
func (j *sides) plain(pawls, made merge.Board) merge.Board {
	is := merge.Board{Tasks: map[pawl.ID][]byte{}, Mark: made.Mark}
	for id, text := range made.Tasks {
		if now, ok := pawls.Tasks[id]; ok && bytes.Equal(now, text) || j.byGit(j.bases[0], id, text) {
			is.Tasks[id] = text
		} else if ok {
			is.Tasks[id] = now
		}
	}
	for id, text := range pawls.Tasks {
		if _, there := made.Tasks[id]; !there && j.ours.Tasks[id] != nil && j.theirs.Tasks[id] != nil {
			is.Tasks[id] = text // somebody deleted it there
		}
	}
	return is
}

// numbersIn tells which number each task of one board has in another one, where
// that is another.
func numbersIn(from, to merge.Board) map[pawl.ID]pawl.ID {
	type identity struct {
		first pawl.ID
		made  int64
	}
	of := func(b, other merge.Board) map[identity]pawl.ID {
		found := map[identity]pawl.ID{}
		for _, id := range slices.Sorted(maps.Keys(b.Tasks)) {
			if bytes.Equal(b.Tasks[id], other.Tasks[id]) {
				continue
			}
			f, err := taskjson.Decode(b.Tasks[id])
			if err != nil {
				continue
			}
			first := id
			if len(f.Task.Was) > 0 {
				first = f.Task.Was[0]
			}
			found[identity{first, f.Task.CreatedAt.UnixMilli()}] = id
		}
		return found
	}
	is := of(to, from)
	numbers := map[pawl.ID]pawl.ID{}
	for task, id := range of(from, to) {
		if n, ok := is[task]; ok && n != id {
			numbers[id] = n
		}
	}
	return numbers
}
