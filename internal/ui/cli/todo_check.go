package cli

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/checks"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/todo"
)

// listCheckJSON is the check of a todo list.
type listCheckJSON struct {
	Name    string      `json:"name,omitempty"`    // what it is called
	Command string      `json:"command,omitempty"` // what runs; absent: the check cannot be read, and nothing passes it
	State   string      `json:"state"`             // passed, failed or open: it has not run, or todos changed since it passed
	Exit    int         `json:"exit,omitempty"`    // the exit code of its last run; -1: it did not end by itself
	At      wire.Moment `json:"at,omitempty"`      // when it last ran
}

func newListCheckJSON(list *todo.List) *listCheckJSON {
	if !list.HasCheck() {
		return nil
	}
	j := &listCheckJSON{State: string(list.Standing())}
	if c := list.Check; c != nil {
		j.Name, j.Command = c.Name, c.Command()
		if j.State != string(pawl.CheckedOpen) {
			j.Exit, j.At = list.Checked.Exit, wire.Time(list.Checked.At)
		}
	}
	return j
}

// listCheck shows the check of the list, or gives it one.
func (t *todoRun) listCheck(ctx context.Context, args []string) error {
	line := strings.Join(args, " ")
	switch {
	case t.none && len(args) > 0:
		return usage("todo", "--none and %q contradict each other: give one of them", text.Clip(line, 40))
	case len(args) > 0 && todo.IsPosition(args[0]):
		return pawl.Errorf(pawl.Invalid, "%q is a position, and a check is a command", text.Clip(line, 40)).
			Say("pawl todo done " + line + t.agentFlag())
	case len(args) > 1:
		return pawl.Errorf(pawl.Invalid, "a check is one argument, and these are %d: put it in quotes", len(args)).
			Say("pawl todo check " + quote(line) + t.agentFlag())
	}
	var c *pawl.Check
	if len(args) == 1 {
		parsed, err := pawl.ParseCheck(line)
		if err != nil {
			return err
		}
		c = &parsed
	}
	service, list, err := t.checked(ctx)
	switch {
	case err != nil:
		return err
	case c == nil && !t.none:
		return t.showCheck(service, list)
	}
	person := t.mayConsent()
	edited, err := t.lists.SetCheck(ctx, t.key, t.editing(), c, func(l *todo.List) error { return service.MaySet(l, person) })
	if err != nil {
		return err
	}
	if !edited.Changed {
		edited.What = []string{"left the check as it was"}
	}
	if edited.Finished || t.json {
		err = t.tellEdited(edited, nil)
	} else {
		t.print("%s\n", text.Line(text.Sentence(edited.What[0])))
	}
	if err != nil || c == nil {
		return err
	}
	before, err := service.Trusts(c)
	switch {
	case err != nil:
		return err
	case before:
	case person:
		if err := service.Trust(ctx, []pawl.Check{*c}, nil); err != nil {
			t.say("nothing was trusted: %v", err)
			return nil
		}
		t.say("trusted here, because you typed it: %s", show.Command(c))
	case !t.json:
		t.say("1 check waits for a person: %s", t.command("trust checks"))
	}
	return nil
}

// checked is the list that is meant, which has to be one of this project, and the checks
// of the clone: trust is for a command here, and not where the session works.
func (t *todoRun) checked(ctx context.Context) (*checks.Service, *todo.List, error) {
	if err := t.choose(ctx); err != nil {
		return nil, nil, err
	}
	list, err := t.lists.Look(ctx, t.key)
	if err != nil {
		return nil, nil, err
	}
	if list.Project != "" && !t.ours()(todo.Head{Project: list.Project}) {
		return nil, nil, pawl.Errorf(pawl.Invalid, "the list of %s is of the project in %s, and its check runs there", listName(t.key), text.Line(list.Project))
	}
	service, err := t.checks()
	return service, &list, err
}

