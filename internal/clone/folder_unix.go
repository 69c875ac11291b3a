//go:build unix

package clone

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Folder is what the file system calls a folder: its inode. It stays with the folder when that
// is moved or mounted elsewhere, also in a container, and a copy has another one.
func Folder(dir string) (string, error) {
	info, err := os.Lstat(dir)
	if err != nil {
		return "", err
	}
	return strconv.FormatUint(uint64(info.Sys().(*syscall.Stat_t).Ino), 36), nil
}

// identity is Folder for what must not hold for another folder. When it was made tells two
// folders apart that had one inode, one after the other. A device's number can change from one
// start of the machine to the next, so it counts only if nothing else does.
func identity(dir string) (string, error) {
	info, err := os.Lstat(dir)
	if err != nil {
		return "", err
	}
	stat := info.Sys().(*syscall.Stat_t)
	if at := born(dir, stat); at != "" {
		return fmt.Sprintf("%d %s", stat.Ino, at), nil
	}
	return fmt.Sprintf("%d on %d", stat.Ino, stat.Dev), nil
}

// handOver gives what root made in a user's clone to that user: a container or sudo
// must not lock the owner out.
func handOver(root *os.Root, dir, name string) {
	if os.Geteuid() != 0 {
		return
	}
	if info, err := os.Stat(dir); err == nil {
		stat := info.Sys().(*syscall.Stat_t)
		_ = root.Lchown(name, int(stat.Uid), int(stat.Gid)) // on a file system without owners nobody is locked out
	}
}

// opens is the command that lets this user make and read the secret: on the first of it and
// the folders around it that is there.
func (c Clone) opens() string {
	for _, path := range []string{c.path(), filepath.Dir(c.path()), c.Dir} {
		info, err := os.Lstat(path)
		if err != nil {
			continue
		}
		at := "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
		if info.Sys().(*syscall.Stat_t).Uid != uint32(os.Geteuid()) {
			return fmt.Sprintf("sudo chown -R %d %s", os.Geteuid(), at)
		}
		return "chmod u+rwX " + at
	}
	return ""
}
