package merge

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// cases plays each file in testdata/DIR; there must be some.
func cases(t *testing.T, dir string, least int, play func(t *testing.T, part map[string][]byte)) {
	t.Helper()
	n := 0
	eachCase(t, dir, func(name string, part map[string][]byte) {
		n++
		t.Run(name, func(t *testing.T) { play(t, part) })
	})
	if n < least {
		t.Errorf("%d cases in testdata/%s, want at least %d", n, dir, least)
	}
}

// eachCase reads the cases. Under "" is the path of one.
func eachCase(t testing.TB, dir string, do func(name string, part map[string][]byte)) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", dir, "*.txtar"))
	must.Do(t, err)
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		must.Do(t, err)
		part := map[string][]byte{"": []byte(path)}
		for _, f := range archive.Files {
			part[f.Name] = f.Data
		}
		do(strings.TrimSuffix(filepath.Base(path), ".txtar"), part)
	}
}

func writeFile(t *testing.T, path string, text []byte) {
	t.Helper()
	must.Do(t, os.WriteFile(path, text, 0o666))
}
