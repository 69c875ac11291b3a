//go:build unix

package pgtest

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/long"
)

// childEnv makes this test binary the process that is killed.
const childEnv = "PGTEST_CHILD"

// However a test process ends, its servers end and their folders go: also one
// whose processes are all stopped.
func TestEndsWithItsProcess(t *testing.T) {
	long.Only(t)
	if how := os.Getenv(childEnv); how != "" {
		c, err := New(Options{})
		if err != nil {
			t.Fatal(err)
		}
		if how == "frozen" {
			c.Freeze()
		}
		pid, _ := c.running()
		fmt.Printf("\nstarted %s %d\n", c.dir, pid.Pid)
		select {}
	}
	NeedOwn(t)
	for _, how := range []string{"running", "frozen"} {
		t.Run(how, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestEndsWithItsProcess$")
			cmd.Env = append(os.Environ(), childEnv+"="+how)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer cmd.Process.Kill()
			var dir string
			var pid int
			for lines := bufio.NewScanner(out); dir == "" && lines.Scan(); {
				fmt.Sscanf(lines.Text(), "started %s %d", &dir, &pid)
			}
			if dir == "" {
				t.Fatal("the process has not started a server")
			}
			children := childrenOf(pid)
			if len(children) == 0 {
				t.Fatal("the server has no processes")
			}
			cmd.Process.Kill()
			_ = cmd.Wait()
			deadline := time.After(patience)
			for _, pid := range append(children, pid) {
				for alive(pid) || exists(dir) {
					select {
					case <-deadline:
						t.Fatalf("process %d alive: %v; the folder %s is there: %v", pid, alive(pid), dir, exists(dir))
					case <-time.After(pause):
					}
				}
			}
		})
	}
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// alive is false for one that only waits to be reaped, which is not our part.
func alive(pid int) bool {
	if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil {
		return !strings.HasPrefix(string(stat[strings.LastIndexByte(string(stat), ')')+1:]), " Z")
	}
	return syscall.Kill(pid, 0) == nil
}
