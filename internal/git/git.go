// Package git asks git about a work tree and about boards in it, and writes to its
// index what a merge of a board resolved. It is the only package that runs git, and
// none of its calls is made in a hook or to read a board. Package gitdir reads
// git's files without git.
//
//	tree, err := git.Find(ctx, dir)               // nil: git does not manage this folder
//	state, err := tree.State(ctx)                 // HEAD, and the merge or rebase that is under way
//	commit, err := tree.Commit(ctx, "side")       // what a person names
//	bases, err := tree.Bases(ctx, ours, theirs)
//	folders, err := tree.Folders(ctx, board, commits...)
//	texts, err := tree.Blobs(ctx, ids, limit)
//	entries, err := tree.Unmerged(ctx, board)     // the conflicts of a folder
//	ids, err := tree.Put(ctx, texts)
//	err = tree.Update(ctx, board, entries...)
//	work, err := tree.Work(ctx, board)            // which files are there, the board not counted
//
// A repository may come from anybody. So git is called by its absolute path,
// without the variables that lead it elsewhere, without hooks, filters and other
// programs that the repository's configuration names, without the network, and in
// bounds of time and size.
package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/gitdir"
)

// ErrMissing says that no git was found on PATH.
var ErrMissing = errors.New("no git was found on PATH")

// patience is how long one question may take: git answers in milliseconds, and in
// seconds where the disk sleeps.
const patience = 5 * time.Second

// maxAnswer is how many bytes of an answer are read: thousands of paths.
const maxAnswer = 8 << 20

// Larger questions: the history, the index and the files of a board.
const (
	longPatience = 2 * time.Minute
	maxList      = 256 << 20 // bytes of a list of files: a million
	maxSaid      = 64 << 10  // bytes of what git says to people
	maxObjects   = 1 << 30   // bytes of all blobs of one call
)

// A Tree is a git work tree.
type Tree struct {
	Root string // without links

	git  string   // the program
	dirs []string // --git-dir and --work-tree, where variables name them
	hold *os.File // what each git keeps open, and so its lock; nil: nothing
}

// Find returns the work tree that a folder is in; nil if it is in none. The folder
// may be missing: then the nearest one above it is asked about.
func Find(ctx context.Context, dir string) (*Tree, error) {
	for !isDir(dir) && dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
	}
	program, err := look(dir)
	if err != nil {
		return nil, err
	}
	t := &Tree{Root: dir, git: program}
	root, err := t.ask(ctx, nil, "rev-parse", "--show-toplevel")
	if err != nil && !isRefusal(err) {
		return nil, err
	}
	if err != nil {
		// Some keep a folder such as their home in git by variables alone.
		if t.dirs = named(); t.dirs == nil {
			return nil, outside(err)
		}
		if root, err = t.ask(ctx, nil, "rev-parse", "--show-toplevel"); err != nil {
			return nil, outside(err)
		}
	}
	real, err := filepath.EvalSymlinks(filepath.FromSlash(strings.TrimRight(root, "\r\n")))
	if err != nil {
		return nil, err
	}
	t.Root = real
	return t, nil
}

// outside tells a folder that is in no work tree, which is not an error, from a
// repository that git refuses to read.
func outside(err error) error {
	var refused *refusal
	if errors.As(err, &refused) && (strings.Contains(refused.said, "not a git repository") || strings.Contains(refused.said, "must be run in a work tree")) {
		return nil
	}
	return err
}

// Dir is where git keeps what it knows of this work tree.
func (t *Tree) Dir() gitdir.Tree {
	if len(t.dirs) > 0 {
		return gitdir.At(t.Root, strings.TrimPrefix(t.dirs[0], "--git-dir="))
	}
	if d, ok := gitdir.Find(t.Root); ok {
		return d
	}
	return gitdir.Tree{Root: t.Root} // core.worktree of a repository elsewhere
}

// named are the options that say what GIT_DIR and GIT_WORK_TREE say.
func named() []string {
	dir, tree := os.Getenv("GIT_DIR"), os.Getenv("GIT_WORK_TREE")
	if !filepath.IsAbs(dir) || !filepath.IsAbs(tree) {
		return nil // as in a hook of git's, where the folder itself tells more
	}
	return []string{"--git-dir=" + dir, "--work-tree=" + tree}
}
