//go:build unix

package caller

import (
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe that nobody writes to held a reader up for ever.
func TestGitNamePipe(t *testing.T) {
	p := newGitPlace(t)
	pipe := filepath.Join(p.home, ".gitconfig")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := p.find(); got != "" {
		t.Errorf("a pipe says %q", got)
	}
}
