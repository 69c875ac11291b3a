package keeper

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/todo"
)

// format is the number of the files' format. A file of a higher one is left alone.
const format = 1

const (
	suffix  = ".json"
	newText = ".new-"
	maxFile = 2*remote.MaxListText + todo.MaxInput
)

// A file is what is kept of a session.
type file struct {
	Format  int            `json:"format"`
	Token   string         `json:"token"` // its id
	Session remote.Session `json:"session"`
	Own     *ownList       `json:"own,omitempty"`
}

// An ownList is what a list has besides that belongs to this server, as those of
// agents do that call its tools over HTTP.
type ownList struct {
	News   []string       `json:"news,omitempty"`
	NewsAt time.Time      `json:"newsAt,omitzero"`
	Before *todo.Snapshot `json:"before,omitempty"`
}

func (b *board) path(id string) string { return filepath.Join(b.dir, id+suffix) }

// load reads all files. What cannot be read is named, and is as if it were not there.
func (b *board) load() {
	entries, err := os.ReadDir(b.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		b.warn(fmt.Sprintf("the todo lists of the board %s cannot be read: %v", b.name, err))
	}
	for _, at := range entries {
		if strings.HasPrefix(at.Name(), newText) { // a crash left it
			os.Remove(filepath.Join(b.dir, at.Name()))
			continue
		}
		id, ours := strings.CutSuffix(at.Name(), suffix)
		if !ours {
			continue
		}
		f, err := b.read(id)
		if err != nil {
			b.warn(fmt.Sprintf("a todo list of the board %s cannot be read, and is left alone: %v", b.name, err))
			continue
		}
		s := f.Session
		s.Head, s.List, s.ID = HeadOf(s.List), nil, id
		info, _ := at.Info()
		e := &entry{Session: s, token: f.Token}
		if info != nil {
			e.size = info.Size()
		}
		b.all[id] = e
	}
}

func (b *board) read(id string) (*file, error) {
	var f file
	r, err := os.Open(b.path(id))
	if err != nil {
		return nil, unavailable(err)
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, pawl.Errorf(pawl.Unavailable, "the file %s%s is not one of a todo list", id, suffix)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, unavailable(err)
	}
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, pawl.Errorf(pawl.Unavailable, "the file %s%s cannot be read: %s", id, suffix, err)
	}
	s := &f.Session
	switch {
	case f.Format != format:
		return nil, pawl.Errorf(pawl.Unavailable, "the file %s%s has format %d, and this pawl knows %d", id, suffix, f.Format, format)
	case idOf(f.Token, s.Home, todo.Key{Session: s.Session, Agent: s.Agent}) != id:
		return nil, pawl.Errorf(pawl.Unavailable, "the file %s%s is of another session than its name says", id, suffix)
	}
	return &f, s.Check()
}

// write replaces the file of a session, and returns its size.
func (b *board) write(f file) (int64, error) {
	f.Session.Head = nil
	text, err := json.Marshal(f)
	if err != nil {
		return 0, err
	}
	if len(text) > maxFile {
		return 0, pawl.Errorf(pawl.Invalid, "a todo list has at most %d bytes", maxFile)
	}
	if err := os.MkdirAll(b.dir, 0o700); err != nil {
		return 0, unavailable(err)
	}
	w, err := os.CreateTemp(b.dir, newText)
	if err != nil {
		return 0, unavailable(err)
	}
	_, err = w.Write(text)
	if err == nil {
		err = w.Sync()
	}
	if err = errors.Join(err, w.Close()); err == nil {
		err = filelock.Rename(w.Name(), b.path(f.Session.ID))
	}
	if err != nil {
		os.Remove(w.Name())
		return 0, unavailable(err)
	}
	b.sync()
	return int64(len(text)), nil
}

func (b *board) unlink(id string) error {
	err := filelock.Patiently(func() error { return os.Remove(b.path(id)) })
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return unavailable(err)
	}
	b.sync()
	return nil
}

// sync has the folder's names survive a power cut, where a system can.
func (b *board) sync() {
	if d, err := os.Open(b.dir); err == nil {
		d.Sync()
		d.Close()
	}
}

// unavailable is a failure of the disk, without the path: a client gets it.
func unavailable(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err
	}
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		err = link.Err
	}
	return pawl.Errorf(pawl.Unavailable, "the server cannot keep todo lists: %v", err)
}
