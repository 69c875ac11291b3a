//go:build unix

package file

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/process"
)

// osFS is a folder of the machine. It keeps no descriptor, unless it is held:
// if the folder is removed and made again, the next call uses the new one.
type osFS struct {
	dir string
	folders
	gitWatch
}

func newFS(dir string) fileSystem { return &osFS{dir: dir, gitWatch: gitWatch{dir: dir}} }

func infoOf(st *unix.Stat_t) fileInfo {
	return fileInfo{
		Kind:   kindOf(uint32(st.Mode)),
		Device: uint64(st.Dev),
		Inode:  st.Ino,
		Size:   st.Size,
		Mtime:  st.Mtim.Nano(),
		Ctime:  st.Ctim.Nano(),
	}
}

func (f *osFS) Boot() string { return process.Boot() }

func fail(op, name string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}

// again runs call until no signal interrupts it.
func again(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}

func openat(dir int, name string, flags int, mode uint32) (fd int, err error) {
	err = again(func() error {
		fd, err = unix.Openat(dir, name, flags|unix.O_NOFOLLOW|unix.O_CLOEXEC, mode)
		return err
	})
	return fd, err
}

// in runs call with the open folder of name and its last element.
func (f *osFS) in(op, name string, call func(dir int, base string) error) error {
	parent, base := ".", name
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		parent, base = name[:i], name[i+1:]
	}
	dir, done, err := f.folder(parent)
	if err == nil {
		defer done()
		err = call(dir, base)
	}
	if errors.Is(err, fs.ErrPermission) { // it will be said whose it is
		name = filepath.Join(f.dir, name)
	}
	return fail(op, name, err)
}

func (f *osFS) Stat(name string) (fileInfo, error) {
	var st unix.Stat_t
	err := f.in("stat", name, func(dir int, base string) error {
		return again(func() error { return unix.Fstatat(dir, base, &st, unix.AT_SYMLINK_NOFOLLOW) })
	})
	if err != nil {
		return fileInfo{}, err
	}
	return infoOf(&st), nil
}

func (f *osFS) StatEach(count int, name func(i int, buf []byte) []byte, got func(i int, info fileInfo)) error {
	dir, done, err := f.folder(".")
	if err != nil {
		return fail("stat", ".", err)
	}
	defer done()
	buf := make([]byte, 0, 64)
	for i := range count {
		buf = append(name(i, buf[:0]), 0)
		info, err := statBytes(dir, buf)
		if err != nil && err != unix.ENOENT {
			return fail("stat", string(buf[:len(buf)-1]), err)
		}
		got(i, info)
	}
	return nil
}

func (f *osFS) List(name string, got func([]byte)) error {
	dir, done, err := f.folder(name)
	if err != nil {
		return fail("list", name, err)
	}
	defer done()
	fd, err := openat(dir, ".", unix.O_RDONLY|unix.O_DIRECTORY, 0) // to be at its beginning
	if err != nil {
		return fail("list", name, err)
	}
	defer unix.Close(fd)
	return fail("list", name, listNames(fd, got))
}

// openRegular opens what is there only if it is a regular file. O_NONBLOCK
// keeps a pipe from holding us up.
func openRegular(dir int, base string, flags int) (fd int, info fileInfo, err error) {
	fd, err = openat(dir, base, flags|unix.O_NONBLOCK, 0o644)
	if err == unix.ELOOP || err == unix.ENXIO || err == unix.EMLINK {
		err = errIrregular
	}
	if err != nil {
		return -1, fileInfo{}, err
	}
	var st unix.Stat_t
	if err = unix.Fstat(fd, &st); err == nil {
		if info = infoOf(&st); info.Kind != kindRegular {
			err = errIrregular
		}
	}
	if err != nil {
		unix.Close(fd)
	}
	return fd, info, err
}

func (f *osFS) Read(name string, limit int64) (text []byte, info fileInfo, err error) {
	err = f.in("read", name, func(dir int, base string) error {
		fd, before, err := openRegular(dir, base, unix.O_RDONLY)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		if before.Size > limit {
			info = before
			return errTooLarge
		}
		text = make([]byte, before.Size)
		n, err := readFull(fd, text, 0)
		if err != nil {
			return err
		}
		var st unix.Stat_t
		if err := unix.Fstat(fd, &st); err != nil {
			return err
		}
		if info = infoOf(&st); info != before || n != len(text) {
			return errMoved
		}
		return nil
	})
	return text, info, err
}

