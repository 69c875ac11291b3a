package file

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/windows"

	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/process"
)

// osFS is a folder of the machine. There are no inodes here that a stat would
// tell, and no exchange: a file is known by its size and the time of its last
// change, and replaced by a rename.
type osFS struct {
	dir string
	gitWatch
}

func newFS(dir string) fileSystem { return &osFS{dir: dir, gitWatch: gitWatch{dir: dir}} }

func fail(op, name string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}

// in runs call with the folder opened so that nothing leads out of it.
func (f *osFS) in(call func(*os.Root) error) error {
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return f.unopened(err)
	}
	defer root.Close()
	return call(root)
}

// unopened is err, or what says that there is a file in the folder's place:
// this system's own errors do not tell that from others.
func (f *osFS) unopened(err error) error {
	if info, errStat := os.Stat(f.dir); errStat == nil && !info.IsDir() {
		return fail("open", ".", errIrregular)
	}
	return err
}

// Hold does nothing: an open folder could not be removed by anybody.
func (f *osFS) Hold() (release func()) { return func() {} }

func infoOf(info fs.FileInfo) fileInfo {
	kind := kindOther
	switch {
	case info.Mode().IsRegular():
		kind = kindRegular
	case info.IsDir():
		kind = kindFolder
	}
	at := info.ModTime().UnixNano()
	return fileInfo{Kind: kind, Size: info.Size(), Mtime: at, Ctime: at}
}

func (f *osFS) Stat(name string) (info fileInfo, err error) {
	err = f.in(func(root *os.Root) error {
		found, err := root.Lstat(name)
		if err == nil {
			info = infoOf(found)
		}
		return err
	})
	return info, err
}

// StatEach lists the folder once: that tells sizes and times, and costs a
// fraction of opening each file.
func (f *osFS) StatEach(count int, name func(i int, buf []byte) []byte, got func(i int, info fileInfo)) error {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return f.unopened(err)
	}
	infos := make(map[string]fileInfo, len(entries))
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			infos[e.Name()] = infoOf(info)
		}
	}
	var buf []byte
	for i := range count {
		buf = name(i, buf[:0])
		got(i, infos[string(buf)])
	}
	return nil
}

func (f *osFS) List(name string, got func([]byte)) error {
	return f.in(func(root *os.Root) error {
		dir, err := root.Open(name)
		if err != nil {
			return err
		}
		defer dir.Close()
		names, err := dir.Readdirnames(-1)
		for _, name := range names {
			got([]byte(name))
		}
		return err
	})
}

func (f *osFS) Read(name string, limit int64) (text []byte, info fileInfo, err error) {
	err = f.in(func(root *os.Root) error {
		before, err := root.Lstat(name)
		if err != nil {
			return err
		}
		if info = infoOf(before); info.Kind != kindRegular {
			return fail("read", name, errIrregular)
		}
		if info.Size > limit {
			return fail("read", name, errTooLarge)
		}
		if text, err = root.ReadFile(name); err != nil {
			return err
		}
		after, err := root.Lstat(name)
		if err != nil {
			return err
		}
		if infoOf(after) != info || int64(len(text)) != info.Size {
			return fail("read", name, errMoved)
		}
		return nil
	})
	return text, info, err
}

func (f *osFS) Create(name string, data []byte) (info fileInfo, err error) {
	err = f.in(func(root *os.Root) error {
		file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return err
		}
		_, err = file.Write(data)
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
		found, err := root.Lstat(name)
		if err == nil {
			info = infoOf(found)
		}
		return err
	})
	return info, err
}

func (f *osFS) Open(name string, write bool) (storeFile, error) {
	flags := os.O_RDONLY
	if write {
		flags = os.O_RDWR | os.O_CREATE
	}
	var file *os.File
	err := f.in(func(root *os.Root) (err error) {
		file, err = root.OpenFile(name, flags, 0o644)
		return err
	})
	if err != nil {
		return nil, err
	}
	return osFile{file}, nil
}

