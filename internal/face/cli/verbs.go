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
	"github.com/pawl-dev/pawl/internal/view"
)

// A verb is one thing that one can ask for.
type verb struct {
	name     string
	use      string           // what follows the name: "[ID] [flags]"
	short    string           // a line of the list of verbs
	long     string           // what the line does not say; may be empty
	topics   []manual.Section // what needs more room than that
	kind     string           // of the envelope that --json prints; see kinds
	examples []string
	// build adds the verb's flags and returns what runs it.
	build func(a *app, cmd *cobra.Command) func(ctx context.Context, args []string) error
	// args bounds the number of arguments; max -1: any.
	min, max int
}

// A group is the verbs that serve one purpose.
type group struct {
	title string
	verbs []verb
}

// groups lists all verbs in the order of the help page.
var groups []group

func init() {
	groups = []group{
		{"Plan", []verb{
			addVerb, planVerb, blockVerb, unblockVerb, updateVerb, noteVerb, assignVerb, rmVerb, undoVerb,
		}},
		{"Work", []verb{
			nextVerb, claimVerb, startVerb, renewVerb, doneVerb, releaseVerb, reopenVerb,
		}},
		{"Look", []verb{
			statusVerb, listVerb, readyVerb, showVerb, graphVerb, logVerb, agentsVerb, watchVerb,
		}},
		{"Board", []verb{
			initVerb, importVerb, exportVerb, doctorVerb, configVerb, trustVerb,
		}},
		{"More", []verb{
			demoVerb, completionVerb, helpVerb, versionVerb,
		}},
	}
}

// all goes through the verbs in the order of the help page.
func all(yield func(verb) bool) {
	for _, g := range groups {
		for _, v := range g.verbs {
			if !yield(v) {
				return
			}
		}
	}
}

// find returns the verb with this name.
func find(name string) (verb, bool) {
	for v := range all {
		if v.name == name {
			return v, true
		}
	}
	return verb{}, false
}

// Verbs names all verbs, in the order of the help page.
func Verbs() []string {
	var names []string
	for v := range all {
		names = append(names, v.name)
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

// elsewhere says what others call a verb, so that whoever comes from git, gh or
// another tracker is told Pawl's word for it.
var elsewhere = map[string]string{
	"create": "add", "new": "add", "todo": "add",
	"edit": "update", "set": "update", "modify": "update", "hold": "update", "label": "update",
	"delete": "rm", "remove": "rm", "drop": "rm",
	"link": "block", "dep": "block", "depend": "block", "unlink": "unblock",
	"take": "claim", "pick": "claim", "grab": "claim", "begin": "start", "resume": "start",
	"close": "done", "complete": "done", "finish": "done", "resolve": "done",
	"unclaim": "release", "stop": "release", "return": "release", "open": "reopen",
	"ls": "list", "tasks": "list", "search": "list", "find": "list", "blocked": "list",
	"tree": "graph", "deps": "graph", "dag": "graph",
	"view": "show", "cat": "show", "get": "show", "st": "status", "info": "status",
	"settings": "config", "preferences": "config",
	"dump": "export", "backup": "export", "load": "import", "restore": "import",
	"comment": "note", "remark": "note", "give": "assign", "delegate": "assign", "unassign": "assign",
	"heartbeat": "renew", "ping": "renew", "extend": "renew",
	"who": "agents", "workers": "agents", "owners": "agents",
	"history": "log", "changes": "log", "blame": "log", "revert": "undo", "rollback": "undo",
	"check": "doctor", "fsck": "doctor", "verify": "doctor", "man": "help",
}

// unknownVerb refuses what is no verb, and gives the same command line with the
// verb that was probably meant.
func (a *app) unknownVerb(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	e := pawl.Errorf(pawl.Invalid, "there is no verb %q", view.Clip(args[0], 40))
	e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "pawl help"}
	near := elsewhere[strings.ToLower(args[0])]
	if near == "" {
		near = view.Nearest(args[0], Verbs())
	}
	if near != "" {
		e.Hint.Text = "pawl " + near
		for _, arg := range args[1:] {
			e.Hint.Text += " " + quote(arg)
		}
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
	if unknown, ok := strings.CutPrefix(message, "unknown flag: --"); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := view.Nearest(unknown, names); near != "" {
			message += "; did you mean --" + near + "?"
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
	return ""
}
