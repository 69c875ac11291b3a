//go:build unix

package clone

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
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

// identity is Folder for what must not hold for another folder or file. When it was made tells
// two apart that had one inode, one after the other. A device's number can change from one
// start of the machine to the next, so it counts only if nothing else does.
func identity(path string) (string, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return "", err
	}
	stat := info.Sys().(*syscall.Stat_t)
	if at := born(path, stat); at != 0 {
		return fmt.Sprintf("%d %d.%09d", stat.Ino, at/1e9, at%1e9), nil
	}
	return fmt.Sprintf("%d on %d", stat.Ino, stat.Dev), nil
}

// made is when a folder of git's was made, in nanoseconds; 0: the file system does not say.
func made(dir string) int64 {
	info, err := os.Lstat(dir)
	if err != nil {
		return 0
	}
	return born(dir, info.Sys().(*syscall.Stat_t))
}

// came is when a file came to be as it is, in nanoseconds by a time that no archive can bring,
// and on which file system. Where a program can set the time at which a file was made, as on macOS by an
// old time of change, its last change of any kind counts.
func came(path string) (at int64, on string, err error) {
	var is unix.Stat_t
	if err := unix.Lstat(path, &is); err != nil {
		return 0, "", err
	}
	if runtime.GOOS == "linux" {
		at = born(path, nil)
	}
	if at == 0 {
		at = is.Ctim.Nano()
	}
	return at, fmt.Sprint(is.Dev), nil
}

// State tells one state of a file from another: it differs after each write to it and each
// change of its mode or times. The target of a link does not count.
func State(path string) (string, error) {
	var is unix.Stat_t
	err := unix.Lstat(path, &is)
	return fmt.Sprintf("%d %o %d %d", is.Ino, is.Mode, is.Size, is.Ctim.Nano()), err
}

// opens says whose a file is, or the folder that it cannot be made in, and the command that
// lets this user have it. Root may have made more files beside it, so the command is for the
// folder around it if that is this user's: then it is theirs to ask for.
func opens(path string) (whose, command string, mine bool) {
	uid := owner(path)
	for ; uid < 0 && filepath.Dir(path) != path; uid = owner(path) {
		path = filepath.Dir(path)
	}
	me := os.Geteuid()
	whose = fmt.Sprintf("%s belongs to user %d", path, uid)
	if uid == me {
		return whose, "chmod u+rwX " + quoted(path), true
	}
	if up := filepath.Dir(path); owner(up) == me {
		path, mine = up, true
	}
	return whose, fmt.Sprintf("sudo chown -R %d %s", me, quoted(path)), mine
}

// owner is the user whose a file is; negative: it is not there, or cannot be seen.
func owner(path string) int {
	info, err := os.Lstat(path)
	if err != nil {
		return -1
	}
	return int(info.Sys().(*syscall.Stat_t).Uid)
}

func quoted(path string) string { return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'" }
