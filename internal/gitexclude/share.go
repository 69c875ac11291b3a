package gitexclude

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/git"
	"github.com/pawl-dev/pawl/internal/text"
)

// commentShared ends the comment above the line of a shared board.
const commentShared = ", which is shared through a remote; pawl share --stop shows it to git"

// Versions tell where git has files of a board.
type Versions struct {
	Index  []string // files that it tracks, relative to the root of the work tree
	Branch string   // the branch that is checked out; empty: none
	Others []string // other branches, local and fetched, whose last commit has some
}

// Versioned asks git where it has files of a board. Outside of git nothing has any.
func Versioned(ctx context.Context, board string) (Versions, error) {
	var v Versions
	tree, err := git.Find(ctx, filepath.Dir(board))
	if tree == nil || err != nil {
		return v, err
	}
	tracked, err := tree.Tracked(ctx, board)
	if err != nil {
		return v, err
	}
	if v.Index, err = namesIn(tree.Root, tracked); err != nil {
		return v, err
	}
	state, err := tree.State(ctx)
	if err != nil {
		return v, err
	}
	v.Branch = strings.TrimPrefix(state.Branch, "refs/heads/")
	having, err := tree.OnBranches(ctx, board)
	if err != nil {
		return v, nil // a partial clone, where only a fetch would tell
	}
	for _, branch := range having {
		if branch != v.Branch {
			v.Others = append(v.Others, branch)
		}
	}
	return v, nil
}

// Share takes a board out of git's index and hides it, because it is shared in another
// way. All files stay on the disk. It returns those that git tracked, relative to the
// root of the work tree, and may be called again. Outside of git there is nothing to do.
func Share(ctx context.Context, board string) (untracked []string, err error) {
	tree, err := git.Find(ctx, filepath.Dir(board))
	if tree == nil || err != nil {
		return nil, err
	}
	line, ok := pattern(tree.Root, board)
	if !ok {
		return nil, pawl.Errorf(pawl.Invalid, "%s cannot be named in a file of git's", text.Line(board))
	}
	tracked, err := tree.Tracked(ctx, board)
	if err != nil {
		return nil, err
	}
	if untracked, err = namesIn(tree.Root, tracked); err != nil {
		return nil, err
	}
	names, err := namesIn(resolved(board), tracked)
	if err != nil {
		return nil, err
	}
	sight, err := look(ctx, tree, board)
	if err != nil {
		return nil, err
	}
	if _, own := Made(board); own || !sight.Hidden {
		err = edit(ctx, tree, func(old []byte) []byte { return with(without(old, line), commentBegin+commentShared, line) })
		if err != nil {
			return nil, err
		}
	}
	return untracked, tree.Update(ctx, board, names)
}

// namesIn is what files that git tracks are called in a folder, each once.
func namesIn(dir string, tracked []string) (names []string, err error) {
	for _, path := range slices.Compact(slices.Clone(tracked)) { // a conflict has several entries
		name, err := filepath.Rel(dir, path)
		if err != nil || !filepath.IsLocal(name) || name == "." {
			return nil, pawl.Errorf(pawl.Invalid, "git has %s where the board is", text.Line(path))
		}
		names = append(names, filepath.ToSlash(name))
	}
	return names, nil
}

// Machinery returns the problem that git tracks files of a board that belong to one
// clone. With mend it takes them out of git's index; all stay on the disk. Where git does
// not answer, there is none.
func Machinery(ctx context.Context, board string, mend bool) ([]pawl.Problem, error) {
	tree, err := git.Find(ctx, filepath.Dir(board))
	if tree == nil || err != nil {
		return nil, nil
	}
	tracked, err := tree.Tracked(ctx, filepath.Join(board, ".pawl"), filepath.Join(board, ".lock"))
	if err != nil || len(tracked) == 0 {
		return nil, nil
	}
	names, err := namesIn(resolved(board), tracked)
	if err == nil && mend {
		err = tree.Update(ctx, board, names)
	}
	if err != nil {
		return nil, err
	}
	what := "this clone's history, undo and claims by those of another one"
	if names[0] == ".lock" && len(names) == 1 {
		what = "the lock of the board while it is in use"
	}
	return []pawl.Problem{{
		Kind: "tracked", File: names[0],
		Text: "git tracks " + text.Count(len(names), "file that belongs", "files that belong") + " to one clone: a pull or a checkout replaces " + what,
		Mend: "pawl doctor --mend in each clone, then git commit",
	}}, nil
}

// resolved is a board without links in its folders, as git names its files.
func resolved(board string) string {
	if dir, err := filepath.EvalSymlinks(filepath.Dir(board)); err == nil {
		return filepath.Join(dir, filepath.Base(board))
	}
	return board
}
