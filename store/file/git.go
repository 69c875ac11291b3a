package file

import (
	"path/filepath"
	"sync"

	"github.com/pawl-dev/pawl/internal/clone"
	"github.com/pawl-dev/pawl/internal/gitdir"
)

// A gitWatch tells what the tree around a folder is to git.
type gitWatch struct {
	dir  string
	once sync.Once
	tree gitdir.Tree
	in   bool // there is a tree
}

func (w *gitWatch) find() bool {
	w.once.Do(func() { w.tree, w.in = gitdir.Find(filepath.Dir(w.dir)) })
	return w.in
}

// GitBusy looks for the lock that git holds while it writes its index, which
// it does for as long as it changes files.
func (w *gitWatch) GitBusy() bool { return w.find() && w.tree.Busy() }

// GitSees reports whether git sees the folder, as far as Pawl can hide it outside.
func (w *gitWatch) GitSees() bool { return w.find() && !w.tree.Excludes(w.dir) }

func (w *gitWatch) clone() clone.Clone {
	w.find()
	return clone.Clone{Dir: w.tree.Common, Git: w.in}
}

// Kin names this clone and its copies. It makes the name, where there is none yet.
func (w *gitWatch) Kin() string {
	c := w.clone()
	if kin := c.Kin(); kin != "" || !c.Git {
		return kin
	}
	_, _ = c.Mark() // where git's folder cannot be written, the clone has no name
	return c.Kin()
}

// IsOther reports whether a name is that of another clone.
func (w *gitWatch) IsOther(kin string) bool {
	c := w.clone()
	is := c.Kin()
	return is != kin && (is != "" || c.Unmarked())
}
