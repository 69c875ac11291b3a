// Package journal keeps what a run was about to do and has done, in a folder of the
// user's state folder, one for each clone ([clone.ID]) and board:
//
//	lock           held by the runner as long as it lives
//	journal.jsonl  a record a line ([runs.Record]), each on the disk before it counts
//	control.jsonl  what people ask of the run, a request a line ([runs.Control])
//	live.json      what the runner sees, for people ([runs.Live])
//	ID-N/          an attempt: its work tree, prompt, outputs
//
// Readers need no lock.
package journal

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/clone"
	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/rewrite"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/internal/userdir"
)

// maxLine bounds a record: an attempt has a few texts of 4 KiB.
const maxLine = 1 << 20

// maxSize is how long a journal may be before a new runner rewrites it with the
// records that still count.
const maxSize = 8 << 20

// A Folder is where the journal of a run is.
type Folder struct {
	Path string

	base, board string
	clone       clone.Clone
}

// Of is the folder of a board in a clone. Where nothing marks the clone yet there has been
// no run, and the folder is not there.
func Of(getenv func(string) string, c clone.Clone, board string) (Folder, error) {
	state, err := userdir.State(getenv)
	if err != nil {
		return Folder{}, err
	}
	return Folder{base: filepath.Join(state, "run"), board: board, clone: c}.of(c.ID()), nil
}

func (f Folder) of(id clone.ID) Folder {
	name := "none"
	if id != "" {
		sum := sha256.Sum256([]byte(string(id) + "\x00" + f.board))
		name = hex.EncodeToString(sum[:8])
	}
	f.Path = filepath.Join(f.base, name)
	return f
}

// Marked returns the folder for a writer: it marks the clone.
func (f Folder) Marked() (Folder, error) {
	if f.base == "" {
		return f, nil
	}
	id, err := f.clone.Mark()
	return f.of(id), err
}

// Attempt is the folder of an attempt.
func (f Folder) Attempt(k runs.Key) string {
	return filepath.Join(f.Path, fmt.Sprintf("%s-%d", k.Task, k.N))
}

// Read returns the state of the journal with the later requests of people. An
// incomplete last line, as a crash leaves, does not count.
func (f Folder) Read() (*runs.State, error) {
	s, _, err := f.read()
	if err == nil {
		err = f.expect(s)
	}
	return s, err
}

// expect adds to a state what people have asked for, and no runner has carried out yet.
func (f Folder) expect(s *runs.State) error {
	asked, _, err := f.Controls(s.Done)
	s.Expect(asked)
	return err
}

// read returns the state of the journal, and how many bytes its whole records have.
func (f Folder) read() (*runs.State, int64, error) {
	seen := Seen{Folder: f, state: &runs.State{}}
	err := seen.follow()
	return seen.state, seen.whole, err
}

// apply adds the whole records that are left of a journal to a state, and returns how
// many bytes they have.
func (f Folder) apply(from io.Reader, s *runs.State) (whole int64, err error) {
	lines := bufio.NewReaderSize(from, 64<<10)
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return whole, nil
		}
		if err != nil {
			return whole, err
		}
		var r runs.Record
		if len(line) > maxLine || json.Unmarshal(line, &r) != nil || r.N != s.N+1 && s.N > 0 {
			return whole, pawl.Errorf(pawl.Internal, "the journal of runs is damaged: the line after record %d of %s", s.N, f.journal())
		}
		s.Apply(r)
		whole += int64(len(line))
	}
}

func (f Folder) journal() string { return filepath.Join(f.Path, "journal.jsonl") }

// Alive reports whether a runner holds the lock.
func (f Folder) Alive() bool { return filelock.Held(filepath.Join(f.Path, "lock")) }

// A Journal is open for the one runner of a clone and board. It implements what the
// engine needs.
type Journal struct {
	Folder
	lock   *os.File
	file   *os.File
	broken error // what kept a record from being written
}

// Open takes the lock, and returns what the journal tells. While another runner is at
// work it fails with Conflict.
func (f Folder) Open() (*Journal, *runs.State, error) {
	f, err := f.Marked()
	if err != nil {
		return nil, nil, err
	}
	if err := userdir.Make(f.Path); err != nil {
		return nil, nil, err
	}
	lock, err := os.OpenFile(filepath.Join(f.Path, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, nil, err
	}
	j := &Journal{Folder: f, lock: lock}
	got := false
	for range 20 { // who only asks whether it is held holds it for a moment
		if got, err = filelock.Try(lock); got || err != nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err != nil || !got {
		_ = lock.Close()
		if err != nil {
			return nil, nil, err
		}
		return nil, nil, pawl.Errorf(pawl.Conflict, "a run of this board is at work already in this clone").
			Say("pawl run status")
	}
	s, err := j.begin()
	if err != nil {
		_ = j.Close()
		return nil, nil, err
	}
	return j, s, nil
}

// begin opens the journal behind its last whole line.
func (j *Journal) begin() (*runs.State, error) {
	s, whole, err := j.read()
	if err != nil {
		return nil, err
	}
	if whole > maxSize {
		if err := j.shorten(s); err != nil {
			return nil, err
		}
		if _, whole, err = j.read(); err != nil {
			return nil, err
		}
	}
	if j.file, err = os.OpenFile(j.journal(), os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return nil, err
	}
	if err := j.file.Truncate(whole); err != nil {
		return nil, err
	}
	if _, err := j.file.Seek(whole, io.SeekStart); err != nil {
		return nil, err
	}
	return s, filelock.SyncFolder(j.Path)
}

// Append writes a record, and returns when it is on the disk. After a failure it writes
// nothing more: the disk may have half of that record, and a line behind it could not
// be read.
func (j *Journal) Append(r runs.Record) error {
	if j.broken == nil {
		j.broken = j.append(r)
	}
	return j.broken
}

func (j *Journal) append(r runs.Record) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if len(line) >= maxLine {
		return fmt.Errorf("a record of %d bytes is too long", len(line))
	}
	if _, err := j.file.Write(append(line, '\n')); err != nil {
		return err
	}
	return j.file.Sync()
}

// Close gives the lock back.
func (j *Journal) Close() error {
	var err error
	if j.file != nil {
		err = j.file.Close()
	}
	return errors.Join(err, filelock.Free(j.lock))
}

// shorten rewrites the journal with the records that lead to the same state.
func (j *Journal) shorten(s *runs.State) error {
	return rewrite.Replace(j.journal(), func(w io.Writer) error {
		lines := json.NewEncoder(w)
		for i, r := range s.Records() {
			s.N = i + 1
			r.N = s.N
			if err := lines.Encode(r); err != nil {
				return err
			}
		}
		return nil
	})
}

// Attempts are the folders of attempts that are there.
func (f Folder) Attempts() ([]string, error) {
	all, err := os.ReadDir(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range all {
		if e.IsDir() {
			names = append(names, filepath.Join(f.Path, e.Name()))
		}
	}
	slices.Sort(names)
	return names, err
}
