//go:build unix

package caller

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// A pipe that nobody writes to held a reader up for ever.
func TestGitNamePipe(t *testing.T) {
	p := newGitPlace(t)
	pipe := filepath.Join(p.home, ".gitconfig")
	must.Do(t, syscall.Mkfifo(pipe, 0o600))
	if got := p.find(); got != "" {
		t.Errorf("a pipe says %q", got)
	}
}
