package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pawl-dev/pawl/internal/manual"
)

// everyVerb explains the flags of every verb; root adds them.
var everyVerb = []manual.Term{
	{Word: "--json", Meaning: "print one JSON object on stdout, for errors too"},
	{Word: "--board FOLDER", Meaning: "use this board instead of the project's .tasks (PAWL_BOARD)"},
	{Word: "--as NAME", Meaning: "act under this name (PAWL_AGENT)"},
	{Word: "--session ID", Meaning: "act in this session (PAWL_SESSION)"},
	{Word: "--help", Meaning: "show help for the verb"},
}

// environment explains the variables that Pawl reads, those aside by which it
// finds the user's folders as every program does, and those by which it knows
// agents.
var environment = []manual.Term{
	{Word: "PAWL_BOARD", Meaning: "the folder of the board, unless --board is given"},
	{Word: "PAWL_AGENT", Meaning: "the name to act under, unless --as is given. Without either it is the name of the agent that runs the command (Claude Code, Codex, Gemini, Copilot and others set variables that show it), else the user's"},
	{Word: "PAWL_SESSION", Meaning: "the session to act in, unless --session is given. Without either it is the agent's own, else the terminal's"},
	{Word: "NO_COLOR", Meaning: "not empty: no colours"},
	{Word: "FORCE_COLOR", Meaning: "colours in a pipe too; 0: no colours. CLICOLOR_FORCE and CLICOLOR work as in other programs"},
	{Word: "COLUMNS", Meaning: "the width to draw in, if the output is not a terminal"},
}

// exitCodes explains what [ExitCode] gives.
var exitCodes = []manual.Term{
	{Word: "0", Meaning: "success"},
	{Word: "1", Meaning: "internal: damaged data, or a fault of Pawl; doctor: it found problems"},
	{Word: "2", Meaning: "invalid: the command can never work as typed"},
	{Word: "3", Meaning: "not found"},
	{Word: "4", Meaning: "conflict: claimed by somebody else, or it has changed"},
	{Word: "5", Meaning: "blocked: it depends on another task, or is on hold"},
	{Word: "6", Meaning: "unavailable: try again"},
	{Word: "7", Meaning: "gone: the requested history was trimmed"},
}

// front explains pawl as a whole; in full also what one looks up once.
func front(full bool) *manual.Page {
	p := &manual.Page{
		Name: "pawl", Usage: "pawl VERB [arguments] [flags]",
		Short: "keep the plan of coding agents and people: tasks with dependencies, in plain files",
		Long:  "Without a command, pawl prints the board's status.",
	}
	for _, g := range groups {
		s := manual.Section{Title: g.title}
		for _, v := range g.verbs {
			s.Terms = append(s.Terms, manual.Term{Word: strings.TrimSpace(v.name + " " + strings.TrimSuffix(v.use, "[flags]")), Meaning: v.short})
			if full {
				p.See = append(p.See, "pawl "+v.name)
			}
		}
		p.Sections = append(p.Sections, s)
	}
	p.Sections = append(p.Sections,
		manual.Section{Title: "Flags of every verb", Terms: everyVerb},
		manual.Section{Title: "Examples", Lines: []string{
			`pawl add "Write tests" --blocked-by 2`,
			"pawl claim --label tests --json",
		}},
		manual.Section{Title: "Exit codes", Terms: exitCodes},
	)
	if full {
		answers := manual.Section{Title: "Kinds of JSON"}
		for _, k := range kinds {
			answers.Terms = append(answers.Terms, manual.Term{Word: k.name, Meaning: k.says})
		}
		p.Sections = append(p.Sections, manual.Section{Title: "Environment", Terms: environment}, answers)
	}
	return p
}

func (v verb) usage() string { return strings.TrimSpace("pawl " + v.name + " " + v.use) }

// page explains the verb, whose command it is given.
func (v verb) page(cmd *cobra.Command) *manual.Page {
	p := &manual.Page{
		Name: "pawl " + v.name, Usage: v.usage(), Short: v.short, Long: v.long,
		Note: "The flags of every verb: pawl help.",
		See:  []string{"pawl"},
	}
	if v.kind != "" {
		p.Note = "With --json it answers with an envelope of kind " + v.kind + ". " + p.Note
	}
	if flags := flagsOf(cmd); len(flags) > 0 {
		s := manual.Section{Title: "Flags"}
		for _, f := range flags {
			s.Terms = append(s.Terms, manual.Term{Word: strings.TrimSpace("--" + f.Name + " " + f.Value), Meaning: f.Meaning})
		}
		p.Sections = append(p.Sections, s)
	}
	p.Sections = append(p.Sections, v.sections()...)
	p.Sections = append(p.Sections, manual.Section{Title: "Examples", Lines: v.examples})
	return p
}

// flagsOf are the verb's own flags.
func flagsOf(cmd *cobra.Command) []flagJSON {
	flags := []flagJSON{}
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		value, meaning := valueOf(f)
		flags = append(flags, flagJSON{f.Name, value, meaning})
	})
	return flags
}

// valueOf takes a flag's usage apart, which begins with the name of its value in
// backquotes. One that is on or off has none.
func valueOf(f *pflag.Flag) (value, meaning string) {
	value, text := pflag.UnquoteUsage(f)
	if f.Value.Type() == "bool" {
		value = ""
	}
	return value, strings.TrimSpace(strings.TrimPrefix(text, value))
}
