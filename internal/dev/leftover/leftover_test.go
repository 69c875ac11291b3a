package leftover_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/leftover"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// What a test leaves running has ended when its folder is removed; what runs for another
// folder goes on.
func TestTempDir(t *testing.T) {
	if runtime.GOOS != "linux" {
		mustrun.NotHere(t, "only Linux shows the environment of other processes")
	}
	start := func(variable string) *exec.Cmd {
		cmd := exec.Command("sleep", "1000")
		cmd.Env = append(os.Environ(), variable)
		must.Do(t, cmd.Start())
		return cmd
	}
	run := func(dir string, n int) bool { // a process shows no environment while it begins
		for end := time.Now().Add(time.Minute); len(leftover.Of(dir)) != n; {
			if time.Now().After(end) {
				return false
			}
		}
		return true
	}
	var dir string
	var left []*exec.Cmd
	var other *exec.Cmd
	t.Run("leaves two", func(t *testing.T) {
		dir = leftover.TempDir(t)
		left = append(left, start("HOME="+dir), start("XDG_STATE_HOME="+filepath.Join(dir, "state")))
		other = start("HOME=" + dir + "2")
		if !run(dir, 2) || !run(dir+"2", 1) {
			t.Errorf("found %v, and %v", leftover.Of(dir), leftover.Of(dir+"2"))
		}
	})
	if all := leftover.Of(dir); len(all) > 0 {
		t.Errorf("still running: %v", all)
	}
	for _, cmd := range left {
		if err := cmd.Wait(); err == nil || cmd.ProcessState.Exited() {
			t.Errorf("it ended by itself: %v", err)
		}
	}
	if len(leftover.Of(dir+"2")) != 1 {
		t.Error("what runs for another folder was killed")
	}
	other.Process.Kill()
	other.Wait()
}
