package setup

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/text"
)

// A Presence is an agent that is here.
type Presence struct {
	*agent.Agent
	Version string // of its program, without starting it; empty: nothing tells
}

// Present are the agents that are here, by a program on PATH or their folder.
func (d *Planner) Present() (all []Presence) {
	for _, name := range d.Used(User) {
		a, err := Find(name)
		if err != nil {
			continue
		}
		all = append(all, Presence{a, programVersion(d.program(a))})
	}
	return all
}

// aVersion is a folder or file that is named for a version, as package managers
// and programs that update themselves make them.
var aVersion = &text.Regexp{Expr: `^v?(\d+\.\d+\.\d+)(?:[-_+][0-9A-Za-z.]+)?$`}

// programVersion finds a program's version by where it is kept. To ask the program
// takes a second, and it may do anything:
//
//	~/.local/share/claude/versions/2.1.330
//	/opt/homebrew/Cellar/codex/0.169.0/bin/codex
//	/usr/lib/node_modules/@openai/codex/bin/codex.js    its package.json
func programVersion(path string) string {
	if path == "" {
		return ""
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	const levels = 4
	for at, n := real, 0; n < levels; at, n = filepath.Dir(at), n+1 {
		if m := aVersion.Get().FindStringSubmatch(filepath.Base(at)); m != nil {
			return m[1]
		}
		if version := packageVersion(filepath.Join(at, "package.json")); version != "" {
			return version
		}
	}
	return ""
}

// packageVersion is what a package of npm says of itself, if it brings programs.
func packageVersion(path string) string {
	text, _, err := read(path)
	if err != nil || text == nil {
		return ""
	}
	var is struct {
		Version string          `json:"version"`
		Bin     json.RawMessage `json:"bin"`
	}
	if json.Unmarshal(text, &is) != nil || is.Bin == nil {
		return ""
	}
	if m := aVersion.Get().FindStringSubmatch(is.Version); m != nil {
		return m[1]
	}
	return ""
}

// Passing reports whether a program is kept where it will not stay: npx, bunx and
// go run remove or forget it.
func Passing(program string) bool {
	slashes := filepath.ToSlash(program)
	for _, mark := range []string{"/_npx/", "/go-build", "/dlx-", "/bunx-", "/xfs-"} {
		if strings.Contains(slashes, mark) {
			return true
		}
	}
	return false
}

// Events are the events at which a setup's hooks run, as the agent names them.
func (d *Planner) Events(s Setup) (names []string) {
	a, err := Find(s.Agent)
	if err != nil {
		return nil
	}
	for _, f := range a.Config.Files(d.place(a, s)) {
		for _, p := range f.Pieces {
			if p.Kind == agent.KindElement && p.For == "hooks" {
				names = append(names, p.Path[len(p.Path)-1])
			}
		}
	}
	return names
}
