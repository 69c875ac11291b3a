package terminal

import (
	"bytes"
	"os"
	"testing"
)

func TestFilesAndBuffersAreNone(t *testing.T) {
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if Is(f) {
		t.Error("the null device was taken for a terminal: it is a character device too")
	}
	if Is(&bytes.Buffer{}) || Is(nil) {
		t.Error("something that is no file was taken for a terminal")
	}
}
