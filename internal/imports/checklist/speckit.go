package checklist

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/plan"
	"github.com/pawl-dev/pawl/internal/text"
)

const specKitKey = "speckit"

// SpecKit reads the tasks.md of spec-kit:
//
//	## Phase 3: User Story 1 - Buy (Priority: P1)
//	- [ ] T012 [P] [US1] Create the model in src/models/cart.py
//	- [ ] T014 [US1] Implement the service (depends on T012, T013)
//
// A phase is a parent. Phases run in a row: Setup, Foundational, then the user
// stories side by side, then Polish. In a phase, tasks run in order; those with [P]
// run side by side, after the task before them and before the next. A task also waits for
// those that it names with "depends on". [US1] is a label, P1 a high priority.
var SpecKit = imports.Format{
	Name: specKitKey, Title: "spec-kit", Shape: "specs/NNN-feature/tasks.md; pawl sync ticks its boxes", Boxes: true,
	Find:       findSpecKit,
	Recognises: recognisesSpecKit,
	Read:       readSpecKit, Count: imports.CountBoxes,
}

// findSpecKit lists the features of a project: folders with a number, and others whose file
// is spec-kit's.
func findSpecKit(root string) []string {
	return imports.Within(root, "specs", "tasks.md", func(name string) bool {
		return feature.Get().MatchString(name) || isSpecKit(filepath.Join(root, "specs", name, "tasks.md"))
	})
}

// isSpecKit reports whether a file is spec-kit's by its beginning: a feature's folder may
// have any name.
func isSpecKit(name string) bool {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head, _ := io.ReadAll(io.LimitReader(f, 4<<10))
	return recognisesSpecKit("", head)
}

func recognisesSpecKit(_ string, head []byte) bool {
	return taskLine.Get().Match(head) && (phaseLine.Get().Match(head) || bytes.Contains(head, []byte("# Tasks:")))
}

var (
	feature   = &text.Regexp{Expr: `^\d{3,}-`}
	taskLine  = &text.Regexp{Expr: `(?m)^[ \t]*[-*] \[[^\]\n]{0,3}\][ \t]*\*{0,2}(?:T\d{3,}[a-z]?|TXXX)\b`}
	phaseLine = &text.Regexp{Expr: `(?m)^## Phase \w+`}
	phase     = &text.Regexp{Expr: `(?i)^phase\s+\w+(?:\.\d+)?\s*[:.–—-]\s*(.*)$`}
	priority  = &text.Regexp{Expr: `(?i)\s*\((?:priority:\s*)?P(\d)\)`}
	story     = &text.Regexp{Expr: `(?i)\buser story (\d+)\b`}
	taskID    = &text.Regexp{Expr: `^\*{0,2}(T\d{3,}[a-z]?|TXXX)\b[:.]?\*{0,2}[:.]?\s*`}
	taskMark  = &text.Regexp{Expr: `^\[(P|US\d{1,4}|Story|SETUP|FOUND|POLISH)\]\s*`}
	waits     = &text.Regexp{Expr: `(?i)\b(?:depends? on|after|requires|blocked by|needs)\b:?\s+((?:T\d{3,}[a-z]?(?:\s*(?:[-–]|to)\s*T\d{3,}[a-z]?)?(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*|\s*\+\s*)?)+)`}
	named     = &text.Regexp{Expr: `(T\d{3,}[a-z]?)(?:\s*(?:[-–]|to)\s*(T\d{3,}[a-z]?))?`}
	onStory   = &text.Regexp{Expr: `(?i)depends? on ([^.;]*)`}
	stories   = &text.Regexp{Expr: `(?i)(?:user stor(?:y|ies) |US)(\d+)`}
)

type specKitReader struct {
	Doc
	phase   int            // the one that we are in; negative: none
	last    int            // the last task
	indent  int            // of it
	nest    []nested       // tasks that others may be nested in
	ids     map[string]int // of tasks, by T-number
	order   []string       // the T-numbers as they come
	stories map[string]int // phases, by the number of their user story
	waits   map[int]string // what a task says that it waits for
	rest    bool           // in a section that tells of dependencies
	needs   [][2]string    // a story, and one that it waits for
	said    []said         // what that section says of tasks
	related int            // how many tasks and edges the texts have named so far
	title   string
}

type nested struct{ indent, task int }

// above leaves the tasks open that one with this indent may be nested in, and returns the
// innermost; -1: there is none.
func above(nest *[]nested, indent int) int {
	n := len(*nest)
	for n > 0 && (*nest)[n-1].indent >= indent {
		n--
	}
	if *nest = (*nest)[:n]; n == 0 {
		return -1
	}
	return (*nest)[n-1].task
}

func readSpecKit(in *imports.Input) (*imports.Result, error) {
	text, err := in.Text()
	if err != nil {
		return nil, err
	}
	r := &specKitReader{phase: -1, last: -1, ids: map[string]int{}, stories: map[string]int{}, waits: map[int]string{}}
	r.In = in
	r.Base = specKitKey + ":" + Key(in, "specs")
	lines := Lines(text)
	for _, l := range lines {
		if l.Level == 1 && r.title == "" {
			r.title = l.Text
		}
	}
	if in.In != nil {
		r.Base = specKitKey + ":" + slug(strings.TrimPrefix(r.title, "Tasks:"))
	}
	if n := samples(lines, text); n > 0 {
		samples := fmt.Sprintf("its %d tasks are samples", n)
		if n == 1 {
			samples = "its one task is a sample"
		}
		return nil, pawl.Errorf(pawl.Invalid, "%s is spec-kit's template: %s", in.Name(), samples).
			Say("let your agent write the tasks first: /speckit.tasks")
	}
	for _, l := range lines {
		r.line(l)
	}
	r.Drop(r.phase, r.stories)
	r.edges()
	result, err := r.End()
	if err != nil {
		return nil, err
	}
	result.Told = r.told()
	return result, nil
}

