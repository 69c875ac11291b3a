package pg

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// A file of passwords that others may read is told: PostgreSQL's own programs would not use
// it.
func TestOpenPassfile(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // files have no such mode there
	}
	path := filepath.Join(t.TempDir(), "pgpass")
	t.Setenv("PGPASSFILE", path)
	t.Setenv("PGPASSWORD", "")
	for _, c := range []struct {
		line string
		mode os.FileMode
		told bool
	}{
		{"h:5432:d:u:topsecret\n", 0o600, false}, {"h:5432:d:u:topsecret\n", 0o640, true}, {"h:5432:d:u:topsecret\n", 0o604, true},
		{"other:5432:d:u:topsecret\n", 0o644, false},
	} {
		must.Do(t, os.WriteFile(path, []byte(c.line), 0o600))
		must.Do(t, os.Chmod(path, c.mode))
		const dsn = "postgres://u@h:5432/d"
		config := must.Get(parse(dsn))(t)
		if is := openPassfile(dsn, config); (is == path) != c.told {
			t.Errorf("%v %q: %q is told", c.mode, c.line, is)
		}
	}
}
