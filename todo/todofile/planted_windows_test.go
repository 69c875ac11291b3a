package todofile

import (
	"errors"
	"os"

	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// planted are things that are not files, put at a path.
var planted = map[string]func(path, victim string) error{
	"folder": func(path, _ string) error { return os.Mkdir(path, 0o700) },
	"link": func(path, victim string) error {
		if mustrun.UnderWine() {
			return errors.New("Wine says that it made a link, and makes none")
		}
		return os.Symlink(victim, path)
	},
}
