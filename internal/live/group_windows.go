package live

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

func group(*exec.Cmd) {}

// end ends a program and what it has started, as far as the system still knows
// what that is.
func end(cmd *exec.Cmd) {
	kill := filepath.Join(os.Getenv("SystemRoot"), "System32", "taskkill.exe")
	_ = exec.Command(kill, "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run()
	_ = cmd.Process.Kill()
}
