package process

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

const canLook = true

func boot() string { return Boot() }

func started(pid int) (string, bool) {
	p, ok := Read(pid)
	return p.Start, ok && !p.Over()
}

// A Stat is a process in Linux's /proc.
type Stat struct {
	PID     int
	Name    string // of the program, as the system cuts it
	State   string // S, R, Z …
	Parent  int
	Session int    // 0: led from outside of this process's namespace
	Start   string // ticks since the machine started
}

// ID is the process's.
func (s Stat) ID() ID { return ID{s.PID, s.Start, boot()} }

// Over reports that the process has ended and nobody has waited for it yet.
func (s Stat) Over() bool { return s.State == "Z" || s.State == "X" }

// Read reads /proc/PID/stat, where the name in parentheses may hold anything:
//
//	4242 (a) b) S 1 4242 4242 …
func Read(pid int) (Stat, bool) {
	line, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	begin, end := bytes.IndexByte(line, '('), bytes.LastIndexByte(line, ')')
	if err != nil || begin < 0 || end < begin {
		return Stat{}, false
	}
	fields := strings.Fields(string(line[end+1:]))
	const state, parent, session, start = 0, 1, 3, 19
	if len(fields) <= start {
		return Stat{}, false
	}
	up, err := strconv.Atoi(fields[parent])
	sid, errSession := strconv.Atoi(fields[session])
	return Stat{pid, string(line[begin+1 : end]), fields[state], up, sid, fields[start]}, err == nil && errSession == nil
}

// All reads all processes. Empty: no /proc is mounted.
func All() (all []Stat) {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer proc.Close()
	names, _ := proc.Readdirnames(-1)
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			if p, ok := Read(pid); ok { // else it has just ended
				all = append(all, p)
			}
		}
	}
	return all
}

// HasVariable reports whether a process was started with a variable in its environment.
// Known is false if that cannot be read: it is another user's, or has ended.
func HasVariable(pid int, name string) (has, known bool) { return inEnvironment(pid, name+"=") }

// HasValue is HasVariable for one that has exactly this value.
func HasValue(pid int, name, value string) (has, known bool) {
	return inEnvironment(pid, name+"="+value+"\x00")
}

func inEnvironment(pid int, text string) (has, known bool) {
	env, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	return bytes.Contains(append([]byte{0}, env...), []byte("\x00"+text)), err == nil
}