// samples counts the tasks of the template, which has no real tasks yet.
func samples(lines []Line, text []byte) int {
	title := slices.ContainsFunc(lines, func(l Line) bool {
		return l.Level == 1 && strings.Contains(l.Text, "[FEATURE NAME]")
	})
	if !title && !(bytes.Contains(text, []byte("SAMPLE TASKS")) && bytes.Contains(text, []byte("] TXXX "))) {
		return 0
	}
	n := 0
	for _, l := range lines {
		if l.Box != 0 && taskID.Get().MatchString(l.Text) {
			n++
		}
	}
	return n
}

func (r *specKitReader) line(l Line) {
	switch {
	case l.Code:
		return
	case l.Level == 1 || l.Level == 2:
		r.header(l)
	case l.Level > 2: // "Tests for User Story 1": the order goes on through it
		r.last, r.nest = -1, nil
	case l.Box != 0:
		r.task(l)
	case r.rest:
		r.dependency(l)
	case r.last >= 0 && l.Text != "" && l.Indent > r.indent:
		r.Describe(r.last, l.Text)
	case l.Text == "" || strings.HasPrefix(l.Text, "---"):
		r.last = -1
	default:
		if r.last = -1; !strings.HasPrefix(l.Text, ">") && r.phase >= 0 {
			r.Describe(r.phase, l.Text)
		}
	}
}

func (r *specKitReader) header(l Line) {
	r.Drop(r.phase, r.stories)
	r.phase, r.last, r.nest = -1, -1, nil
	r.rest = strings.HasPrefix(strings.ToLower(l.Text), "dependencies")
	if l.Level == 1 {
		return
	}
	name, s := l.Text, plan.Step{Parent: -1, Group: true}
	if m := phase.Get().FindStringSubmatch(name); m != nil {
		name, s.Row = m[1], true
	}
	rank := priority.Get().FindStringSubmatch(name)
	name = strings.TrimSpace(priority.Get().ReplaceAllString(name, ""))
	us := story.Get().FindStringSubmatch(name)
	if us != nil {
		s.Row, s.Band = true, "stories"
	}
	r.phase = r.Add("phase "+slug(name), name, name, l, s)
	if r.phase < 0 {
		return
	}
	if us != nil {
		if _, twice := r.stories[us[1]]; !twice { // "Parallel Example: User Story 1" is about it
			r.stories[us[1]] = r.phase
		}
		r.Task(r.phase).AddLabels("US" + us[1])
	}
	if rank != nil {
		r.Task(r.phase).Priority = specKitPriority(rank[1])
	}
}

// specKitPriority is a task's priority: P1 is high, P2 medium, the others low.
func specKitPriority(p string) pawl.Priority {
	switch p {
	case "0", "1":
		return pawl.High
	case "2":
		return pawl.Medium
	}
	return pawl.Low
}

func (r *specKitReader) task(l Line) {
	s := plan.Step{Parent: r.phase, Done: l.Done(), Row: true}
	if up := above(&r.nest, l.Indent); up >= 0 {
		s.Parent = up
	}
	text, number := l.Text, ""
	if m := taskID.Get().FindStringSubmatch(text); m != nil {
		number, text = m[1], text[len(m[0]):]
	}
	var labels []string
	for m := taskMark.Get().FindStringSubmatch(text); m != nil; m = taskMark.Get().FindStringSubmatch(text) {
		if text = text[len(m[0]):]; m[1] == "P" {
			s.Band = "p"
		} else if strings.HasPrefix(m[1], "US") {
			labels = append(labels, m[1])
		}
	}
	name, subject := number, strings.TrimSpace(number+" "+text)
	if number == "TXXX" {
		name, subject = "", text
	}
	i := r.Add(name, subject, text, l, s)
	if i < 0 {
		return
	}
	r.Task(i).AddLabels(labels...)
	if _, twice := r.ids[number]; name != "" && !twice {
		r.ids[number] = i
		r.order = append(r.order, number)
	}
	if m := waits.Get().FindStringSubmatch(text); m != nil {
		r.waits[i] = m[1]
	}
	r.last, r.indent = i, l.Indent
	r.nest = append(r.nest, nested{l.Indent, i})
}

// mostNamed is how many tasks or ranges one line may say it depends on.
const mostNamed = 100

func (r *specKitReader) edges() {
	for i := range r.Steps() {
		r.after([]int{i}, r.tasks(r.Task(i).At, r.waits[i]))
	}
	for _, d := range r.said {
		r.after(r.tasks(d.at, d.later), r.tasks(d.at, d.first))
	}
	for _, n := range r.needs {
		i, ok := r.stories[n[0]]
		j, there := r.stories[n[1]]
		if ok && there && i != j {
			r.Step(i).After = append(r.Step(i).After, j)
		}
	}
}

func (r *specKitReader) told() string {
	phases, beside := 0, 0
	for i := range r.Steps() {
		if s := r.Step(i); s.Group {
			phases++
			if s.Band != "" {
				beside++
			}
		}
	}
	told := fmt.Sprintf("%d phases in a row", phases)
	switch {
	case phases == 0:
		return r.Told()
	case phases == 1:
		told = "1 phase"
	case r.In.Parallel:
		told = fmt.Sprintf("%d phases, no order", phases)
	case beside > 1 && !r.In.Chain:
		told = fmt.Sprintf("%d phases in a row, the %d stories side by side", phases, beside)
	}
	return told + ", " + r.Told()
}
