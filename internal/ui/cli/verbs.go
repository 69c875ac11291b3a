package cli

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/manual"
	"github.com/pawl-dev/pawl/internal/text"
)

// A verb is a command of the command line.
type verb struct {
	name     string
	alias    string                  // a second name, which is not listed; may be empty
	use      string                  // what follows the name: "[ID] [flags]"
	short    string                  // a line of the list of verbs
	long     string                  // what the line does not say; may be empty
	topics   func() []manual.Section // what needs more room than that; may be nil
	kind     string                  // of the envelope that --json prints; see kinds; empty: it speaks another protocol
	examples []string
	// build adds the verb's flags and returns what runs it.
	build func(a *app, cmd *cobra.Command) func(ctx context.Context, args []string) error
	// args bounds the number of arguments; max -1: any.
	min, max int
}

// A group is the verbs that serve one purpose.
type group struct {
	title string
	verbs []*verb // a copy of each would cost every start
	// hidden says why no list, completion or hint shows the verbs, which work all the
	// same, and help explains by name; empty: they are shown.
	hidden string
}

// groups holds each verb once. The first two are the page of pawl help, which
// says in [firstLines] what they are for; pawl help all has the others too.
var groups []group

// firstPage is how many of the groups stand on it.
const firstPage = 2

func init() {
	groups = []group{
		{"For you", []*verb{
			&setupVerb, &planVerb, &addVerb, &boardVerb, &showVerb, &doneVerb, &undoVerb, &serveVerb,
		}, ""},
		{"For agents, and you", []*verb{
			&readyVerb, &claimVerb, &noteVerb, &releaseVerb,
		}, ""},
		{"Plan", []*verb{
			&updateVerb, &checkVerb, &blockVerb, &rmVerb, &importVerb, &exportVerb,
		}, ""},
		{"Work", []*verb{
			&runVerb, &holdVerb, &reopenVerb, &assignVerb, &todoVerb,
		}, ""},
		{"Together", []*verb{
			&joinVerb, &shareVerb, &syncVerb, &mergeVerb,
		}, ""},
		{"Look", []*verb{
			&listVerb, &graphVerb, &logVerb, &agentsVerb, &statusVerb,
		}, ""},
		{"Project", []*verb{
			&initVerb, &trustVerb, &configVerb, &quietVerb, &doctorVerb,
		}, ""},
		{"About Pawl", []*verb{
			&demoVerb, &helpVerb, &completionVerb, &versionVerb,
		}, ""},
		{"For programs", []*verb{
			&hookVerb, &mcpVerb, &acpVerb, &statuslineVerb, &mergeFileVerb,
		}, "The programs of agents, and git, call these."},
	}
}

// all goes through the verbs, the unlisted ones last.
func all(yield func(verb) bool) {
	for _, g := range groups {
		for _, v := range g.verbs {
			if !yield(*v) {
				return
			}
		}
	}
}

// listed goes through the verbs that are shown, in the order of help all.
func listed(yield func(verb) bool) {
	for _, g := range groups {
		for _, v := range g.verbs {
			if g.hidden == "" && !yield(*v) {
				return
			}
		}
	}
}

// find returns the verb with this name.
func find(name string) (verb, bool) {
	for v := range all {
		if v.name == name || v.alias != "" && v.alias == name {
			return v, true
		}
	}
	return verb{}, false
}

// Verbs names the verbs that are shown, in the order of help all.
func Verbs() []string {
	var names []string
	for v := range listed {
		names = append(names, v.name)
	}
	return names
}

// shown reports whether lists show the verb.
func (v verb) shown() bool {
	for l := range listed {
		if l.name == v.name {
			return true
		}
	}
	return false
}

// sections are the topics.
func (v verb) sections() []manual.Section {
	if v.topics == nil {
		return nil
	}
	return v.topics()
}

func (v verb) command(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: v.name, Short: v.short, DisableFlagsInUseLine: true, Hidden: a.suggests && !v.shown()}
	if v.alias != "" {
		cmd.Aliases = []string{v.alias}
	}
	run := v.build(a, cmd)
	cmd.Args = func(_ *cobra.Command, args []string) error {
		err := v.checkArgs(args)
		if err != nil && v.name == listVerb.name {
			err.(*pawl.Error).Hint.Text = commandLine("pawl list --all --text", strings.Join(args, " "))
		}
		return err
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if a.as != me && a.asked() == "" && cmd.Flags().Changed("as") {
			return usage(v.name, "the name of --as is empty: perhaps it comes from a variable that is not set")
		}
		return run(cmd.Context(), args)
	}
	return cmd
}

func (v verb) checkArgs(args []string) error {
	switch {
	case len(args) < v.min:
		atLeast := ""
		if v.max != v.min {
			atLeast = "at least "
		}
		return usage(v.name, "%s needs %s%s", v.name, atLeast, text.Count(v.min, "argument", "arguments"))
	case v.max >= 0 && len(args) > v.max:
		return usage(v.name, "%s takes %s, and %q is one too many", v.name, text.Count(v.max, "argument", "arguments"), args[v.max])
	}
	return nil
}

// usage is the error of a command line that cannot work.
func usage(verb, format string, args ...any) *pawl.Error {
	e := pawl.Errorf(pawl.Invalid, format, args...).Say("pawl help")
	if verb != "" {
		e.Hint.Text += " " + verb
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
	_, unknown := errors.AsType[*pflag.NotExistError](err)
	_, odd := errors.AsType[*pflag.InvalidSyntaxError](err) // "-- a text"
	if !unknown && !odd || !cmd.HasParent() {
		return usage(name, "%s", message)
	}
	_, words := split(a.env.Args)
	v, _ := find(name)
	line, meant := a.proposed(v, words[1:])
	if meant != "" {
		message += "; did you mean " + meant + "?"
	}
	e := usage(name, "%s", message)
	if line != "" {
		e.Hint.Text = line
	}
	return e
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
	return ""
}
