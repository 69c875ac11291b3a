// Package gitexclude keeps a board out of git, and shows it to git again.
//
// A hidden board has two lines in the file with the rules of this clone alone,
// which git shares with nobody. All other lines of that file stay as they are,
// byte for byte:
//
//	.git/info/exclude   # pawl hides this board, made by claude; pawl init --shared shows it to git
//	                    /.tasks/
//
// A board that git tracks is never hidden: git would go on to see its old tasks,
// and no new ones.
package gitexclude

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/git"
	"github.com/pawl-dev/pawl/internal/gitdir"
	"github.com/pawl-dev/pawl/internal/project/discover"
	"github.com/pawl-dev/pawl/internal/rewrite"
	"github.com/pawl-dev/pawl/internal/text"
)

// maxExclude is far more than people write there.
const maxExclude = 1 << 20

// A Sight tells which files of a board git sees.
type Sight struct {
	Git     bool   // the board is in a git work tree
	Hidden  bool   // git sees no new file of it
	Rule    string // the line that hides it, as file:number: text; empty: it is Pawl's, or not hidden
	Tracked int    // how many of its files git tracks
}

// Look asks git what it sees of a board, which may be missing yet.
func Look(ctx context.Context, board string) (Sight, error) {
	tree, err := git.Find(ctx, filepath.Dir(board))
	if tree == nil || err != nil {
		return Sight{}, err
	}
	return look(ctx, tree, board)
}

func look(ctx context.Context, tree *git.Tree, board string) (Sight, error) {
	s := Sight{Git: true}
	tracked, err := tree.Tracked(ctx, board)
	if err != nil {
		return s, err
	}
	s.Tracked = len(tracked)
	rules, err := tree.Ignored(ctx, filepath.Join(board, "task_1.json"))
	if err != nil || len(rules) == 0 {
		return s, err
	}
	s.Hidden = true
	if line, ok := pattern(tree.Root, board); !ok || rules[0].Pattern != line || filepath.Base(rules[0].File) != "exclude" {
		s.Rule = rules[0].String()
	}
	return s, nil
}

// pattern is the line that hides a board.
func pattern(root, board string) (string, bool) {
	return git.Pattern(root, board+string(filepath.Separator))
}

// Hide keeps a board out of git. by is the board's maker, empty if unknown. It
// reports false outside of git, where it has nothing to do. A board that git tracks
// is a conflict.
func Hide(ctx context.Context, board, by string) (bool, error) {
	tree, err := git.Find(ctx, filepath.Dir(board))
	if tree == nil || err != nil {
		return false, err
	}
	sight, err := look(ctx, tree, board)
	if err != nil {
		return false, err
	}
	if sight.Tracked > 0 {
		return false, pawl.Errorf(pawl.Conflict, "git tracks %s of this board, so it is not hidden: git would see the old tasks and no new ones", text.Count(sight.Tracked, "file", "files")).
			Say("git rm -r --cached " + filepath.Base(board) + " ends that and leaves the files on the disk; then pawl init --private")
	}
	if sight.Hidden {
		return true, nil
	}
	line, ok := pattern(tree.Root, board)
	if !ok {
		return false, pawl.Errorf(pawl.Invalid, "%s cannot be named in a file of git's", text.Line(board))
	}
	return true, edit(ctx, tree, func(old []byte) []byte { return with(old, comment(by)+commentEnd, line) })
}

// OnBranch returns a branch that has files of a board: a local one, or one that was
// fetched. To hide a board of the same name would lose it, because git overwrites
// hidden files when it checks out such a branch. Empty: no branch has any.
func OnBranch(ctx context.Context, board string) (string, error) {
	tree, err := git.Find(ctx, filepath.Dir(board))
	if tree == nil || err != nil {
		return "", err
	}
	having, err := tree.OnBranches(ctx, board)
	if len(having) == 0 {
		return "", err
	}
	return having[0], nil
}

// Show lets git see a board again, as far as Pawl hid it, and reports whether it
// did.
func Show(ctx context.Context, board string) (changed bool, err error) {
	tree, err := git.Find(ctx, filepath.Dir(board))
	if tree == nil || err != nil {
		return false, err
	}
	line, ok := pattern(tree.Root, board)
	if !ok {
		return false, nil
	}
	err = edit(ctx, tree, func(old []byte) []byte {
		left := without(old, line)
		changed = len(left) != len(old)
		return left
	})
	return changed, err
}

// edit replaces the file with the rules of a clone.
func edit(ctx context.Context, tree *git.Tree, fn func(old []byte) []byte) error {
	path, err := tree.Exclude(ctx)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { // a clone without templates has no info
		return pawl.Errorf(pawl.Unavailable, "%s cannot be made: %w", filepath.Dir(path), err)
	}
	file := rewrite.File{Dir: filepath.Dir(path), Name: filepath.Base(path), Lock: "pawl.lock", Temp: "pawl.new", Mode: 0o644, Limit: maxExclude}
	_, err = file.Change(ctx, func(old []byte) ([]byte, error) {
		text := fn(old)
		if old == nil && len(text) == 0 {
			return nil, nil
		}
		if text == nil {
			text = []byte{}
		}
		return text, nil
	})
	return err
}