type osFile struct{ *os.File }

// Write appends: a file that was opened for appending could not be cut.
func (f osFile) Write(p []byte) (int, error) {
	info, err := f.File.Stat()
	if err != nil {
		return 0, err
	}
	return f.WriteAt(p, info.Size())
}

func (f osFile) Stat() (fileInfo, error) {
	info, err := f.File.Stat()
	if err != nil {
		return fileInfo{}, err
	}
	return infoOf(info), nil
}

func (f *osFS) Mkdir(name string) error {
	if name == "." {
		return os.MkdirAll(f.dir, 0o755)
	}
	return f.in(func(root *os.Root) error {
		if err := root.Mkdir(name, 0o755); !errors.Is(err, fs.ErrExist) {
			return err
		}
		return nil
	})
}

func (f *osFS) Rename(from, to string) error {
	return f.in(func(root *os.Root) error {
		return filelock.Patiently(func() error { return root.Rename(from, to) })
	})
}

func (f *osFS) RenameNew(from, to string) error {
	if _, err := f.Stat(to); !absent(err) {
		return fail("rename", to, fs.ErrExist)
	}
	return f.Rename(from, to)
}

func (f *osFS) Exchange(a, _ string) error { return fail("exchange", a, errors.ErrUnsupported) }

func (f *osFS) Remove(name string) error {
	return f.in(func(root *os.Root) error { return root.Remove(name) })
}

// Sync flushes a file. Entries of folders are in the file system's own
// journal, and Windows has no call for them.
func (f *osFS) Sync(name string) error {
	return f.in(func(root *os.Root) error {
		if info, err := root.Lstat(name); err != nil || info.IsDir() {
			return err
		}
		file, err := root.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		defer file.Close()
		return file.Sync()
	})
}

// SyncAll flushes every task's file: to flush a volume takes an administrator.
func (f *osFS) SyncAll() error {
	var all []string
	err := f.List(".", func(name []byte) {
		if _, ok := parseTaskName(name); ok {
			all = append(all, string(name))
		}
	})
	for _, name := range all {
		if err := f.Sync(name); err != nil && !absent(err) {
			return err
		}
	}
	return err
}

// lockPause is how often a lock is asked for: the kernel's own queue cannot be
// left when the caller gives up.
const lockPause = 2 * time.Millisecond

func (f *osFS) Lock(ctx context.Context, name string, exclusive bool) (func(), error) {
	flags, how := os.O_RDONLY, uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if exclusive {
		flags, how = os.O_RDWR|os.O_CREATE, how|windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	var file *os.File
	err := f.in(func(root *os.Root) (err error) {
		file, err = root.OpenFile(name, flags, 0o644)
		return err
	})
	if err != nil {
		return nil, err
	}
	for {
		err := windows.LockFileEx(windows.Handle(file.Fd()), how, 0, 1, 0, new(windows.Overlapped))
		if err == nil {
			return func() { file.Close() }, nil
		}
		if !errors.Is(err, windows.ERROR_LOCK_VIOLATION) && !errors.Is(err, syscall.ERROR_IO_PENDING) {
			file.Close()
			return nil, fail("lock", name, err)
		}
		select {
		case <-ctx.Done():
			file.Close()
			return nil, fail("lock", name, context.Cause(ctx))
		case <-time.After(lockPause):
		}
	}
}

// Boot names the run of the machine by the minute that it began in. Where the
// clock is set across a minute the name changes: then files are looked at as
// after a power cut, which does no harm.
func (f *osFS) Boot() string { return process.Boot() }

func (f *osFS) Remote() string {
	volume, err := windows.UTF16PtrFromString(volumeRoot(f.dir))
	if err == nil && windows.GetDriveType(volume) == windows.DRIVE_REMOTE {
		return "SMB"
	}
	return ""
}

func volumeRoot(dir string) string { return filepath.VolumeName(dir) + `\` }
