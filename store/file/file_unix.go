//go:build unix

package file

import (
	"io"

	"golang.org/x/sys/unix"
)

// osFile is an open file. It is not an os.File, which would set up what waits for
// pipes and sockets: a start of the program is short enough to feel that.
type osFile struct {
	fd   int
	name string
}

func (f *osFS) Open(name string, write bool) (storeFile, error) {
	file := osFile{name: name}
	flags := unix.O_RDONLY
	if write {
		flags = unix.O_RDWR | unix.O_CREAT | unix.O_APPEND
	}
	err := f.in("open", name, func(dir int, base string) (err error) {
		file.fd, _, err = openRegular(dir, base, flags)
		return err
	})
	if err != nil {
		return nil, err
	}
	return file, nil
}

func (f osFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := readFull(f.fd, p, off)
	if err == nil && n < len(p) {
		return n, io.EOF
	}
	return n, fail("read", f.name, err)
}

func (f osFile) Write(p []byte) (int, error) {
	n, err := writeFull(f.fd, p)
	return n, fail("write", f.name, err)
}

func (f osFile) Truncate(size int64) error {
	return fail("truncate", f.name, again(func() error { return unix.Ftruncate(f.fd, size) }))
}

func (f osFile) Sync() error {
	return fail("sync", f.name, again(func() error { return syncData(f.fd) }))
}

func (f osFile) Stat() (fileInfo, error) {
	var st unix.Stat_t
	if err := unix.Fstat(f.fd, &st); err != nil {
		return fileInfo{}, fail("stat", f.name, err)
	}
	return infoOf(&st), nil
}

func (f osFile) Close() error { return fail("close", f.name, unix.Close(f.fd)) }

// readFull reads until p is full or the file ends.
func readFull(fd int, p []byte, off int64) (n int, err error) {
	for n < len(p) {
		var m int
		err := again(func() (err error) { m, err = unix.Pread(fd, p[n:], off+int64(n)); return err })
		if err != nil || m == 0 {
			return n, err
		}
		n += m
	}
	return n, nil
}

func writeFull(fd int, p []byte) (n int, err error) {
	for n < len(p) {
		var m int
		if err := again(func() (err error) { m, err = unix.Write(fd, p[n:]); return err }); err != nil {
			return n, err
		}
		n += m
	}
	return n, nil
}