func (f *osFS) Create(name string, data []byte) (info fileInfo, err error) {
	err = f.in("create", name, func(dir int, base string) error {
		fd, err := openat(dir, base, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL, 0o644)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		filelock.HandOver(filepath.Join(f.dir, name)) // before its times are looked at
		if _, err := writeFull(fd, data); err != nil {
			return err
		}
		var st unix.Stat_t
		if err := unix.Fstat(fd, &st); err != nil {
			return err
		}
		info = infoOf(&st)
		return nil
	})
	return info, err
}

func (f *osFS) Mkdir(name string) error {
	if name == "." {
		err := os.MkdirAll(f.dir, 0o755)
		filelock.HandOver(f.dir)
		return err
	}
	return f.in("mkdir", name, func(dir int, base string) error {
		err := unix.Mkdirat(dir, base, 0o755)
		if err == unix.EEXIST {
			return nil
		}
		filelock.HandOver(filepath.Join(f.dir, name))
		return err
	})
}

// inBoth runs call with the folders and last elements of two names.
func (f *osFS) inBoth(op, from, to string, call func(fromDir int, from string, toDir int, to string) error) error {
	return f.in(op, from, func(fromDir int, from string) error {
		return f.in(op, to, func(toDir int, to string) error {
			return again(func() error { return call(fromDir, from, toDir, to) })
		})
	})
}

func (f *osFS) Rename(from, to string) error {
	return f.inBoth("rename", from, to, unix.Renameat)
}

func (f *osFS) RenameNew(from, to string) error {
	err := f.inBoth("rename", from, to, renameNew)
	if !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, unix.EINVAL) {
		return err
	}
	if _, err := f.Stat(to); !absent(err) {
		return fail("rename", to, fs.ErrExist)
	}
	return f.Rename(from, to)
}

func (f *osFS) Exchange(a, b string) error {
	err := f.inBoth("exchange", a, b, exchange)
	if errors.Is(err, unix.EINVAL) { // the file system does not know how
		return fail("exchange", a, errors.ErrUnsupported)
	}
	return err
}

func (f *osFS) Remove(name string) error {
	return f.in("remove", name, func(dir int, base string) error { return unix.Unlinkat(dir, base, 0) })
}

func (f *osFS) Sync(name string) error {
	if name == "." {
		return f.syncFolder(name)
	}
	return f.in("sync", name, func(dir int, base string) error {
		fd, err := openat(dir, base, unix.O_RDONLY|unix.O_NONBLOCK, 0)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		return again(func() error { return syncFile(fd) })
	})
}

func (f *osFS) syncFolder(name string) error {
	fd, done, err := f.folder(name)
	if err != nil {
		return fail("sync", name, err)
	}
	defer done()
	return fail("sync", name, again(func() error { return syncFile(fd) }))
}

func (f *osFS) SyncAll() error {
	fd, done, err := f.folder(".")
	if err != nil {
		return fail("sync", ".", err)
	}
	defer done()
	return fail("sync", ".", syncAll(fd))
}

// Lock locks the file that is at the name when the lock is granted: one that was
// replaced during the wait, or whose folder was, would exclude nobody.
func (f *osFS) Lock(ctx context.Context, name string, exclusive bool) (func(), error) {
	how, flags := unix.LOCK_SH, unix.O_RDONLY
	if exclusive {
		how, flags = unix.LOCK_EX, unix.O_RDWR|unix.O_CREAT
	}
	for {
		fd, info := -1, fileInfo{}
		err := f.in("lock", name, func(dir int, base string) (err error) {
			if fd, info, err = openRegular(dir, base, flags); exclusive {
				filelock.HandOver(filepath.Join(f.dir, name))
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		if err := flock(ctx, fd, how); err != nil {
			return nil, fail("lock", name, err)
		}
		if f.moveOn() {
			unix.Close(fd)
			continue
		}
		if now, err := f.Stat(name); err == nil && now.Inode == info.Inode && now.Device == info.Device {
			return func() { unix.Close(fd) }, nil
		}
		unix.Close(fd)
	}
}

// flock takes the lock or closes fd. The kernel keeps those who wait in order,
// so waiting is left to it, on a thread of its own when it has to be done.
func flock(ctx context.Context, fd, how int) error {
	err := again(func() error { return unix.Flock(fd, how|unix.LOCK_NB) })
	if err != unix.EWOULDBLOCK || ctx.Err() != nil {
		if err != nil {
			unix.Close(fd)
		}
		return err
	}
	done := make(chan error, 1)
	go func() { done <- again(func() error { return unix.Flock(fd, how) }) }()
	select {
	case err := <-done:
		if err != nil {
			unix.Close(fd)
		}
		return err
	case <-ctx.Done():
		go func() { <-done; unix.Close(fd) }()
		return context.Cause(ctx)
	}
}
