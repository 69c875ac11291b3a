package storetest

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

// stories hold the rules of a board to the specification, a file for each of
// its sections. A line is a comment, a line of a script (see [parseOp]), or,
// indented, what came of the line before.
//
//go:embed scripts/*.txt
var stories embed.FS

func storyChecks() []check {
	files, err := stories.ReadDir("scripts")
	if err != nil {
		panic(err) // it is in the binary
	}
	var checks []check
	for _, file := range files {
		text, err := stories.ReadFile("scripts/" + file.Name())
		if err != nil {
			panic(err)
		}
		checks = append(checks, check{
			name: "rules " + strings.TrimSuffix(file.Name(), ".txt"),
			run: func(w *world) {
				if got := tell(w, string(text)); !w.Failed() {
					same(w, file.Name(), strings.Split(string(text), "\n"), strings.Split(got, "\n"))
				}
			},
		})
	}
	return checks
}

const indent = "    "

// tell acts out a story and returns it with what really came of each line.
func tell(w *world, story string) string {
	w.Helper()
	var out strings.Builder
	acts := 0
	lines := strings.Split(strings.TrimRight(story, "\n"), "\n")
	for at := 0; at < len(lines); at++ {
		line := lines[at]
		if strings.HasPrefix(line, indent) {
			continue
		}
		out.WriteString(line + "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		batch := []string{line}
		for at+1 < len(lines) && strings.HasPrefix(lines[at+1], "& ") {
			at++
			out.WriteString(lines[at] + "\n")
			batch = append(batch, strings.TrimPrefix(lines[at], "& "))
		}
		acts++
		answers, err := w.act(batch)
		if err != nil {
			w.Fatalf("line %d: %s: %v", at+1, line, err)
		}
		for _, answer := range answers {
			out.WriteString(indent + answer + "\n")
		}
		if w.Failed() {
			w.Fatalf("line %d: %s", at+1, line)
		}
	}
	if acts < 3 {
		w.Fatalf("nothing happens in this story")
	}
	return out.String()
}

var request = regexp.MustCompile(`^(\S+?)(?: \[(.*?)\])?: (.*)$`)

// act carries out one line of a script, or a batch of them.
func (w *world) act(batch []string) ([]string, error) {
	w.Helper()
	if !request.MatchString(batch[0]) {
		return w.look(batch[0])
	}
	if m := request.FindStringSubmatch(batch[0]); strings.HasPrefix(m[3], "undo ") {
		a := &args{}
		rev := w.lens().base + pawl.Revision(a.id(strings.TrimPrefix(m[3], "undo ")))
		res := w.try(func() []pawl.Result { return []pawl.Result{w.board.Undo(w.ctx, parseActor(m[1]), rev)} })
		return []string{w.lens().result(res[0])}, a.err
	}
	var requests []pawl.Request
	for _, line := range batch {
		m := request.FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("%q is no request", line)
		}
		op, err := parseOp(m[3], w.lens().base)
		if err != nil {
			return nil, err
		}
		requests = append(requests, pawl.Request{By: parseActor(m[1]), Op: op, ID: pawl.OpID(m[2])})
	}
	var answers []string
	for _, res := range w.do(requests...) {
		answers = append(answers, w.lens().result(res))
	}
	return answers, nil
}

// do sends requests to the board and checks what must be so whatever came of
// them.
func (w *world) do(requests ...pawl.Request) []pawl.Result {
	w.Helper()
	results := w.try(func() []pawl.Result { return w.board.Do(w.ctx, requests...) })
	if len(results) != len(requests) {
		w.Fatalf("%d results for %d requests", len(results), len(requests))
	}
	return results
}

// try runs something that may change the board. A failure must change nothing,
// a single result must show the tasks as they are, and invariants must hold.
func (w *world) try(change func() []pawl.Result) []pawl.Result {
	w.Helper()
	before := w.snapshot()
	results := change()
	after := w.snapshot()
	failed := func(res pawl.Result) bool { return res.Err != nil }
	if !slices.ContainsFunc(results, func(res pawl.Result) bool { return res.Err == nil }) {
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
	return lens{base: max(0, pawl.Revision(w.base.Load())), start: w.start}
}

// look carries out a line that is no request: one about the board as it is, or
// about the world around it.
func (w *world) look(line string) ([]string, error) {
	w.Helper()
	ws, err := words(line)
	if err != nil {
		return nil, err
	}
	a := &args{words: ws[1:], base: w.lens().base}
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
			span.After = a.base + pawl.Revision(a.id(after))
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