// Made reads from the files alone, without git, whether Pawl hides an existing
// board, and who made it. hidden is false for one that another rule hides.
func Made(board string) (by string, hidden bool) {
	root, path := discover.Exclude(filepath.Dir(board))
	line, ok := pattern(root, board)
	if root == "" || !ok {
		return "", false
	}
	content := gitdir.File(path, maxExclude)
	from, _, found := find(content, line)
	if !found {
		return "", false
	}
	first, _, _ := bytes.Cut(bytes.TrimLeft(content[from:], "\r\n"), []byte("\n"))
	_, rest, ok := strings.Cut(string(first), commentBy)
	if !ok {
		return "", true
	}
	by, _, _ = strings.Cut(rest, ";")
	return text.Line(text.Clip(by, maxName)), true
}

// Seen reports, from the files alone, whether git is to see an existing board: it
// is in a work tree, and Pawl hides it neither there nor by its own .gitignore.
func Seen(board string) bool {
	root, _ := discover.Exclude(filepath.Dir(board))
	if _, hidden := Made(board); hidden || root == "" {
		return false
	}
	return !gitdir.HidesAll(gitdir.File(filepath.Join(board, ".gitignore"), maxExclude))
}

// Overrun returns how many files git tracks of a board that Pawl hides from it. There
// are some after a pull or a checkout that brought a board of that name: git takes
// ignored files for worthless, and puts those of the commit in their place without a
// word. Of the tasks that were there Pawl's history knows. Quick asks git only if its
// index has the board's name in it; it misses a compressed index.
func Overrun(ctx context.Context, board string, quick bool) (int, error) {
	if _, hidden := Made(board); !hidden || quick && !named(board) {
		return 0, nil
	}
	s, err := Look(ctx, board)
	return s.Tracked, err
}

// named reports whether git's index names files of a board.
func named(board string) bool {
	tree, ok := gitdir.Find(filepath.Dir(board))
	if !ok {
		return false
	}
	rel, err := filepath.Rel(tree.Root, board)
	if err != nil {
		return false
	}
	return bytes.Contains(gitdir.File(filepath.Join(tree.Dir, "index"), maxIndex), []byte(filepath.ToSlash(rel)+"/"))
}

// maxIndex is how much of git's index is looked at: some hundred thousand files.
const maxIndex = 64 << 20

// The parts of the comment above the line of a board.
const (
	commentBegin = "# pawl hides this board"
	commentBy    = ", made by "
	commentEnd   = "; pawl init --shared shows it to git"
	maxName      = 60
)

func comment(by string) string {
	by = strings.NewReplacer(";", " ", "\n", " ", "\r", " ").Replace(text.Line(text.Clip(by, maxName)))
	if by != "" {
		by = commentBy + by
	}
	return commentBegin + by
}

// with adds our two lines at the end. A text whose last line has no end keeps
// having none.
func with(old []byte, comment, line string) []byte {
	if _, _, found := find(old, line); found {
		return old
	}
	end := "\n"
	if bytes.Contains(old, []byte("\r\n")) {
		end = "\r\n"
	}
	out := bytes.Clone(old)
	if len(out) > 0 && out[len(out)-1] != '\n' {
		return append(out, end+comment+end+line...)
	}
	return append(out, comment+end+line+end...)
}

// without takes our two lines out.
func without(old []byte, line string) []byte {
	for {
		from, to, found := find(old, line)
		if !found {
			return old
		}
		old = append(bytes.Clone(old[:from]), old[to:]...)
	}
}

// find returns where our two lines are: a comment of ours, and below it the line
// of a board. At the end of a text without an end of line, the one before them is
// ours, too.
func find(content []byte, line string) (from, to int, found bool) {
	for at := 0; at < len(content); {
		end := lineEnd(content, at)
		next := lineEnd(content, end)
		if bytes.HasPrefix(content[at:end], []byte(commentBegin)) && strings.TrimRight(string(content[end:next]), "\r\n") == line {
			if next == len(content) && content[next-1] != '\n' {
				ending := []byte("\n") // which is before ours as it is between them
				if bytes.HasSuffix(content[at:end], []byte("\r\n")) {
					ending = []byte("\r\n")
				}
				at = len(bytes.TrimSuffix(content[:at], ending))
			}
			return at, next, true
		}
		at = end
	}
	return 0, 0, false
}

// lineEnd is the offset behind the line that begins there.
func lineEnd(content []byte, at int) int {
	if n := bytes.IndexByte(content[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(content)
}
