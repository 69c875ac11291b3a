package cli

import (
	"context"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
)

// typed is what a person agrees to by typing checks at a terminal: they have seen the
// commands.
type typed struct {
	checks []pawl.Check
	agreed bool // to what the task needs afterwards
}

// typing finds out, before a change, what is agreed to by it. A person who changes the
// checks of a task agrees to that, unless an agent has taken away another one before:
// that remains to be seen by pawl trust checks.
func (a *app) typing(t *pawl.Task, checks []pawl.Check) typed {
	is := typed{checks: checks}
	if service, err := a.checks(); err == nil && a.mayConsent() {
		lost, err := service.Lost(t)
		is.agreed = err == nil && len(lost) == 0
	}
	return is
}

// trustTyped lets commands run in this clone that a person has typed, and says so. Those
// of an agent wait for a person.
func (a *app) trustTyped(ctx context.Context, is typed, tasks []pawl.Task) {
	service, err := a.checks()
	if err != nil {
		a.say("the checks of this project cannot be read: %v", err)
		return
	}
	if a.mayConsent() && (len(is.checks) > 0 || is.agreed) {
		before := a.untrusted(tasks)
		if !is.agreed {
			tasks = nil
		}
		if err := service.Trust(ctx, is.checks, tasks); err != nil {
			a.say("nothing was trusted: %v", err)
			return
		}
		var names []string
		for i := range is.checks {
			if _, waited := before[is.checks[i].Sum()]; waited {
				names = append(names, show.Command(&is.checks[i]))
				delete(before, is.checks[i].Sum())
			}
		}
		if len(names) > 0 {
			a.say("trusted here, because you typed it: %s", strings.Join(names, ", "))
		}
		return
	}
	a.sayWaiting(tasks)
}

// untrusted are the checks of tasks that nobody has trusted in this clone, by their sums.
func (a *app) untrusted(tasks []pawl.Task) map[string]string {
	waiting := map[string]string{}
	service, err := a.checks()
	if err != nil {
		return waiting
	}
	for i := range tasks {
		if len(tasks[i].Checks) == 0 {
			continue
		}
		items, err := service.Items(&tasks[i])
		if err != nil {
			return waiting
		}
		for _, item := range items {
			if item.Own && !item.Trusted {
				waiting[item.Sum()] = item.Name
			}
		}
	}
	return waiting
}

// sayWaiting says that commands wait for a person.
func (a *app) sayWaiting(tasks []pawl.Task) {
	if n := len(a.untrusted(tasks)); n > 0 && !a.json {
		a.say("%s for a person: %s", text.Count(n, "check waits", "checks wait"), a.command("trust checks"))
	}
}
