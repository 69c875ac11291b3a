package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/view"
)

// defaultPage is how many lines a list has unless asked for more: what one
// looks at, and what a model should pay for.
const defaultPage = 50

var listVerb = verb{
	name:  "list",
	use:   "[flags]",
	short: "show open tasks, or those that you choose",
	long:  "Shows the tasks that are not completed, by number. On a terminal ◆ is ready, → in progress, ○ waiting, ⊘ held, ✔ completed; elsewhere [ ] is pending, [>] in progress, [x] completed. A ! is a file that cannot be read.",
	kind:  "tasks",
	examples: []string{
		"pawl list --label parser --blocked",
		"pawl list --all --text login --json",
	},
	build: buildList,
}

func buildList(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	f := newFilter(cmd)
	var status []string
	var all, ready, blocked, held bool
	flags := cmd.Flags()
	flags.StringSliceVar(&status, "status", nil, "`STATUS` pending, in_progress or completed; several: any of them")
	flags.BoolVar(&all, "all", false, "completed tasks too")
	flags.BoolVar(&ready, "ready", false, "tasks that can be claimed now")
	flags.BoolVar(&blocked, "blocked", false, "tasks that wait for others")
	flags.BoolVar(&held, "held", false, "tasks that are held")
	flags.StringVar(&f.owner, "owner", "", "`NAME` tasks of this owner")
	f.pages(cmd)
	return func(ctx context.Context, _ []string) error {
		q, err := f.query(ctx, a)
		if err != nil {
			return err
		}
		q.Ready, q.Blocked, q.Held = ready, blocked, held
		switch {
		case len(status) > 0 && all:
			return usage("list", "--all shows every status: leave out --status")
		case len(status) > 0:
			if q.Status, err = parseStatus(status); err != nil {
				return err
			}
		case !all:
			q.Status = []pawl.Status{pawl.Pending, pawl.InProgress}
		}
		if ready {
			q.For = a.name()
		}
		return a.showPage(ctx, cmd, q, "no task like that; pawl list --all shows all")
	}
}

func parseStatus(words []string) ([]pawl.Status, error) {
	var status []pawl.Status
	for _, word := range words {
		s := pawl.Status(strings.ReplaceAll(strings.ToLower(word), "-", "_"))
		if !s.Valid() {
			return nil, usage("list", "%q is not a status: use pending, in_progress or completed", view.Clip(word, 40))
		}
		status = append(status, s)
	}
	return status, nil
}

// filter holds the flags that choose tasks.
type filter struct {
	cmd      *cobra.Command
	labels   []string
	parent   string
	priority string
	text     string
	owner    string
	limit    int
	cursor   string
}

func newFilter(cmd *cobra.Command) *filter {
	f := &filter{cmd: cmd}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.labels, "label", nil, "`LABEL` tasks with this label; several: with all of them")
	flags.StringVar(&f.parent, "parent", "", "`ID` children of this task")
	flags.StringVar(&f.priority, "priority", "", "`LEVEL` tasks of this priority: high, medium or low")
	flags.StringVar(&f.text, "text", "", "`TEXT` tasks with this in their subject or description")
	return f
}

// pages adds the flags of lists that come in pages.
func (f *filter) pages(cmd *cobra.Command) {
	pageFlags(cmd, &f.limit, &f.cursor)
}

func pageFlags(cmd *cobra.Command, limit *int, cursor *string) {
	cmd.Flags().IntVar(limit, "limit", defaultPage, fmt.Sprintf("`N` at most so many, 1 to %d; %d unless said", pawl.MaxPage, defaultPage))
	cmd.Flags().StringVar(cursor, "cursor", "", "`CURSOR` the page after the one that ended so")
}

func checkLimit(cmd *cobra.Command, limit int) error {
	if limit < 0 || limit > pawl.MaxPage || limit == 0 && cmd.Flags().Changed("limit") {
		return usage(cmd.Name(), "--limit goes from 1 to %d", pawl.MaxPage)
	}
	return nil
}

// chooses reports whether a flag was given that chooses tasks.
func (f *filter) chooses() bool {
	for _, name := range []string{"label", "parent", "priority", "text"} {
		if f.cmd.Flags().Changed(name) {
			return true
		}
	}
	return false
}

func (f *filter) query(ctx context.Context, a *app) (pawl.Query, error) {
	q := pawl.Query{Labels: f.labels, Text: f.text, Owner: f.owner, Limit: f.limit}
	if f.cmd.Flags().Changed("priority") {
		p, err := pawl.ParsePriority(f.priority)
		if err != nil {
			return q, err
		}
		q.Priority = &p
	}
	if f.parent != "" {
		ids, err := a.resolve(ctx, f.parent)
		if err != nil {
			return q, err
		}
		q.Parent = ids[0]
	}
	if f.cursor != "" {
		at, err := pawl.ParseCursor(f.cursor)
		if err != nil {
			return q, err
		}
		q.After = at
	}
	return q, checkLimit(f.cmd, f.limit)
}

// tasksJSON is the envelope of a list.
type tasksJSON struct {
	view.Envelope
	Revision pawl.Revision `json:"revision"`         // of the board, when this page was read
	Total    int           `json:"total"`            // how many tasks match, on all pages
	Tasks    []view.Task   `json:"tasks"`            // this page of them, at most --limit
	HasMore  bool          `json:"hasMore"`          // another page follows
	Cursor   string        `json:"cursor,omitempty"` // what --cursor takes to show it
	Moved    bool          `json:"moved,omitempty"`  // the board has changed since the first page
}

// showPage prints a page of the tasks that q chooses; none is what to say when
// there are none.
func (a *app) showPage(ctx context.Context, cmd *cobra.Command, q pawl.Query, none string) error {
	board, err := a.read()
	if err != nil {
		return err
	}
	var page pawl.Page
	var tasks []view.Task
	var facts *view.Facts
	q.Brief = !a.json
	err = board.View(ctx, func(r pawl.Reader) error {
		if page, err = r.Select(q); err != nil {
			return err
		}
		if a.json {
			tasks, err = view.NewTasks(r, a.name(), page.Tasks)
			return err
		}
		facts, err = a.facts(r, page.Tasks)
		return err
	})
	if err != nil {
		return err
	}
	if a.json {
		j := tasksJSON{
			Envelope: view.NewEnvelope("tasks"), Revision: page.Revision, Total: page.Total,
			Tasks: tasks, HasMore: page.Next != nil, Moved: page.Moved,
		}
		if page.Next != nil {
			j.Cursor = page.Next.String()
		}
		return a.printJSON(j)
	}
	a.list(page.Tasks, facts, "")
	if err := a.flush(); err != nil {
		return err
	}
	if page.Moved {
		a.say("the board has changed since the first page")
	}
	switch {
	case page.Next != nil:
		a.say("%d of %d shown; go on with: %s", len(page.Tasks), page.Total, a.again(cmd, page.Next.String()))
	case page.Total == 0 && !a.none:
		a.say("%s", none)
	}
	return nil
}

// again is the command line of the next page.
func (a *app) again(cmd *cobra.Command, cursor string) string {
	words := []string{"pawl"}
	skip := false
	for _, arg := range a.env.Args {
		switch {
		case skip:
			skip = false
		case arg == "--cursor":
			skip = true
		case !strings.HasPrefix(arg, "--cursor="):
			words = append(words, quote(arg))
		}
	}
	return strings.Join(append(words, "--cursor", cursor), " ")
}

// quote spells an argument for a shell.
func quote(arg string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_=.,:/@+", r)
	}
	if arg != "" && strings.IndexFunc(arg, func(r rune) bool { return !plain(r) }) < 0 {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
