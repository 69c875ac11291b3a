package cli

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pawl-dev/pawl/internal/view"
)

// frame is what pawl help prints around the list of verbs, which stands where
// it says so.
//
//go:embed help.txt
var frame string

const verbsHere = "VERBS\n"

// page is the whole help page.
func page() string {
	var b strings.Builder
	for i, g := range groups {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(g.title + "\n")
		for _, v := range g.verbs {
			fmt.Fprintf(&b, "  %-19s %s\n", strings.TrimSpace(v.name+" "+strings.TrimSuffix(v.use, "[flags]")), v.short)
		}
	}
	return strings.Replace(frame, verbsHere, b.String(), 1)
}

var helpVerb = verb{
	name:  "help",
	use:   "[VERB]",
	short: "explain pawl, or a verb",
	kind:  "help",
	examples: []string{
		"pawl help",
		"pawl help claim",
	},
	max: 1,
	build: func(a *app, _ *cobra.Command) func(context.Context, []string) error {
		return func(_ context.Context, args []string) error {
			if len(args) == 0 {
				return a.help()
			}
			return a.helpVerb(args[0])
		}
	},
}

// helpJSON is the envelope of help.
type helpJSON struct {
	view.Envelope
	Verbs []verbJSON `json:"verbs"` // all verbs, or the one that was asked about
}

// verbJSON is one thing that one can ask for.
type verbJSON struct {
	Name     string   `json:"name"`           // the word to type
	Usage    string   `json:"usage"`          // how a command line with it looks
	Short    string   `json:"short"`          // what it does, in a line
	Long     string   `json:"long,omitempty"` // what the line does not say
	Kind     string   `json:"kind"`           // the kind of envelope that it answers with
	Examples []string `json:"examples"`       // command lines
}

func (v verb) json() verbJSON {
	return verbJSON{v.name, v.usage(), v.short, v.long, v.kind, v.examples}
}

func (v verb) usage() string { return strings.TrimSpace("pawl " + v.name + " " + v.use) }

func (a *app) help() error {
	if a.json {
		answer := helpJSON{Envelope: view.NewEnvelope("help")}
		for v := range all {
			answer.Verbs = append(answer.Verbs, v.json())
		}
		return a.printJSON(answer)
	}
	for line := range strings.Lines(page()) {
		if title := strings.TrimSuffix(line, "\n"); title != "" && len(title) < 24 && unicode.IsUpper(rune(title[0])) {
			line = a.paint.as(bold, title) + "\n"
		}
		a.print("%s", line)
	}
	return nil
}

func (a *app) helpVerb(name string) error {
	v, ok := find(name)
	if !ok {
		return a.unknownVerb(nil, []string{name})
	}
	if a.json {
		return a.printJSON(helpJSON{view.NewEnvelope("help"), []verbJSON{v.json()}})
	}
	cmd := v.command(a)
	a.print("%s\n\n%s.\n", a.paint.as(bold, v.usage()), strings.ToUpper(v.short[:1])+v.short[1:])
	if v.long != "" {
		a.print("%s\n", wrap(v.long, width))
	}
	if flags := flagLines(cmd.Flags()); flags != "" {
		a.print("\n%s\n%s", a.paint.as(bold, "Flags"), flags)
	}
	a.print("\n%s\n", a.paint.as(bold, "Examples"))
	for _, example := range v.examples {
		a.print("  $ %s\n", example)
	}
	a.print("\nFlags of every verb: --json --board --as --session. See pawl help.\n")
	return nil
}

// flagLines explains flags, in two columns. The usage of a flag begins with the
// name of its value in backquotes.
func flagLines(flags *pflag.FlagSet) string {
	const column = 22
	var b strings.Builder
	flags.VisitAll(func(f *pflag.Flag) {
		value, text := pflag.UnquoteUsage(f)
		head := "  --" + f.Name
		if f.Value.Type() != "bool" {
			head += " " + value
			text = strings.TrimSpace(strings.TrimPrefix(text, value))
		}
		if len(head) >= column {
			head += "\n" + strings.Repeat(" ", column)
		} else {
			head += strings.Repeat(" ", column-len(head))
		}
		lines := strings.ReplaceAll(wrap(text, width-column), "\n", "\n"+strings.Repeat(" ", column))
		b.WriteString(head + lines + "\n")
	})
	return b.String()
}

// width is how wide help is: a terminal as it opens.
const width = 80

// wrap breaks a text into lines of at most n characters.
func wrap(text string, n int) string {
	var b strings.Builder
	at := 0
	for word := range strings.FieldsSeq(text) {
		switch length := utf8.RuneCountInString(word); {
		case at == 0:
			at = length
		case at+1+length > n:
			b.WriteByte('\n')
			at = length
		default:
			b.WriteByte(' ')
			at += 1 + length
		}
		b.WriteString(word)
	}
	return b.String()
}

// helpFor is what --help comes to.
func (a *app) helpFor(cmd *cobra.Command, _ []string) {
	err := a.help
	if cmd.HasParent() {
		err = func() error { return a.helpVerb(cmd.Name()) }
	}
	if err := err(); err != nil {
		fmt.Fprintln(a.env.Stderr, "pawl:", err)
	}
}
