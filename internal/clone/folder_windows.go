package clone

import (
	"fmt"
	"path/filepath"
	"strconv"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Folder is what the file system calls a folder. It stays with the folder when that is moved,
// and a copy has another one.
func Folder(dir string) (string, error) {
	index, _, err := look(dir)
	return strconv.FormatUint(index, 36), err
}

// identity is Folder with the volume. NTFS counts in the index how often its place has been
// used, so a later folder has another one. When a folder was made would tell less: tools set
// it, and some file systems answer with its last change.
func identity(dir string) (string, error) {
	index, volume, err := look(dir)
	return fmt.Sprintf("%d on %d", index, volume), err
}

func look(path string) (index uint64, volume uint32, err error) {
	var is windows.ByHandleFileInformation
	err = open(path, func(h windows.Handle) error { return windows.GetFileInformationByHandle(h, &is) })
	return uint64(is.FileIndexHigh)<<32 | uint64(is.FileIndexLow), is.VolumeSerialNumber, err
}

// came is when a file was changed last in any way, also renamed, which no archive can bring,
// and on which volume. Tools set the time at which it was made.
func came(path string) (at time.Time, on string, err error) {
	_, volume, err := look(path)
	if err != nil {
		return at, "", err
	}
	var is struct { // FILE_BASIC_INFO
		_, _, _, changed windows.Filetime
		_                uint64
	}
	err = open(path, func(h windows.Handle) error {
		return windows.GetFileInformationByHandleEx(h, windows.FileBasicInfo, (*byte)(unsafe.Pointer(&is)), uint32(unsafe.Sizeof(is)))
	})
	return time.Unix(0, is.changed.Nanoseconds()), fmt.Sprint(volume), err
}

// State tells one state of a file from another: it differs after each change of its bytes, its
// attributes or its times. What a link leads to does not count.
func State(path string) (string, error) {
	is, err := identity(path)
	if err != nil {
		return "", err
	}
	at, _, err := came(path)
	return fmt.Sprintf("%s %d", is, at.UnixNano()), err
}

// open calls a function with a file or folder, and not with what a link leads to.
func open(path string, do func(windows.Handle) error) error {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return err
	}
	h, err := windows.CreateFile(name, 0, windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE, nil,
		windows.OPEN_EXISTING, windows.FILE_FLAG_BACKUP_SEMANTICS|windows.FILE_FLAG_OPEN_REPARSE_POINT, 0)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(h)
	return do(h)
}

// opens is the command that lets this user have a file.
func opens(path string) (whose, command string, mine bool) {
	return "", `icacls "` + filepath.Dir(path) + `" /grant "%USERNAME%:(OI)(CI)M"`, false
}
