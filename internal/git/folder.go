package git

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Folder is a folder in a commit.
type Folder struct {
	ID      string // equal: equal content; empty: the commit has no such folder
	Entries []Entry
}

// An Entry is a file in a folder: of a commit or of the index.
type Entry struct {
	Name  string // below the folder, with slashes
	Mode  Mode
	ID    string // of its blob; in a submodule, of a commit
	Stage int    // in the index: 0; or in a conflict 1: base, 2: ours, 3: theirs
}

// A Mode is what git calls the kind of a file.
type Mode uint32

// Regular is the mode of a plain file.
const Regular Mode = 0o100644

// Regular reports whether a file is regular, executable or not: no link, folder or
// submodule.
func (m Mode) Regular() bool { return m&0o170000 == 0o100000 }

// Folders returns a folder as commits have it, without what is in folders below it.
// Its name is absolute.
func (t *Tree) Folders(ctx context.Context, dir string, commits ...string) ([]Folder, error) {
	if err := ids(commits...); err != nil || len(commits) == 0 {
		return nil, err
	}
	names := t.below([]string{dir})
	if len(names) == 0 {
		return make([]Folder, len(commits)), nil
	}
	o, err := t.open(ctx)
	if err != nil {
		return nil, err
	}
	defer o.close()
	folders := make([]Folder, len(commits))
	known := map[string]Folder{"": {}}
	for i, commit := range commits {
		id, raw, err := o.find(commit, strings.Split(strings.TrimSuffix(names[0], "/"), "/"))
		if _, ok := known[id]; !ok && err == nil {
			var entries []Entry
			entries, err = entriesOf(raw, len(id)/2)
			known[id] = Folder{id, entries}
		}
		if err != nil {
			return nil, err
		}
		folders[i] = known[id]
	}
	return folders, nil
}

// Blobs returns the contents of blobs by their ids. One that is larger than a
// limit, or that this clone does not have, is left out.
func (t *Tree) Blobs(ctx context.Context, ids []string, limit int) (map[string][]byte, error) {
	texts := make(map[string][]byte, len(ids))
	for left := unique(ids); len(left) > 0; {
		n, err := t.blobs(ctx, left, limit, texts)
		if err != nil {
			return nil, err
		}
		left = left[n:]
	}
	return texts, nil
}

// find reads a folder in a commit, which may not have it, or not in this clone.
func (o *objects) find(commit string, names []string) (id string, text []byte, err error) {
	at, text, err := o.read(commit+"^{tree}", maxList)
	for _, name := range names {
		entries, bad := entriesOf(text, len(at.id)/2)
		i := slices.IndexFunc(entries, func(e Entry) bool { return e.Name == name && e.Mode == folderMode })
		if err = errors.Join(err, bad); err != nil || i < 0 {
			return "", nil, err
		}
		at, text, err = o.read(entries[i].ID, maxList)
	}
	return at.id, text, err
}

// entriesOf reads a folder as git stores it: mode, space, name, zero, id in bytes.
func entriesOf(raw []byte, size int) ([]Entry, error) {
	var entries []Entry
	for len(raw) > 0 {
		head, rest, ok := bytes.Cut(raw, []byte{0})
		mode, name, spaced := strings.Cut(string(head), " ")
		n, err := strconv.ParseUint(mode, 8, 32)
		if !ok || !spaced || err != nil || len(rest) < size {
			return nil, fmt.Errorf("git has a folder that cannot be read")
		}
		entries = append(entries, Entry{Name: name, Mode: Mode(n), ID: hex.EncodeToString(rest[:size])})
		raw = rest[size:]
	}
	return entries, nil
}

func unique(all []string) []string {
	seen := make(map[string]bool, len(all))
	out := make([]string, 0, len(all))
	for _, s := range all {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}
