package cli

import (
	"bytes"
	"context"
	"fmt"
	"sort"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

var nextVerb = verb{
	name:  "next",
	use:   "[flags]",
	short: "show the task that claim would take, and why: ready --why",
	long:  "The older name of ready --why, whose exit code also says why nothing is ready. With --json the answer has at most 600 bytes. Shows the most urgent ready task without claiming it. Order: the highest priority among the task and the open tasks that depend on it, then the longest chain of these, then the number.",
	kind:  "next",
	examples: []string{
		"pawl next",
		"pawl next --priority high --json",
	},
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		f := newFilter(cmd)
		return func(ctx context.Context, _ []string) error {
			q, err := f.query(ctx, a)
			if err != nil {
				return err
			}
			return a.next(ctx, q)
		}
	},
}

// maxNext is how many bytes next --json takes at most, its newline too: it is
// asked for again and again, often by a hook that pays a model for each byte.
const maxNext = 600

// nextJSON is the envelope of next.
type nextJSON struct {
	wire.Envelope
	Task    *nextTask     `json:"task"`              // the task that claim would take; null: nothing is ready
	Reason  *reason       `json:"reason,omitempty"`  // why it comes first
	Nothing *wire.Nothing `json:"nothing,omitempty"` // why nothing is ready
	Ready   int           `json:"ready"`             // number of ready tasks in all
}

// nextTask is the next task, in short.
type nextTask struct {
	ID       pawl.ID    `json:"id"`                // its number
	Subject  string     `json:"subject"`           // one line
	Clipped  bool       `json:"clipped,omitempty"` // the subject is cut, because it would not fit
	Priority wire.Level `json:"priority"`          // its own priority
}

// fit shortens the subject of the task, or who is at work, as far as the answer
// must be shortened.
func (n *nextJSON) fit() error {
	size := func() (int, error) {
		var b bytes.Buffer
		err := wire.WriteJSON(&b, n)
		return b.Len(), err
	}
	full, err := size()
	for ; err == nil && full > maxNext && n.Nothing != nil && len(n.Nothing.By) > 0; full, err = size() {
		n.Nothing.By = n.Nothing.By[:len(n.Nothing.By)-1]
	}
	if err != nil || full <= maxNext || n.Task == nil {
		return err
	}
	n.Task.Clipped = true
	whole := []rune(n.Task.Subject)
	begin := func(runes int) string { return string(whole[:runes]) + "…" }
	tooLong := sort.Search(len(whole), func(runes int) bool {
		n.Task.Subject = begin(runes)
		var clipped int
		if clipped, err = size(); err != nil {
			return true
		}
		return clipped > maxNext
	})
	n.Task.Subject = begin(max(0, tooLong-1))
	return err
}

// reason is why a task comes first.
type reason struct {
	Urgency  wire.Level `json:"urgency"`        // the highest priority among it and the open tasks that wait for it
	Unblocks int        `json:"unblocks"`       // number of open tasks that wait for it, directly or not
	More     bool       `json:"more,omitempty"` // there are more: counting stopped there
	Chain    int        `json:"chain"`          // length of their longest chain
}

func (a *app) next(ctx context.Context, q pawl.Query) error {
	q.Ready, q.For, q.Order, q.Limit, q.Brief = true, a.name(), pawl.ByUrgency, 1, true
	found, err := a.tasks(ctx, query.TasksQuery{Query: q, Why: true, Unblocks: true})
	if err != nil {
		return err
	}
	answer, why := nextJSON{Envelope: wire.NewEnvelope("next"), Ready: found.Page.Total}, found.Nothing
	if why == nil {
		task := &found.Page.Tasks[0]
		answer.Task = &nextTask{ID: task.ID, Subject: task.Subject, Priority: wire.Level(task.Priority.String())}
		answer.Reason = reasonFor(task, found.Unblocks[task.ID])
	}
	switch {
	case a.json:
		if why != nil { // in short: claim has the rest
			answer.Nothing = wire.NewNothing(why, "", "")
			answer.Nothing.IDs = nil
		}
		if err := answer.fit(); err != nil {
			return err
		}
		return a.printJSON(answer)
	case why != nil:
		if !a.none {
			a.sayNothing(why)
		}
		return nil
	}
	a.list(found.Page.Tasks, found.Head, found.Unblocks, "")
	a.print("Why: %s\n", answer.Reason.words(&found.Page.Tasks[0]))
	return nil
}

// reasonFor says why a task comes first for which so many others wait.
func reasonFor(t *pawl.Task, unblocks int) *reason {
	return &reason{
		Urgency: wire.Level(t.Urgency.String()), Unblocks: min(unblocks, query.MostUnblocked), More: unblocks > query.MostUnblocked, Chain: t.Height,
	}
}

func (w *reason) words(t *pawl.Task) string {
	var parts []string
	switch {
	case t.Urgency > t.Priority:
		parts = append(parts, "a "+string(w.Urgency)+" priority task waits for it")
	case t.Priority == pawl.High:
		parts = append(parts, "high priority")
	}
	if w.Unblocks > 0 {
		count := fmt.Sprintf("unblocks %d", w.Unblocks)
		if w.More {
			count += "+"
		}
		// The chain begins with the task itself, as in a graph.
		parts = append(parts, count, fmt.Sprintf("longest chain %d tasks", w.Chain+1))
	}
	if len(parts) == 0 {
		parts = []string{"nothing waits for it, and nothing more urgent is ready"}
	}
	return strings.Join(parts, ", ")
}
