package attribution

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// A note is replaced even though a reader has it open: renaming failed while it did.
func TestPutWhileRead(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, put(dir, "note", []byte("old")))
	reader := must.Get(os.Open(filepath.Join(dir, "note")))(t)
	defer reader.Close()
	done := make(chan error)
	go func() { done <- put(dir, "note", []byte("new")) }()
	for writing := false; !writing; { // until the new one waits to take the place
		for _, entry := range names(dir) {
			info, err := entry.Info()
			writing = writing || strings.HasPrefix(entry.Name(), ".new-") && err == nil && info.Size() == 3
		}
		select {
		case err := <-done:
			t.Fatalf("replaced, or given up, while it was read: %v", err)
		default:
		}
	}
	reader.Close()
	must.Do(t, <-done)
	if text, _ := get(filepath.Join(dir, "note")); string(text) != "new" {
		t.Errorf("the note is %q", text)
	}
}
