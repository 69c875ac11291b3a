package gitdir

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A Stamp is the state of git's files. If two are equal, git has changed nothing in
// between. It can be kept as JSON.
type Stamp struct {
	Index string `json:"index,omitempty"` // changes with the index, in which git also notes conflicts
	Head  string `json:"head,omitempty"`  // changes when HEAD moves or another branch is checked out
	Under string `json:"under,omitempty"` // changes when an operation begins, stops elsewhere or ends; empty: none is under way
}

// underNames are the files that show an operation under way, in the order of
// Stamp.Under.
var underNames = []string{
	"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD", "rebase-merge", "rebase-apply", "sequencer", "BISECT_LOG",
}

// Stamp looks at a dozen files and reads two.
func (t Tree) Stamp() Stamp {
	var s Stamp
	s.Index, _ = Mark(filepath.Join(t.Dir, "index"))
	var b strings.Builder
	head := firstLine(filepath.Join(t.Dir, "HEAD"))
	b.WriteString(head)
	if ref, ok := strings.CutPrefix(head, "ref: "); ok && plain(ref) {
		if id := t.loose(ref); id != "" {
			b.WriteString(" " + id)
		} else if at, ok := Mark(filepath.Join(t.Common, "packed-refs")); ok {
			b.WriteString(" packed " + at)
		}
	}
	if at, ok := Mark(filepath.Join(t.Dir, "logs", "HEAD")); ok { // moves away and back
		b.WriteString(" log " + at)
	}
	for _, dir := range []string{t.Dir, t.Common} {
		if at, ok := Mark(filepath.Join(dir, "reftable", "tables.list")); ok {
			b.WriteString(" table " + at)
		}
		if t.Dir == t.Common {
			break
		}
	}
	s.Head = b.String()
	b.Reset()
	for _, name := range underNames {
		if at, ok := Mark(filepath.Join(t.Dir, name)); ok {
			b.WriteString(name + " " + at + " ")
		}
	}
	s.Under = strings.TrimSuffix(b.String(), " ")
	return s
}

// loose reads a reference that has a file.
func (t Tree) loose(ref string) string {
	dir := t.Common
	if strings.HasPrefix(ref, "refs/bisect/") || strings.HasPrefix(ref, "refs/worktree/") || strings.HasPrefix(ref, "refs/rewritten/") {
		dir = t.Dir
	}
	return idIn(filepath.Join(dir, filepath.FromSlash(ref)))
}

// plain reports whether a reference's name stays in git's folder.
func plain(ref string) bool {
	return strings.HasPrefix(ref, "refs/") && filepath.IsLocal(filepath.FromSlash(ref)) && !strings.Contains(ref, "..")
}

// Mark tells one state of a file from another.
func Mark(path string) (string, bool) {
	info, err := os.Lstat(path)
	if err != nil {
		return "", false
	}
	if info.IsDir() { // its time changes with each file in it
		return strconv.FormatInt(info.ModTime().UnixNano(), 36), true
	}
	return strconv.FormatInt(info.ModTime().UnixNano(), 36) + "." + strconv.FormatInt(info.Size(), 36) + "." + strconv.FormatUint(inode(info), 36), true
}
