package discover

import (
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/gitdir"
)

// tree is a git work tree.
type tree struct {
	root   string   // empty: no git here
	places []string // of a linked work tree: where the board of all of them can be
}

// workTree finds the work tree that dir is in.
func workTree(dir string) tree {
	t, ok := gitdir.Find(dir)
	if !ok {
		return tree{}
	}
	return tree{t.Root, t.Places()}
}

// Exclude returns the root of the work tree that dir is in, without links, and the
// file with the rules of its clone alone, which need not exist; both are empty
// outside of git.
func Exclude(dir string) (root, file string) {
	root, _, common := GitDirs(dir)
	if root == "" {
		return "", ""
	}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	return root, filepath.Join(common, "info", "exclude")
}

// GitDirs returns the root of the work tree that dir is in, its git folder, and
// the one that it shares with the other work trees of the clone, which is the
// same in the main one. All are empty outside of git.
func GitDirs(dir string) (root, gitDir, common string) {
	t, _ := gitdir.Find(dir)
	return t.Root, t.Dir, t.Common
}
