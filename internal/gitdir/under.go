package gitdir

import (
	"path/filepath"
	"strings"
)

// Under is what git has under way in a work tree: an operation that stopped and
// waits for the user. All are empty when there is none.
type Under struct {
	Merge  []string // the commits that are merged into HEAD
	Pick   string   // the commit that is cherry-picked
	Revert string   // the commit that is reverted
	Rebase *Rebase
	Apply  bool // patches are applied: git am
	More   bool // of several commits that are cherry-picked or reverted, some are left
	Bisect bool
}

// A Rebase is a rebase that stopped.
type Rebase struct {
	Commit string // the commit that it stopped at; empty: it stopped between two
	Tip    string // where the branch was before
}

// Name is what git calls the operation; empty: none is under way.
func (u Under) Name() string {
	switch {
	case u.Rebase != nil:
		return "rebase"
	case u.Apply:
		return "am"
	case len(u.Merge) > 0:
		return "merge"
	case u.Pick != "", u.More && u.Revert == "":
		return "cherry-pick"
	case u.Revert != "":
		return "revert"
	case u.Bisect:
		return "bisect"
	}
	return ""
}

// None reports whether no operation is under way.
func (u Under) None() bool { return u.Name() == "" }

// Under reads what git has under way. Where git keeps references in a table
// instead of files (see Table), it misses cherry-picks, reverts and the commit that
// a rebase stopped at.
func (t Tree) Under() Under {
	u := Under{
		Pick:   t.id("CHERRY_PICK_HEAD"),
		Revert: t.id("REVERT_HEAD"),
		More:   exists(filepath.Join(t.Dir, "sequencer")),
		Bisect: exists(filepath.Join(t.Dir, "BISECT_LOG")),
	}
	for line := range strings.Lines(read(filepath.Join(t.Dir, "MERGE_HEAD"))) {
		if line = strings.TrimSpace(line); IsID(line) {
			u.Merge = append(u.Merge, line)
		}
	}
	for _, at := range []string{"rebase-merge", "rebase-apply"} {
		if !exists(filepath.Join(t.Dir, at)) {
			continue
		}
		if exists(filepath.Join(t.Dir, at, "applying")) {
			u.Apply = true
			continue
		}
		u.Rebase = &Rebase{Commit: t.id("REBASE_HEAD"), Tip: t.id(at + "/orig-head")}
		break
	}
	return u
}

// Table reports whether git keeps references in a table instead of a file each.
func (t Tree) Table() bool { return exists(filepath.Join(t.Common, "reftable")) }

// id reads a file with an object id.
func (t Tree) id(name string) string {
	return idIn(filepath.Join(t.Dir, filepath.FromSlash(name)))
}

func idIn(path string) string {
	if line := strings.TrimSpace(firstLine(path)); IsID(line) {
		return line
	}
	return ""
}

// IsID reports whether a text is a whole object id: of SHA-1 or SHA-256.
func IsID(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}
