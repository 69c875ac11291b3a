package file

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// A gitWatch tells whether git is at work in the tree around a folder.
type gitWatch struct {
	dir  string
	once sync.Once
	lock string
}

// GitBusy looks for the lock that git holds while it writes its index, which
// it does for as long as it changes files.
func (w *gitWatch) GitBusy() bool {
	w.once.Do(func() { w.lock = gitLock(w.dir) })
	if w.lock == "" {
		return false
	}
	_, err := os.Lstat(w.lock)
	return err == nil
}

// gitLock returns where git keeps that lock for the tree around dir, or "".
func gitLock(dir string) string {
	for at := filepath.Dir(dir); ; at = filepath.Dir(at) {
		git := filepath.Join(at, ".git")
		info, err := os.Lstat(git)
		switch {
		case err == nil && info.IsDir():
			return filepath.Join(git, "index.lock")
		case err == nil: // a linked worktree or a submodule: the file names the folder
			text, _ := os.ReadFile(git)
			if to, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: "); ok {
				if !filepath.IsAbs(to) {
					to = filepath.Join(at, to)
				}
				return filepath.Join(to, "index.lock")
			}
			return ""
		case at == filepath.Dir(at):
			return ""
		}
	}
}
