package file

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// What stands where the board has something of its own is named, with its place
// and what to do, be it that it came there while the board was open.
func TestMisplaced(t *testing.T) {
	for name, c := range map[string]struct {
		stands string // relative to the board
		folder bool
		want   string
	}{
		"a file as the board":        {".", false, " is not a folder, "},
		"a file as the state folder": {".pawl", false, ".pawl is not a folder, "},
		"a folder as the index":      {".pawl/index", true, "index is not a regular file, "},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "board")
			s, err := Open(dir)
			must.Do(t, err)
			defer s.Close()
			at := filepath.Join(dir, c.stands)
			must.Do(t, os.MkdirAll(filepath.Dir(at), 0o755))
			if c.folder {
				err = os.Mkdir(at, 0o755)
			} else {
				err = os.WriteFile(at, nil, 0o644)
			}
			must.Do(t, err)
			err = s.View(t.Context(), func(pawl.Reader) error { return nil })
			e, ok := err.(*pawl.Error)
			if !ok || e.Kind != pawl.Invalid || !strings.Contains(e.Message, dir) || !strings.Contains(e.Message, c.want) || e.Hint.Step != pawl.HintSay {
				t.Errorf("%v", err)
			}
		})
	}
}
