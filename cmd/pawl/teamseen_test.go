package main

import (
	"os"
	"path/filepath"
	"testing"
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
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := f.write(); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(f.path); err != nil || string(text) != "{\"database\":\"a\",\"boards\":null}\n" {
		t.Errorf("got %q, %v", text, err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := f.write(); err != nil {
		t.Errorf("nothing is new, and it was written: %v", err)
	}
	if f.Database = "b"; f.write() == nil {
		t.Error("a failure after one that ended is not told")
	}
}
