package storetest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// storyTexts returns the stories by name. They hold the rules of a board to the
// specification, a file for each of its sections. A line is a comment, a line of a script
// (see [parseOp]), or, indented, what came of the line before.
func storyTexts(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 25 {
		t.Fatalf("%d stories, %v", len(files), err)
	}
	texts := map[string]string{}
	for _, file := range files {
		text := must.Get(os.ReadFile(file))(t)
		texts[strings.TrimSuffix(filepath.Base(file), ".txt")] = string(text)
	}
	return texts
}

var update = flag.Bool("update", false, "write what came of each line into the stories")

// TestRulesInStories tells the stories on a board in memory, and with -update rewrites them.
func TestRulesInStories(t *testing.T) {
	for name, text := range storyTexts(t) {
		t.Run(name, func(t *testing.T) {
			got := tell(newWorld(t, sound(t, nil)), text)
			if !*update {
				same(t, name, strings.Split(text, "\n"), strings.Split(got, "\n"))
			} else if err := os.WriteFile(filepath.Join("testdata", name+".txt"), []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

const indent = "    "

// batches returns the lines of a story that ask for something, those of one
// batch together.
func batches(story string) [][]string {
	var all [][]string
	for line := range strings.Lines(story) {
		line = strings.TrimRight(line, "\n")
		if more, ok := strings.CutPrefix(line, "& "); ok && len(all) > 0 {
			all[len(all)-1] = append(all[len(all)-1], more)
		} else if line != "" && line[0] != '#' && !strings.HasPrefix(line, indent) {
			all = append(all, []string{line})
		}
	}
	return all
}

// tell acts out a story and returns it with what really came of each line.
func tell(w *world, story string) string {
	w.Helper()
	acts := batches(story)
	if len(acts) < 3 {
		w.Fatalf("nothing happens in this story")
	}
	var out strings.Builder
	left := 0 // lines of the present batch
	for line := range strings.Lines(story) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, indent) {
			continue
		}
		out.WriteString(line + "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		if left == 0 {
			left = len(acts[0])
		}
		if left--; left > 0 {
			continue
		}
		answers, err := w.act(acts[0])
		if err != nil {
			w.Fatalf("%v", err)
		}
		if w.Failed() {
			w.Fatalf("at %q", acts[0])
		}
		for _, answer := range answers {
			out.WriteString(indent + answer + "\n")
		}
		acts = acts[1:]
	}
	return out.String()
}

var request = regexp.MustCompile(`^(\S+?)(?: \[(.*?)\])?: (.*)$`)

// parseMove reads a batch. The second result is false if a line is not a request.
func parseMove(batch []string) (m move, ok bool, err error) {
	for _, line := range batch {
		parts := request.FindStringSubmatch(line)
		if parts == nil {
			return m, false, nil
		}
		req := pawl.Request{By: parseActor(parts[1]), ID: pawl.OpID(parts[2])}
		if req.Op, err = parseOp(parts[3]); err != nil {
			return m, true, err
		}
		m.requests = append(m.requests, req)
	}
	return m, true, nil
}

// act carries out one line of a script, or a batch of them, and says what came
// of it.
func (w *world) act(batch []string) ([]string, error) {
	w.Helper()
	m, ok, err := parseMove(batch)
	if !ok && err == nil && len(batch) == 1 {
		return w.look(batch[0])
	}
	if !ok || err != nil {
		return nil, fmt.Errorf("%q: %v", batch, err)
	}
	var answers []string
	for _, res := range w.carryOut(m) {
		answers = append(answers, w.lens().result(res))
	}
	return answers, nil
}

// An outcome is what came of one request.
type outcome struct {
	pawl.Result
	Err error
}

func outcomes(results []pawl.Result, err error) []outcome {
	all := make([]outcome, len(results))
	for i := range results {
		all[i] = outcome{results[i], pawl.ErrorAt(err, i)}
	}
	return all
}

// carryOut does what a move asks for, and checks what must be so whatever came
// of it: a trial beforehand said the same and left no trace, and history says
// what the results say.
func (w *world) carryOut(m move) []outcome {
	w.Helper()
	requests := m.from(w.first())
	foreseen := w.foresee(requests)
	results := w.try(func() []outcome { return outcomes(w.board.DoAll(w.ctx, requests...)) })
	if len(results) != len(requests) {
		w.Fatalf("%d results for %d requests", len(results), len(requests))
	}
	last := foreseen.last
	for i, res := range results {
		same(w, "what a trial said of "+fmt.Sprintf("%+v", requests[i]), trace(w.lens(), foreseen.results[i], last), trace(w.lens(), res, last))
	}
	now := w.snapshot()
	same(w, "the board as a trial showed it", untaken(foreseen.tasks, last), untaken(now.settled, last))
	w.remembers(results)
	return results
}

// Previewed is what Preview says of requests.
type previewed struct {
	results []outcome
	tasks   []pawl.Task // the board as it would be
	last    pawl.Revision
}

// foresee tries requests, which must leave no trace.
func (w *world) foresee(requests []pawl.Request) previewed {
	w.Helper()
	b := w.snapshot()
	t := previewed{last: b.revision}
	err := w.board.Preview(w.ctx, requests, func(r pawl.Reader, results []pawl.Result, failed error) (err error) {
		t.results = outcomes(results, failed)
		t.tasks, err = selectAll(r, pawl.Query{})
		return err
	})
	if err != nil || len(t.results) != len(requests) {
		w.Fatalf("%d results of a trial of %d requests, %v", len(t.results), len(requests), err)
	}
	if before, after := w.lens().dump(b), w.lens().dump(w.snapshot()); after != before {
		same(w, "a board after a trial", strings.Split(before, "\n"), strings.Split(after, "\n"))
	}
	return t
}

// trace is a result without what only a commit gives it: a revision after the
// last one, and tokens that are one.
func trace(l lens, res outcome, last pawl.Revision) any {
	if res.Revision > last {
		res.Revision = 0
	}
	res.Tasks, res.Changes = untaken(res.Tasks, last), slices.Clone(res.Changes)
	for i := range res.Changes {
		for _, side := range []**pawl.Task{&res.Changes[i].Before, &res.Changes[i].After} {
			if *side != nil {
				*side = &untaken([]pawl.Task{**side}, last)[0]
			}
		}
	}
	said := ""
	if res.Err != nil {
		said, res.Err = res.Err.Error()+" "+l.error(res.Err), nil
	}
	return []any{said, res}
}

// untaken are tasks without tokens that are a revision after the last one.
func untaken(tasks []pawl.Task, last pawl.Revision) []pawl.Task {
	tasks = slices.Clone(tasks)
	for i := range tasks {
		if tasks[i].Claim.Token > last {
			tasks[i].Claim.Token = 0
		}
	}
	return tasks
}

// remembers fails unless history keeps of each result what it says it changed.
func (w *world) remembers(results []outcome) {
	w.Helper()
	kept := map[pawl.Revision][]pawl.Change{}
	for _, set := range w.history() {
		kept[set.Revision] = set.Changes
	}
	for _, res := range results {
		var want []pawl.Change
		if res.Err == nil && !res.Repeated {
			want = kept[res.Revision]
		}
		var got []pawl.Change
		for _, c := range res.Changes {
			got = append(got, c.Trim())
		}
		same(w, "the changes of a result", want, got)
	}
}

// try runs something that may change the board. A failure must change nothing,
// a single result must show the tasks as they are, and invariants must hold.
func (w *world) try(change func() []outcome) []outcome {
	w.Helper()
	before := w.snapshot()
	results := change()
	after := w.snapshot()
	failed := func(res outcome) bool { return res.Err != nil }
	if !slices.ContainsFunc(results, func(res outcome) bool { return res.Err == nil }) {
		same(w, "a board on which everything failed", w.lens().dump(before), w.lens().dump(after))
	}
	if len(results) == 1 && !failed(results[0]) {
		var want []pawl.Task
		for _, id := range results[0].IDs {
			if t := after.byID[id]; t != nil {
				want = append(want, t.Settle(w.clock.stored()))
			}
		}
		same(w, "the tasks of a result", want, results[0].Tasks)
	}
	for _, fault := range after.faults() {
		w.Errorf("invariant: %s", fault)
	}
	return results
}

func (w *world) snapshot() *board {
	w.Helper()
	b, err := snapshot(w.ctx, w.store)
	if err != nil {
		w.Fatalf("%v", err)
	}
	return b
}

func (w *world) lens() lens {
	return lens{base: w.first(), start: NewClock().stored()}
}

// look carries out a line that is not a request: one about the board as it is, or
// about the world around it.
func (w *world) look(line string) ([]string, error) {
	w.Helper()
	ws, err := words(line)
	if err != nil {
		return nil, err
	}
	a := &args{words: ws[1:]}
	var answers []string
	tasks := func(q pawl.Query, text func(pawl.Task) string) {
		page, err := w.board.Select(w.ctx, q)
		if err != nil {
			answers = append(answers, w.lens().error(err))
		}
		for _, t := range page.Tasks {
			answers = append(answers, text(t))
		}
	}
	switch verb := ws[0].value; verb {
	case "board":
		tasks(pawl.Query{}, w.lens().task)
	case "whole":
		tasks(pawl.Query{}, func(t pawl.Task) string { return w.lens().task(t) + " |" + w.lens().details(t) })
	case "list":
		tasks(a.query(), w.lens().task)
	case "ready":
		tasks(pawl.Query{Ready: true, For: a.text("for"), Order: pawl.ByUrgency}, w.lens().task)
	case "log":
		span := pawl.Span{Backward: a.flag("backward")}
		if after := a.text("after"); after != "" {
			span.After = w.first() + pawl.Revision(a.id(after))
		}
		if task := a.text("task"); task != "" {
			span.Task = a.id(task)
		}
		for set, err := range w.board.Changes(w.ctx, span) {
			if err != nil {
				answers = append(answers, w.lens().error(err))
				break
			}
			answers = append(answers, w.lens().set(set))
		}
	case "undoable":
		name, session, _ := strings.Cut(strings.Join(a.rest(), " "), "/")
		set, err := w.board.Undoable(w.ctx, pawl.Actor{Name: name, Session: session}, nil)
		if err != nil {
			answers = append(answers, w.lens().error(err))
		} else {
			answers = append(answers, w.lens().set(set))
		}
	case "resolve":
		id, err := w.board.Resolve(w.ctx, strings.Join(a.rest(), " "))
		if err != nil {
			answers = append(answers, w.lens().error(err))
		} else {
			answers = append(answers, id.String())
		}
	case "wait":
		d, err := time.ParseDuration(strings.Join(a.rest(), ""))
		if err != nil {
			return nil, err
		}
		w.clock.Advance(d)
	case "restart":
		w.reopen()
	default:
		return nil, fmt.Errorf("nobody knows how to %q", verb)
	}
	if left := a.rest(); len(left) > 0 {
		a.fail("nobody asked for %q", left)
	}
	return answers, a.err
}
