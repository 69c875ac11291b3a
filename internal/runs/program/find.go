package program

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/known"
	"github.com/pawl-dev/pawl/internal/lookup"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/internal/text"
)

// A Finder looks for programs.
type Finder struct {
	Own      settings.OwnAgents // the setting run.agents of the user
	Programs lookup.Finder
	Client   []string // what speaks the Agent Client Protocol with a program, as package client does
}

// Find returns the program of an agent: a user's own or one that Pawl knows. Without a
// name it is the first one that is installed, those that Pawl knows first. The error says
// what to install, or how to name a program.
func (f Finder) Find(name string) (*Program, error) {
	if name == "" {
		if all := f.All(); len(all) > 0 {
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
	for _, name := range slices.Sorted(maps.Keys(f.Own)) {
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
	return append(names, slices.Sorted(maps.Keys(f.Own))...)
}

func (f Finder) known(a *agent.Agent) (*Program, error) {
	h := a.Headless
	path := f.Programs.Find(h.Program)
	if path == "" {
		return nil, hinted(h.Install, "%s is not installed here: no folder of PATH has %s", a.Title, h.Program)
	}
	p := &Program{Name: a.Name, Title: a.Title, Path: path, Known: a, Tells: h.Tells, Resumes: true, Skip: h.Skip, Free: h.Free, Login: h.Login, stream: h}
	if h.ACP != nil {
		p.client = f.Client
	}
	return p, nil
}

func (f Finder) own(name string, own settings.OwnAgent) (*Program, error) {
	if len(own.Command) == 0 {
		return nil, hinted(nameOne(name), "run.agents has no command for %s", name)
	}
	p := &Program{Name: name, Title: name, Skip: own.Skip, own: own}
	switch own.Stream {
	case settings.Text, "":
	case settings.ACP:
		p.stream, p.client, p.Resumes, p.Skip = &agent.Headless{}, f.Client, true, slices.Concat([]string{}, own.Skip) // without any, the client lets it
	default:
		a := known.Find(own.Stream)
		if a == nil || a.Headless == nil || a.Headless.Said == nil {
			var names []string
			for _, a := range known.Agents {
				if a.Headless != nil && a.Headless.Said != nil {
					names = append(names, a.Name)
				}
			}
			return nil, hinted("pawl config get run.agents", "the stream of %s in run.agents is %q: Pawl reads %s, %s, and %s", name, own.Stream, settings.Text, settings.ACP, text.And(names))
		}
		p.stream, p.Tells, p.Resumes = a.Headless, a.Headless.Tells, len(own.Resume) > 0
	}
	switch program := own.Command[0]; {
	case !strings.ContainsAny(program, `/\`):
		p.Path = f.Programs.Find(program)
	case filepath.IsAbs(program):
		p.Path = f.Programs.At(program)
	}
	if p.Path == "" {
		return nil, hinted("pawl config get run.agents", "the program of %s in run.agents, %s, cannot be started: it must be an absolute path or in a folder of PATH, and not in the project", name, text.Line(own.Command[0]))
	}
	return p, nil
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
