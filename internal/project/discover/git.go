package discover

import (
	"io"
	"os"
	"path/filepath"
	"strings"
)

// tree is a git work tree.
type tree struct {
	root string // empty: no git here
	main string // of a linked work tree: the root of the main one
}

// workTree finds the work tree that dir is in.
func workTree(dir string) tree {
	for at := dir; ; at = filepath.Dir(at) {
		dotGit := filepath.Join(at, ".git")
		if info, err := os.Stat(dotGit); err == nil {
			switch {
			case info.IsDir() && exists(filepath.Join(dotGit, "HEAD")):
				return tree{root: at}
			case info.Mode().IsRegular():
				return tree{root: at, main: mainTree(dotGit)}
			}
		}
		if at == filepath.Dir(at) {
			return tree{}
		}
	}
}

// Exclude returns the root of the work tree that dir is in, without links, and the
// file with the rules of its clone alone, which need not exist; both are empty
// outside of git. It reads .git itself, as git does:
//
//	.git                                 gitdir: ../main/.git/worktrees/side
//	main/.git/worktrees/side/commondir   ../..
//	main/.git/info/exclude
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
	root = workTree(dir).root
	if root == "" {
		return "", "", ""
	}
	gitDir = filepath.Join(root, ".git")
	if linked, ok := strings.CutPrefix(firstLine(gitDir), "gitdir: "); ok {
		gitDir = from(root, linked)
	}
	common = gitDir
	if shared := firstLine(filepath.Join(gitDir, "commondir")); shared != "" {
		common = from(gitDir, shared)
	}
	return root, gitDir, common
}

// mainTree follows the .git file of a linked work tree to the main one:
//
//	work/.git                         gitdir: /src/.git/worktrees/work
//	/src/.git/worktrees/work/commondir   ../..
//	/src/.git/worktrees/work/gitdir      work/.git
//
// The last one, which only the clone's owner can have written, must point back:
// a .git file that came with an archive leads nowhere. A submodule or a bare
// clone has no main tree.
func mainTree(dotGit string) string {
	gitDir, ok := strings.CutPrefix(firstLine(dotGit), "gitdir: ")
	if !ok {
		return ""
	}
	gitDir = from(filepath.Dir(dotGit), gitDir)
	common := firstLine(filepath.Join(gitDir, "commondir"))
	back := firstLine(filepath.Join(gitDir, "gitdir"))
	if common == "" || back == "" {
		return ""
	}
	common = from(gitDir, common)
	if filepath.Base(common) != ".git" || !same(filepath.Join(common, "worktrees"), filepath.Dir(gitDir)) || !same(from(gitDir, back), dotGit) {
		return ""
	}
	return filepath.Dir(common)
}

// from makes a path that stands in a file in dir absolute.
func from(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

func same(a, b string) bool {
	left, err := os.Stat(a)
	if err != nil {
		return false
	}
	right, err := os.Stat(b)
	return err == nil && os.SameFile(left, right)
}

// firstLine reads a small file of git's, and is empty where it cannot.
func firstLine(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 16<<10)) // a path is at most a few kilobytes
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimRight(line, "\r")
}
