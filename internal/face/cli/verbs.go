package cli

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/view"
)

// A verb is one thing that one can ask for.
type verb struct {
	name     string
	use      string // what follows the name: "[ID] [flags]"
	short    string // a line of the list of verbs
	long     string // what the line does not say; may be empty
	examples []string
	// build adds the verb's flags and returns what runs it.
	build func(a *app, cmd *cobra.Command) func(ctx context.Context, args []string) error
	// args bounds the number of arguments; max -1: any.
	min, max int
}

// verbs lists them in the order of the help page.
var verbs []verb

func init() {
	verbs = []verb{
		addVerb, planVerb, blockVerb, unblockVerb, updateVerb, rmVerb,
		nextVerb, claimVerb, startVerb, doneVerb, releaseVerb, reopenVerb,
		listVerb, readyVerb, showVerb,
		initVerb, importVerb, exportVerb, doctorVerb,
		demoVerb, versionVerb, helpVerb,
	}
}

// Verbs names all verbs, in the order of the help page.
func Verbs() []string {
	names := make([]string, len(verbs))
	for i, v := range verbs {
		names[i] = v.name
	}
	return names
}

func (v verb) command(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: v.name, Short: v.short, DisableFlagsInUseLine: true}
	run := v.build(a, cmd)
	cmd.Args = func(_ *cobra.Command, args []string) error { return v.checkArgs(args) }
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return run(cmd.Context(), args) }
	return cmd
}

func (v verb) checkArgs(args []string) error {
	switch {
	case len(args) < v.min:
		return usage(v.name, "%s needs %s", v.name, view.Count(v.min, "argument", "arguments"))
	case v.max >= 0 && len(args) > v.max:
		return usage(v.name, "%s takes %s, and %q is one too many", v.name, view.Count(v.max, "argument", "arguments"), args[v.max])
	}
	return nil
}

// usage is the error of a command line that cannot work.
func usage(verb, format string, args ...any) error {
	e := pawl.Errorf(pawl.Invalid, format, args...)
	e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "pawl help"}
	if verb != "" {
		e.Hint.Text += " " + verb
	}
	return e
}

// unknownVerb refuses what is no verb, and names the nearest ones.
func (a *app) unknownVerb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	e := pawl.Errorf(pawl.Invalid, "there is no verb %q", view.Clip(args[0], 40))
	e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "pawl help"}
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		slices.Sort(near)
		e.Hint.Text = "pawl " + near[0]
	}
	return e
}

func (a *app) flagError(cmd *cobra.Command, err error) error {
	name := cmd.Name()
	if !cmd.HasParent() {
		name = ""
	}
	message := err.Error()
	if cause := errors.Unwrap(err); cause != nil {
		if want := wanted(cause); want != "" {
			message = strings.TrimSuffix(message, cause.Error()) + want
		}
	}
	return usage(name, "%s", message)
}

// wanted says what a flag's value must be, where the library that parses it
// speaks of its functions; else nothing.
func wanted(cause error) string {
	if number, ok := errors.AsType[*strconv.NumError](cause); ok {
		switch {
		case number.Func == "ParseBool":
			return "it must be true or false"
		case errors.Is(number, strconv.ErrRange):
			return "it is out of range"
		}
		return "it must be a whole number"
	}
	if strings.HasPrefix(cause.Error(), "time: ") {
		return "it must be a duration, such as 30m"
	}
	return ""
}
