package cli

import (
	"context"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/checks"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
)

var checkVerb = verb{
	name:  "check",
	use:   "[ID...] [flags]",
	short: "run the checks of tasks, and record the results",
	long: "Runs the commands that show whether tasks are done, and records in each task whether they passed, and on which commit and files. Without an ID, checks the task that you have claimed. pawl done does this by itself. With --clean, runs them in a temporary work tree of HEAD, without files that git does not track. With --todos, runs the check of your todo list (pawl todo check); the list is finished when its todos are completed and the check passes.\n\n" +
		"Because the commands come from a repository, Pawl runs only those that a person has trusted in this clone: pawl trust checks. Exits with 8 if a required check failed.",
	kind: "check",
	examples: []string{
		"pawl check",
		"pawl check 12 --only tests",
		"pawl check --clean",
		"pawl check --todos",
	},
	max:   -1,
	build: buildCheck,
}

// checkJSON is the envelope of check.
type checkJSON struct {
	wire.Envelope
	Checked  string    `json:"checked"`            // passed, failed, open: one was not run, or none: there is nothing to run
	Ran      []ranJSON `json:"ran"`                // the checks that were run, in their order
	Skipped  []string  `json:"skipped,omitempty"`  // checks that nobody has trusted in this clone
	Commit   string    `json:"commit,omitempty"`   // with --clean: the commit whose files were checked
	Session  string    `json:"session,omitempty"`  // with --todos: whose todo list it is
	Finished bool      `json:"finished,omitempty"` // with --todos: nothing was left to do, and the list was emptied
}

// ranJSON is a check that has run.
type ranJSON struct {
	Check   string    `json:"check"`             // what it is called
	Command string    `json:"command"`           // what ran
	Tasks   []pawl.ID `json:"tasks"`             // the tasks whose check it is
	Passed  bool      `json:"passed"`            // it ended with the exit code that is expected
	Again   bool      `json:"earlier,omitempty"` // it had passed on exactly these files, and was not run again
	Exit    int       `json:"exit"`              // its exit code; -1: it did not end by itself
	Millis  int64     `json:"ms"`                // how long it took
	Why     string    `json:"why,omitempty"`     // why it did not end by itself
	Tail    string    `json:"tail,omitempty"`    // the end of what it printed, with secrets masked
}

func ranOf(report checks.Report) []ranJSON {
	out := []ranJSON{}
	for i := range report.Ran {
		ran := &report.Ran[i]
		out = append(out, ranJSON{
			Check: ran.Check.Name, Command: ran.Check.Command(), Tasks: ran.Tasks, Passed: ran.Passed, Again: ran.Again,
			Exit: ran.Exit, Millis: ran.Took.Milliseconds(), Why: ran.Why, Tail: ran.Tail,
		})
	}
	return out
}

func buildCheck(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	var only []string
	var todos, clean bool
	var agent string
	cmd.Flags().StringArrayVar(&only, "only", nil, "`NAME` run only the check with this name; may be repeated")
	cmd.Flags().BoolVar(&clean, "clean", false, "run them in a temporary work tree of HEAD")
	cmd.Flags().BoolVar(&todos, "todos", false, "run the check of the todo list of the session")
	cmd.Flags().StringVar(&agent, "agent", "", "`AGENT` with --todos: use the list of this subagent of the session")
	return func(ctx context.Context, args []string) error {
		ctx, stop := stoppable(ctx)
		defer stop()
		switch {
		case todos && (len(args) > 0 || len(only) > 0 || clean):
			return usage("check", "--todos runs the one check of the todo list: give it alone")
		case todos:
			return a.checkTodos(ctx, cmd, agent)
		case agent != "":
			return usage("check", "--agent names a todo list: give it with --todos")
		}
		ids, err := a.resolveOrClaimed(ctx, args, 0)
		if err != nil {
			return err
		}
		service, err := a.checks()
		if err != nil {
			return err
		}
		request, err := a.checkRequest()
		if err != nil {
			return err
		}
		run := service.Check
		if clean {
			run = service.CheckFresh
		}
		report, err := run(ctx, request, ids, only)
		if unmet, is := checks.Unmet(err); is && !a.json {
			a.tails(unmet.Report)
		}
		if err != nil && (!a.json || len(report.Ran) == 0) {
			return err
		}
		if a.json {
			skipped := []string{}
			for i := range report.Skipped {
				skipped = append(skipped, report.Skipped[i].Name)
			}
			checked := string(pawl.CheckedPassed)
			switch {
			case err != nil:
				checked = string(pawl.CheckedFailed)
			case len(skipped) > 0:
				checked = string(pawl.CheckedOpen)
			case len(report.Ran) == 0:
				checked = "none"
			}
			if failed := a.printJSON(checkJSON{Envelope: wire.NewEnvelope("check"), Checked: checked, Ran: ranOf(report), Skipped: skipped, Commit: report.Commit}); failed != nil {
				return failed
			}
			if unmet, is := checks.Unmet(err); is {
				return errAnswered{unmet.Why}
			}
			return err
		}
		for i := range report.Ran {
			a.print("%s\n", report.Ran[i].Line())
		}
		for i := range report.Skipped {
			a.say("skipped %s: a person must trust it first: pawl trust checks", show.CheckWords(&report.Skipped[i]))
		}
		if len(report.Ran)+len(report.Skipped) == 0 {
			a.say("not checked: %s no checks", text.Plural(len(ids), "the task has", "the tasks have"))
		}
		return nil
	}
}

// stoppable is for what runs checks. When Pawl is told to stop, they are ended and nothing
// of them stays: a terminal tells only Pawl, because checks are in a group of their own.
// Told again, Pawl stops at once.
func stoppable(ctx context.Context) (context.Context, func()) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// checks opens the checks of the caller's clone.
func (a *app) checks() (*checks.Service, error) { return checks.In(a.project(), a.env.Getenv) }

// checking is a request to run checks for the caller, who is told as they run.
func (a *app) checking() checks.Request {
	return checks.Request{
		Person: a.caller().Person, By: a.name(),
		Tell: func(line string) {
			if !a.json {
				a.say("%s", text.Line(line))
			}
		},
	}
}

// checkRequest is a request to run checks of tasks of the board.
func (a *app) checkRequest() (checks.Request, error) {
	board, err := a.open()
	request := a.checking()
	if err == nil {
		request.Read = checks.Reader(board, a.caller().Actor)
		request.Past = checks.Past(board, a.caller().Actor)
		request.Do = func(ctx context.Context, op pawl.Op) error {
			_, err := a.do(ctx, op)
			return err
		}
	}
	return request, err
}

// tails shows the end of what failed checks printed.
func (a *app) tails(report checks.Report) {
	for i := range report.Ran {
		ran := &report.Ran[i]
		if ran.Passed || ran.Tail == "" {
			continue
		}
		a.say("%s printed at its end:", text.Line(ran.Check.Name))
		for line := range strings.Lines(ran.Tail) {
			a.say("  | %s", text.Line(strings.TrimRight(line, "\n")))
		}
	}
}

// resolveOrClaimed are the tasks that were named, or the one that the caller has claimed.
func (a *app) resolveOrClaimed(ctx context.Context, args []string, token pawl.Revision) ([]pawl.ID, error) {
	if len(args) == 0 {
		return a.onlyClaim(ctx, token)
	}
	return a.resolveWords(ctx, args)
}
