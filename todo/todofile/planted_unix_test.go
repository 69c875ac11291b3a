//go:build unix

package todofile

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// planted are things that are not files, put at a path.
var planted = map[string]func(path, victim string) error{
	"folder": func(path, _ string) error { return os.Mkdir(path, 0o700) },
	"full folder": func(path, _ string) error {
		return errors.Join(os.Mkdir(path, 0o700), os.Mkdir(filepath.Join(path, "x"), 0o700))
	},
	"link":             func(path, victim string) error { return os.Symlink(victim, path) },
	"dangling link":    func(path, victim string) error { return os.Symlink(victim+"2", path) },
	"link in a circle": func(path, _ string) error { return os.Symlink(path, path) },
	"pipe":             func(path, _ string) error { return unix.Mkfifo(path, 0o600) },
}
