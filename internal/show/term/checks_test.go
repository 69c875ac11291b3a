package term

import (
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/sample"
	"github.com/pawl-dev/pawl/query"
)

// asked are tasks of which checks are asked, one for each way in which they can stand.
func asked() []pawl.Task {
	unit := pawl.Check{Name: "unit", Run: []string{"go", "test", "./..."}}
	vet := pawl.Check{Name: "vet", Run: []string{"go", "vet", "./internal/a/rather/long/path/of/packages/..."}}
	ran := func(c *pawl.Check, passed bool) pawl.Evidence {
		e := pawl.Evidence{Check: c.Name, Sum: c.Sum(), At: ago(3 * time.Minute), By: "ada", Commit: strings.Repeat("1a2b3c4d", 5), Passed: passed, Millis: 2100}
		if !passed {
			e.Exit = 1
		}
		return e
	}
	criterion := pawl.Criterion{Text: "no flicker at 60 Hz"}
	return []pawl.Task{
		{ID: 1, Subject: "Nothing is asked", Status: pawl.Completed, CompletedAt: ago(time.Hour)},
		{ID: 2, Subject: "Shown to be done", Status: pawl.Completed, CompletedAt: ago(time.Hour), Checks: []pawl.Check{unit}, Evidence: []pawl.Evidence{ran(&unit, true)}},
		{ID: 3, Subject: "Said to be done", Status: pawl.Completed, CompletedAt: ago(time.Hour), Checks: []pawl.Check{unit, vet}, Evidence: []pawl.Evidence{ran(&unit, true), ran(&vet, false)}, Accept: []pawl.Criterion{criterion}},
		{ID: 4, Subject: "Done by an editor", Status: pawl.Completed, Checks: []pawl.Check{unit}},
		{ID: 5, Subject: "To do", Status: pawl.Pending, Checks: []pawl.Check{unit}},
		{ID: 6, Subject: "Failing", Status: pawl.InProgress, Owner: "ada", StartedAt: ago(3 * time.Minute), Checks: []pawl.Check{unit}, Evidence: []pawl.Evidence{ran(&unit, false)}},
		{ID: 7, Subject: "As good as done", Status: pawl.InProgress, Owner: "ada", StartedAt: ago(3 * time.Minute), Accept: []pawl.Criterion{{Text: "fast", By: "bob", At: ago(time.Minute)}}},
	}
}

func TestChecks(t *testing.T) {
	var b strings.Builder
	facts := facts()
	facts.Zone = time.UTC
	for _, sc := range []Screen{{80, true}, {80, false}} {
		tasks := asked()
		lines := sc.Rows(tasks, facts)
		sound(t, sc, lines)
		for i := range tasks {
			tasks[i] = tasks[i].Brief()
		}
		if brief := textOf(sc.Rows(tasks, facts)); brief != textOf(lines) {
			t.Errorf("in brief they are\n%s", brief)
		}
		for _, l := range lines {
			b.WriteString(marked(l) + "\n")
		}
		for _, task := range asked()[2:7] {
			b.WriteString("\n")
			lines := sc.Detail("", &query.Detail{Task: task}, facts, nil)
			sound(t, sc, lines)
			for _, l := range lines {
				b.WriteString(marked(l) + "\n")
			}
		}
		b.WriteString("\n")
	}
	sample.Golden(t, "checks.txt", b.String())
}
