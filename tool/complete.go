package tool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/todo"
)

// A Completion is a request to complete tasks. Their checks may have to pass first.
type Completion struct {
	By    Caller
	Board query.Board
	Op    pawl.Complete
	// Read returns tasks as they are now, whole.
	Read func(ctx context.Context, ids []pawl.ID) ([]pawl.Task, error)
	// Do carries out an op for the caller.
	Do func(context.Context, pawl.Op) error
	// Tell takes what happens until then, a line each: first of all that a check runs.
	Tell func(line string)
}

// A CheckReport says what was done about the checks of tasks.
type CheckReport struct {
	Ran     []RanCheck
	Skipped []string // names of required checks that nobody here has trusted
}

// A RanCheck is a check that ran, or that had passed on exactly these files.
type RanCheck struct {
	Check   string // its name
	Command string
	Tasks   []pawl.ID
	Passed  bool
	Exit    int
	Took    time.Duration
	Why     string // why it did not end by itself
	Tail    string // the end of what it printed, with secrets masked
	Line    string // how it ended, in a line
}

// Patience is how long a call waits for checks before it answers that they run.
// Known clients give a call 60 seconds, and some of them less than 30.
const Patience = 20 * time.Second

// pulse is how often a client that wants to know is told that checks still run.
const pulse = 5 * time.Second

// mostOwed is how many results are kept for callers that were told to ask again.
const mostOwed = 200

// WithProgress returns a context with which a call reports what it waits for.
func WithProgress(ctx context.Context, tell func(message string)) context.Context {
	return context.WithValue(ctx, progressKey{}, tell)
}

type progressKey struct{}

// completions are those whose checks run, and those that ended with a result that a
// caller has not got yet.
type completions struct {
	mu sync.Mutex
	by map[string]*completion // by their tasks
}

// A completion runs the checks of tasks and completes them. It goes on when the call
// that began it has been answered.
type completion struct {
	by    Caller
	rest  []pawl.Op // what else the call said, which is done before
	began time.Time
	over  chan struct{} // closed at the end

	mu    sync.Mutex
	lines []string      // what was told
	more  chan struct{} // closed with the next line

	// At the end:

	o      *outcome
	report CheckReport
	err    error
	ahead  bool // the rest of the call was done before, as a change of its own
	merged string
	shared []string
	oldest time.Time

	owed []todo.Key // callers that were told to ask again; under the lock of completions
}

// A runningError is the answer to a call whose checks still run.
type runningError struct {
	ids   []pawl.ID
	took  time.Duration
	lines []string
}

func (e *runningError) Error() string {
	is := "is not completed yet: its checks"
	if len(e.ids) > 1 {
		is = "are not completed yet: their checks"
	}
	return fmt.Sprintf("%s %s are running, for %v so far", show.IDs(e.ids[:min(len(e.ids), mostEdges)]), is, e.took.Round(time.Second))
}

// An unmetError is why tasks are not completed, with what ran.
type unmetError struct {
	why    *pawl.Error
	report CheckReport
	ahead  bool // the rest of the call is done
}

func (e *unmetError) Error() string { return e.why.Error() }

func (e *unmetError) Unwrap() error { return e.why }

// carry carries out the ops of an edit. If they complete tasks whose checks can run
// here, these run first.
func (k *kit) carry(ctx context.Context, board query.Board, by Caller, e *edit, ops []pawl.Op) (*outcome, error) {
	if last := len(ops) - 1; k.Complete != nil && last >= 0 {
		if op, completes := ops[last].(pawl.Complete); completes {
			rest, err := k.screened(ctx, board, by, pawl.All{Ops: ops[:last:last]})
			if err != nil {
				return nil, err
			}
			return k.complete(ctx, board, by, rest, op)
		}
	}
	request, err := k.screened(ctx, board, by, e.op(ops))
	if err != nil {
		return nil, err
	}
	return k.do(ctx, board, by, request)
}

// screened is a request for an op as it may be sent where no checks run.
func (k *kit) screened(ctx context.Context, board query.Board, by Caller, op pawl.Op) (pawl.Request, error) {
	if k.Screened == nil {
		return by.request(op), nil
	}
	return k.Screened(ctx, board, by.request(op))
}

