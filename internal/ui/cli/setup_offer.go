package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/setup"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/nudge"
)

// The text before a person agrees to a setup: the agents, six lines, and how many
// files change. Its figures are measured, or those that the code goes by.

// offer prints it for a plan.
func (i *installing) offer(ctx context.Context, plan *setup.Plan, names []string) {
	if !slices.ContainsFunc(names, isAgent) {
		i.offerAlone(plan, names)
		return
	}
	i.print("%s\n", text.Line(i.headline(names)))
	held, _ := i.app.project().Settings("")
	row := func(label, format string, args ...any) {
		i.print("  %-11s %s\n", label, text.Line(fmt.Sprintf(format, args...)))
	}
	row("Events", "%s", i.events(names))
	if took := i.measureEvent(ctx); took > 0 {
		network := "no network"
		if place, err := i.app.project().Board(); err == nil && place.Distant() {
			network = "the server is awaited 40 ms at most"
		}
		row("Time", "%d ms an event, measured here just now; %s", max(1, took.Round(time.Millisecond).Milliseconds()), network)
	}
	row("Tokens", "at most %s at a session's start, %s a nudge, %d nudges a prompt",
		text.Grouped(startTokens(held)), text.Grouped(roundUp(nudge.MostBytes/bytesOfToken)), nudge.Defaults.PerPrompt)
	for _, n := range plan.Lists {
		row("Todo list", "%s", n.Text)
	}
	row("Permission", "%s", i.permission(names))
	row("Stored", "%s", i.stored())
	if slices.Contains(names, setup.Git) {
		row("Git", "%s", i.driverWords())
	}
	row("Undo", "pawl setup --remove: every file as it was; pawl quiet on: silence")
	i.print("%s\n", i.counted(plan, names))
}

// offerAlone is the offer without an agent: for AGENTS.md and git.
func (i *installing) offerAlone(plan *setup.Plan, names []string) {
	for _, part := range []struct {
		name, headline string
		rows           [][2]string
	}{
		{setup.AgentsMD, "In the files of this project, for everybody who has them:", [][2]string{
			{"AGENTS.md", "tells agents that this project keeps its plan with Pawl, and how to use it"},
			{"Undo", "pawl setup agents-md --remove"},
		}},
		{setup.Git, "When git merges a task, in this clone only:", [][2]string{
			{"Git", i.driverWords()},
			{"Without it", "git stops with a conflict, or Pawl merges at its next change; nothing is lost"},
			{"Undo", "pawl setup git --remove"},
		}},
	} {
		if slices.Contains(names, part.name) {
			i.print("%s\n", part.headline)
			for _, row := range part.rows {
				i.print("  %-11s %s\n", row[0], text.Line(row[1]))
			}
		}
	}
	i.print("%s\n", i.counted(plan, names))
}

// driverWords say what git does then.
func (i *installing) driverWords() string {
	return "runs " + i.shortPath(i.planner.Command) + " merge-file for a task that both sides changed, which merges it field by field"
}

// warnOfPath says, before all else, that the agents will not find this program on
// PATH.
func (i *installing) warnOfPath(names []string) {
	switch {
	case i.json || i.remove:
	case slices.Equal(names, []string{setup.Git}):
		if !i.planner.Stays() {
			i.print("No pawl is on your PATH, and this one goes when npx or go run is done. Install it for good;\nuntil then git stops with a conflict when it merges a task.\n")
		}
	case !i.planner.Stays():
		i.print("No pawl is on your PATH, and this one goes when npx or go run is done. Install it for good;\nuntil then the agents' hooks do nothing, silently, and they show the server as failed.\n")
	case filepath.IsAbs(i.planner.Command) && i.planner.Look("pawl") == "":
		i.print("No pawl is on your PATH: the agents will call %s\n", text.Line(i.shortPath(i.planner.Command)))
	}
}

