package cli

import (
	"context"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/wire"
)

// tasksJSON is the envelope of a list.
type tasksJSON struct {
	wire.Envelope
	Revision pawl.Revision `json:"revision"`          // of the board, when this page was read; with --changed-since what to ask with next time, on all pages
	Total    int           `json:"total"`             // how many tasks match, on all pages
	Tasks    []wire.Task   `json:"tasks"`             // this page of them, at most --limit
	HasMore  bool          `json:"hasMore"`           // another page follows
	Cursor   string        `json:"cursor,omitempty"`  // what --cursor takes to show it
	Moved    bool          `json:"moved,omitempty"`   // the board has changed since the first page
	Nothing  *wire.Nothing `json:"nothing,omitempty"` // of ready: why none is
	Removed  []pawl.ID     `json:"removed,omitempty"` // with --changed-since, on the first page: tasks that changed and do not match the flags, or no longer do
}

// A question is what a page answers.
type question struct {
	pawl.Query
	stale  time.Duration // not zero: only what has been quiet for so long
	since  *since        // not nil: only what changed
	none   string        // what to say when there is nothing
	reason bool          // it is about what is ready: say why nothing is
}

// showPage prints a page of the tasks that are asked for.
func (a *app) showPage(ctx context.Context, cmd *cobra.Command, q question) error {
	board, err := a.read()
	if err != nil {
		return err
	}
	if q.since != nil {
		if err := q.since.look(ctx, board, &q.Query); err != nil {
			return err
		}
	}
	answer := tasksJSON{Envelope: wire.NewEnvelope("tasks")}
	var page pawl.Page
	var facts *ask.Facts
	var why *pawl.Error
	q.Brief = !a.json
	err = board.View(ctx, func(r pawl.Reader) error {
		if q.stale > 0 {
			q.QuietBefore = r.Now().Add(-q.stale)
		}
		if page, err = q.since.page(r, q.Query); err != nil {
			return err
		}
		if q.reason && page.Total == 0 {
			if why, err = pawl.NothingReady(r, a.caller().Actor, q.Query); err != nil {
				return err
			}
		}
		if q.since != nil && q.After == nil {
			if answer.Removed, err = q.since.removed(r, q.Query, &page); err != nil {
				return err
			}
		}
		if a.json {
			answer.Tasks, err = wire.NewTasks(r, a.name(), page.Tasks)
			return err
		}
		facts, err = a.facts(r, page.Tasks)
		return err
	})
	if err != nil {
		return err
	}
	if a.json {
		answer.Revision, answer.Total, answer.HasMore, answer.Moved = page.Revision, page.Total, page.Next != nil, page.Moved
		if page.Next != nil {
			answer.Cursor = page.Next.String()
		}
		if why != nil {
			answer.Nothing = wire.NewNothing(why, why.Message, a.hintFor(why))
		}
		return a.printJSON(answer)
	}
	a.list(page.Tasks, facts, "")
	for _, id := range answer.Removed {
		a.print("Removed %v\n", id)
	}
	if err := a.flush(); err != nil {
		return err
	}
	if page.Moved {
		a.say("the board has changed since the first page")
	}
	switch {
	case page.Next != nil:
		a.say("%d of %d shown; next page: %s", len(page.Tasks), page.Total, a.again("cursor", page.Next.String()))
	case q.since != nil:
		a.say("next time: %s", a.again("changed-since", strconv.FormatInt(int64(page.Revision), 10)))
	case a.none:
	case why != nil:
		a.sayNothing(why)
	case page.Total == 0:
		a.say("%s", q.none)
	}
	return nil
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
