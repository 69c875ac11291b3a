package keeper

import (
	"bytes"
	"context"
	"crypto/rand"
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
	seldom  = time.Minute
)

// Folder returns a folder as storage. One process uses it.
//
//	DIR/shop/3f0a…e1.json   a session: of a token, a machine's user, a session there, an agent of it
//
// A file is replaced whole.
func Folder(dir string, now func() time.Time) Storage { return &folder{dir, now} }

type folder struct {
	dir string
	now func() time.Time
}

func (f *folder) Shelf(board string, warn func(string)) Shelf {
	return &files{
		dir: filepath.Join(f.dir, board), name: board, warn: warn, saved: map[string]time.Time{},
		now: func() time.Time { return f.now().UTC().Truncate(time.Millisecond) },
	}
}

// files are those of a board.
type files struct {
	dir   string
	name  string
	now   func() time.Time
	warn  func(string)
	floor uint64
	saved map[string]time.Time // when this process wrote a file
}

// A file is what is kept of a session.
type file struct {
	Format  int            `json:"format"`
	Token   string         `json:"token"` // its id
	Session remote.Session `json:"session"`
	Own     *Own           `json:"own,omitempty"`
}

func (f *files) path(id string) string { return filepath.Join(f.dir, id+suffix) }

func (f *files) Atomic() bool                           { return false }
func (f *files) Watch(Mark) (<-chan struct{}, func())   { return nil, func() {} }
func (f *files) Trim(_ context.Context, n uint64) error { f.floor = n; return nil }

// News implements [Shelf]: nobody else writes here.
func (f *files) News(_ context.Context, since Mark) (News, error) {
	if since == (Mark{}) {
		return f.load(), nil
	}
	return News{Mark: since, Floor: f.floor, Now: f.now()}, nil
}

// Update implements [Shelf].
func (f *files) Update(ctx context.Context, since Mark, fn func(News, Desk) error) error {
	news, err := f.News(ctx, since)
	if err != nil {
		return err
	}
	return fn(news, f)
}

// load reads all files. What cannot be read is named, and is as if it were not there.
func (f *files) load() News {
	news := News{Mark: Mark{Epoch: rand.Text()[:8]}, Whole: true, Now: f.now()}
	entries, err := os.ReadDir(f.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		f.warn(fmt.Sprintf("the todo lists of the board %s cannot be read: %v", f.name, err))
	}
	for _, at := range entries {
		if strings.HasPrefix(at.Name(), newText) { // a crash left it
			os.Remove(filepath.Join(f.dir, at.Name()))
			continue
		}
		id, ours := strings.CutSuffix(at.Name(), suffix)
		if !ours {
			continue
		}
		kept, err := f.read(id)
		if err != nil {
			f.warn(fmt.Sprintf("a todo list of the board %s cannot be read, and is left alone: %v", f.name, err))
			continue
		}
		r := kept.Record()
		if info, err := at.Info(); err == nil {
			r.Size = info.Size()
		}
		news.Records = append(news.Records, r)
	}
	return news
}

// Read implements [Shelf].
func (f *files) Read(_ context.Context, ids ...string) (map[string]Kept, error) {
	all := make(map[string]Kept, len(ids))
	var failed error
	for _, id := range ids {
		kept, err := f.read(id)
		if err != nil {
			failed = err
			continue
		}
		all[id] = kept
	}
	return all, failed
}

func (f *files) read(id string) (Kept, error) {
	var is file
	r, err := os.Open(f.path(id))
	if err != nil {
		return Kept{}, unavailable(err)
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		return Kept{}, pawl.Errorf(pawl.Unavailable, "the file %s%s is not one of a todo list", id, suffix)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return Kept{}, unavailable(err)
	}
	if err := json.Unmarshal(text, &is); err != nil {
		return Kept{}, pawl.Errorf(pawl.Unavailable, "the file %s%s cannot be read: %s", id, suffix, err)
	}
	kept := Kept{is.Token, is.Session, is.Own}
	switch {
	case is.Format != format:
		return Kept{}, pawl.Errorf(pawl.Unavailable, "the file %s%s has format %d, and this pawl knows %d", id, suffix, is.Format, format)
	case kept.ID() != id:
		return Kept{}, pawl.Errorf(pawl.Unavailable, "the file %s%s is of another session than its name says", id, suffix)
	}
	return kept, kept.Session.Check()
}

// Text is a value as JSON. Arguments of tool calls stay as long as they are: <, > and &
// are not escaped, and so are not read back in more bytes than were written.
func Text(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// Write implements [Desk].
func (f *files) Write(_ context.Context, k Kept, _ uint64) (int64, error) {
	id := k.ID()
	k.Session.ID, k.Session.Head = id, nil
	text, err := Text(file{format, k.Token, k.Session, k.Own})
	if err != nil {
		return 0, err
	}
	if len(text) > maxFile {
		return 0, pawl.Errorf(pawl.Invalid, "a todo list has at most %d bytes", maxFile)
	}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return 0, unavailable(err)
	}
	if err := filelock.Keep(f.path(id), text); err != nil {
		return 0, unavailable(err)
	}
	f.saved[id] = f.now()
	return int64(len(text)), nil
}

// Saw implements [Desk]: that a session still exists is not worth the disk each time.
func (f *files) Saw(ctx context.Context, r Record) error {
	if f.now().Sub(f.saved[r.ID]) < seldom {
		return nil
	}
	kept, err := f.read(r.ID)
	if err != nil {
		return err
	}
	kept.Session.Version, kept.Session.Seen = r.Version, r.Seen
	_, err = f.Write(ctx, kept, r.Seq)
	return err
}

// Remove implements [Desk].
func (f *files) Remove(_ context.Context, r Record) error {
	err := filelock.Patiently(func() error { return os.Remove(f.path(r.ID)) })
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return unavailable(err)
	}
	delete(f.saved, r.ID)
	_ = filelock.SyncFolder(f.dir)
	return nil
}

// unavailable is a failure of the disk, without the path: a client gets it.
func unavailable(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err
	}
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		err = link.Err
	}
	return pawl.Errorf(pawl.Unavailable, "the server cannot keep todo lists: %w", err)
}
