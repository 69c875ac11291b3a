package cli

import (
	"context"
	"runtime"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

// tasksJSON is the envelope of a list.
type tasksJSON struct {
	wire.Envelope
	Revision pawl.Revision `json:"revision"`          // of the board, when this page was read; with --changed-since what to ask with next time, on all pages
	Total    int           `json:"total"`             // number of matching tasks, on all pages
	Tasks    []wire.Task   `json:"tasks"`             // one page, at most --limit
	HasMore  bool          `json:"hasMore"`           // another page follows
	Cursor   string        `json:"cursor,omitempty"`  // the value of --cursor for it
	Moved    bool          `json:"moved,omitempty"`   // the board has changed since the first page
	Nothing  *wire.Nothing `json:"nothing,omitempty"` // why no task is ready
	Reason   *reason       `json:"reason,omitempty"`  // with ready --why: why the task comes first
	Shared   *wire.Shared  `json:"shared,omitempty"`  // how the board is shared through a git remote; absent: it is not
	Removed  []pawl.ID     `json:"removed,omitempty"` // with --changed-since, on the first page: tasks that changed and do not match the flags, or no longer do
}

// showPage prints a page of the tasks that are asked for. none is what to say when
// there is nothing, if the answer does not say why.
func (a *app) showPage(ctx context.Context, q query.TasksQuery, none string) error {
	q.Query.Brief, q.Edges, q.Unblocks = !a.json, a.json, a.tabular()
	found, err := a.tasks(ctx, q)
	if err != nil {
		return err
	}
	return a.tellPage(&found, q, none)
}

// pageJSON is the envelope of a page.
func (a *app) pageJSON(found *query.Tasks) tasksJSON {
	page := &found.Page
	answer := tasksJSON{
		Envelope: wire.NewEnvelope("tasks"), Revision: page.Revision, Total: page.Total, Tasks: wire.TasksOf(a.name(), page.Tasks, found.Waiting),
		HasMore: page.Next != nil, Moved: page.Moved, Removed: found.Removed, Shared: wire.NewShared(found.Shared, found.Now),
	}
	if page.Next != nil {
		answer.Cursor = page.Next.String()
	}
	if why := found.Nothing; why != nil {
		answer.Nothing = wire.NewNothing(why, why.Message, a.hintFor(why))
	}
	return answer
}

// tellPage prints a page. That nothing is ready is an answer, and its exit code
// says why.
func (a *app) tellPage(found *query.Tasks, q query.TasksQuery, none string) error {
	page, why := &found.Page, found.Nothing
	if a.json {
		err := a.printJSON(a.pageJSON(found))
		if err == nil && why != nil {
			err = errAnswered{why}
		}
		return err
	}
	a.list(page.Tasks, found.Head, found.Unblocks, "")
	for _, id := range found.Removed {
		a.print("Removed %v\n", id)
	}
	if err := a.flush(); err != nil {
		return err
	}
	if page.Moved {
		a.say("the board has changed since the first page")
	}
	if n := found.Archived; n > 0 && !a.none {
		a.say("%s left out: %s", text.Count(n, "archived task is", "archived tasks are"), a.command("list --archived"))
	}
	switch {
	case page.Next != nil:
		a.say("%d of %d shown; next page: %s", len(page.Tasks), page.Total, a.again("cursor", page.Next.String()))
	case q.Since != nil:
		a.say("next time: %s", a.again("changed-since", page.Revision.Short(found.Origin)))
	case why != nil:
		if !a.none {
			a.sayNothing(why)
		}
		return errAnswered{why}
	case a.none:
	case page.Total == 0:
		a.say("%s", none)
	}
	return nil
}

// tasks asks for a page. Why nothing is ready depends on the caller's session,
// which takes a moment to find.
func (a *app) tasks(ctx context.Context, q query.TasksQuery) (query.Tasks, error) {
	if !q.Why {
		return askedFor(ctx, a, a.archive, q)
	}
	board, err := a.open()
	if err != nil {
		return query.Tasks{}, err
	}
	return query.Of(ctx, board, query.Asker{By: a.caller().Actor}, q)
}

// again is the command line once more, with another value of a flag. The cursor
// of a page goes with no other one.
func (a *app) again(flag, value string) string {
	words := []string{"pawl"}
	skip := false
	for _, arg := range a.env.Args {
		name, _, inline := strings.Cut(arg, "=")
		switch {
		case skip:
			skip = false
		case name == "--"+flag || name == "--cursor":
			skip = !inline
		default:
			words = append(words, quote(arg))
		}
	}
	return strings.Join(append(words, "--"+flag, value), " ")
}

// quote spells an argument for the system's shell.
func quote(arg string) string { return quoteOn(runtime.GOOS, arg) }

// quoteOn spells an argument for a POSIX shell, or on Windows for cmd and
// PowerShell, to which a backslash is part of a path.
func quoteOn(system, arg string) string {
	plain := "-_=.,:/@+"
	if system == "windows" {
		plain = "-_=.:/\\+"
	}
	isPlain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(plain, r)
	}
	switch {
	case arg != "" && strings.IndexFunc(arg, func(r rune) bool { return !isPlain(r) }) < 0:
		return arg
	case system == "windows":
		return `"` + strings.ReplaceAll(arg, `"`, `\"`) + `"`
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