// complete completes tasks when their checks have passed. One completion of the same
// tasks runs at a time, and all who ask for it get its result.
func (k *kit) complete(ctx context.Context, board query.Board, by Caller, first pawl.Request, op pawl.Complete) (*outcome, error) {
	rest := first.Op.(pawl.All).Ops
	words := []string{by.Project}
	for _, id := range slices.Sorted(slices.Values(op.IDs)) {
		words = append(words, id.String())
	}
	name := strings.Join(words, " ")
	for {
		c, mine := k.completions.join(name, by, func() *completion { return k.begin(board, by, first, rest, op) })
		if !mine && len(rest) > 0 && !c.said(by, rest) {
			if _, err := k.do(ctx, board, by, first); err != nil {
				return nil, err
			}
			rest = nil
		}
		if err := k.await(ctx, c, op.IDs); err != nil {
			k.completions.owe(c, by.Key())
			return nil, err
		}
		k.completions.paid(c, by.Key())
		if c.err == nil && !mine && !c.is(by) {
			continue // another caller completed them: the board says who
		}
		c.tellOf(ctx)
		return c.o, c.err
	}
}

// is reports whether the completion is the caller's own.
func (c *completion) is(by Caller) bool { return c.by.Name == by.Name && c.by.Key() == by.Key() }

// said reports whether the call that began the completion said the same.
func (c *completion) said(by Caller, rest []pawl.Op) bool {
	if !c.is(by) {
		return false
	}
	old, failed := pawl.Encode(pawl.All{Ops: c.rest})
	now, err := pawl.Encode(pawl.All{Ops: rest})
	return failed == nil && err == nil && string(old) == string(now)
}

// tellOf has the call tell what the completion found out.
func (c *completion) tellOf(ctx context.Context) {
	if merged, ok := ctx.Value(mergedKey{}).(*string); ok && c.merged != "" {
		*merged = c.merged
	}
	if remarks, ok := ctx.Value(sharedKey{}).(*[]string); ok && len(c.shared) > 0 {
		*remarks = c.shared
	}
	if oldest, ok := ctx.Value(agedKey{}).(*time.Time); ok && !c.oldest.IsZero() {
		*oldest = c.oldest
	}
}

// join returns the completion of some tasks: the one that runs, the one whose result the
// caller has not got yet, or a new one, which is the caller's.
func (all *completions) join(name string, by Caller, begin func() *completion) (c *completion, mine bool) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if c := all.by[name]; c != nil && (!c.ended() || slices.Contains(c.owed, by.Key())) {
		return c, false
	}
	if all.by == nil {
		all.by = map[string]*completion{}
	}
	c = begin()
	all.by[name] = c
	all.forget()
	return c, true
}

func (c *completion) ended() bool {
	select {
	case <-c.over:
		return true
	default:
		return false
	}
}

// forget drops completions that nobody waits for, and the oldest results if there are
// too many.
func (all *completions) forget() {
	var old []string
	for name, c := range all.by {
		switch {
		case !c.ended():
		case len(c.owed) == 0:
			delete(all.by, name)
		default:
			old = append(old, name)
		}
	}
	slices.SortFunc(old, func(a, b string) int { return all.by[a].began.Compare(all.by[b].began) })
	for _, name := range old[:max(0, len(old)-mostOwed)] {
		delete(all.by, name)
	}
}

// owe notes a caller that will ask again.
func (all *completions) owe(c *completion, key todo.Key) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if !slices.Contains(c.owed, key) {
		c.owed = append(c.owed, key)
	}
}

// paid notes that a caller has got the result.
func (all *completions) paid(c *completion, key todo.Key) {
	all.mu.Lock()
	defer all.mu.Unlock()
	c.owed = slices.DeleteFunc(c.owed, func(k todo.Key) bool { return k == key })
}

