//go:build unix

package pgtest

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

const canRun = true

// nobody runs the server where this process is root.
const nobody = 65534

// asServer makes a command run as the user that PostgreSQL runs as, and out of
// reach of a Ctrl-C that is meant for the test: the watcher ends the server.
func asServer(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if os.Getuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
}

// giveAway gives files to that user.
func giveAway(names ...string) error {
	if os.Getuid() != 0 {
		return nil
	}
	for _, name := range names {
		if err := os.Chown(name, nobody, nobody); err != nil {
			return err
		}
	}
	return nil
}

//go:embed watch.sh
var watchScript string

// watch starts a process that ends the server and removes its folder when this
// one has ended, in whatever way: it reads from a pipe that only this process
// holds open.
func (c *Cluster) watch() error {
	cmd := exec.Command("/bin/sh", "-c", watchScript, "pgtest", c.dir)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	c.tied, c.over = pipe, make(chan struct{})
	go func() { _ = cmd.Wait(); close(c.over) }()
	return nil
}

// Kill is kill -9 of the server and all its processes at once, which write and tell
// nothing.
func (c *Cluster) Kill() {
	if process, ended := c.running(); process != nil {
		_ = freeze(process.Pid) // so that it starts no more of them
		children := childrenOf(process.Pid)
		_ = process.Kill()
		for _, child := range children {
			_ = syscall.Kill(child, syscall.SIGKILL)
		}
		<-ended
	}
}

// Freeze stops the server and all its processes: it hangs. Connections stay
// open, and nobody answers on them.
func (c *Cluster) Freeze() {
	if process, _ := c.running(); process != nil {
		_ = freeze(process.Pid)
		for _, child := range childrenOf(process.Pid) {
			_ = freeze(child)
		}
	}
}

// Thaw lets a frozen server go on.
func (c *Cluster) Thaw() {
	if process, _ := c.running(); process != nil {
		for _, child := range childrenOf(process.Pid) {
			_ = syscall.Kill(child, syscall.SIGCONT)
		}
		_ = process.Signal(syscall.SIGCONT)
	}
}

func freeze(pid int) error { return syscall.Kill(pid, syscall.SIGSTOP) }

// promotion is the signal on which a standby checks whether to become the primary.
const promotion = syscall.SIGUSR1

func (c *Cluster) signal(s os.Signal) error {
	process, _ := c.running()
	if process == nil {
		return os.ErrProcessDone
	}
	return process.Signal(s)
}

// Pids are the processes of the server. The first one has started the others.
func (c *Cluster) Pids() []int {
	process, _ := c.running()
	if process == nil {
		return nil
	}
	return append([]int{process.Pid}, childrenOf(process.Pid)...)
}

// childrenOf finds the processes that a process has started. Each has a session
// of its own, so that no signal reaches all.
func childrenOf(pid int) (children []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	var lines [][]string
	for _, name := range stats {
		stat, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		line := string(stat)
		// 4711 (postgres) S 4700 …: the name may have anything in it
		fields := strings.Fields(line[strings.LastIndexByte(line, ')')+1:])
		if len(fields) > 1 {
			lines = append(lines, []string{filepath.Base(filepath.Dir(name)), fields[1]})
		}
	}
	if stats == nil { // not Linux
		out, _ := exec.Command("ps", "-A", "-o", "pid=", "-o", "ppid=").Output()
		for line := range strings.Lines(string(out)) {
			if f := strings.Fields(line); len(f) == 2 {
				lines = append(lines, f)
			}
		}
	}
	for _, line := range lines {
		if parent, _ := strconv.Atoi(line[1]); parent == pid {
			child, _ := strconv.Atoi(line[0])
			children = append(children, child)
		}
	}
	return children
}
