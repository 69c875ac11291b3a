//go:build unix

package gitname

import (
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe that nobody writes to held a reader up for ever.
func TestPipe(t *testing.T) {
	p := newPlace(t)
	pipe := filepath.Join(p.home, ".gitconfig")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := p.find(); got != "" {
		t.Errorf("a pipe says %q", got)
	}
}
