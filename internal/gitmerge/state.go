package gitmerge

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"strconv"

	"github.com/pawl-dev/pawl/internal/gitdir"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/rewrite"
	"github.com/pawl-dev/pawl/store/file"
)

// Files in the board's folder. They are a cache: without them git is asked again,
// but the last merge cannot be undone.
const (
	memoryName = ".pawl/git"
	undoName   = ".pawl/git.undo"
)

// Limits of the memory.
const (
	maxMemory = 1 << 20
	maxUndo   = 64 << 20
	maxTaken  = 500 // merges that are remembered
)

// A memory is what Pawl knows of earlier looks at git.
type memory struct {
	Version int          `json:"version"`
	Place   string       `json:"place"` // which folder and which of git's it is about: a copy begins again
	Stamp   gitdir.Stamp `json:"stamp"`
	Head    string       `json:"head,omitempty"`  // the commit that HEAD was
	Taken   []taken      `json:"taken,omitempty"` // the oldest first

	Failed      string       `json:"failed,omitempty"`   // what kept Pawl from merging, told already
	FailedAt    int64        `json:"failedAt,omitempty"` // in seconds since 1970
	FailedStamp gitdir.Stamp `json:"failedStamp,omitzero"`

	Moved   []merge.Moved `json:"moved,omitempty"` // of ours, by the last merge that moved some
	MovedAt int64         `json:"movedAt,omitempty"`
	Told    []string      `json:"told,omitempty"` // sessions that know of it
}

// taken is a merge that was taken into the board.
type taken struct {
	Kind   merge.Kind `json:"kind"`
	Ours   string     `json:"ours,omitempty"`
	Theirs string     `json:"theirs,omitempty"`
	Commit string     `json:"commit,omitempty"` // the merge commit that git made of it
	Under  string     `json:"under,omitempty"`  // of an operation under way: which one
	Undone bool       `json:"undone,omitempty"` // and taken back
}

// place tells this folder in this work tree from a copy, and from another one that
// has come into its place.
func place(dir string, tree gitdir.Tree) string {
	return dir + "\n" + tree.Dir
}

// memoryText is the memory's file:
//
//	"/home/ann/shop/.tasks\n…"     what there was to see of git, compared before each write
//	{"version":1,…}                all the rest
func (m *Merger) memoryText() []byte { return m.own(memoryName, maxMemory) }

// own reads a file in .pawl, unless that is another clone's.
func (m *Merger) own(name string, limit int64) []byte {
	if m.store.IsForeign() {
		return nil
	}
	return gitdir.File(filepath.Join(m.dir, name), limit)
}

// quick is a stamp as one line.
func quick(place string, s gitdir.Stamp) string {
	return strconv.Quote(place + "\n" + s.Index + "\n" + s.Head + "\n" + s.Under)
}

// unchanged reports whether git is as it was when everything was taken.
func (m *Merger) unchanged(tree gitdir.Tree, stamp gitdir.Stamp) bool {
	line, _, found := bytes.Cut(m.memoryText(), []byte("\n"))
	return found && string(line) == quick(place(m.dir, tree), stamp)
}

// remember reads the memory. One that is torn, of another place or of a newer
// version counts as empty; of another place the merges that were taken still count.
func (m *Merger) remember(tree gitdir.Tree) memory {
	is := memory{Version: 1, Place: place(m.dir, tree)}
	var was memory
	_, text, _ := bytes.Cut(m.memoryText(), []byte("\n"))
	if json.Unmarshal(text, &was) != nil || was.Version != 1 {
		return is
	}
	if was.Place != is.Place {
		is.Taken = was.Taken
		return is
	}
	return was
}

// note changes the memory, as other processes do. That it cannot be written costs time, no more.
func (m *Merger) note(tree gitdir.Tree, fn func(*memory)) {
	if m.store.IsForeign() || file.Prepare(m.dir) != nil { // a fresh clone has no .pawl, and a hostile one a link
		return
	}
	dir, name := filepath.Split(filepath.Join(m.dir, memoryName))
	at := rewrite.File{Dir: dir, Name: name, Lock: name + ".lock", Temp: name + ".new", Mode: 0o600, Limit: maxMemory}
	_, _ = at.Change(context.Background(), func([]byte) ([]byte, error) {
		was := m.remember(tree)
		fn(&was)
		was.Taken = was.Taken[max(0, len(was.Taken)-maxTaken):]
		text, err := json.Marshal(was)
		return append(append([]byte(quick(was.Place, was.Stamp)), '\n'), text...), err
	})
}

// note changes the memory, and what this look has of it.
func (l *look) note(fn func(*memory)) {
	fn(&l.memory)
	l.Merger.note(l.tree.Dir(), fn)
}

// find returns where a merge stands among those that were taken; -1: it was not.
func (w *memory) find(t taken) int {
	for i := len(w.Taken) - 1; i >= 0; i-- {
		is := &w.Taken[i]
		if is.Ours != t.Ours || is.Theirs != t.Theirs {
			continue
		}
		switch {
		case t.Under != "": // the same operation, and not one like it after it was aborted
			if is.Under == t.Under && is.Commit == "" {
				return i
			}
		case is.Commit == t.Commit, is.Commit == "" && is.Under != "": // git has committed what was under way
			return i
		}
	}
	return -1
}

// took notes a merge as taken.
func (w *memory) took(t taken) {
	if i := w.find(t); i >= 0 {
		if t.Under == "" {
			w.Taken[i].Commit = t.Commit
		}
		w.Taken[i].Undone = false
		return
	}
	w.Taken = append(w.Taken, t)
}
