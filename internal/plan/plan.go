// Package plan reads a whole plan at once, as a person or a model writes it,
// into the tasks of one [pawl.Create]: as JSON,
//
//	{"tasks": [
//	  {"ref": "setup", "subject": "Setup project", "children": [{"subject": "Pick a licence"}]},
//	  {"subject": "Write code", "blockedBy": ["setup", 12], "priority": "high"}
//	]}
//
// or as a Markdown checklist, whose nesting makes parents and whose "after"
// makes edges:
//
//   - [ ] Setup project {#setup}
//   - [ ] Pick a licence
//   - [ ] Write code (after: setup, #12) !high @ada (labels: backend)
//     Follow the style guide.
//     check: go test ./...
//
// Checks and criteria of tasks: asks.go.
//
// A heading is the parent of what stands below it; a lone # is a title. Numbered
// lists and headings, phases and the like run in order, bullets do not: order.go.
// Text under a heading such as Context makes no task, nor does a line such as
// "Verification: run the tests" without a box: words.go.
//
// A task of the plan is named by its ref, its number in a numbered list, its subject,
// or a beginning of the subject that no other has; a task of the board by #12. In JSON
// a plain number that is not a ref is a task of the board too. Items that are done
// already make completed tasks.
//
// A task with children waits for them. A blocker of such a task is written to its
// leaves, so that none of them starts early.
package plan

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// A Plan is what a text asks for.
type Plan struct {
	Tasks   []pawl.NewTask // in the order of the text
	Where   []string       // where each of Tasks stands: "line 7", "tasks[0].children[1]"
	Numbers []pawl.ID      // the tasks of the board whose numbers the text writes before them; zero: none
	Skipped []string       // subjects of items that are done, in a text with too many to keep
	Understood
}

// Understood is how a text was read.
type Understood struct {
	Headings      int      // tasks that are headings
	HeadingsInRow int      // those that have a place in a row
	InRow         int      // tasks that have a place in a row, headings aside
	Edges         int      // among the tasks
	Done          int      // tasks that are done already, headings aside
	Ordered       bool     // the text orders them itself; else Options.Chain did
	Notes         []Note   // lines that are notes
	Left          []string // sections and lines that are no tasks
	Reopened      []int    // indexes of tasks that are done in the text, with children that are not
	Unshown       []int    // indexes of tasks that are done in the text, and have checks or criteria that nobody has shown
	Checks        int      // commands that must pass
	Criteria      int      // criteria in words
}

// A Note is a line of the text that is a note of a task.
type Note struct {
	Task int // index in Tasks
	Text string
}

// Options say how a text is to be read.
type Options struct {
	// Chain runs everything in the order of the text: headings, and the items
	// right below them. A text asks for it itself with "sequential": true, or with
	// the word sequential on a line of its own above the first item.
	Chain bool
	// Parallel gives no item a place in a row.
	Parallel bool
	// Deep makes tasks of items without a box that are nested in others, in a text with
	// boxes; else they are description.
	Deep bool
	// Under is the task on the board that the plan is a part of, and After what
	// that one waits for.
	Under pawl.ID
	After []pawl.ID
	// Known are the tasks of the board that came from this text before: the text may
	// write the number of one before its line, as in "- [ ] #3 New words".
	Known map[pawl.ID]bool
}

// Parse reads a plan. It fails with [pawl.Invalid] and all faults of the text
// at once, each with its line or path. A fault of Pawl is one of them.
func Parse(text []byte, o Options) (p Plan, err error) {
	b := builder{chain: o.Chain, loose: o.Parallel, deep: o.Deep, under: o.Under, after: o.After, known: o.Known}
	defer func() {
		if fault := recover(); fault != nil {
			b.fault(b.at, "cannot be read: a fault in Pawl: %v", fault)
			p, err = Plan{}, b.err()
		}
	}()
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	if !utf8.Valid(text) {
		return Plan{}, pawl.Errorf(pawl.Invalid, "the plan is not valid UTF-8")
	}
	text, skippedLines := unfence(text)
	if isJSON(text) {
		if err := b.readJSON(text, skippedLines); err != nil {
			return Plan{}, err
		}
	} else if !b.readTagged(string(text), skippedLines) {
		b.readMarkdown(string(text), skippedLines)
	}
	return b.build()
}

