//go:build !unix

package setup

import "io/fs"

func umask() fs.FileMode { return 0 }
