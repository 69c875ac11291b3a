//go:build unix

package fakeagent

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// Children stay when their parent has ended: a daemon in a session of its own.
func TestChildren(t *testing.T) {
	dir := t.TempDir()
	p := run(t, dir, "daemon pid")
	text := must.Get(os.ReadFile(filepath.Join(dir, "pid")))(t)
	pid := must.Get(strconv.Atoi(strings.TrimSpace(string(text))))(t)
	defer func() { _ = syscall.Kill(pid, syscall.SIGKILL) }()
	p.want(t, 0, "started "+strconv.Itoa(pid))
	if sid, err := unix.Getsid(pid); err != nil || sid != pid {
		t.Errorf("process %d is in session %d: %v", pid, sid, err)
	}
	p = run(t, dir, "sh echo x > go\nwait go\nsleep 1ms\nfork pid2\nsh kill -9 $(cat pid2)")
	if p.exit != 0 {
		t.Errorf("exit %d\n%s", p.exit, p.out)
	}
}
