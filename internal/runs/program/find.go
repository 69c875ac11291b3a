package program

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/known"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/internal/text"
)

// A Finder looks for programs.
type Finder struct {
	Own    settings.OwnAgents // the setting run.agents of the user
	Getenv func(string) string
	// Avoid are folders that a repository fills, absolute: no program is taken from them.
	Avoid []string
}

// Find returns the program of an agent: a user's own or one that Pawl knows. Without a
// name it is the first one that is installed, those that Pawl knows first. The error says
// what to install, or how to name a program.
func (f Finder) Find(name string) (*Program, error) {
	if name == "" {
		all := f.All()
		if len(all) > 0 {
			return all[0], nil
		}
		return nil, f.none()
	}
	if own, ok := f.Own[name]; ok {
		return f.own(name, own)
	}
	a := known.Find(name)
	switch {
	case a == nil:
		return nil, f.unknown(name)
	case a.Headless == nil:
		return nil, hinted(nameOne(name), "Pawl cannot start %s: it knows no way to have it work without a screen", a.Title)
	}
	return f.known(a)
}

// All returns the programs that are installed here: those that Pawl knows, the most used
// first, then the user's own by name.
func (f Finder) All() []*Program {
	var all []*Program
	for _, a := range known.Agents {
		if _, replaced := f.Own[a.Name]; replaced || a.Headless == nil {
			continue
		}
		if p, err := f.known(a); err == nil {
			all = append(all, p)
		}
	}
	for _, name := range f.ownNames() {
		if p, err := f.own(name, f.Own[name]); err == nil {
			all = append(all, p)
		}
	}
	return all
}

// Names are the agents that Find can be asked for, installed or not.
func (f Finder) Names() []string {
	var names []string
	for _, a := range known.Agents {
		if _, replaced := f.Own[a.Name]; !replaced && a.Headless != nil {
			names = append(names, a.Name)
		}
	}
	return append(names, f.ownNames()...)
}

func (f Finder) ownNames() []string {
	var names []string
	for name := range f.Own {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// known is the program of an agent that Pawl knows.
func (f Finder) known(a *agent.Agent) (*Program, error) {
	h := a.Headless
	path := f.Lookup(h.Program)
	if path == "" {
		return nil, hinted(h.Install, "%s is not installed here: no folder of PATH has %s", a.Title, h.Program)
	}
	return &Program{Name: a.Name, Title: a.Title, Path: path, Known: a, Tells: h.Tells, Resumes: true, Skip: h.Skip, Free: h.Free, Login: h.Login, stream: h}, nil
}

// own is a program of the user's settings.
func (f Finder) own(name string, own settings.OwnAgent) (*Program, error) {
	if len(own.Command) == 0 {
		return nil, hinted(nameOne(name), "run.agents has no command for %s", name)
	}
	p := &Program{Name: name, Title: name, Skip: own.Skip, own: own}
	if own.Stream != settings.Text && own.Stream != "" {
		a := known.Find(own.Stream)
		if a == nil || a.Headless == nil || a.Headless.Said == nil {
			var names []string
			for _, a := range known.Agents {
				if a.Headless != nil {
					names = append(names, a.Name)
				}
			}
			return nil, hinted("pawl config get run.agents", "the stream of %s in run.agents is %q: Pawl reads %s, and %s", name, own.Stream, settings.Text, text.And(names))
		}
		p.stream, p.Tells, p.Resumes = a.Headless, a.Headless.Tells, len(own.Resume) > 0
	}
	switch program := own.Command[0]; {
	case !strings.ContainsAny(program, `/\`):
		p.Path = f.Lookup(program)
	case filepath.IsAbs(program) && !f.avoids(program):
		p.Path = f.executable(program)
	}
	if p.Path == "" {
		return nil, hinted("pawl config get run.agents", "the program of %s in run.agents, %s, cannot be started: it must be an absolute path or in a folder of PATH, and not in the project", name, text.Line(own.Command[0]))
	}
	return p, nil
}

// Lookup is the absolute path of a program on PATH; empty: it is not there. Folders that
// are relative, or in the project, do not count.
func (f Finder) Lookup(name string) string {
	for _, dir := range filepath.SplitList(f.Getenv("PATH")) {
		if !filepath.IsAbs(dir) || f.avoids(dir) {
			continue
		}
		if path := f.executable(filepath.Join(dir, name)); path != "" {
			return path
		}
	}
	return ""
}

// executable is the path of a program that can be started, with the ending that its file
// has; empty: there is none, or it leads into the project.
func (f Finder) executable(path string) string {
	for _, end := range endings(f.Getenv, path) {
		info, err := os.Stat(path + end)
		if err == nil && info.Mode().IsRegular() && runnable(info) && !f.avoids(path+end) {
			return path + end
		}
	}
	return ""
}

// avoids reports whether a path is in a folder that a repository fills, by its name or
// where links lead.
func (f Finder) avoids(path string) bool {
	for _, at := range []string{filepath.Clean(path), real(path)} {
		for _, dir := range f.Avoid {
			for _, from := range []string{filepath.Clean(dir), real(dir)} {
				if rel, err := filepath.Rel(from, at); err == nil && filepath.IsLocal(rel) {
					return true
				}
			}
		}
	}
	return false
}

func real(path string) string {
	if at, err := filepath.EvalSymlinks(path); err == nil {
		return at
	}
	return filepath.Clean(path)
}

// none is the error where no agent is installed.
func (f Finder) none() error {
	var names, installs []string
	for _, a := range known.Agents {
		if a.Headless != nil {
			names, installs = append(names, a.Title), append(installs, a.Headless.Install)
		}
	}
	return pawl.Errorf(pawl.NotFound, "no agent is installed here that Pawl can start: %s", text.And(names)).
		Say(installs[0])
}

// unknown is the error for a name that nobody has given to an agent.
func (f Finder) unknown(name string) error {
	names := f.Names()
	name = text.Line(text.Clip(name, 40))
	hint := nameOne(name)
	if near := text.Nearest(name, names); near != "" {
		hint = "pawl run --agent " + near
	}
	return hinted(hint, "unknown agent %q: Pawl can start %s", name, text.And(names))
}

// nameOne is how a person names a program of their own.
func nameOne(name string) string {
	return `pawl config set run.agents '{"` + name + `": {"command": ["PROGRAM", "ARGUMENT"]}}' --user`
}

func hinted(hint, format string, args ...any) error {
	return pawl.Errorf(pawl.NotFound, format, args...).Say(hint)
}
