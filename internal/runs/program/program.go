// Package program finds the programs of agents for pawl run, and says how each is started
// for one prompt and what its lines mean: those of the agents that Pawl knows (package
// agent), and a user's own (the setting run.agents). It starts one itself only to try it.
package program

import (
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/internal/runs/client"
)

// A Program is an agent that is installed here.
type Program struct {
	Name  string // as the board and run.agent have it
	Title string // for people
	Path  string // of the program; absolute, and not in the project
	// Known is the agent that Pawl knows, nil of a user's own.
	Known *agent.Agent
	// Tells is which costs its lines report, and when: a cost that it does not report
	// while it works cannot end an attempt.
	Tells agent.Tells
	// Resumes says that it can go on with a session.
	Resumes bool
	// Skip are the arguments that make it do everything without asking; nil: Pawl knows
	// none, and run.permissions skip has no effect.
	Skip []string
	// Free says that it keeps to no bounds of its own: Pawl starts it only with
	// run.permissions skip.
	Free bool
	// Login is what a person does to log in; empty: not known.
	Login string

	own    settings.OwnAgent // if Known is nil
	stream *agent.Headless   // whose lines it prints; nil: text
	client []string          // what speaks the Agent Client Protocol with it; nil: it prints
}

// A Start is how a program is started.
type Start struct {
	Path  string   // absolute: of the program, or of what speaks with it
	Args  []string // behind Path
	Stdin string   // what standard input has
	Ends  bool     // it ends what it has started: it alone is asked to end
	File  bool     // the program reads the prompt from Turn.File, which must be there before
	Env   []string // NAME=value, beside the environment
}

// Turn is one run of a program, with the path of a file that has its prompt.
type Turn struct {
	agent.Turn
	File string // absolute; for programs that read it there
}

// Command says how the program is started for a turn.
func (p *Program) Command(t Turn) Start {
	if p.Known != nil {
		h := p.Known.Headless
		start := Start{Path: p.Path, Args: h.Started(t.Turn)}
		if h.Stdin {
			start.Stdin = t.Prompt
		}
		if h.Env != nil {
			start.Env = h.Env(t.Turn)
		}
		return p.spoken(start, t)
	}
	args := slices.Clone(p.own.Command[1:])
	if t.Skip {
		args = append(args, p.own.Skip...)
	}
	if t.Session != "" && p.Resumes {
		for _, arg := range p.own.Resume {
			args = append(args, strings.ReplaceAll(arg, "{session}", t.Session))
		}
	}
	start := Start{Path: p.Path, File: p.own.Prompt == settings.ByFile}
	switch {
	case p.client != nil:
		start.File = false
	case p.own.Prompt == settings.ByStdin:
		start.Stdin = t.Prompt
	case p.own.Prompt == settings.ByArgument:
		args = placed(args, "{prompt}", t.Prompt)
	case p.own.Prompt == settings.ByFile:
		args = placed(args, "{file}", t.File)
	}
	start.Args = args
	for name, value := range p.own.Env {
		start.Env = append(start.Env, name+"="+value)
	}
	slices.Sort(start.Env)
	return p.spoken(start, t)
}

// spoken has Pawl's client start a program that it must speak with.
func (p *Program) spoken(s Start, t Turn) Start {
	if p.client == nil {
		return s
	}
	order := client.Order{Program: s.Path, Args: s.Args, Prompt: t.Prompt, Session: t.Session, Whole: t.Whole, Skip: t.Skip}
	if p.Known != nil && p.Known.Hooks != nil {
		order.Tools = p.Known.Hooks.Shown
	}
	return Start{Path: p.client[0], Args: p.client[1:], Stdin: string(agent.JSON(order)), Ends: true, Env: s.Env}
}

// placed puts a value where a mark stands among arguments, or behind them.
func placed(args []string, mark, value string) []string {
	found := false
	for i, arg := range args {
		if strings.Contains(arg, mark) {
			args[i], found = strings.ReplaceAll(arg, mark, value), true
		}
	}
	if !found {
		args = append(args, value)
	}
	return args
}

// Said reads a line that the program printed at a time. A line that is only for people
// counts as what the program does now.
func (p *Program) Said(line []byte, now time.Time) agent.Said {
	if p.stream == nil {
		return agent.Said{Doing: agent.Line(string(line))}
	}
	read := p.stream.Said
	if p.client != nil || read == nil {
		read = agent.Heard
	}
	said := read(line)
	if said.Failed != "" && !said.Limited {
		said.Limited, said.Until, said.Wait = agent.Limited(said.Failed, now, p.stream.Limited...)
	}
	if said.Limited && said.Until.IsZero() && said.Wait > 0 {
		said.Until = now.Add(said.Wait)
	}
	if !said.Until.IsZero() {
		said.Until = agent.Sane(said.Until, now)
	}
	return said
}

// Limited reports whether what the program printed on standard error, or said as the
// reason of its failure, says that its provider refuses requests now, and until
// when if it tells that. Only the end of a run that failed may be asked: an agent also
// talks about such errors.
func (p *Program) Limited(text string, now time.Time) (until time.Time, limited bool) {
	var marks []string
	if p.stream != nil {
		marks = p.stream.Limited
	}
	limited, until, wait := agent.Limited(text, now, marks...)
	if limited && until.IsZero() && wait > 0 {
		until = now.Add(wait)
	}
	return until, limited
}

// LoggedOut reports whether what the program printed at its end says that a person must
// log in first.
func (p *Program) LoggedOut(text string) bool {
	return p.stream != nil && p.Known != nil && slices.ContainsFunc(p.stream.Refused, func(part string) bool { return strings.Contains(text, part) })
}
