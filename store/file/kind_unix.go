//go:build unix

package file

import "golang.org/x/sys/unix"

func kindOf(mode uint32) Kind {
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return Regular
	case unix.S_IFDIR:
		return Folder
	}
	return Other
}
