package gitshare

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/clone"
	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/share"
)

// A record is the state file of a place. Only the holder of the place's lock writes it.
//
//	{"format": 1, "remote": "origin", "ref": "refs/pawl/board", "bound": {…}, "tried": "…", "state": {…}}
type record struct {
	Format  int           `json:"format"`
	Remote  string        `json:"remote"` // as a person named it: what git calls it, or an address
	Ref     string        `json:"ref"`
	Bound   binding       `json:"bound"`          // the folder that has the clone's name
	Tried   time.Time     `json:"tried,omitzero"` // when the last sync began
	Sent    pawl.Revision `json:"sent,omitempty"` // up to here the remote has the board's changes
	Tracked *tracked      `json:"tracked,omitempty"`
	State   share.State   `json:"state"`

	joining bool // it is not shared yet: the record is in a file of another name
}

const (
	recordFormat = 1
	maxRecord    = 16 << 20 // a claim has some hundred bytes in it
)

// ErrNotShared says that a board is not shared.
var ErrNotShared = pawl.Errorf(pawl.NotFound, "this board is not shared")

// load reads the record of a place, which must be this folder's.
func (p site) load() (*record, error) {
	r, err := p.read(stateName)
	if err == nil && p.other(r, false) {
		return nil, errOther
	}
	return r, err
}

func (p site) read(name string) (*record, error) {
	if err := p.plain(); err != nil {
		return nil, err
	}
	text, err := readFile(p.File(name), maxRecord)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, p.lost()
	}
	if err != nil {
		return nil, clone.Denied(pawl.Errorf(pawl.Unavailable, "what this clone remembers of sharing cannot be read: %w", err), p.Home)
	}
	var is struct{ Format int }
	if err := json.Unmarshal(text, &is); err == nil && is.Format > recordFormat {
		return nil, pawl.Errorf(pawl.Invalid, "a newer Pawl has shared this board: update this one (%s has format %d)", p.File(name), is.Format)
	}
	r := &record{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err = d.Decode(r); err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("something follows it")
		}
	}
	if err == nil && (r.Format != recordFormat || r.Ref == "" || r.Remote == "" || r.State.Clone == "") {
		err = errors.New("a part of it is missing")
	}
	if err != nil {
		return nil, pawl.Errorf(pawl.Internal, "%s is damaged: %w", p.File(name), err).Say("pawl share --stop, then pawl share: all tasks stay")
	}
	return r, nil
}

// save replaces the record: a reader sees the old one or this one, on the disk.
func (p site) save(r *record) error {
	r.Format = recordFormat
	text, err := json.Marshal(r)
	mark := p.relays()
	if _, missing := os.Lstat(mark.File(clone.SharedMark)); err == nil && !r.joining && missing != nil {
		if err = mark.write(clone.SharedMark, nil); errors.Is(err, fs.ErrNotExist) {
			err = nil // the board is gone, and restoring it saves the record
		}
	}
	if err != nil {
		return err
	}
	return p.write(r.name(), text)
}

// name is that of its file.
func (r *record) name() string {
	if r.joining {
		return joiningName
	}
	return stateName
}

// write replaces a file of a place.
func (p site) write(name string, text []byte) error {
	return unwritable(filelock.Keep(p.File(name), text))
}

func unwritable(err error) error {
	if err == nil {
		return nil
	}
	return clone.Denied(pawl.Errorf(pawl.Unavailable, "what this clone remembers of sharing cannot be written: %w", err), "")
}

// handOver gives all that git and Pawl have made here as root to the user whose clone it is.
func (p site) handOver() {
	_ = filepath.WalkDir(p.Home, func(path string, d fs.DirEntry, _ error) error {
		if !filelock.HandOver(path) && d != nil && d.IsDir() {
			return fs.SkipDir
		}
		return nil // what is gone by now is nobody's
	})
}

// readFile reads a regular file of bounded size, never through a link.
func readFile(path string, most int64) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > most {
		return nil, pawl.Errorf(pawl.Invalid, "%s is not a file of Pawl's", filepath.Base(path))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}

// A memory is the record as package share keeps its part of it.
type memory struct {
	site
	*record
}

// Load reads the file again: another sync may have written it where no lock holds.
func (m *memory) Load(context.Context) (*share.State, error) {
	r, err := m.read(m.record.name())
	if err != nil {
		return nil, err
	}
	return &r.State, nil
}

func (m *memory) Save(_ context.Context, s *share.State) error {
	m.State = *s
	if err := m.save(m.record); err != nil {
		return err
	}
	return m.publish(s.Notices)
}
