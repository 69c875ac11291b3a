package clone

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Folder is what the file system calls a folder. It stays with the folder when that is moved,
// and a copy has another one.
func Folder(dir string) (string, error) {
	index, _, _, err := look(dir)
	return strconv.FormatUint(index, 36), err
}

// identity is Folder with the volume. NTFS counts in the index how often its place has been
// used, so a later folder has another one. When a folder was made would tell less: tools set
// it, and some file systems answer with its last change.
func identity(path string) (string, error) {
	index, volume, _, err := look(path)
	return fmt.Sprintf("%d on %d", index, volume), err
}

// made is when a folder of git's was made, in nanoseconds.
func made(dir string) int64 {
	info, err := os.Lstat(dir)
	if err != nil {
		return 0
	}
	return info.Sys().(*syscall.Win32FileAttributeData).CreationTime.Nanoseconds()
}

// came is when a file was changed last in any way, also renamed, in nanoseconds, which no
// archive can bring, and on which volume. Tools set the time at which it was made.
func came(path string) (at int64, on string, err error) {
	_, volume, at, err := look(path)
	return at, fmt.Sprint(volume), err
}

// State tells one state of a file from another: it differs after each change of its bytes, its
// attributes or its times. The target of a link does not count.
func State(path string) (string, error) {
	index, _, at, err := look(path)
	return fmt.Sprintf("%d %d", index, at), err
}

func look(path string) (index uint64, volume uint32, changed int64, err error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return 0, 0, 0, err
	}
	h, err := windows.CreateFile(name, 0, windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE, nil,
		windows.OPEN_EXISTING, windows.FILE_FLAG_BACKUP_SEMANTICS|windows.FILE_FLAG_OPEN_REPARSE_POINT, 0)
	if err != nil {
		return 0, 0, 0, err
	}
	defer windows.CloseHandle(h)
	var is windows.ByHandleFileInformation
	var basic struct { // FILE_BASIC_INFO
		_, _, _, changed windows.Filetime
		_                uint64
	}
	err = errors.Join(windows.GetFileInformationByHandle(h, &is),
		windows.GetFileInformationByHandleEx(h, windows.FileBasicInfo, (*byte)(unsafe.Pointer(&basic)), uint32(unsafe.Sizeof(basic))))
	return uint64(is.FileIndexHigh)<<32 | uint64(is.FileIndexLow), is.VolumeSerialNumber, basic.changed.Nanoseconds(), err
}

// opens is the command that lets this user have a file.
func opens(path string) (whose, command string, mine bool) {
	return "", `icacls "` + filepath.Dir(path) + `" /grant "%USERNAME%:(OI)(CI)M"`, false
}
