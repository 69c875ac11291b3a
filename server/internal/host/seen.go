package host

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/epoch"
	"github.com/pawl-dev/pawl/internal/rewrite"
	"github.com/pawl-dev/pawl/server/internal/access/tables"
	"github.com/pawl-dev/pawl/server/pg"
	"github.com/pawl-dev/pawl/server/store/postgres"
)

// seenFile keeps how far a server has seen the boards of its database, and where that was,
// in the server's own folder, so that it also finds out that the database was restored, or
// left behind at a failover, while it was not running:
//
//	{"database": "k3v7…", "lineage": {"system": "7354…", "timeline": 2}, "boards": {"shop": {"revision": 1042, "lastId": 57}}}
type seenFile struct {
	path   string
	last   []byte // as it was written last
	broken bool   // the last write failed, which was told
	large  bool   // there was too much to write, which was told
	seenJSON
}

type seenJSON struct {
	Database string                `json:"database"`
	Lineage  pg.Lineage            `json:"lineage,omitzero"`
	Boards   map[string]epoch.High `json:"boards"`
	Revoked  map[string]time.Time  `json:"revoked,omitempty"` // tokens, which must not hold again
}

// maxSeen bounds the file: some 100,000 boards.
const maxSeen = 16 << 20

// mostRevoked is how many revoked tokens are kept, the newest: some 4 MiB of them.
const mostRevoked = 100_000

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
		return nil, pawl.Errorf(pawl.Internal, "%s, which says how far the server has seen its boards, cannot be read: %w", f.path, err).
			Say("remove that file; if the database was restored from a backup, also run: pawl serve restored")
	}
	if was.Database == f.Database {
		db.Remember(was.Boards)
		db.Follow(was.Lineage)
		f.Revoked = was.Revoked
	}
	return f, nil
}

// save writes what is known now.
func (f *seenFile) save(db *postgres.Database, tokens *tables.Tokens) error {
	f.Boards, f.Lineage, f.Revoked = db.Seen(), db.Lineage(), tokens.Ended()
	return f.write()
}

// write writes the file, if there is news, or the last write failed: of that it tells once.
// It does not wait for the disk: what a power cut loses of it only matters if a backup is
// restored then, and that jumps far.
func (f *seenFile) write() error {
	f.forget()
	text, err := json.Marshal(f.seenJSON)
	if err == nil && len(text) >= maxSeen {
		err = pawl.Errorf(pawl.Internal, "%s would be larger than %d MiB, and is not written: whether a backup was restored is not noticed for all %d boards", f.path, maxSeen>>20, len(f.Boards))
		if f.large {
			err = nil
		}
		f.large = true
		return err
	}
	if err != nil || bytes.Equal(text, f.last) {
		return err
	}
	told := f.broken
	if err = rewrite.Swap(f.path, slices.Concat(text, []byte{'\n'})); err == nil {
		f.last, f.broken = text, false
		return nil
	}
	if f.broken = true; told {
		return nil
	}
	return err
}

// forget drops the tokens that were revoked first, if there are too many.
func (f *seenFile) forget() {
	if len(f.Revoked) <= mostRevoked {
		return
	}
	ids := slices.SortedFunc(maps.Keys(f.Revoked), func(a, b string) int { return f.Revoked[b].Compare(f.Revoked[a]) })
	f.Revoked = maps.Clone(f.Revoked)
	for _, id := range ids[mostRevoked:] {
		delete(f.Revoked, id)
	}
}
