package caller

import (
	"os"
	"slices"
	"strconv"
	"strings"
)

// A Process is an agent's process, which starts its hooks and its servers.
type Process struct {
	ID  string // names it for good; empty: it was not found
	pid int
}

// A parent is what is known of a process on the way up.
type parent struct {
	id   string
	name string // of the program, as the system cuts it
	up   int    // its own parent
}

// Starter finds the agent that started this process as a hook or as a server.
// Both may have a shell or a package runner between them and the agent (`sh -c
// "pawl hook …"`, `npx … pawl mcp`), and the agent is the nearest ancestor that
// is neither. So a hook and a server of one agent find the same process, each by
// itself:
//
//	claude ── sh ── pawl hook          → claude
//	   └───── npm exec ── pawl mcp     → claude
//
// An agent that is itself a shell script is passed over by both; what started it
// then stands for it, as for all its siblings.
func Starter() Process { return starter(os.Getppid(), ancestor) }

func starter(pid int, look func(pid int) (parent, bool)) Process {
	for range generations {
		p, ok := look(pid)
		switch {
		case !ok || adopts(p.name):
			return Process{} // the agent has ended, and the system took in its child
		case !passes(p.name):
			return Process{ID: p.id, pid: pid}
		}
		pid = p.up
	}
	return Process{}
}

// Own reports whether the process is the agent's own for certain, not a program
// between the agent and this process: the mark that the agent sets for all that it
// starts is there, and the process was itself started without it. It is false where
// that cannot be seen.
func (p Process) Own(getenv func(string) string) bool {
	if p.ID == "" || !seesEnvironments {
		return false
	}
	for _, a := range seen(getenv) {
		if getenv(a.Marks[0]) != "" && !p.inherited(a.Marks[0]) {
			return true
		}
	}
	return false
}

// generations is as far as ancestors are looked at; no real chain is that long.
const generations = 64

var (
	shells  = []string{"sh", "ash", "bash", "dash", "zsh", "fish", "ksh", "mksh", "csh", "tcsh", "busybox", "pwsh", "powershell", "cmd"}
	runners = []string{"npm", "npx", "pnpm", "yarn", "bunx", "uv", "uvx", "mise", "direnv", "env", "nice", "timeout", "pawl"}
	inits   = []string{"init", "systemd", "launchd", "tini", "dumb-init", "docker-init", "catatonit", "s6-svscan", "runit", "explorer", "services"}
)

// passes reports whether a program only carries out what an agent asked for.
func passes(name string) bool {
	name = program(name)
	return slices.Contains(shells, name) || slices.Contains(runners, name)
}

// adopts reports whether a program takes in the children of others.
func adopts(name string) bool { return slices.Contains(inits, program(name)) }

// program is the plain name of a program: npm calls itself "npm exec pawl".
func program(name string) string {
	name, _, _ = strings.Cut(strings.ToLower(name), " ")
	return strings.TrimSuffix(strings.TrimPrefix(name, "-"), ".exe")
}

// processID names a process for good: its number comes again, but not with the
// same start time, nor after the same boot.
func processID(kind string, pid int, start string) string {
	return kind + "-" + strconv.Itoa(pid) + "." + start
}

func pidOf(id string) (int, bool) { // agent-4242.8123.0a1b2c3d
	_, id, _ = strings.Cut(id, "-")
	number, _, found := strings.Cut(id, ".")
	pid, err := strconv.Atoi(number)
	return pid, found && err == nil && pid > 0
}

// Runs reports whether the process with this ID still runs; known is false where
// that cannot be found out.
func Runs(id string) (runs, known bool) {
	pid, ok := pidOf(id)
	if !ok {
		return false, false
	}
	p, ok := ancestor(pid)
	if !ok {
		return false, canLook
	}
	return p.id == id, true
}
