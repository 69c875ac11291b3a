package host

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/epoch"
)

// A file that could not be written is written as soon as it can be, though nothing else
// has happened; and the failure is told once.
func TestSeenIsWrittenAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "away")
	f := &seenFile{path: filepath.Join(dir, "seen.json"), seenJSON: seenJSON{Database: "a"}}
	if f.write() == nil {
		t.Error("the first failure is not told")
	}
	if err := f.write(); err != nil {
		t.Errorf("the same is told again: %v", err)
	}
	must.Do(t, os.Mkdir(dir, 0o700))
	if err := f.write(); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(f.path); err != nil || string(text) != "{\"database\":\"a\",\"boards\":null}\n" {
		t.Errorf("got %q, %v", text, err)
	}
	must.Do(t, os.RemoveAll(dir))
	if err := f.write(); err != nil {
		t.Errorf("nothing is new, and it was written: %v", err)
	}
	if f.Database = "b"; f.write() == nil {
		t.Error("a failure after one that ended is not told")
	}
}

// The file never becomes larger than what the next start reads, and of too many tokens those
// that were revoked last stay.
func TestSeenIsBounded(t *testing.T) {
	f := &seenFile{path: filepath.Join(t.TempDir(), "seen.json"), seenJSON: seenJSON{Database: "a", Revoked: map[string]time.Time{}}}
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range mostRevoked + 5 {
		f.Revoked[fmt.Sprint("t", i)] = began.Add(time.Duration(i) * time.Second)
	}
	if err := f.write(); err != nil || len(f.Revoked) != mostRevoked || !f.Revoked["t4"].IsZero() || f.Revoked["t5"].IsZero() {
		t.Errorf("%v: %d tokens are kept, t4 until %v, t5 until %v", err, len(f.Revoked), f.Revoked["t4"], f.Revoked["t5"])
	}
	f.Boards = map[string]epoch.High{}
	for i := range 300_000 {
		f.Boards[fmt.Sprint("a board with some name ", i)] = epoch.High{Revision: 1_790_000_000_000, LastID: 5}
	}
	if f.write() == nil {
		t.Error("nobody is told that there is too much to write")
	}
	if err := f.write(); err != nil {
		t.Errorf("it is told again: %v", err)
	}
	if is, err := os.Stat(f.path); err != nil || is.Size() > maxSeen {
		t.Errorf("the file has %d bytes, %v", is.Size(), err)
	}
}
