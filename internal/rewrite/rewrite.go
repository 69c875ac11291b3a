// Package rewrite replaces files, so that a reader sees the old text or the new
// one: with [File] small ones that several processes, and people with editors,
// may change at the same time, and nobody's change is lost; with [Replace] one
// that a person names, whatever may lie in the way there.
package rewrite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"syscall"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/filelock"
)

// A File is changed by reading it whole and replacing it. Names are relative to Dir
// and use slashes; none leads out of it through a symbolic link.
type File struct {
	Dir   string // must be there
	Name  string
	Lock  string      // whose lock keeps out others like us
	Temp  string      // where the new text is made; its folder is made when it is missing
	Mode  fs.FileMode // of a new file; one that is there keeps its own
	Limit int64       // bytes
}

const (
	patience = 10 * time.Second // with the process that holds the lock
	poll     = 5 * time.Millisecond
	tries    = 5 // when somebody writes who takes no lock
)

// Path is where the file is.
func (f File) Path() string { return filepath.Join(f.Dir, filepath.FromSlash(f.Name)) }

// Change replaces the file's text by what fn makes of it, and reports whether
// that is another text. Without a file, fn gets nil. It may run again, if somebody
// wrote at the same time.
func (f File) Change(ctx context.Context, fn func(old []byte) ([]byte, error)) (bool, error) {
	root, err := os.OpenRoot(f.Dir)
	if err != nil {
		return false, f.unwritable(err)
	}
	defer root.Close()
	unlock, err := f.lock(ctx, root)
	if err != nil {
		return false, err
	}
	defer unlock()
	defer root.Remove(f.Temp) // which is no longer there when all went well
	for range tries {
		old, mode, err := f.read(root)
		if err != nil {
			return false, err
		}
		text, err := fn(old)
		if err != nil || text == nil || old != nil && bytes.Equal(old, text) {
			return false, err
		}
		if int64(len(text)) > f.Limit { // nobody could read it, nor make it smaller again
			return false, pawl.Errorf(pawl.Invalid, "%s would be larger than %d KiB, so it stays as it is", f.Path(), f.Limit>>10)
		}
		if err := f.stage(root, text, mode, old != nil); err != nil {
			return false, f.unwritable(err)
		}
		if now, _, err := f.read(root); err != nil || (now == nil) != (old == nil) || !bytes.Equal(now, old) {
			continue
		}
		if err := filelock.Patiently(func() error { return root.Rename(f.Temp, f.Name) }); err != nil {
			return false, f.unwritable(err)
		}
		if err := filelock.SyncFolder(filepath.Dir(f.Path())); err != nil {
			return true, pawl.Errorf(pawl.Unavailable, "%s was changed, and may be as before after a power cut: %w", f.Path(), err)
		}
		return true, nil
	}
	return false, pawl.Errorf(pawl.Conflict, "%s is being changed by somebody else all the time", f.Path())
}

// lock takes the lock, and looks that it is still the one at its place.
func (f File) lock(ctx context.Context, root *os.Root) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		file, err := root.OpenFile(f.Lock, os.O_RDWR|os.O_CREATE, f.Mode)
		if err != nil {
			return nil, f.unwritable(err)
		}
		filelock.HandOver(filepath.Join(f.Dir, f.Lock))
		got, err := filelock.Try(file)
		if err == nil && got {
			ours, err := file.Stat()
			there, errThere := root.Stat(f.Lock)
			if err == nil && errThere == nil && os.SameFile(ours, there) {
				return func() { file.Close() }, nil
			}
		}
		file.Close()
		if err != nil {
			return nil, f.unwritable(err)
		}
		select {
		case <-ctx.Done():
			return nil, pawl.Errorf(pawl.Unavailable, "another process holds the lock that %s is changed under", f.Path()).
				Next(pawl.HintRetry)
		case <-time.After(poll):
		}
	}
}

// read returns the text, nil where there is no file, and the mode for the next.
func (f File) read(root *os.Root) ([]byte, fs.FileMode, error) {
	info, err := root.Lstat(f.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, f.Mode, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		return nil, 0, pawl.Errorf(pawl.Invalid, "%s is not a regular file", f.Path())
	}
	var text []byte
	if err == nil {
		text, err = f.readAll(root)
	}
	if err != nil {
		return nil, 0, pawl.Errorf(pawl.Unavailable, "%s cannot be read: %w", f.Path(), err)
	}
	return text, info.Mode().Perm(), nil
}

func (f File) readAll(root *os.Root) ([]byte, error) {
	file, err := root.Open(f.Name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, f.Limit+1))
	if err == nil && int64(len(text)) > f.Limit {
		err = fmt.Errorf("it is larger than %d KiB", f.Limit>>10)
	}
	if err == nil && text == nil {
		text = []byte{} // there is a file, with nothing in it
	}
	return text, err
}

// stage writes the new text where nobody looks for it, and to the disk. With
// exact it has that mode whatever the umask says.
func (f File) stage(root *os.Root, text []byte, mode fs.FileMode, exact bool) error {
	if err := root.MkdirAll(path.Dir(f.Temp), f.Mode|(f.Mode&0o444)>>2); err != nil {
		return err
	}
	if err := root.Remove(f.Temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := root.OpenFile(f.Temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	filelock.HandOver(filepath.Join(f.Dir, f.Temp))
	if _, err = file.Write(text); err == nil && exact {
		err = file.Chmod(mode)
	}
	if err == nil {
		err = file.Sync()
	}
	if closing := file.Close(); err == nil {
		err = closing
	}
	return err
}

func (f File) unwritable(err error) error {
	e := pawl.Errorf(pawl.Unavailable, "%s cannot be changed: %w", f.Path(), err)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "make that folder writable"}
	}
	return e
}
