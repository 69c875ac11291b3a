package tool

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

// The limits of results, unless a call asks for more: a model pays for each byte,
// in each turn.
const (
	mostText  = 16 << 10 // bytes of a text, and of what programs get with it: under 20 kB with what goes around
	mostPage  = 4_000    // of a page of a list
	mostLines = 25       // that tell of one task each, where nobody asked for a page
	mostReady = 8        // tasks that are named as ready now
	mostNote  = 400      // of a note behind a text
	mostError = 4_000    // of an error
	mostIDs   = 500      // that programs get of an error: a cycle can be long
)

// kit is what the tools of a program share.
type kit struct {
	Options
	names       names
	completions *completions
}

// runner carries a call out. Notes are what the agent should know beside the
// answer, a sentence each.
type runner func(*kit, context.Context, Caller, *arguments) (r Result, notes []string, err error)

func newKit(o Options) *kit {
	if o.Settings == nil {
		o.Settings = func(context.Context, string) Settings { return DefaultSettings }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Board = dating(o.Board)
	k := &kit{Options: o, names: ownNames, completions: new(completions)}
	k.names.checks = o.Complete != nil
	return k
}

// runner does what all tools have in common: it reads the arguments, spells
// errors, and adds the notes, what people did to the todo list since, and what of
// it could not be read.
func (k *kit) runner(f *form, run runner) func(context.Context, Caller, json.RawMessage) Result {
	return func(ctx context.Context, by Caller, raw json.RawMessage) Result {
		a := f.read(raw)
		var merged string
		var shared []string
		var oldest time.Time
		ctx = context.WithValue(context.WithValue(ctx, mergedKey{}, &merged), sharedKey{}, &shared)
		ctx = context.WithValue(ctx, agedKey{}, &oldest)
		r, notes, err := run(k, ctx, by, a)
		if err != nil {
			r = k.failed(err, f)
		}
		notes = append(append(append(agedNote(oldest, k.Now()), noted(merged)...), shared...), notes...)
		if k.Todos != nil {
			// An agent that cannot be told now is told with the next call.
			news, _ := k.Todos.TakeNews(ctx, by.Key())
			notes = append(append(notes, news...), k.Todos.Problems()...)
		}
		r.LLMContent = withNotes(r.LLMContent, notes)
		return r
	}
}

// withNotes puts notes behind a text, after a blank line.
func withNotes(s string, notes []string) string {
	if len(notes) == 0 {
		return s
	}
	var b strings.Builder
	b.WriteString(strings.TrimRight(s, "\n") + "\n\n")
	for i, note := range notes {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(text.Line(clip(note, mostNote)))
	}
	return b.String()
}

// said is a result that tells a person the same as a model.
func said(text string, data any) Result {
	text = strings.TrimRight(text, "\n")
	return Result{LLMContent: text, ReturnDisplay: text, Data: data}
}

func noted(note string) []string {
	if note == "" {
		return nil
	}
	return []string{note}
}

// outcome is what came of a request, and what a model is told of it.
type outcome struct {
	query.Outcome
	tasks  []wire.Task
	done   bool        // it completed the last open task
	report CheckReport // of checks that ran before
}

// mergedKey is where do puts what a model is told of a merge before its request, also
// if the request fails.
type mergedKey struct{}

// sharedKey is where do puts what a model is told of claims on a shared board.
type sharedKey struct{}

// do carries a request out, and learns in the same moment what there is to tell.
func (k *kit) do(ctx context.Context, board query.Board, by Caller, request pawl.Request) (*outcome, error) {
	want := query.WantTasks | query.WantEdges | query.WantAlready
	if _, claims := request.Op.(pawl.ClaimTask); claims {
		want |= query.WantDetail
	}
	if completes(request.Op) {
		want |= query.WantOpen
	}
	told, err := board.Do(ctx, request, want)
	if merged, ok := ctx.Value(mergedKey{}).(*string); ok && told.Merged != nil {
		*merged = show.MergedRemark(&told.Merged.Report)
	}
	if remarks, ok := ctx.Value(sharedKey{}).(*[]string); ok {
		*remarks = show.ClaimShared(&told, by.Name)
	}
	if err != nil {
		return nil, err
	}
	o := &outcome{Outcome: told, tasks: wire.TasksOf(by.Name, told.Result.Tasks, told.Waiting)}
	known := !told.Head.Now.IsZero() // else it was carried out, and what is around it could not be read
	o.done = known && want&query.WantOpen != 0 && told.Open == 0 && o.completed() && len(o.Result.Ready) == 0
	if o.Detail == nil && len(o.Result.Tasks) > 0 {
		o.Detail = &query.Detail{Task: o.Result.Tasks[0]}
	}
	return o, nil
}

// completes reports whether an op may complete tasks.
func completes(op pawl.Op) bool {
	switch op := op.(type) {
	case pawl.Complete:
		return true
	case pawl.All:
		return slices.ContainsFunc(op.Ops, completes)
	}
	return false
}

// completed reports whether the request completed a task.
func (o *outcome) completed() bool {
	return slices.ContainsFunc(o.Result.Changes, func(c pawl.Change) bool {
		return c.After != nil && c.After.Status == pawl.Completed && (c.Before == nil || c.Before.Status != pawl.Completed)
	})
}

// consequences are lines about the tasks around those that were asked about.
func (o *outcome) consequences(b *strings.Builder, n names) {
	for i := range o.Ready {
		if i == mostReady {
			b.WriteString("and " + text.Count(len(o.Result.Ready)-i, "more task is", "more tasks are") + " ready: " + call(n.list, "status", "ready") + "\n")
			break
		}
		b.WriteString("Ready now: " + unmarked(&o.Ready[i]) + "\n")
	}
	for i := range o.Waits {
		if i == mostReady {
			b.WriteString("and " + text.Count(len(o.Waits)-i, "more task waits", "more tasks wait") + "\n")
			break
		}
		b.WriteString("Waits now: " + unmarked(&o.Waits[i]) + "\n")
	}
	if o.done {
		b.WriteString("All tasks of the board are completed now.\n")
	}
}

// changedJSON is what programs get of a change to tasks.
type changedJSON struct {
	Changed bool               `json:"changed"`           // false: all of it was so already
	IDs     []pawl.ID          `json:"ids"`               // of the tasks asked about
	Tasks   []wire.Task        `json:"tasks"`             // these, as they are now; of many the first
	Refs    map[string]pawl.ID `json:"refs,omitempty"`    // the ids behind the refs of the call
	Ready   []query.Brief      `json:"ready"`             // what became ready by it
	Holding []query.Brief      `json:"holding,omitempty"` // with a claim: other tasks that the caller has claimed
	Removed []query.Brief      `json:"removed,omitempty"` // deleted tasks
	Checks  []checkJSON        `json:"checks,omitempty"`  // that ran before the tasks were completed
	Skipped []string           `json:"skipped,omitempty"` // required checks that nobody here has trusted
	Cut     bool               `json:"cut,omitempty"`     // long texts or lists are shortened: task_get has them whole
}

func (o *outcome) json() changedJSON {
	few := func(n int) int { return min(n, mostLines) }
	j := changedJSON{
		Changed: o.Result.Changed, IDs: append([]pawl.ID{}, o.Result.IDs...), Tasks: append([]wire.Task{}, o.tasks[:few(len(o.tasks))]...), Refs: o.Result.Refs,
		Ready: briefs(o.Ready[:few(len(o.Ready))]), Holding: briefs(o.Holding[:few(len(o.Holding))]),
		Cut: max(len(o.tasks), len(o.Ready), len(o.Holding)) > mostLines,
	}
	j.Checks, j.Skipped = o.report.json(), o.report.Skipped
	j.Cut = fit(j.Tasks, mostText/2) || j.Cut
	return j
}

func briefs(tasks []pawl.Task) []query.Brief {
	out := make([]query.Brief, len(tasks))
	for i, t := range tasks {
		out[i] = query.Brief{ID: t.ID, Subject: clip(t.Subject, mostSubject)}
	}
	return out
}
