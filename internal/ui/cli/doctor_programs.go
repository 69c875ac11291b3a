package cli

import (
	"context"
	"os"
	"sync"

	"github.com/pawl-dev/pawl/internal/lookup"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/internal/runs/program"
	"github.com/pawl-dev/pawl/internal/text"
)

// agentProgram is a program that pawl run can start.
type agentProgram struct {
	Agent   string `json:"agent"`             // its name, as run.agent takes it
	Path    string `json:"path"`              // where it is
	Version string `json:"version,omitempty"` // what it says of itself; absent: nothing
	Login   string `json:"login,omitempty"`   // what a person does if it is not logged in
	Tokens  bool   `json:"tokens"`            // it tells its model tokens while it works, so that run.budget can limit them
	Money   bool   `json:"money"`             // it tells what it costs while it works, so that run.budget can limit it
	Own     bool   `json:"own,omitempty"`     // of the setting run.agents
	Free    bool   `json:"free,omitempty"`    // it keeps to no bounds: it needs run.permissions skip
	Untried bool   `json:"untried,omitempty"` // Pawl knows it from its documentation only
}

// agentPrograms are the programs that are installed here, with their versions.
func (a *app) agentPrograms(ctx context.Context) ([]agentProgram, error) {
	files, err := a.settingsFiles()
	if err != nil {
		return nil, err
	}
	f := program.Finder{Own: settings.Of[settings.OwnAgents](settings.Merge(files...), "run.agents"), Programs: a.programs()}
	found := f.All()
	all := make([]agentProgram, len(found))
	var versions sync.WaitGroup
	for i, p := range found {
		all[i] = agentProgram{Agent: p.Name, Path: p.Path, Login: p.Login, Tokens: p.Tells.Tokens, Money: p.Tells.Money, Own: p.Known == nil, Free: p.Free}
		if p.Known == nil {
			continue // a program of which nobody knows what it does with --version
		}
		all[i].Untried = p.Known.Headless.Untried
		versions.Go(func() { all[i].Version = program.Version(ctx, p, os.Environ()) })
	}
	versions.Wait()
	return all, nil
}

// programs finds programs outside of the project and of that of the board.
func (a *app) programs() lookup.Finder {
	own, _ := a.project().Own()
	return lookup.Outside(a.env.Getenv, a.env.Dir, own.Work, own.Dir)
}

// printPrograms prints them below what is set up.
func (a *app) printPrograms(all []agentProgram) {
	for _, p := range all {
		line := p.Agent + " can work without a screen: " + p.Path
		if p.Version != "" {
			line += " (" + p.Version + ")"
		}
		a.print("%s\n", text.Line(line))
		if p.Login != "" {
			a.print("  unless already done: %s\n", text.Line(p.Login))
		}
		if p.Free {
			a.print("  it keeps to no bounds, and needs the setting run.permissions: pawl config set run.permissions skip --user\n")
		}
	}
	if len(all) == 0 {
		a.say("no agent's program is installed here that pawl run can start")
	}
}