// fence is a plan wrapped whole into a code block, as models like to answer.
var fence = &text.Regexp{Expr: "(?s)^\\s*(```+|~~~+)[ \\t]*[A-Za-z]*[ \\t]*\\r?\\n(.*?)\\r?\\n[ \\t]*(```+|~~~+)\\s*$"}

// unfence takes a plan out of its code block, and tells how many lines went
// before it.
func unfence(text []byte) ([]byte, int) {
	m := fence.Get().FindSubmatchIndex(text)
	if m == nil || bytes.Contains(text[m[4]:m[5]], text[m[2]:m[3]]) {
		return text, 0
	}
	return text[m[4]:m[5]], bytes.Count(text[:m[4]], []byte("\n"))
}

// isJSON tells a list of JSON from a checkbox.
func isJSON(text []byte) bool {
	text = bytes.TrimSpace(text)
	if len(text) == 0 || text[0] != '[' {
		return len(text) > 0 && text[0] == '{'
	}
	text = bytes.TrimSpace(text[1:])
	return len(text) > 0 && bytes.IndexByte([]byte(`{["`), text[0]) >= 0 || string(text) == "]"
}

var taskPath = &text.Regexp{Expr: `^tasks\[(\d+)\](\.?)`}

// Locate makes an error of the board about the tasks of the plan speak of the
// text that they came from.
func (p Plan) Locate(err error) error {
	e, ok := err.(*pawl.Error)
	if !ok {
		return err
	}
	located := *e
	located.Message = p.locate(e.Message)
	located.Faults = nil
	for _, f := range e.Faults {
		f.Path = p.locate(f.Path)
		located.Faults = append(located.Faults, f)
	}
	return &located
}

func (p Plan) locate(s string) string {
	m := taskPath.Get().FindStringSubmatch(s)
	if m == nil {
		return s
	}
	i, err := strconv.Atoi(m[1])
	if err != nil || i >= len(p.Where) {
		return s
	}
	where, rest := p.Where[i], s[len(m[0]):]
	if m[2] != "" && strings.HasPrefix(where, "line ") {
		return where + ", " + rest
	}
	return where + m[2] + rest
}

// builder gathers the items of a text and what is wrong with it.
type builder struct {
	chain    bool
	deep     bool // an item without a box below another one is a task
	loose    bool // nothing has an order that the text does not spell out
	under    pawl.ID
	after    []pawl.ID
	known    map[pawl.ID]bool
	items    []*item // all, in the order of the text
	count    int     // lists
	faults   []pawl.Fault
	at       string // what is read now
	notes    []noted
	left     []string
	skipped  []string
	reopened []*item
	unshown  []*item
	inRow    map[*item]bool
	ordered  bool
	searches int // how many there were; see searchFor
}

type noted struct {
	item *item
	line string
}

// maxFaults is how many faults of one text somebody may want to read.
const maxFaults = 100

func (b *builder) fault(at, problem string, args ...any) {
	if len(b.faults) == maxFaults {
		return
	}
	b.faults = append(b.faults, pawl.Fault{Path: at, Problem: fmt.Sprintf(problem, args...)})
}

func (b *builder) err() error {
	if len(b.faults) == 0 {
		return nil
	}
	slices.SortStableFunc(b.faults, func(x, y pawl.Fault) int { return cmp.Compare(ordinal(x.Path), ordinal(y.Path)) })
	return &pawl.Error{Kind: pawl.Invalid, Message: "the plan cannot be used", Faults: b.faults}
}

var digits = &text.Regexp{Expr: `\d+`}

// ordinal is the line of a place, or the task.
func ordinal(at string) int {
	n, _ := strconv.Atoi(digits.Get().FindString(at))
	return n
}

func clip(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
