package todofile

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/todo"
)

// A disk is all that the store asks of the operating system. Names are relative to
// the store's folder and use slashes; "." is the folder itself. It follows no
// symbolic link, and opens only regular files. Tests replace it by one that fails
// and forgets.
type disk interface {
	// stat tells when a regular file was last written; that something else
	// stands there is errIrregular.
	stat(name string) (written time.Time, err error)
	// sight tells how a file or folder looks from outside.
	sight(name string) (sight, error)
	// read returns a regular file whole. One that is larger than limit is
	// errTooLarge.
	read(name string, limit int64) (text []byte, written time.Time, err error)
	// list returns the names in a folder, in any order.
	list(dir string) ([]string, error)
	// mkdir makes a folder for the user alone, and those above the store's; an
	// existing one is not an error. The folders above survive a power cut.
	mkdir(dir string) error
	// create makes a file that was not there, for the user alone.
	create(name string, text []byte) error
	// append adds to a regular file, which it makes for the user alone if need be.
	append(name string, text []byte) error
	// sync makes a file's content, or a folder's entries, survive a power cut.
	sync(name string) error
	rename(from, to string) error
	remove(name string) error
	// lock makes a file, if need be, and waits for its exclusive lock.
	lock(ctx context.Context, name string) (unlock func(), err error)
	// try takes a lock if nobody is in the way. A shared one makes the file.
	try(name string, shared bool) (unlock func(), got bool, err error)
}

var (
	errIrregular = errors.New("it is not a regular file")
	errTooLarge  = errors.New("it is larger than 8 MiB")
	errBusy      = errors.New("another process holds the lock")
)

func absent(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// storageError gives a failure the words that agents get to see.
func storageError(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*todo.StorageError](err); ok {
		return err
	}
	return &todo.StorageError{Why: why(err), Cause: err}
}

func why(err error) todo.Why {
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS), denied(err):
		return todo.Denied
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), full(err):
		return todo.Full
	}
	return todo.Other
}

type osDisk struct{ dir string }

func (d osDisk) path(name string) string { return filepath.Join(d.dir, filepath.FromSlash(name)) }

func (d osDisk) stat(name string) (time.Time, error) {
	info, err := os.Lstat(d.path(name))
	if err != nil {
		return time.Time{}, err
	}
	if !info.Mode().IsRegular() {
		return time.Time{}, &fs.PathError{Op: "stat", Path: d.path(name), Err: errIrregular}
	}
	return info.ModTime(), nil
}

func (d osDisk) sight(name string) (sight, error) {
	stat := os.Lstat
	if name == "." {
		stat = os.Stat // a link to it looks the same whatever happens there
	}
	info, err := stat(d.path(name))
	if err != nil {
		return sight{}, err
	}
	return sight{fileID(info), info.Size(), info.ModTime().UnixNano()}, nil
}

func (d osDisk) read(name string, limit int64) ([]byte, time.Time, error) {
	file, info, err := openRegular(d.path(name), os.O_RDONLY)
	if err != nil {
		return nil, time.Time{}, err
	}
	defer file.Close()
	if info.Size() > limit {
		return nil, time.Time{}, &fs.PathError{Op: "read", Path: file.Name(), Err: errTooLarge}
	}
	text := make([]byte, info.Size()) // more comes only from who writes in place
	n, err := io.ReadFull(file, text)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return text[:n], info.ModTime(), err
}

func (d osDisk) list(dir string) ([]string, error) {
	file, err := os.Open(d.path(dir))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return file.Readdirnames(-1)
}

func (d osDisk) mkdir(dir string) error {
	path := d.path(dir)
	if dir != "." {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return nil
		}
		return userdir.Make(path)
	}
	var made []string // the folders that get a new entry
	for at := path; ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); !absent(err) || at == filepath.Dir(at) {
			break
		}
		made = append(made, filepath.Dir(at))
	}
	err := userdir.Make(path)
	for i := len(made) - 1; i >= 0 && err == nil; i-- {
		err = syncPath(made[i])
	}
	return err
}

// regular closes a file that is not regular, or another one than before, which may be nil.
func regular(file *os.File, before fs.FileInfo) (*os.File, fs.FileInfo, error) {
	info, err := file.Stat()
	if err == nil && (!info.Mode().IsRegular() || before != nil && !os.SameFile(before, info)) {
		err = &fs.PathError{Op: "open", Path: file.Name(), Err: errIrregular}
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return file, info, nil
}

func (d osDisk) create(name string, text []byte) error {
	file, err := os.OpenFile(d.path(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}

func (d osDisk) append(name string, text []byte) error {
	file, _, err := openRegular(d.path(name), os.O_WRONLY|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}

func (d osDisk) rename(from, to string) error {
	return filelock.Rename(d.path(from), d.path(to))
}

func (d osDisk) remove(name string) error {
	return filelock.Patiently(func() error { return os.Remove(d.path(name)) })
}

func (d osDisk) sync(name string) error { return syncPath(d.path(name)) }

// lock locks the file that stands at the name when the lock is there: one that
// was removed since would keep nobody out.
func (d osDisk) lock(ctx context.Context, name string) (func(), error) {
	for {
		file, info, err := openRegular(d.path(name), os.O_RDWR|os.O_CREATE)
		if err != nil {
			return nil, err
		}
		if err := waitLock(ctx, file); err != nil {
			return nil, &fs.PathError{Op: "lock", Path: file.Name(), Err: err}
		}
		if now, err := os.Lstat(file.Name()); err == nil && os.SameFile(info, now) {
			return func() { file.Close() }, nil
		}
		file.Close()
	}
}

func (d osDisk) try(name string, shared bool) (func(), bool, error) {
	flags := os.O_RDWR
	if shared {
		flags |= os.O_CREATE
	}
	file, _, err := openRegular(d.path(name), flags)
	if err != nil {
		return nil, false, err
	}
	got, err := tryLock(file, shared)
	if err != nil || !got {
		file.Close()
		return nil, false, err
	}
	return func() { file.Close() }, true, nil
}
