package local

import (
	"math"

	"golang.org/x/sys/windows"
)

// Free is how many bytes the disk of a folder has left for the user.
func Free(dir string) int64 {
	path, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return math.MaxInt64
	}
	var free uint64
	if windows.GetDiskFreeSpaceEx(path, &free, nil, nil) != nil {
		return math.MaxInt64
	}
	return int64(min(free, math.MaxInt64))
}
