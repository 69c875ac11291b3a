package checklist

import (
	"slices"

	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/text"
)

// The section "Dependencies & Execution Order" is prose. Of its lines those count
// that relate tasks or stories by name; a line that names two tasks and relates
// them in no known way is told as left out.
var (
	taskList = `((?:\bT\d{3,}[a-z]?\b(?:\s*(?:[-–]|to)\s*T\d{3,}[a-z]?\b)?(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*|\s*\+\s*)?)+)`
	relates  = &text.Regexp{Expr: taskList + `[*` + "`" + `\s]*(?:\([^)]*\)[*` + "`" + `\s]*)?:?[*` + "`" + `\s]*(?i:(must (?:be completed|come|finish|run) before|(?:is|are) (?:required|needed) (?:by|for)|blocks?|before|->|→|=>)|(?:is |are )?(?:depends? on|blocked by|requires?|needs?|waits? for|after|<-|←))[*` + "`" + `\s]*` + taskList}
	aTask    = &text.Regexp{Expr: `\bT\d{3,}[a-z]?\b`}
	together = &text.Regexp{Expr: `(?i)parallel|together|simultaneous|concurrent|any order`}
)

const (
	longestRelation = 500 // bytes of a line that count: a sentence has 100
	mostRelations   = 1_000
	mostRelated     = 100_000 // tasks and edges that the texts of a file may name
)

// said is a line of that section: the tasks of later wait for those of first.
type said struct {
	at           imports.Position
	first, later string
}

// dependency reads
//
//   - **User Story 2 (P2)**: Depends on User Story 1
//   - T003 blocks T006; T014 depends on T012, T013; T001 → T002 → T003
func (r *specKitReader) dependency(l Line) {
	text, at := l.Text[:min(len(l.Text), longestRelation)], imports.Position{File: r.In.Path, Line: l.No}
	us := stories.Get().FindStringSubmatchIndex(text)
	if m := onStory.Get().FindStringSubmatchIndex(text); us != nil && m != nil && us[0] < m[0] {
		for _, on := range stories.Get().FindAllStringSubmatch(text[m[2]:m[3]], -1) {
			r.needs = append(r.needs, [2]string{text[us[2]:us[3]], on[1]})
		}
	}
	if !aTask.Get().MatchString(text) || len(r.said) > mostRelations {
		return
	}
	found := false
	for rest, n := text, 0; n < mostNamed; n++ {
		m := relates.Get().FindStringSubmatchIndex(rest)
		if m == nil {
			break
		}
		found = true
		left, right := rest[m[2]:m[3]], rest[m[6]:m[7]]
		d := said{at, right, left} // left waits for right
		if m[4] >= 0 {
			d.first, d.later = left, right
		}
		if r.said = append(r.said, d); len(r.said) > mostRelations {
			r.Result.Leave(at, "dependencies beyond what a file may name, from here on", "")
			return
		}
		rest = rest[m[6]:] // T001 → T002 → T003
	}
	if !found && len(aTask.Get().FindAllStringSubmatch(text, 2)) > 1 && !together.Get().MatchString(text) {
		r.Result.Leave(at, "lines about dependencies that relate tasks in no known way", text)
	}
}

// tasks are those that a text names, alone or as a range; it tells of absent ones.
func (r *specKitReader) tasks(at imports.Position, text string) (tasks []int) {
	seen := map[int]bool{}
	for _, m := range named.Get().FindAllStringSubmatch(text, mostNamed) {
		from := slices.Index(r.order, m[1])
		to := from
		if m[2] != "" {
			to = slices.Index(r.order, m[2])
		}
		if from < 0 || to < from {
			r.Result.Leave(at, "references to absent tasks", m[0])
			continue
		}
		for _, number := range r.order[from : to+1] {
			if j := r.ids[number]; !seen[j] && r.more() {
				seen[j], tasks = true, append(tasks, j)
			}
		}
	}
	return tasks
}

func (r *specKitReader) after(tasks, first []int) {
	for _, i := range tasks {
		s := r.Step(i)
		for _, j := range first {
			if i != j && r.more() && !slices.Contains(s.After, j) {
				s.After = append(s.After, j)
			}
		}
	}
}

// more counts what the texts name, up to what a file may.
func (r *specKitReader) more() bool {
	if r.related++; r.related == mostRelated {
		r.Result.Leave(imports.Position{File: r.In.Path}, "dependencies beyond what a file may name", "")
	}
	return r.related < mostRelated
}
