package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/gitexclude"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/todo"
)

// stand shows how a board with tasks stands: what needs a person, who is at work,
// what is ready, and how many there are beside these.
//
//	shop: 12 open, 7 done
//	Running
//	  [>] #4 Cart endpoint (claude, 12 min, todos 3/7: Adding the totals)
//	Ready
//	  [ ] #7 Price tests (high priority)
//	2 more ready, 6 blocked: pawl list
func (a *app) stand(ctx context.Context, place *project.Board, o *query.Overview, recent *todo.Recent, git *merge.State) {
	n := &o.Counts
	name := text.Line(nameOf(place))
	if n.Open == 0 && o.Last != nil && n.Damaged+n.Merging == 0 {
		a.print("%s\n", allDone(name, n.Completed+n.Archived, o))
		a.cycles(o)
		a.needsPerson(o, recent)
		a.noNudges()
		a.somePlans(recent)
		return
	}
	line := fmt.Sprintf("%s: %d open, %d done", name, n.Open, n.Completed)
	if n.Archived > 0 {
		line += fmt.Sprintf(", %d archived", n.Archived)
	}
	if git != nil && git.Next != nil && len(git.Next.Report.Arrived) > 0 {
		line += fmt.Sprintf("; %d arrived", len(git.Next.Report.Arrived))
	}
	a.print("%s\n", line)
	a.noNudges()
	if n.Merging > 0 && !tellsMoves(git) {
		a.print("Not merged yet: %s\n", a.command("merge"))
		for i := range o.Merging {
			a.print("  %s\n", show.OtherBranch(&o.Merging[i]))
		}
		if more := n.Merging - len(o.Merging); more > 0 {
			a.print("  and %d more\n", more)
		}
	}
	a.cycles(o)
	a.needsPerson(o, recent)
	shown := a.running(o, recent)
	if n.Ready > 0 {
		a.print("%s\n", a.paint.as(green, "Ready"))
		a.list(o.Ready, o.Head, o.Unblocks, "  ")
	}
	a.rest(n, o)
	a.otherTodos(recent, shown)
	if o.Shared == nil && !place.Distant() { // else that is how it is meant
		a.hiddenFrom(ctx, place.Dir)
	}
}

// needsPerson shows what only a person can settle: files that cannot be read, tasks that
// are completed and not shown to be done, tasks on hold, and agents that have paused.
func (a *app) needsPerson(o *query.Overview, recent *todo.Recent) {
	n := &o.Counts
	paused := slices.ContainsFunc(recent.Running, func(l todo.List) bool { return l.Pause != nil })
	if n.Damaged+n.Unshown+n.Held == 0 && !paused {
		return
	}
	a.print("%s\n", a.paint.as(red, "Needs you"))
	if n.Damaged > 0 {
		a.print("  %s: %s\n", text.Count(n.Damaged, "file cannot be read", "files cannot be read"), a.command("doctor"))
	}
	if n.Unshown > 0 {
		a.print("  %s: %s\n", unshownWords(n.Unshown), a.command("list --unshown"))
		a.saying(o.Unshown, o, func(t *pawl.Task) []string {
			if a.tabular() { // a row says it anyway
				return nil
			}
			return []string{show.CheckedWords(t)}
		})
	}
	a.saying(o.Held, o, func(t *pawl.Task) []string { return []string{heldBy(t)} })
	if more := n.Held - len(o.Held); more > 0 {
		a.print("  and %d more on hold: %s\n", more, a.command("list --held"))
	}
	if slices.ContainsFunc(o.Held, func(t pawl.Task) bool { return t.Hold.Finished() }) {
		a.print("  to trust the checks of what agents have finished, and run them: %s\n", a.command("trust checks"))
	}
	a.paused(recent)
}

// paused shows why agents have paused, each until its user's next prompt.
func (a *app) paused(recent *todo.Recent) {
	plans := show.Plans(recent)
	for i := range recent.Running {
		if p := recent.Running[i].Pause; p != nil {
			a.print("  %s paused: %s\n", plans[i].Who(), text.Line(p.Reason))
		}
	}
}

// cycles names the cycles that files of other programs have made.
func (a *app) cycles(o *query.Overview) {
	for _, ids := range o.Cycles {
		a.print("%s\n", a.paint.as(red, show.Cycle(ids)+" (a cycle); the next change removes one dependency"))
	}
}

// unshownWords counts completed tasks that are not shown to be done.
func unshownWords(n int) string {
	return text.Count(n, "task is completed, but not shown to be done", "tasks are completed, but not shown to be done")
}

// noNudges says that nobody wants nudges now.
func (a *app) noNudges() {
	if quiet := a.quietNow(); quiet != "" {
		a.print("No nudges: %s (pawl quiet)\n", quiet)
	}
}

