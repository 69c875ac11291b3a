//go:build !linux

package supervise

import (
	"os"
	"os/exec"

	"github.com/pawl-dev/pawl/internal/process"
)

// A watch sees the program end.
type watch struct {
	cmd   *exec.Cmd
	ended chan struct{}
}

func newWatch(cmd *exec.Cmd) *watch { return &watch{cmd, make(chan struct{})} }

// begin is called when the program was started.
func (w *watch) begin() { go func() { _ = w.cmd.Wait(); close(w.ended) }() }

// collect is called after the end.
func (w *watch) collect() *os.ProcessState { return w.cmd.ProcessState }

// left reports whether something runs that the program started.
func (k *keeper) left() bool { return k.group.Left() }

// signal reaches the program's group.
func (k *keeper) signal(s os.Signal) {
	if s == os.Kill {
		k.group.Kill()
	} else {
		_ = k.group.End()
	}
}

// strays are what a keeper that was killed has left. Only the program can be found here.
func (p *Process) strays() []process.ID {
	if runs, _ := p.Program.Runs(); runs {
		return []process.ID{p.Program}
	}
	return nil
}
