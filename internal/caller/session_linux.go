package caller

import (
	"os"

	"github.com/pawl-dev/pawl/internal/process"
)

// started says when a process began.
func started(pid int) (string, bool) {
	p, ok := process.Read(pid)
	return startOf(p), ok
}

// launcher names the process of the agent that sets mark for the commands it
// runs: the nearest ancestor that was itself started without it. Agents give
// each command a session of its own, so that the POSIX session says nothing.
func launcher(mark string) string {
	pid := os.Getppid()
	for range generations {
		has, known := process.HasVariable(pid, mark)
		p, ok := process.Read(pid)
		if !known || !ok || pid <= 1 {
			return ""
		}
		if !has {
			return processID("agent", pid, startOf(p))
		}
		pid = p.Parent
	}
	return ""
}

// eldest returns the process's most distant ancestor, or the process itself, to
// which an unbroken line in the same POSIX session leads, and when it began.
func eldest(pid int) (int, string) {
	p, _ := process.Read(pid)
	for range generations {
		parent, ok := process.Read(p.Parent)
		if !ok || parent.Session != p.Session {
			break
		}
		pid, p = p.Parent, parent
	}
	return pid, startOf(p)
}

// startOf is when a process began: ticks since boot, and the boot.
func startOf(p process.Stat) string { return p.Start + "." + boot() }

func boot() string {
	id := process.Boot()
	return id[:min(8, len(id))]
}
