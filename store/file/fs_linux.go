package file

import (
	"bytes"
	"encoding/binary"

	"golang.org/x/sys/unix"
)

func renameNew(fromDir int, from string, toDir int, to string) error {
	return unix.Renameat2(fromDir, from, toDir, to, unix.RENAME_NOREPLACE)
}

func exchange(fromDir int, from string, toDir int, to string) error {
	return unix.Renameat2(fromDir, from, toDir, to, unix.RENAME_EXCHANGE)
}

func syncData(fd int) error { return unix.Fdatasync(fd) }
func syncFile(fd int) error { return unix.Fsync(fd) }
func syncAll(fd int) error  { return unix.Syncfs(fd) }

// listNames reads the folder's entries as the kernel gives them, without a
// string for each:
//
//	0 inode · 8 offset · 16 length of the entry · 18 type · 19 name, ended by zero
func listNames(fd int, got func([]byte)) error {
	buf := make([]byte, 64<<10)
	for {
		n := 0
		err := again(func() (err error) { n, err = unix.Getdents(fd, buf); return err })
		if err != nil || n == 0 {
			return err
		}
		for rest := buf[:n]; len(rest) > 19; {
			size := int(binary.NativeEndian.Uint16(rest[16:]))
			name := rest[19:size]
			name = name[:bytes.IndexByte(name, 0)]
			if binary.NativeEndian.Uint64(rest) != 0 && string(name) != "." && string(name) != ".." {
				got(name)
			}
			rest = rest[size:]
		}
	}
}

// Remote knows the file systems of statfs(2) whose locks, or whose clock, are
// another machine's.
func (f *osFS) Remote() string {
	var st unix.Statfs_t
	if unix.Statfs(f.dir, &st) != nil {
		return ""
	}
	switch uint32(st.Type) {
	case unix.NFS_SUPER_MAGIC:
		return "NFS"
	case unix.SMB_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC:
		return "SMB"
	case unix.V9FS_MAGIC:
		return "9p"
	case unix.FUSE_SUPER_MAGIC:
		return "FUSE"
	case 0x6a656a63:
		return "virtiofs"
	}
	return ""
}
