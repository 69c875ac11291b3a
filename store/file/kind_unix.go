//go:build unix

package file

import "golang.org/x/sys/unix"

func kindOf(mode uint32) fileKind {
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return kindRegular
	case unix.S_IFDIR:
		return kindFolder
	}
	return kindOther
}