// begin runs a completion until its end, or until the life of the tools ends.
func (k *kit) begin(board query.Board, by Caller, first pawl.Request, rest []pawl.Op, op pawl.Complete) *completion {
	c := &completion{by: by, rest: rest, began: k.Now(), over: make(chan struct{}), more: make(chan struct{})}
	ctx := k.Life
	if ctx == nil {
		ctx = context.Background()
	}
	ctx = context.WithValue(context.WithValue(ctx, mergedKey{}, &c.merged), sharedKey{}, &c.shared)
	ctx = context.WithValue(ctx, agedKey{}, &c.oldest)
	pending := len(rest) > 0
	do := func(ctx context.Context, one pawl.Op) error {
		final := completes(one)
		request := by.request(one)
		if final && pending {
			request.Op, request.Seen = pawl.All{Ops: append(slices.Clone(rest), one)}, first.Seen
		}
		o, err := k.do(ctx, board, by, request)
		if err == nil && final {
			c.o = o
		}
		return err
	}
	read := func(ctx context.Context, ids []pawl.ID) ([]pawl.Task, error) {
		// If the board refuses the call in any case, it does so now, before minutes of
		// checks; then nothing of the call has happened.
		whole := pawl.Op(op)
		if pending {
			whole = pawl.All{Ops: append(slices.Clone(rest), op)}
		}
		if _, err := board.Try(ctx, 0, by.request(whole)); err != nil && pawl.KindOf(err) != pawl.Unmet {
			return nil, pawl.ErrorAt(err, 0)
		}
		if pending {
			if _, err := k.do(ctx, board, by, first); err != nil {
				return nil, err
			}
			pending, c.ahead = false, true
		}
		return query.Whole(ctx, board, query.Asker{By: by.Actor}, ids)
	}
	go func() {
		defer close(c.over)
		var err error
		c.report, err = k.Complete(ctx, Completion{By: by, Board: board, Op: op, Read: read, Do: do, Tell: c.tell})
		if e, ok := errors.AsType[*pawl.Error](err); ok && (e.Kind == pawl.Unmet || c.ahead || len(c.report.Ran) > 0) {
			err = &unmetError{e, c.report, c.ahead}
		}
		if c.err = err; err == nil && c.o != nil {
			c.o.report = c.report
		} else if err == nil {
			c.err = pawl.Errorf(pawl.Internal, "the tasks were not completed, and nothing says why")
		}
	}()
	return c
}

// tell notes what happens.
func (c *completion) tell(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lines = append(c.lines, line)
	close(c.more)
	c.more = make(chan struct{})
}

// told is what was told so far, and what is closed with the next line.
func (c *completion) told() ([]string, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.lines), c.more
}

