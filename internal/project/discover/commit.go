package discover

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/gitdir"
)

// A Commit is one that was made in a work tree.
type Commit struct {
	Hash    string
	Subject string
	At      time.Time // in whole seconds
}

// maxMoves is how many moves of HEAD are read.
const maxMoves = 8

// LastCommit returns the newest commit that was made in the work tree that dir is
// in, after a time. It reads git's own record of what HEAD was, and runs nothing.
// Where git keeps no such record, as in a bare clone, there is none.
func LastCommit(dir string, after time.Time) (Commit, bool) {
	t, ok := gitdir.Find(dir)
	if !ok {
		return Commit{}, false
	}
	info, err := os.Stat(filepath.Join(t.Dir, "logs", "HEAD"))
	if err != nil || info.ModTime().Before(after.Truncate(time.Second)) {
		return Commit{}, false
	}
	for _, m := range slices.Backward(t.Moves("HEAD", maxMoves)) {
		if c, ok := committed(m); ok {
			return c, c.At.After(after)
		}
	}
	return Commit{}, false
}

// committed reads a move that tells of a commit made here, and not of one that came
// by a pull, a checkout or a rebase.
func committed(m gitdir.Move) (Commit, bool) {
	how, subject, _ := strings.Cut(m.What, ": ")
	verb, _, _ := strings.Cut(how, " ")
	if m.At.IsZero() || verb != "commit" && verb != "cherry-pick" && verb != "revert" {
		return Commit{}, false
	}
	return Commit{Hash: m.To, Subject: subject, At: m.At}, true
}
