package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
)

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
	labelsFlag(cmd, &f.labels, "label", "`LABEL` only tasks with this label; with several, only tasks that have all")
	flags.StringVar(&f.parent, "parent", "", "`ID` only children of this task")
	flags.StringVar(&f.priority, "priority", "", "`LEVEL` only tasks of this priority: high, medium or low")
	flags.StringVar(&f.text, "text", "", "`TEXT` only tasks with this text in their subject, description or notes")
	flags.StringVar(&f.owner, "owner", "", "`NAME` only tasks claimed by or assigned to this name")
	return f
}

// pages adds the flags of lists that come in pages.
func (f *filter) pages(cmd *cobra.Command) {
	pageFlags(cmd, &f.limit, &f.cursor)
}

func pageFlags(cmd *cobra.Command, limit *int, cursor *string) {
	cmd.Flags().IntVar(limit, "limit", defaultPage, fmt.Sprintf("`N` show at most N, 1 to %d (default %d)", pawl.MaxPage, defaultPage))
	cmd.Flags().StringVar(cursor, "cursor", "", "`CURSOR` continue from this cursor, printed after a page")
}

func checkLimit(cmd *cobra.Command, limit int) error {
	if limit < 0 || limit > pawl.MaxPage || limit == 0 && cmd.Flags().Changed("limit") {
		return usage(cmd.Name(), "--limit must be between 1 and %d", pawl.MaxPage)
	}
	return nil
}

// chooses names a flag that was given and chooses tasks.
func (f *filter) chooses() string {
	return anyOf(f.cmd, "label", "parent", "priority", "text", "owner")
}

func (f *filter) query(ctx context.Context, a *app) (pawl.Query, error) {
	q := pawl.Query{Labels: f.labels, Text: f.text, Owner: a.person(f.owner), Limit: f.limit}
	if f.cmd.Flags().Changed("priority") {
		p, err := pawl.ParsePriority(f.priority)
		if err != nil {
			return q, err
		}
		q.Priority = &p
	}
	if f.parent != "" {
		parent, err := a.one(ctx, f.parent, f.cmd.Name(), "--parent takes one task")
		if err != nil {
			return q, err
		}
		q.Parent = parent
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
