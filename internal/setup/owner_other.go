//go:build !unix

package setup

import (
	"io/fs"
	"os"
)

func umask() fs.FileMode { return 0 }

func keepOwner(*os.File, string) error { return nil }
