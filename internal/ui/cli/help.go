package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl/internal/manual"
	"github.com/pawl-dev/pawl/internal/wire"
)

var helpVerb = verb{
	name:  "help",
	use:   "[COMMAND] [flags]",
	short: "show help for pawl, or for a command",
	long:  "Without COMMAND, shows the commands for daily use; pawl help all lists all commands, their common flags and the exit codes. With --format man it prints the source of a man page, with --format markdown a page for the web. pawl COMMAND --help is the same as pawl help COMMAND.",
	kind:  "help",
	examples: []string{
		"pawl help all",
		"pawl help claim",
		"pawl help --format man | man -l -",
	},
	max:   1,
	build: buildHelp,
}

func buildHelp(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	format := choice(cmd, "format", "text", "`FORMAT` output format", "text", "markdown", "man")
	return func(ctx context.Context, args []string) error {
		format, err := format()
		if err != nil {
			return err
		}
		if a.json && cmd.Flags().Changed("format") {
			return usage("help", "--json and --format contradict each other: give one of them")
		}
		if len(args) == 0 && format == "text" && !a.json {
			a.first()
			return nil
		}
		if len(args) == 0 || args[0] == allVerbs {
			return a.help(format)
		}
		v, ok := find(args[0])
		if !ok {
			return a.unknownVerb(args[:1], true)
		}
		return a.helpVerb(v, format)
	}
}

// allVerbs is what help is asked about for the list of all of them.
const allVerbs = "all"

// helpJSON is the envelope of help.
type helpJSON struct {
	wire.Envelope
	Verbs []verbJSON `json:"verbs"` // all verbs that help all lists, or the one that was asked about
}

// verbJSON is a verb of the command line.
type verbJSON struct {
	Name     string      `json:"name"`             // the word to type
	Usage    string      `json:"usage"`            // a command line with it
	Short    string      `json:"short"`            // what it does, in a line
	Long     string      `json:"long,omitempty"`   // the rest of the sentence
	Kind     string      `json:"kind"`             // the kind of envelope that it answers with
	Flags    []flagJSON  `json:"flags"`            // its own; pawl help lists those of every verb
	Topics   []topicJSON `json:"topics,omitempty"` // what needs more room
	Examples []string    `json:"examples"`         // command lines
}

// topicJSON is a topic, with an example and a glossary.
type topicJSON struct {
	Title string        `json:"title"`           // what it is about
	Block string        `json:"block,omitempty"` // an example, in lines
	Terms []manual.Term `json:"terms"`           // its words
}

// flagJSON is a flag of a verb.
type flagJSON struct {
	Name    string `json:"name"`            // without the dashes
	Value   string `json:"value,omitempty"` // a word for its value; absent: it takes none
	Meaning string `json:"meaning"`         // what it does
}

// word is the flag as it is typed, with a word for its value: --lease DURATION,
// --wait[=TIME].
func (f flagJSON) word() string {
	if strings.HasPrefix(f.Value, "[") {
		return "--" + f.Name + f.Value
	}
	return strings.TrimSpace("--" + f.Name + " " + f.Value)
}

func (v verb) json(cmd *cobra.Command) verbJSON {
	var topics []topicJSON
	for _, s := range v.sections() {
		topics = append(topics, topicJSON{s.Title, strings.Join(s.Block, "\n"), append([]manual.Term{}, s.Terms...)})
	}
	return verbJSON{v.name, v.usage(), v.short, v.long, v.kind, flagsOf(cmd), topics, v.examples}
}

func (a *app) help(format string) error {
	if a.json {
		answer := helpJSON{Envelope: wire.NewEnvelope("help")}
		for v := range listed {
			answer.Verbs = append(answer.Verbs, v.json(v.command(a)))
		}
		return a.printJSON(answer)
	}
	a.printPage(front(format != "text"), format)
	return nil
}

func (a *app) helpVerb(v verb, format string) error {
	cmd := v.command(a)
	if a.json {
		return a.printJSON(helpJSON{wire.NewEnvelope("help"), []verbJSON{v.json(cmd)}})
	}
	a.printPage(v.page(cmd), format)
	return nil
}

func (a *app) printPage(p *manual.Page, format string) {
	switch format {
	case "markdown":
		a.print("%s", p.Markdown(1))
	case "man":
		build := a.env.Build.read()
		day, _, _ := strings.Cut(build.Date, "T")
		a.print("%s", p.Roff(build.Version, day))
	default:
		a.print("%s", p.Text(func(title string) string { return a.paint.as(bold, title) }, a.screen.textWidth()))
	}
}

// helpFor is what --help comes to.
func (a *app) helpFor(cmd *cobra.Command, _ []string) {
	help := func() error { a.first(); return nil }
	if a.json {
		help = func() error { return a.help("text") }
	}
	if v, ok := find(cmd.Name()); ok && cmd.HasParent() {
		help = func() error { return a.helpVerb(v, "text") }
	}
	if err := help(); err != nil {
		fmt.Fprintln(a.env.Stderr, "pawl:", err)
	}
}