func (t *todoRun) showCheck(service *checks.Service, list *todo.List) error {
	if t.json {
		return t.printJSON(newTodosJSON(list))
	}
	if !list.HasCheck() {
		t.say("%s has no check: %s gives it one", listName(t.key), t.command(`todo check "go test ./..."`+t.agentFlag()))
		return nil
	}
	trusted, tail, err := service.LastOf(list)
	if err != nil {
		return err
	}
	t.print("%s\n", list.CheckTold(time.Now()))
	for line := range strings.Lines(tail) {
		t.print("  | %s\n", text.Line(strings.TrimRight(line, "\n")))
	}
	if !trusted && list.Check != nil {
		t.say("1 check waits for a person: %s", t.command("trust checks"))
	}
	return nil
}

// checkTodos runs the check of a todo list.
func (a *app) checkTodos(ctx context.Context, cmd *cobra.Command, agent string) error {
	t := &todoRun{app: a, cmd: cmd, agent: agent}
	if err := t.reach(); err != nil {
		return err
	}
	return t.explain(t.runCheck(ctx))
}

func (t *todoRun) runCheck(ctx context.Context) error {
	service, list, err := t.checked(ctx)
	if err != nil {
		return err
	}
	ran, checked, err := service.RunList(ctx, t.checking(), list)
	if err != nil {
		return err
	}
	edited, err := t.lists.CheckRan(ctx, t.key, t.editing(), list, checked)
	if err != nil {
		return err
	}
	again := "pawl check --todos" + t.agentFlag()
	switch {
	case !ran.Passed:
		e := pawl.Errorf(pawl.Unmet, "the todo list of %s is not shown to be done", listName(t.key))
		e.Faults, e.Hint = []pawl.Fault{ran.Fault()}, pawl.Hint{Step: pawl.HintSay, Text: again}
		err = e
	case !edited.Changed:
		err = pawl.Errorf(pawl.Unmet, "the todos changed while the check ran, so it shows nothing of them").Say(again)
	}
	report := checks.Report{Ran: []checks.Ran{ran}}
	if t.json {
		answer := checkJSON{Envelope: wire.NewEnvelope("check"), Checked: string(edited.List.Standing()), Ran: ranOf(report), Session: t.key.Session, Finished: edited.Finished}
		if failed := t.printJSON(answer); failed != nil || err == nil {
			return failed
		}
		return errAnswered{err.(*pawl.Error)}
	}
	t.tails(report)
	if err != nil {
		return err
	}
	t.print("%s\n", ran.Line())
	switch open := edited.List.Open(); {
	case edited.Finished:
		t.print("%s\n", finishedList)
	case open > 0:
		t.say("%s open: run it again when all are completed", text.Count(open, "todo is", "todos are"))
	}
	return nil
}

// finishedList is what is told of a list in which nothing is left to do.
const finishedList = "Nothing is left to do: the list is finished, and empty"

// mostChecked bounds the lists whose checks are shown for trust, the newest.
const mostChecked = 500

// checkedLists are the todo lists of the project on this machine that have a check.
func (a *app) checkedLists(ctx context.Context) []todo.List {
	t := &todoRun{app: a}
	if t.reach() != nil {
		return nil // no process but the agent's has them
	}
	heads, err := t.ofProject(ctx)
	if err != nil {
		a.say("the todo lists cannot be read: %s", err)
	}
	var lists []todo.List
	for _, h := range heads[:min(len(heads), mostChecked)] {
		list, err := t.lists.Look(ctx, h.Key)
		switch {
		case err != nil:
			a.say("the todo list of %s cannot be read: %s", listName(h.Key), err)
		case list.Check != nil:
			lists = append(lists, list)
		case list.HasCheck():
			a.say("the check of the todo list of %s cannot be read", listName(h.Key))
		}
	}
	return lists
}

// ofThis is how a list is named among those whose checks wait.
func ofThis(key todo.Key) string { return "the todo list of " + listName(key) }
