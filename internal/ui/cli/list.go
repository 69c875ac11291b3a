package cli

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// defaultPage is how many lines a list has by default: enough for a reader,
// and all that a model should pay for.
const defaultPage = 50

var listVerb = verb{
	name:  "list",
	alias: "ls",
	use:   "[flags]",
	short: "list open tasks, or the tasks that flags select",
	long:  "Lists open tasks, ordered by number; ls is the same. With --changed-since, lists only tasks changed or removed after a revision, and prints the revision for the next call, so a program need not read the whole board again. On a terminal ◆ is ready, → in progress, ○ blocked, ⊘ on hold, ✔ completed; in a pipe [ ] is pending, [>] in progress, [x] completed. A ! marks a file that cannot be read.",
	kind:  "tasks",
	examples: []string{
		"pawl list --label parser --blocked",
		"pawl list --changed-since 1790000000123 --json",
	},
	build: buildList,
}

func buildList(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	f := newFilter(cmd)
	var status []string
	var all, archived, ready, blocked, held, damaged, unshown bool
	flags := cmd.Flags()
	flags.StringSliceVar(&status, "status", nil, "`STATUS` only tasks with this status: pending, in_progress, completed, or open for the first two; several: any of them")
	flags.BoolVar(&all, "all", false, "include completed tasks, archived ones too")
	flags.BoolVar(&archived, "archived", false, "only archived tasks: completed longer ago than the setting archive.after")
	flags.BoolVar(&ready, "ready", false, "only tasks that can be claimed now")
	flags.BoolVar(&blocked, "blocked", false, "only blocked tasks")
	flags.BoolVar(&held, "held", false, "only tasks on hold")
	flags.BoolVar(&damaged, "damaged", false, "only tasks whose files cannot be read, of any status; pawl doctor explains them")
	flags.BoolVar(&unshown, "unshown", false, "only completed tasks whose checks and criteria do not show that they are done, archived ones too")
	var stale time.Duration
	flags.Var((*durationValue)(&stale), "stale", "`DURATION` only tasks neither changed nor renewed for this long, such as 2d")
	since := revisionFlag(flags, "changed-since", "`REV` only tasks changed after this revision, of any status; 0: all")
	f.pages(cmd)
	return func(ctx context.Context, _ []string) error {
		chosen, err := f.query(ctx, a)
		if err != nil {
			return err
		}
		q := query.TasksQuery{Query: chosen, Quiet: pawl.Duration(stale)}
		q.Query.Ready, q.Query.Blocked, q.Query.Held, q.Query.Damaged = ready, blocked, held, damaged
		if archived {
			switch {
			case all || len(status) > 0 || ready || blocked || held || damaged || flags.Changed("changed-since"):
				return usage("list", "--archived chooses completed tasks: leave out --all, --status and what only open tasks can be")
			}
			q.Archived, status = true, []string{"completed"}
		}
		all = all || damaged && len(status) == 0 // what was last known of it says little
		if unshown {
			if all || archived || len(status) > 0 || ready || blocked || held || damaged {
				return usage("list", "--unshown chooses completed tasks: leave out --all, --archived, --status and what only open tasks can be")
			}
			q.Query.Unshown, all = true, true
		}
		none := "no task matches; " + a.command("list --all") + " shows all"
		if flags.Changed("changed-since") {
			q.Since = since
			all = all || len(status) == 0
		}
		switch {
		case flags.Changed("stale") && stale <= 0:
			return usage("list", "--stale needs a duration above zero: --stale 2d")
		case len(status) > 0 && all:
			return usage("list", "--all and --status contradict each other: leave out one of them")
		case len(status) > 0:
			if q.Query.Status, err = parseStatus(status); err != nil {
				return err
			}
		case !all:
			q.Query.Status = []pawl.Status{pawl.Pending, pawl.InProgress}
		}
		if beside(cmd, "limit", "cursor") == "" {
			none = "nothing is open; " + a.command("list --all") + " shows what is done"
		}
		if !all && q.Since == nil && (archived || len(status) > 0) { // else nothing is left out
			if a.archive, err = a.archiveAfter(); err != nil {
				return err
			}
		}
		if unshown && beside(cmd, "limit", "cursor", "unshown") == "" {
			none = "none: no completed task has a check that failed or did not run, or a criterion that is not ticked"
		}
		if archived && beside(cmd, "limit", "cursor", "archived") == "" {
			none = "none yet: archived are tasks completed more than " + text.FormatDuration(a.archive) + " ago (setting archive.after)"
			if a.archive == 0 {
				none = "none: the setting archive.after is 0, so no task is archived"
			}
		}
		if ready { // with --owner by that one, as for pawl ready
			q.Query.For = cmp.Or(chosen.Owner, a.name())
		}
		return a.showPage(ctx, q, none)
	}
}

// statusOf is what people mean by a status; none if the word is unknown.
func statusOf(word string) []pawl.Status {
	word = strings.ReplaceAll(strings.ToLower(word), "-", "_")
	switch word {
	case "open":
		return []pawl.Status{pawl.Pending, pawl.InProgress}
	case "todo":
		word = "pending"
	case "doing", "started":
		word = "in_progress"
	case "done", "closed":
		word = "completed"
	}
	if s := pawl.Status(word); s.Valid() {
		return []pawl.Status{s}
	}
	return nil
}

func parseStatus(words []string) ([]pawl.Status, error) {
	var status []pawl.Status
	for _, word := range words {
		meant := statusOf(word)
		if meant == nil {
			return nil, usage("list", "unknown status %q: use pending, in_progress or completed", text.Clip(word, 40))
		}
		status = append(status, meant...)
	}
	return status, nil
}
