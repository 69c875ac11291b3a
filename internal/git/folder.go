package git

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
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
	known := map[string]int{} // by the id of a folder
	for i, commit := range commits {
		id, err := o.find(commit, strings.Split(strings.TrimSuffix(names[0], "/"), "/"))
		if err != nil {
			return nil, err
		}
		if j, ok := known[id]; ok || id == "" {
			if ok {
				folders[i] = folders[j]
			}
			continue
		}
		_, raw, err := o.read(id, maxList)
		if err != nil {
			return nil, err
		}
		entries, err := entriesOf(raw, len(id)/2)
		if err != nil {
			return nil, err
		}
		folders[i], known[id] = Folder{id, entries}, i
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

// find returns the id of a folder in a commit; empty: it has none.
func (o *objects) find(commit string, names []string) (string, error) {
	at, raw, err := o.read(commit+"^{tree}", maxList)
	for _, name := range names {
		if err != nil || at.kind != "tree" {
			return "", err
		}
		entries, err := entriesOf(raw, len(at.id)/2)
		if err != nil {
			return "", err
		}
		next := ""
		for _, e := range entries {
			if e.Name == name && e.Mode == 0o40000 {
				next = e.ID
			}
		}
		if next == "" {
			return "", nil
		}
		if at, raw, err = o.read(next, maxList); err != nil {
			return "", err
		}
	}
	if at.kind != "tree" {
		return "", err
	}
	return at.id, err
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
