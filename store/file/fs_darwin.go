package file

import (
	"os"

	"golang.org/x/sys/unix"
)

func renameNew(fromDir int, from string, toDir int, to string) error {
	return unix.RenameatxNp(fromDir, from, toDir, to, unix.RENAME_EXCL)
}

func exchange(fromDir int, from string, toDir int, to string) error {
	return unix.RenameatxNp(fromDir, from, toDir, to, unix.RENAME_SWAP)
}

// syncFile asks the drive, too, to write what it holds back: fsync alone does
// not on this system. Where that fails, fsync is all there is.
func syncFile(fd int) error {
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_FULLFSYNC, 0); err == nil {
		return nil
	}
	return unix.Fsync(fd)
}

func syncData(fd int) error { return syncFile(fd) }
func syncAll(int) error     { return unix.Sync() }

func listNames(fd int, got func([]byte)) error {
	copied, err := unix.Dup(fd)
	if err != nil {
		return err
	}
	dir := os.NewFile(uintptr(copied), ".")
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	for _, name := range names {
		got([]byte(name))
	}
	return err
}

// Remote takes every file system that is not a local one for remote.
func (f *osFS) Remote() string {
	var st unix.Statfs_t
	if unix.Statfs(f.dir, &st) != nil || st.Flags&unix.MNT_LOCAL != 0 {
		return ""
	}
	return unix.ByteSliceToString(st.Fstypename[:])
}
