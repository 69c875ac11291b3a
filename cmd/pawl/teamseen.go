package main

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/rewrite"
	"github.com/pawl-dev/pawl/store/postgres"
)

// seenFile keeps how far a server has seen the boards of its database, in the server's
// own folder, so that it also finds out that the database was restored while it was not
// running:
//
//	{"database": "k3v7…", "boards": {"shop": {"revision": 1042, "lastId": 57}}}
type seenFile struct {
	path string
	seenJSON
}

type seenJSON struct {
	Database string                   `json:"database"`
	Boards   map[string]postgres.High `json:"boards"`
}

// maxSeen bounds the file: some 100,000 boards.
const maxSeen = 16 << 20

// openSeen has the database remember what the file says of it. A file about another
// database does not count.
func openSeen(ctx context.Context, db *postgres.Database, dir string) (*seenFile, error) {
	f := &seenFile{path: filepath.Join(dir, "seen.json")}
	var err error
	if f.Database, err = db.ID(ctx); err != nil {
		return nil, err
	}
	in, err := os.Open(f.path)
	if os.IsNotExist(err) {
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var was seenJSON
	if err := json.NewDecoder(io.LimitReader(in, maxSeen)).Decode(&was); err != nil {
		e := pawl.Errorf(pawl.Internal, "%s, which says how far the server has seen its boards, cannot be read: %w", f.path, err)
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "remove that file; if the database was restored from a backup, also run: pawl serve restored"}
		return nil, e
	}
	if was.Database == f.Database {
		db.Remember(was.Boards)
	}
	return f, nil
}

// save writes the file. It does not wait for the disk: what a power cut loses of it only
// matters if a backup is restored then, and that jumps far.
func (f *seenFile) save(all map[string]postgres.High) error {
	f.Boards = all
	text, err := json.Marshal(f.seenJSON)
	if err != nil {
		return err
	}
	return rewrite.Swap(f.path, append(text, '\n'))
}
