package todofile

import "os"

// planted are things that are no files, put at a path.
var planted = map[string]func(path, victim string) error{
	"folder": func(path, _ string) error { return os.Mkdir(path, 0o700) },
	"link":   func(path, victim string) error { return os.Symlink(victim, path) },
}
