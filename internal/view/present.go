package view

import (
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/say"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/todo"
)

// Present are the sessions on a board at an address that were seen lately and have
// neither a todo list among the plans nor a task of an agent.
func Present(r *todo.Recent, agents []ask.Agent) []todo.Origin {
	busy := map[string]bool{}
	for i := range agents {
		for _, session := range agents[i].Sessions() {
			busy[agents[i].Name+"\x00"+session] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(r.Present), func(o todo.Origin) bool {
		return busy[o.Name+"\x00"+o.Session] || slices.ContainsFunc(r.Running, func(l todo.List) bool { return l.Key == o.Key })
	})
}

// PresentLine says of a session who it is and when it was seen:
//
//	bob on air, session s9 (codex): seen 2 min ago
//	session 712164bd (claude): seen now
func PresentLine(o *todo.Origin, now time.Time) string {
	line := "session " + say.ShortSession(o.Session)
	if o.Agent != "" {
		line += "/" + say.ShortSession(o.Agent)
	}
	if !o.Here {
		line = o.Whose() + ", " + line
	}
	if o.Program != "" {
		line += " (" + text.Line(text.Clip(o.Program, 40)) + ")"
	}
	seen := "seen " + text.Age(now.Sub(o.Seen))
	if seen != "seen now" {
		seen += " ago"
	}
	return line + ": " + seen
}

// OnMachines notes with agents on which machines the sessions are that have their
// claims, as far as that is known. Those of this machine need no word.
func OnMachines(agents []ask.Agent, r *todo.Recent) {
	for i := range agents {
		a := &agents[i]
		var machines []string
		here := false
		for _, session := range a.Sessions() {
			for _, o := range r.Present {
				if o.Name != a.Name || o.Session != session {
					continue
				}
				if here = here || o.Here; !o.Here && o.Machine != "" && !slices.Contains(machines, o.Machine) {
					machines = append(machines, o.Machine)
				}
			}
		}
		slices.Sort(machines)
		if here && len(machines) > 0 {
			machines = append(machines, "this machine")
		}
		a.Machine = strings.Join(machines, ", ")
	}
}
