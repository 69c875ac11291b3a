package clone

import (
	"fmt"
	"path/filepath"
	"strconv"

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

func look(dir string) (index uint64, volume uint32, err error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, 0, err
	}
	h, err := windows.CreateFile(name, 0, windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE, nil,
		windows.OPEN_EXISTING, windows.FILE_FLAG_BACKUP_SEMANTICS|windows.FILE_FLAG_OPEN_REPARSE_POINT, 0)
	if err != nil {
		return 0, 0, err
	}
	defer windows.CloseHandle(h)
	var is windows.ByHandleFileInformation
	err = windows.GetFileInformationByHandle(h, &is)
	return uint64(is.FileIndexHigh)<<32 | uint64(is.FileIndexLow), is.VolumeSerialNumber, err
}

// opens is the command that lets this user have a file.
func opens(path string) (whose, command string, mine bool) {
	return "", `icacls "` + filepath.Dir(path) + `" /grant "%USERNAME%:(OI)(CI)M"`, false
}