// hiddenFrom says that git does not see a board that Pawl hides from it.
func (a *app) hiddenFrom(ctx context.Context, dir string) {
	by, hidden := gitexclude.Made(dir)
	if !hidden {
		return
	}
	if n, _ := gitexclude.Overrun(ctx, dir, true); n > 0 {
		a.print("%s\n", a.paint.as(red, fmt.Sprintf("Git put %s of a commit over this hidden board: %s", text.Count(n, "file", "files"), a.command("doctor"))))
		return
	}
	made := "Hidden from git"
	if by != "" {
		made = "Made by " + by + ", hidden from git"
	}
	a.print("%s (%s)\n", made, a.command("init --shared"))
}

// allDone says since when all is completed, and who did the last of it.
func allDone(name string, n int, o *query.Overview) string {
	t := o.Last
	line := fmt.Sprintf("%s: all %d done", name, n)
	if n == 1 {
		line = name + ": the only task is done"
	}
	if !t.CompletedAt.IsZero() {
		line += ", the last " + text.Ago(o.Now, t.CompletedAt)
	}
	line += ": " + show.Name(t)
	if t.Owner != "" {
		line += ", by " + text.Line(t.Owner)
	}
	return line
}

// running shows the tasks in progress, with how far the todo lists of their
// sessions are, and returns these lists' keys.
func (a *app) running(o *query.Overview, recent *todo.Recent) (shown []todo.Key) {
	if len(o.Working) == 0 {
		return nil
	}
	a.print("%s\n", a.paint.as(bold, "Running"))
	a.saying(o.Working, o, func(t *pawl.Task) []string {
		words := show.AtWork(&query.Facts{Now: o.Now, Shared: o.Shared}, t)
		if list := listOf(recent, &t.Claim); list != nil {
			shown = append(shown, list.Key)
			words = append(words, howFar(list))
		}
		if t.Hold != nil {
			words = append(words, "on hold: "+text.Line(t.Hold.Reason))
		}
		return words
	})
	if more := o.Counts.InProgress - len(o.Working); more > 0 {
		a.print("  and %d more: %s\n", more, a.command("agents"))
	}
	return shown
}

// saying prints tasks with words about each.
func (a *app) saying(tasks []pawl.Task, o *query.Overview, words func(*pawl.Task) []string) {
	const indent = "  "
	if a.tabular() {
		screen := a.screen.Screen
		screen.Width -= len(indent)
		for _, line := range screen.RowsSaying(tasks, a.facts(o.Head, nil), func(t *pawl.Task) string { return strings.Join(words(t), ", ") }) {
			a.print("%s%s\n", indent, a.paint.line(line))
		}
		return
	}
	for i := range tasks {
		t := &tasks[i]
		mark := show.Mark(t)
		if t.Hold != nil {
			mark = "[!]" // it needs a person
		}
		line := mark + " " + withRemarks(t, []string{strings.Join(words(t), ", ")})
		a.print("%s%s\n", indent, a.paint.task(t, a.name(), line))
	}
}

// heldBy says who put a task on hold, and why.
func heldBy(t *pawl.Task) string {
	if t.Hold.Finished() {
		return text.Line(t.Hold.Reason)
	}
	by := "on hold"
	if t.Hold.By != "" {
		by += " by " + text.Line(t.Hold.By)
	}
	return by + ": " + text.Line(t.Hold.Reason)
}

// listOf is the running todo list of the session that claimed a task.
func listOf(recent *todo.Recent, c *pawl.Claim) *todo.List {
	if c.Session == "" || c.Clone != "" {
		return nil
	}
	key := todo.Key{Session: c.Session, Agent: c.Agent}.Normal()
	for i := range recent.Running {
		if recent.Running[i].Key == key {
			return &recent.Running[i]
		}
	}
	return nil
}

// howFar says how far a todo list is, and what is being done: "todos 3/7: Adding
// the totals".
func howFar(list *todo.List) string {
	s := fmt.Sprintf("todos %d/%d", len(list.Items)-list.Open(), len(list.Items))
	if i := list.Current(); i >= 0 {
		s += ": " + show.Step(&list.Items[i])
	}
	if list.Pause != nil {
		s += " (paused)"
	}
	return s
}

// rest counts what is not shown, and says where it is.
func (a *app) rest(n *query.Counts, o *query.Overview) {
	parts := text.Counts([]string{"more ready", "blocked"}, n.Ready-len(o.Ready), n.Blocked)
	if len(parts) == 0 {
		return
	}
	where := "list"
	if a.screen.on {
		where = "board"
	}
	a.print("%s: %s\n", strings.Join(parts, ", "), a.command(where))
}

// otherTodos shows the todo lists of sessions that work on none of the tasks above.
func (a *app) otherTodos(recent *todo.Recent, shown []todo.Key) {
	rest := *recent
	rest.Running = slices.DeleteFunc(slices.Clone(recent.Running), func(l todo.List) bool { return slices.Contains(shown, l.Key) })
	if len(shown) > 0 && len(rest.Running) == 0 {
		rest.Finished = nil // what runs matters more
	}
	a.somePlans(&rest)
}
