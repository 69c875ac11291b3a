package caller

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// started says when a process began.
func started(pid int) (string, bool) {
	p, ok := readProcess(pid)
	return p.start, ok
}

// launcher names the process of the agent that sets mark for the commands it
// runs: the nearest ancestor that was itself started without it. Agents give
// each command a session of its own, so that the POSIX session says nothing.
func launcher(mark string) string {
	pid := os.Getppid()
	for range generations {
		env, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
		p, ok := readProcess(pid)
		if err != nil || !ok || pid <= 1 {
			return ""
		}
		if !hasVariable(env, mark) {
			return processID("agent", pid, p.start)
		}
		pid = p.parent
	}
	return ""
}

// eldest returns the process's most distant ancestor, or the process itself, to
// which an unbroken line in the same POSIX session leads, and when it began.
func eldest(pid int) (int, string) {
	p, _ := readProcess(pid)
	for range generations {
		parent, ok := readProcess(p.parent)
		if !ok || parent.session != p.session {
			break
		}
		pid, p = p.parent, parent
	}
	return pid, p.start
}

type process struct {
	name    string
	parent  int
	session int    // 0: led from outside of this process's namespace
	start   string // ticks since boot, and the boot
}

// readProcess reads /proc/PID/stat, where the name in parentheses may hold
// anything:
//
//	4242 (a) b) S 1 4242 4242 …
func readProcess(pid int) (process, bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil || bytes.IndexByte(stat, '(') < 0 {
		return process{}, false
	}
	end := bytes.LastIndexByte(stat, ')')
	name := string(stat[bytes.IndexByte(stat, '(')+1 : max(end, 0)])
	fields := strings.Fields(string(stat[end+1:]))
	const parent, session, start = 1, 3, 19 // counted from the state, which comes first
	if len(fields) <= start {
		return process{}, false
	}
	ppid, err := strconv.Atoi(fields[parent])
	sid, errSession := strconv.Atoi(fields[session])
	return process{name, ppid, sid, fields[start] + "." + boot()}, err == nil && errSession == nil
}

func boot() string {
	id, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return string(id[:min(8, len(id))])
}
