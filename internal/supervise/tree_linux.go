package supervise

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/pawl-dev/pawl/internal/process"
)

// A watch sees the program end. It leaves it unwaited for until collect, so that its
// number, its group and its session remain its own while what it left is ended.
type watch struct {
	cmd   *exec.Cmd
	ended chan struct{}
	told  chan os.Signal
}

// newWatch is called before the program starts.
func newWatch(cmd *exec.Cmd) *watch {
	// Orphans of the program become children of this process, however many sessions they
	// made.
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	cmd.SysProcAttr.Pdeathsig = syscall.SIGTERM // without a keeper it has no limit
	w := &watch{cmd, make(chan struct{}), make(chan os.Signal, 1)}
	signal.Notify(w.told, syscall.SIGCHLD)
	return w
}

// begin is called when the program was started.
func (w *watch) begin() {
	go func() {
		for ; ; <-w.told {
			if over(w.cmd.Process.Pid) {
				close(w.ended)
				return
			}
			for _, p := range process.All() {
				w.reap(p)
			}
		}
	}()
}

// over reports whether a child has ended. It is not waited for.
func over(pid int) bool {
	for {
		var info unix.Siginfo
		switch err := unix.Waitid(unix.P_PID, pid, &info, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil); err {
		case unix.EINTR:
		case nil:
			return info.Signo != 0
		default:
			return true
		}
	}
}

// reap waits for an orphan that has ended.
func (w *watch) reap(p process.Stat) {
	if p.Parent == os.Getpid() && p.Over() && p.PID != w.cmd.Process.Pid {
		_, _ = unix.Wait4(p.PID, nil, unix.WNOHANG, nil)
	}
}

// collect is called after the end.
func (w *watch) collect() *os.ProcessState {
	_ = w.cmd.Wait()
	return w.cmd.ProcessState
}

// left reports whether something runs that the program started.
func (k *keeper) left() bool { return len(k.started()) > 0 }

// signal reaches the program and all that it started.
func (k *keeper) signal(s os.Signal) { signalAll(k.started(), s) }

// started are the program and all that it started and that runs: what descends from this
// process, and what is in the program's session.
func (k *keeper) started() []process.ID {
	all := process.All()
	for _, p := range all {
		k.watch.reap(p)
	}
	session := k.cmd.Process.Pid
	return descendants(all, func(p process.Stat) bool { return p.Parent == os.Getpid() || p.Session == session })
}

// strays are what a keeper that was killed has left: the program, what has the marker of
// its start, and what descends from them.
func (p *Process) strays() []process.ID {
	runs, _ := p.Program.Runs()
	return descendants(process.All(), func(s process.Stat) bool {
		marked, _ := process.HasValue(s.PID, Marker, p.tag)
		return marked || runs && (s.PID == p.Program.PID || s.Session == p.Program.PID)
	})
}

// descendants are the processes that were found, and all that descend from them, except
// this one and those that have ended.
func descendants(all []process.Stat, found func(process.Stat) bool) (ids []process.ID) {
	children := map[int][]process.Stat{}
	for _, p := range all {
		children[p.Parent] = append(children[p.Parent], p)
	}
	seen := map[int]bool{os.Getpid(): true}
	var add func(process.Stat)
	add = func(p process.Stat) {
		if seen[p.PID] {
			return
		}
		seen[p.PID] = true
		if !p.Over() {
			ids = append(ids, p.ID())
		}
		for _, child := range children[p.PID] {
			add(child)
		}
	}
	for _, p := range all {
		if found(p) {
			add(p)
		}
	}
	return ids
}