// headline says which agents are meant, and where they are set up.
func (i *installing) headline(names []string) string {
	versions := map[string]string{}
	for _, p := range i.planner.Present() {
		versions[p.Name] = p.Version
	}
	byScope := map[setup.Scope][]string{}
	for _, name := range names {
		a, err := setup.Find(name)
		if err != nil || name == setup.Git {
			continue
		}
		scope := i.setup(name).Scope
		byScope[scope] = append(byScope[scope], strings.TrimSpace(a.Title+" "+versions[name]))
	}
	line := ""
	for _, s := range []struct {
		scope setup.Scope
		one   string // where they are alone
		some  string // beside others
	}{
		{setup.Here, "For you, in this project only (--user: all):", "in this project only"},
		{setup.User, "For you, in all projects:", "in all projects"},
		{setup.Project, "In the files of this project, for everybody who has them:", "in the files of this project"},
	} {
		found := byScope[s.scope]
		if len(found) == 0 {
			continue
		}
		if len(byScope) == 1 {
			return i.foundWords(names, found) + ". " + s.one
		}
		if line != "" {
			line += "; "
		}
		line += text.And(found) + " " + s.some
	}
	return "For you: " + line
}

// foundWords says which agents are here, and which were only named. found are all
// of them, as they are shown.
func (i *installing) foundWords(names, found []string) string {
	absent := i.absent(names)
	missing := " not found here: no program on PATH, and no folder of its settings"
	switch len(absent) {
	case 0:
		return "Found " + text.And(found)
	case len(names):
		return i.titles(absent) + map[bool]string{true: " was", false: " were"}[len(absent) == 1] + missing
	}
	found = slices.Clone(found)
	for _, name := range absent {
		title := i.titles([]string{name})
		found = slices.DeleteFunc(found, func(f string) bool { return f == title }) // without a program it has no version
	}
	return "Found " + text.And(found) + "; " + i.titles(absent) + map[bool]string{true: " was", false: " were"}[len(absent) == 1] + missing
}

// events says at which events hooks run.
func (i *installing) events(names []string) string {
	var counts, kinds []string
	for _, name := range names {
		a, err := setup.Find(name)
		if err != nil || !isAgent(a.Name) {
			continue
		}
		hooks := i.planner.Events(i.setup(name))
		if len(hooks) == 0 {
			counts = append(counts, "a plugin in "+a.Title)
			continue
		}
		counts = append(counts, fmt.Sprintf("%d in %s", len(hooks), a.Title))
		for _, event := range hooks {
			if kind := eventKind(event); !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
		}
	}
	slices.SortFunc(kinds, func(a, b string) int { return slices.Index(eventKinds, a) - slices.Index(eventKinds, b) })
	line := strings.Join(counts, ", ")
	if len(kinds) > 0 {
		line += ": " + strings.Join(kinds, ", ")
	}
	return line
}

var eventKinds = []string{"start", "prompt", "tools", "subagents", "compaction", "stop", "end"}

// eventKind is what an agent's event is about: SessionStart, beforeSubmitPrompt.
func eventKind(event string) string {
	name := strings.ToLower(event)
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(name, w) })
	}
	switch {
	case has("sessionstart"):
		return "start"
	case has("sessionend"):
		return "end"
	case has("subagent"):
		return "subagents"
	case has("compact", "compress"):
		return "compaction"
	case has("tool", "task", "todo", "permission", "command"):
		return "tools"
	case has("prompt", "beforeagent"):
		return "prompt"
	}
	return "stop"
}

// permission says what the agents may do without asking.
func (i *installing) permission(names []string) string {
	var allowed, ask []string
	for _, name := range names {
		a, err := setup.Find(name)
		switch {
		case err != nil || !isAgent(a.Name):
		case a.Config.Asks:
			ask = append(ask, a.Title)
		default:
			allowed = append(allowed, a.Title)
		}
	}
	first := text.And(ask) + " asks"
	if len(ask) > 1 {
		first = text.And(ask) + " ask"
	}
	if len(allowed) == 0 {
		return "none: " + first + " before the first call of a tool"
	}
	line := fmt.Sprintf("Pawl's %d tools run without asking, nothing else", len(offeredTools()))
	if len(ask) > 0 {
		line += "; " + first
	}
	return line
}

