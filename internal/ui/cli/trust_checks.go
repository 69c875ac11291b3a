package cli

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/checks"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/todo"
)

// waitingCheck is a command that a person has not trusted, or a path.
type waitingCheck struct {
	Name    string `json:"name"`          // what it is called
	Command string `json:"command"`       // what would run
	Dir     string `json:"dir,omitempty"` // in which folder of the project
	Sum     string `json:"sum"`           // of all that decides what runs
}

// trustChecks asks a person to trust what wants to run in this clone, and offers to run
// what has waited for that.
func (a *app) trustChecks(ctx context.Context, yes, run bool) error {
	switch {
	case run && a.json:
		return usage("trust", "--run prints what it does: leave out --json")
	case run && !a.caller().Person:
		return a.consents("run what waits for trust", "pawl trust checks --run")
	}
	service, tasks, left, err := a.checkedTasks(ctx)
	if err == nil {
		err = a.askTrust(ctx, yes, service, tasks, left)
	}
	if err == nil {
		err = a.tellUnchecked(ctx, tasks)
	}
	if err != nil {
		return err
	}
	return a.runWaiting(ctx, run, service, slices.Concat(tasks, left))
}

// checkedTasks returns the checks of the caller's clone, the open tasks that have some, and
// those that were completed without a required one.
func (a *app) checkedTasks(ctx context.Context) (service *checks.Service, tasks, left []pawl.Task, err error) {
	if service, err = a.checks(); err != nil {
		return nil, nil, nil, err
	}
	board, err := a.open()
	if err == nil {
		tasks, err = service.Open(ctx, board, a.caller().Actor)
	}
	if err == nil {
		left, err = service.LeftOut(ctx, board, a.caller().Actor)
	}
	return service, tasks, left, err
}

// askTrust shows a person what wants to run in this clone, and lets exactly that run.
func (a *app) askTrust(ctx context.Context, yes bool, service *checks.Service, tasks, left []pawl.Task) error {
	if service.Broken != "" {
		a.say("the checks of this project cannot be read: %s", service.Broken)
	}
	lists := a.checkedLists(ctx)
	a.none = a.none && len(lists) == 0
	all := slices.Concat(tasks, left)
	wanted, err := service.Wanted(all, lists)
	if err != nil {
		return err
	}
	lost := 0
	for i := range wanted {
		if !a.json {
			a.showWanted(i+1, &wanted[i])
		}
	}
	for i := range tasks {
		names, err := service.Lost(&tasks[i])
		if err != nil {
			return err
		}
		if len(names) > 0 {
			lost++
		}
		if len(names) > 0 && !a.json {
			a.print("%v needed %s, and does not need it as it is now\n", tasks[i].ID, show.Escaped(strings.Join(names, ", ")))
		}
	}
	switch {
	case len(wanted) > 0 || lost > 0:
	case a.json:
		return a.printTrustedChecks(service, false, all, lists)
	default:
		a.print("Unchanged: nothing here waits for trust\n")
		return nil
	}
	if err := a.consents("trust checks", "pawl trust checks"); err != nil {
		return err
	}
	if !a.json {
		a.print("To trust them lets Pawl run them here, with all rights of yours, on whatever this folder holds then: a command such as go test runs the code of the tree.\n")
	}
	if err := a.confirm(yes, "trust exactly this", "nothing was trusted"); err != nil {
		return err
	}
	var trusted []pawl.Check
	for i := range wanted {
		if wanted[i].Part == "" {
			trusted = append(trusted, wanted[i].Check)
		}
	}
	if err := service.Trust(ctx, trusted, tasks); err != nil {
		return err
	}
	if err := service.TrustParts(ctx, wanted); err != nil {
		return err
	}
	if err := service.Agree(ctx); err != nil {
		return err
	}
	if a.json {
		return a.printTrustedChecks(service, len(wanted) > 0, all, lists)
	}
	a.print("Trusted: %s. To take it back: pawl trust --forget\n", trustedCount(wanted))
	return nil
}

// trustedCount counts what a person has trusted.
func trustedCount(all []checks.Wanted) string {
	paths := 0
	for i := range all {
		if all[i].Part == checks.CopyPart {
			paths++
		}
	}
	counts := []string{text.Count(len(all)-paths, "command", "commands")}
	if paths > 0 {
		counts = append(counts, text.Count(paths, "path", "paths"))
	}
	return text.And(counts)
}

// showWanted shows a check whole, with nothing in it that a terminal would act on.
func (a *app) showWanted(n int, w *checks.Wanted) {
	var from []string
	if w.Project {
		from = append(from, "the project's settings")
	}
	for i, id := range w.Tasks {
		if i == 10 {
			from = append(from, text.Count(len(w.Tasks)-i, "more task", "more tasks"))
			break
		}
		from = append(from, id.String())
	}
	for i, key := range w.Lists {
		if i == 10 {
			from = append(from, text.Count(len(w.Lists)-i, "more todo list", "more todo lists"))
			break
		}
		from = append(from, show.Escaped(ofThis(key)))
	}
	a.print("%d. %s, of %s\n", n, show.Escaped(w.Name), text.And(from))
	switch w.Part {
	case checks.CopyPart:
		a.print("   copies   %s\n", show.Command(&w.Check))
		a.print("   to       each new work tree of pawl run, where agents can read it\n")
		return
	case checks.SetupPart:
		a.print("   command  %s\n", show.Command(&w.Check))
		a.print("   runs     in each new work tree of pawl run, before an agent begins\n")
		return
	}
	a.print("   command  %s\n", show.Command(&w.Check))
	if w.Dir != "" {
		a.print("   folder   %s\n", show.Escaped(w.Dir))
	}
	gets, never := checks.Gets(&w.Check)
	if len(gets) > 0 {
		a.print("   gets     the variables %s\n", show.Escaped(strings.Join(gets, ", ")))
	}
	if len(never) > 0 {
		a.print("   gets not %s: no check gets what is Pawl's\n", show.Escaped(strings.Join(never, ", ")))
	}
	a.print("   ends     after %s at most\n", text.FormatDuration(w.Limit()))
	if w.Expect != 0 {
		a.print("   passes   with exit code %s\n", strconv.Itoa(w.Expect))
	}
}

func (a *app) printTrustedChecks(service *checks.Service, changed bool, tasks []pawl.Task, lists []todo.List) error {
	all, err := service.Trusted()
	if err != nil {
		return err
	}
	names := map[string]string{}
	for i := range tasks {
		for _, c := range tasks[i].Checks {
			names[c.Sum()] = c.Name
		}
	}
	for i := range lists {
		names[lists[i].Check.Sum()] = lists[i].Check.Name
	}
	for i := range service.Rules {
		names[service.Rules[i].Sum()] = service.Rules[i].Name
	}
	for _, w := range service.RunParts() {
		names[w.Sum()] = w.Name
	}
	wanted, err := service.Wanted(tasks, lists)
	if err != nil {
		return err
	}
	answer := trustJSON{Envelope: wire.NewEnvelope("trust"), Changed: changed, Trusted: []trustItem{}}
	for i := range all {
		item := trustItemOf(&all[i])
		item.Name = names[item.Sum]
		answer.Trusted = append(answer.Trusted, item)
	}
	for i := range wanted {
		answer.Waiting = append(answer.Waiting, waitingCheck{wanted[i].Name, wanted[i].Command(), wanted[i].Dir, wanted[i].Sum()})
	}
	return a.printJSON(answer)
}