// await waits for the end of a completion, as long as a call can.
func (k *kit) await(ctx context.Context, c *completion, ids []pawl.ID) error {
	tell, _ := ctx.Value(progressKey{}).(func(string))
	patience := time.NewTimer(Patience)
	defer patience.Stop()
	beat := time.NewTicker(pulse)
	defer beat.Stop()
	late, known := false, 0
	for {
		lines, more := c.told()
		if late && len(lines) > 0 && !c.ended() {
			return &runningError{ids, k.Now().Sub(c.began), lines}
		}
		for _, line := range lines[known:] {
			if tell != nil {
				tell(text.Line(clip(line, mostNote)))
			}
		}
		known = len(lines)
		select {
		case <-c.over:
			return nil
		case <-more:
		case <-beat.C:
			if tell != nil && known > 0 {
				tell(fmt.Sprintf("%s (%v so far)", text.Line(clip(lines[known-1], mostNote)), k.Now().Sub(c.began).Round(time.Second)))
			}
		case <-patience.C:
			late = true
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// mostLinesTold is how many lines of a run are told in an answer, the last ones.
const mostLinesTold = 6

// running is the answer while checks run: no failure, and the task is as it was.
func (n names) running(e *runningError) Result {
	var b strings.Builder
	b.WriteString(e.Error() + "\n")
	for _, told := range e.lines[max(0, len(e.lines)-mostLinesTold):] {
		b.WriteString("  " + text.Line(clip(told, mostNote)) + "\n")
	}
	b.WriteString("If they pass, that completes it; you need not wait for it.\n")
	again := call(n.update, "taskId", n.about(e.ids), "status", "completed")
	b.WriteString("Next: for the result, the same again: " + again)
	data := runningJSON{IDs: e.ids, Running: true, Millis: e.took.Milliseconds(), Next: again}
	return said(b.String(), data)
}

// runningJSON is what programs get while checks run.
type runningJSON struct {
	Changed bool      `json:"changed"`
	IDs     []pawl.ID `json:"ids"`
	Running bool      `json:"running"` // the checks of the tasks run
	Millis  int64     `json:"ms"`      // for how long
	Next    string    `json:"next"`    // the call that gives the result
}

// checkJSON is what programs get of a check that ran.
type checkJSON struct {
	Check   string    `json:"check"`
	Command string    `json:"command"`
	Tasks   []pawl.ID `json:"tasks"`
	Passed  bool      `json:"passed"`
	Exit    int       `json:"exit"` // -1: it did not end by itself
	Millis  int64     `json:"ms"`
	Why     string    `json:"why,omitempty"`
	Tail    string    `json:"tail,omitempty"` // the end of what it printed
}

// mostTail is how much of what checks printed an answer has in all, in bytes.
const mostTail = 6_000

// tails are the ends of what failed checks printed, each with an equal part of the room.
func (r *CheckReport) tails(room int) []string {
	failed := 0
	for i := range r.Ran {
		if !r.Ran[i].Passed {
			failed++
		}
	}
	all := make([]string, len(r.Ran))
	for i := range r.Ran {
		if ran := &r.Ran[i]; !ran.Passed {
			all[i] = tailOf(text.Lines(ran.Tail), room/failed)
		}
	}
	return all
}

// tailOf is the end of a text, from the begin of a line on where that is near.
func tailOf(s string, n int) string {
	s = strings.TrimRight(s, "\n")
	if len(s) <= n {
		return s
	}
	cut := strings.ToValidUTF8(s[len(s)-n:], "")
	if at := strings.IndexByte(cut, '\n'); at >= 0 && at < len(cut)/2 {
		cut = cut[at+1:]
	}
	return "…\n" + cut
}

func (r *CheckReport) json() []checkJSON {
	var all []checkJSON
	tails := r.tails(mostTail)
	for i := range r.Ran {
		ran := &r.Ran[i]
		all = append(all, checkJSON{
			clip(ran.Check, mostSubject), clip(ran.Command, mostNote/2), ran.Tasks[:min(len(ran.Tasks), mostLines)], ran.Passed, ran.Exit,
			ran.Took.Milliseconds(), clip(ran.Why, mostNote), tails[i],
		})
	}
	return all
}

// told says how the checks of completed tasks went, in lines of their own.
func (r *CheckReport) told(b *strings.Builder) {
	var lines []string
	for i := range r.Ran {
		lines = append(lines, text.Line(clip(r.Ran[i].Line, mostSubject)))
	}
	if over := len(lines) - mostLinesTold; over > 0 {
		lines = append(lines[:mostLinesTold], fmt.Sprintf("and %d more", over))
	}
	if len(lines) > 0 {
		b.WriteString("Checks: " + strings.Join(lines, "; ") + "\n")
	}
	if len(r.Skipped) > 0 {
		b.WriteString("Not checked: nobody here has trusted " + text.Line(clip(strings.Join(r.Skipped, ", "), mostNote)) + ". Only a person can; tell your user to run: pawl trust checks\n")
	}
}

// failedChecks says which checks failed, with the ends of what they printed.
func (e *unmetError) failedChecks() string {
	var b strings.Builder
	tails := e.report.tails(mostTail)
	for i := range e.report.Ran {
		ran := &e.report.Ran[i]
		if ran.Passed {
			continue
		}
		fmt.Fprintf(&b, "\n%s (%s)", text.Line(clip(cmp.Or(ran.Line, ran.Check+" failed"), mostSubject)), text.Line(clip(ran.Command, mostSubject)))
		if tails[i] == "" {
			b.WriteString(", and printed nothing")
			continue
		}
		b.WriteString("; it printed at its end:")
		for one := range strings.SplitSeq(tails[i], "\n") {
			b.WriteString("\n  | " + one)
		}
	}
	if len(e.why.IDs) > 0 {
		b.WriteString("\nNothing is completed")
		if e.ahead {
			b.WriteString("; what else the call said is done")
		}
		b.WriteString(".")
	}
	return b.String()
}

// unmet is the step after a refusal of tasks that are not shown to be done.
func (n names) unmet(e *pawl.Error) string {
	switch e.Hint.Step {
	case pawl.HintNext:
		return n.another()
	case pawl.HintSay:
		if strings.HasPrefix(e.Hint.Text, "pawl ") {
			return "tell your user to run: " + text.Line(e.Hint.Text)
		}
		return text.Line(e.Hint.Text)
	}
	ids := e.Hint.IDs
	if len(ids) == 0 {
		ids = e.IDs
	}
	if e.Hint.Step != pawl.HintCheck || len(ids) == 0 {
		return ""
	}
	var open []string
	others := 0
	for _, f := range e.Faults {
		if f.Unticked() {
			open = append(open, clip(f.Path, mostNote))
		} else {
			others++
		}
	}
	switch {
	case len(open) > 0 && others == 0:
		return "when it is so, say it: " + call(n.update, "taskId", n.about(ids), "tick", open[:min(len(open), 3)], "status", "completed")
	case n.checks:
		return "put it right, then " + call(n.update, "taskId", n.about(ids), "status", "completed")
	}
	var words []string
	for _, id := range ids[:min(len(ids), 10)] {
		words = append(words, decimal(id))
	}
	return "run in the work tree, because no checks run here: pawl done " + strings.Join(words, " ")
}