// stored says where tasks and todos are.
func (i *installing) stored() string {
	board, sees := ".tasks", "; git sees an agent's tasks if you share them"
	if place, err := i.app.project().Board(); err == nil {
		if place.Distant() {
			board, sees = place.Where(), ""
		} else if rel, err := filepath.Rel(i.root, place.Dir); err == nil && filepath.IsLocal(rel) {
			board = rel
		} else {
			board = i.shortPath(place.Dir)
		}
	}
	line := "tasks in " + board
	if state, err := userdir.State(i.env.Getenv); err == nil {
		line += ", todos in " + i.shortPath(state)
	}
	return line + sees
}

// counted says how many files change, and what git sees of them.
func (i *installing) counted(plan *setup.Plan, names []string) string {
	line := text.Count(len(plan.Changes), "file", "files")
	if kinds := kindsOf(plan); kinds != "" {
		line += " (" + kinds + ")"
	}
	private := slices.ContainsFunc(names, func(name string) bool { return i.setup(name).Scope == setup.Here })
	if private && i.planner.Git != nil {
		switch seen, err := i.planner.Git.Seen(plan); {
		case err != nil:
		case seen == 0:
			line += ", none seen by git"
		default:
			line += fmt.Sprintf(", %d seen by git", seen)
		}
	}
	if i.diff {
		return line
	}
	return line + ": " + i.again("--diff")
}

// pieceWords are the pieces that the files get, as people call them. The agent's
// permissions stand in a line of their own.
var pieceWords = [][2]string{
	{"server", "MCP server"}, {"hooks", "hooks"}, {"plugin", "plugin"}, {"skill", "skill"}, {"chat commands", "chat commands"}, {"status line", "status line"},
	{"merge driver", "merge driver"}, {"merge rules", "merge rules"}, {"merge rules for everybody", "merge rules for everybody"},
}

// kindsOf says what the files get: MCP server, hooks, skill, chat commands.
func kindsOf(plan *setup.Plan) string {
	var kinds []string
	for _, piece := range pieceWords {
		if slices.ContainsFunc(plan.Changes, func(c setup.Change) bool { return slices.Contains(c.For, piece[0]) }) {
			kinds = append(kinds, piece[1])
		}
	}
	return strings.Join(kinds, ", ")
}

// absent are the agents of which neither a program nor a folder is here.
func (i *installing) absent(names []string) []string {
	here := i.planner.Used(setup.User)
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return !isAgent(name) || slices.Contains(here, name)
	})
}

// again is the command as it was typed, with one more flag.
func (i *installing) again(flag string) string {
	return i.keep("pawl " + strings.Join(append(slices.Clone(i.args), flag), " "))
}

// nobody says that no agent is here, and how any client is connected.
func (i *installing) nobody(alone []string) error {
	var titles []string
	for _, a := range setup.Agents() {
		titles = append(titles, a.Title)
	}
	e := pawl.Errorf(pawl.NotFound, "found none of the agents that Pawl knows: %s", text.And(titles)).Say("pawl setup " + setup.Agents()[0].Name)
	if len(alone) > 0 {
		e = pawl.Errorf(pawl.NotFound, "found %s, for all projects only", i.titles(alone)).Say("pawl setup " + strings.Join(alone, " "))
	}
	i.anyClient()
	return e
}

// anyClient says how a client is connected that Pawl does not know.
func (i *installing) anyClient() {
	if i.json {
		return
	}
	entry := agent.Raw(agent.Value{"mcpServers", agent.Value{"pawl", agent.Value{"command", i.planner.Command, "args", []string{"mcp"}}}})
	i.say("any MCP client works with pawl mcp; in its settings that is mostly: %s", entry)
}
