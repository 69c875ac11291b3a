package setup

import (
	"encoding/json"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/jsonc"
)

// A Planner works out what a setup changes.
type Planner struct {
	Getenv func(string) string
	OS     string // as runtime.GOOS
	Home   string // of the user, absolute
	// Command is how agents are to call this program: pawl when that is found on
	// their PATH, else its whole path.
	Command string
	// Git is what git sees of the project's files, for setups of the scope Here. Nil: git
	// does not manage it.
	Git *Sight
}

// A Plan is what is to be done. Nothing is until it is applied.
type Plan struct {
	Changes []Change
	Notes   []Note
	Steps   []Note // what is left to a person
	Lists   []Note // which todo list an agent works with

	planner *Planner
	was     *Record
	record  *Record
	undoes  bool
}

// A Change is a file's new text.
type Change struct {
	Path     string // as the agent knows it
	Old, New []byte // nil: no file
	For      []string
	Restored bool // of an uninstalling: the file is as it was before Pawl came

	real  string
	mode  fs.FileMode
	whole bool // the file itself is the piece
}

// Alone reports whether the file is made, or removed, with what is ours alone.
func (c Change) Alone() bool { return (c.Old == nil || c.New == nil) && c.whole }

// A Note is something that a person should know.
type Note struct {
	Agent string `json:"agent"`           // the session, or the agent, that it is about
	Path  string `json:"file,omitempty"`  // what it is about
	Text  string `json:"text"`            // one sentence
	Error bool   `json:"error,omitempty"` // no such thing exists
}

// Failed reports whether something that was asked for cannot be had.
func (p *Plan) Failed() bool {
	return slices.ContainsFunc(p.Notes, func(n Note) bool { return n.Error })
}

// Empty reports whether nothing has to be written.
func (p *Plan) Empty() bool { return len(p.Changes) == 0 && p.record.equal(p.was) }

func (r *Record) equal(o *Record) bool {
	return slices.Equal(r.Setups, o.Setups) && len(r.Files) == len(o.Files)
}

func (d *Planner) place(a *agent.Agent, s Setup) agent.Place {
	return agent.Place{
		Agent: a, Scope: s.Scope, Root: s.Root, Profile: s.Profile, OwnList: s.OwnList, Command: s.Command,
		OS: d.OS, Home: d.Home, Getenv: d.Getenv, Disk: disk{}, Look: d.Look,
	}
}

// disk is what agents see of the files that are there.
type disk struct{}

func (disk) There(path string) bool { return there(path) }

func (disk) JSON(path string, at ...string) json.RawMessage {
	text, _, _ := read(path)
	value, _ := jsonc.Get(text, at...)
	return value
}

func (disk) Tables(path string) (headers [][]string) {
	text, _, _ := read(path)
	all, _ := statements(text)
	for _, st := range all {
		if st.header {
			headers = append(headers, st.path)
		}
	}
	return headers
}

// ForUser is a setup for the user, in the profile that is in force.
func (d *Planner) ForUser(agent string) Setup {
	s := Setup{Agent: agent, Scope: User, Command: d.Command}
	if a, err := Find(agent); err == nil {
		s.Profile = d.profile(a)
	}
	return s
}

// profile is the folder that an agent's variable names now.
func (d *Planner) profile(a *agent.Agent) string {
	if a.Config.Variable == "" || !filepath.IsAbs(d.Getenv(a.Config.Variable)) {
		return ""
	}
	return filepath.Clean(d.Getenv(a.Config.Variable))
}

// ForProject is a setup for a project, whose folder is given without links.
func (d *Planner) ForProject(agent, root string) Setup {
	return Setup{Agent: agent, Scope: Project, Root: root, Command: d.Command}
}

// ForHere is a setup for the user in one project, whose folder is given without
// links.
func (d *Planner) ForHere(agent, root string) Setup {
	s := d.ForUser(agent)
	s.Scope, s.Root = Here, root
	if a, err := Find(agent); err != nil || !a.Config.Private {
		s.Profile = ""
	}
	return s
}

// program is the path of an agent's program; empty: it is not on PATH.
func (d *Planner) program(a *agent.Agent) string {
	for _, name := range a.Config.Programs {
		if path := d.Look(name); path != "" {
			return path
		}
	}
	return ""
}

// Used are the agents that are here, by a program on PATH or their folder, and that
// can be set up in a scope.
func (d *Planner) Used(scope Scope) (names []string) {
	for _, a := range Agents() {
		if scope != User && a.Config.NoProject != "" {
			continue
		}
		if d.program(a) != "" || there(a.Config.Home(d.place(a, d.ForUser(a.Name)))) {
			names = append(names, a.Name)
		}
	}
	return names
}
