package setup

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/jsonc"
	"github.com/pawl-dev/pawl/internal/lookup"
)

// A Finding is something about an agent that is set up.
type Finding struct {
	Path string `json:"file,omitempty"` // the file in question
	Text string `json:"text"`           // one sentence, for people
	Step string `json:"step,omitempty"` // what would help
}

// A Health is the state of an agent's setup.
type Health struct {
	Setup
	Title    string
	List     string    // which todo list its models work with; empty: it does not depend on them
	Findings []Finding // what is wrong
	Steps    []string  // what nobody can see from outside, and only a person can do
}

// Check looks at an agent that is set up. program is the path of this program.
func (d *Planner) Check(s Setup, program string) Health {
	h := Health{Setup: s, Title: s.Agent}
	a, err := Find(s.Agent)
	if err != nil {
		h.Findings = []Finding{{Text: "is an agent that this pawl does not know"}}
		return h
	}
	p := d.place(a, s)
	h.Title, h.Steps = a.Title, a.Config.Steps(p)
	if a.Config.List != nil {
		h.List = a.Config.List(p)
	}
	again := "pawl setup " + s.Agent
	if s.Scope == Project && s.Agent != AgentsMD && s.Agent != Git {
		again += " --project"
	}
	if s.Scope == User && s.Profile != d.profile(a) {
		again = a.Config.Variable + "=" + s.Profile + " " + again
	}
	for _, f := range a.Config.Files(p) {
		h.Findings = append(h.Findings, s.checkFile(a.Config, f, again)...)
	}
	if what, step := twice(p); what != "" {
		h.Findings = append(h.Findings, Finding{Text: what, Step: step})
	}
	who := "the agent"
	if s.Agent == Git {
		who = "git"
		if len(h.Findings) == 0 && len(a.Config.Files(p)) == 0 {
			h.Findings = append(h.Findings, Finding{Text: "this is no git work tree", Step: "pawl setup --remove git"})
		}
	}
	if f, ok := d.checkCommand(who, s.Command, program, again); ok {
		h.Findings = append(h.Findings, f)
	}
	return h
}

func (s Setup) checkFile(c *agent.Config, f File, again string) (found []Finding) {
	real, err := resolve(f.Path, s.root(f.Path))
	var text []byte
	if err == nil {
		text, _, err = read(real)
	}
	if err != nil {
		return []Finding{{f.Path, err.Error(), "mend that file"}}
	}
	told := map[string]bool{}
	tell := func(text, step string) {
		if !told[text] {
			told[text] = true
			found = append(found, Finding{f.Path, text, step})
		}
	}
	for _, p := range f.Pieces {
		is, err := editorOf(p).look(text, p)
		switch {
		case err != nil:
			return []Finding{{f.Path, err.Error(), "mend that place in an editor, then " + again}}
		case is == missing && !p.Frame:
			tell(p.For+": missing", again)
		case is == theirs && p.Kind == agent.KindElement:
			tell(p.For+": "+strings.Join(p.Path, ".")+" is not a list", "make it one, then "+again)
		case is == theirs && p.IsServer():
			tell("the server called pawl is another program", "rename it, then "+again)
		case is == theirs && p.Kind == agent.KindMember && p.For == "hooks switched on":
			tell("hooks are switched off", "set "+strings.Join(p.Path, ".")+" to true")
		}
		if _, old := renew(text, p); old {
			tell(p.For+": as an earlier pawl wrote them, which complain where it is missing", again)
		}
	}
	for _, b := range braked(c, f, text) {
		tell(b.Text, b.Step)
	}
	if off, ok := jsonc.Get(text, "disableAllHooks"); ok && string(off) == "true" && strings.HasSuffix(f.Path, ".json") {
		tell("hooks are switched off", "take disableAllHooks out")
	}
	return found
}

func (d *Planner) checkCommand(who, command, program, again string) (Finding, bool) {
	path := command
	if !filepath.IsAbs(path) {
		path = d.Look(command)
	}
	info, err := os.Stat(path)
	switch {
	case path == "":
		return Finding{Text: "there is no " + command + " on PATH, which " + who + " calls", Step: "put it there, or " + again}, true
	case err != nil || info.IsDir() || d.OS != "windows" && info.Mode()&0o111 == 0:
		return Finding{Path: path, Text: "this is what " + who + " calls, but it is not a program", Step: again}, true
	}
	if own, err := os.Stat(program); err == nil && !os.SameFile(own, info) {
		return Finding{Path: path, Text: "this is what " + who + " calls, and another program than the one that says so", Step: "if that is not meant: " + again}, true
	}
	return Finding{}, false
}

// Look finds a program on PATH; empty: it is not there.
func (d *Planner) Look(name string) string {
	return lookup.Finder{Getenv: d.Getenv}.Find(name)
}

func sameFile(a, b string) bool {
	is, err := os.Stat(a)
	other, errOther := os.Stat(b)
	return err == nil && errOther == nil && os.SameFile(is, other)
}

// Stays reports whether agents will find the command: it is on PATH, where
// programs stay, or a path to a program that does.
func (d *Planner) Stays() bool {
	path := d.Command
	if !filepath.IsAbs(path) {
		path = d.Look(path)
	}
	return path != "" && !Passing(path)
}

// Choose sets the command that agents are to call: pawl when that leads to this
// program, whose path is given, and which was started under a name. It is the
// same in each version of Pawl as long as that stays in its place, also where
// packages are kept in folders with versions, and a link leads there.
//
// A program that will not stay where it is, as that of npx, is called pawl, too:
// hooks do nothing until there is one on PATH.
func (d *Planner) Choose(program, started string) {
	switch named := d.Look(filepath.Base(started)); {
	case program == "" || Passing(program) || sameFile(d.Look("pawl"), program):
		d.Command = "pawl"
	case filepath.IsAbs(started) && sameFile(started, program):
		d.Command = started
	case sameFile(named, program):
		d.Command = named
	default:
		d.Command = program
	}
}
