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
	{Word: "--board BOARD", Meaning: "use the board in this folder, or at this address, instead of the project's (PAWL_BOARD)"},
	{Word: "--as NAME", Meaning: "act under this name (PAWL_AGENT)"},
	{Word: "--session ID", Meaning: "act in this session (PAWL_SESSION)"},
	{Word: "--help", Meaning: "show help for the command"},
}

// environment explains the variables that Pawl reads, those aside by which it
// finds the user's folders as every program does, and those by which it knows
// agents.
var environment = []manual.Term{
	{Word: "PAWL_BOARD", Meaning: "the folder of the board, or its address on a server, unless --board is given"},
	{Word: "PAWL_SERVER_OF", Meaning: "the release of pawl that starts pawl-server, which must have the same release; pawl sets it"},
	{Word: "PAWL_STORE", Meaning: "the database whose boards pawl serve serves, unless a flag says otherwise; it may have a password in it"},
	{Word: "PAWL_CERT", Meaning: "with PAWL_TOKEN: the SHA-256 of the server's certificate, if the server made it itself: sha256:HEX"},
	{Word: "PAWL_TOKEN", Meaning: "the token for the address in PAWL_BOARD, for machines where nobody can run pawl join; it is sent nowhere else"},
	{Word: "PAWL_AGENT", Meaning: "the name to act under, unless --as is given. Without either it is the name of the agent that runs the command (Claude Code, Codex, Gemini, Copilot and others set variables that show it), else git's user.name, else the system's user name"},
	{Word: "PAWL_ACP", Meaning: "set by pawl acp for what it starts: names the session to Pawl's server"},
	{Word: "PAWL_SESSION", Meaning: "the session to act in, unless --session is given. Without either it is the agent's own, else the terminal's"},
	{Word: "PAWL_NO_BACKGROUND", Meaning: "if set, Pawl leaves no process running in the background, such as the sync of a shared board; for jobs of CI, which wait for every process"},
	{Word: "PAWL_SYNC", Meaning: "allow: Pawl may share and sync boards without a terminal, for containers and scripts; a person sets it"},
	{Word: "PAWL_LIVE", Meaning: "set by doctor --live for what it runs: the folder in which hooks and servers record what they see, with a state and settings of its own"},
	{Word: "PAWL_RUN", Meaning: "set by pawl run for an agent: the run. PAWL_TASK, PAWL_ATTEMPT and PAWL_SLOT are the task, the number of the attempt and the slot, from 1"},
	{Word: "PAWL_KEPT", Meaning: "set by pawl run for an agent's program: a mark by which Pawl finds processes that it leaves running"},
	{Word: "NO_COLOR", Meaning: "not empty: no colours"},
	{Word: "FORCE_COLOR", Meaning: "colours in a pipe too; 0: no colours. CLICOLOR_FORCE and CLICOLOR work as in other programs"},
	{Word: "COLUMNS", Meaning: "the width to draw in, if the output is not a terminal"},
}

// exitCodes explains what [ExitCode] gives, and what verbs end with that have
// answered.
var exitCodes = []manual.Term{
	{Word: "0", Meaning: "success"},
	{Word: "1", Meaning: "internal: damaged data, or a fault of Pawl; doctor: it found problems"},
	{Word: "2", Meaning: "invalid: the command can never work as typed"},
	{Word: "3", Meaning: "not found"},
	{Word: "4", Meaning: "conflict: claimed by somebody else, or it has changed; of a shared board: the remote did not confirm the claim"},
	{Word: "5", Meaning: "blocked: it depends on another task, or is on hold; ready and claim: all remaining tasks are"},
	{Word: "6", Meaning: "unavailable: try again"},
	{Word: "7", Meaning: "gone: the requested history was trimmed"},
	{Word: "8", Meaning: "unmet: a required check of a task failed or is not trusted, or a criterion is not ticked; doctor --ci: the board is not merged"},
	{Word: "9", Meaning: "idle, of ready and claim: all matching tasks are completed"},
	{Word: "10", Meaning: "busy, of ready and claim: nothing is ready while others, or you, are at work"},
}

// firstLines are the lines of the first help page, in its order.
var firstLines = []manual.Term{
	{Word: "setup", Meaning: "connect your agents"},
	{Word: "plan FILE", Meaning: "turn a list into tasks"},
	{Word: "add TEXT", Meaning: "add a task"},
	{Word: "board", Meaning: "watch and change the tasks in the terminal"},
	{Word: "show ID", Meaning: "show a task in full"},
	{Word: "done [ID]", Meaning: "complete a task, and see what became ready"},
	{Word: "undo [@N]", Meaning: "undo a change; without @N, your last one"},
	{Word: "serve", Meaning: "show the board in a browser"},
	{Word: "ready", Meaning: "list the tasks that can be claimed now"},
	{Word: "claim [ID]", Meaning: "take a task, so that nobody else does"},
	{Word: "note ID TEXT", Meaning: "add a note for the next owner"},
	{Word: "release ID", Meaning: "give a task back"},
}

// firstColumn is where the first page says what a verb is for.
const firstColumn = 15

// first is what somebody reads who has just heard of Pawl: the twelve verbs
// that most days need.
func (a *app) first() {
	a.print("Todos are now, tasks are later, done says what became ready.\npawl alone shows the board's status.\n")
	lines := firstLines
	for _, g := range groups[:firstPage] {
		a.print("\n%s\n", a.paint.as(bold, g.title))
		for _, l := range lines[:len(g.verbs)] {
			a.print("  %-*s%s\n", firstColumn-2, l.Word, l.Meaning)
		}
		lines = lines[len(g.verbs):]
	}
	a.print("\nMore: pawl help COMMAND, pawl help all\n")
}

// front explains pawl as a whole; in full also what one looks up once.
func front(full bool) *manual.Page {
	p := &manual.Page{
		Name: "pawl", Usage: "pawl COMMAND [arguments] [flags]",
		Short: "keep the plan of coding agents and people: tasks with dependencies, in plain files",
		Long:  "Without a command, pawl prints the board's status.",
	}
	for _, g := range groups {
		if g.hidden != "" {
			continue
		}
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
		manual.Section{Title: "Flags of every command", Terms: everyVerb},
		manual.Section{Title: "Examples", Lines: []string{
			"pawl add Write tests --blocked-by 2",
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
		Note: "pawl help all lists the flags of every command.",
		See:  []string{"pawl"},
	}
	if v.kind != "" {
		p.Note = "With --json, prints an envelope of kind " + v.kind + ". " + p.Note
	}
	if flags := flagsOf(cmd); len(flags) > 0 {
		s := manual.Section{Title: "Flags"}
		for _, f := range flags {
			s.Terms = append(s.Terms, manual.Term{Word: f.word(), Meaning: f.Meaning})
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
		if f.Hidden {
			return
		}
		value, meaning := valueOf(f)
		if value != "" && f.NoOptDefVal != "" {
			value = "[=" + value + "]"
		}
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
