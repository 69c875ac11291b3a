package cli

import (
	"context"
	"path/filepath"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/setup"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
)

// agentHealth is the state of an agent's setup.
type agentHealth struct {
	Agent    string          `json:"agent"`          // its name
	For      string          `json:"for"`            // user, the folder of a project, or the agent's folder that a variable names
	Sound    bool            `json:"sound"`          // nothing is wrong
	Problems []setup.Finding `json:"problems"`       // what is damaged
	List     string          `json:"list,omitempty"` // which todo list its models work with, where that depends on them
	Steps    []string        `json:"steps"`          // what Pawl cannot see, and only a person can do
}

// agentsHealth looks at the agents that are set up for the user and for this
// project. Where none is, or nobody knows, there is nothing to tell: the board
// is what doctor is about.
func (a *app) agentsHealth() (all []agentHealth, sound bool) {
	home := a.home()
	if home == "" {
		return nil, true
	}
	planner := a.agentsPlanner(home)
	record, err := planner.Record()
	if err != nil {
		return []agentHealth{{Agent: "pawl setup", For: "user", Problems: []setup.Finding{{Text: err.Error()}}, Steps: []string{}}}, false
	}
	root, _ := a.project().Root()
	sound = true
	for _, s := range append(record.Setups, planner.Found(root)...) {
		if s.Scope != setup.User && s.Root != root {
			continue
		}
		h := planner.Check(s, a.env.Program())
		item := agentHealth{Agent: s.Agent, For: where(s), Sound: len(h.Findings) == 0, Problems: append([]setup.Finding{}, h.Findings...), List: h.List, Steps: append([]string{}, h.Steps...)}
		sound = sound && item.Sound
		all = append(all, item)
	}
	return all, sound
}

// home is the user's folder; empty: it is not known.
func (a *app) home() string {
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if dir := a.env.Getenv(name); filepath.IsAbs(dir) {
			return dir
		}
	}
	return ""
}

// doctorAgents is doctor for agents alone.
func (a *app) doctorAgents(ctx context.Context) error {
	all, well := a.agentsHealth()
	programs, err := a.agentPrograms(ctx)
	if err != nil {
		return err
	}
	if a.json {
		err = a.printJSON(doctorJSON{Envelope: wire.NewEnvelope("doctor"), Sound: well, Problems: []pawl.Problem{}, Agents: all, Programs: programs})
	} else {
		a.printHealth(all)
	}
	if len(all) == 0 && !a.json {
		a.say("no agent is set up")
		a.say("hint: %s", a.command("setup"))
	}
	if !a.json {
		a.printPrograms(programs)
	}
	if err == nil && !well {
		err = errFound
	}
	return err
}

// printHealth prints it as doctor prints a board's problems.
func (a *app) printHealth(all []agentHealth) {
	a.noNudges() // the first cause of an agent that is never nudged
	for _, h := range all {
		if h.Sound {
			a.print("%s is set up for %s\n", h.Agent, text.Line(forWhom(h.For)))
		} else {
			a.print("%s, set up for %s, has problems\n", h.Agent, text.Line(forWhom(h.For)))
		}
		for _, p := range h.Problems {
			line := p.Text
			if p.Path != "" {
				line = p.Path + ": " + line
			}
			a.print("  %s\n", text.Line(line))
			if p.Step != "" {
				a.print("    repair: %s\n", text.Line(p.Step))
			}
		}
		if h.List != "" {
			a.print("  todo list: %s\n", text.Line(h.List))
		}
		for _, step := range h.Steps {
			a.print("  unless already done: %s\n", text.Line(step))
		}
	}
}

func forWhom(scope string) string {
	if scope == string(setup.User) {
		return "you"
	}
	return scope
}
