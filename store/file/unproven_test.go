package file

import (
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
)

// Another program than Pawl and git writes that checks have passed, or that a task is
// completed: no run has shown that, until a check has run. What git has is the word
// of the commit's author.
func TestForgedEvidence(t *testing.T) {
	unit := pawl.Check{Name: "unit", Run: []string{"go", "test"}}
	passed := `"status": "completed", "evidence": [{"check": "unit", "sum": "` + unit.Sum() + `", "tree": "` + strings.Repeat("a", 40) + `", "passed": true}]`
	has, lost := false, map[string]string{} // git has all texts; what the task required before
	open := func(d *disk) *Store {
		s := simStore(t, d.process())
		s.checks = func(*pawl.Task) ([]pawl.CheckRule, map[string]string) {
			return []pawl.CheckRule{{Check: unit, Labels: []string{"go"}}}, lost
		}
		s.gitHas = func(texts [][]byte) []bool { return slices.Repeat([]bool{has}, len(texts)) }
		return s
	}
	unshown := func(d *disk) int {
		t.Helper()
		s := open(d)
		page, tasks := pawl.Page{}, []pawl.Task(nil)
		if err := s.View(t.Context(), func(r pawl.Reader) (err error) {
			if page, err = r.Select(pawl.Query{Unshown: true}); err == nil {
				tasks, err = r.Get(1)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if got := tasks[0].Unshown(); got != (page.Total == 1) {
			t.Errorf("the task says %v, and the list has %d: %+v", got, page.Total, tasks[0])
		}
		return page.Total
	}
	own, project := pawl.NewTask{Subject: "a", Checks: []pawl.Check{unit}}, pawl.NewTask{Subject: "a", Labels: []string{"go"}}
	for name, test := range map[string]struct {
		task pawl.NewTask
		text string // in the place of its status
		git  bool
		want int
	}{
		"forged":                     {own, passed, false, 1},
		"by git":                     {own, passed, true, 0},
		"completed, for the project": {project, `"status": "completed"`, false, 1},
		"forged, for the project":    {project, passed, false, 1},
		"taken away":                 {own, `"status": "completed"`, false, 1},
		"made optional":              {own, `"status": "completed"`, false, 1},
		"nothing is required":        {pawl.NewTask{Subject: "a"}, `"status": "completed"`, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			d := board(t, pawl.Create{Tasks: []pawl.NewTask{test.task}})
			index, log := d.text(indexName), d.text(logName)
			has = test.git
			clear(lost)
			if len(test.task.Checks) > 0 {
				lost[unit.Sum()] = unit.Name // for a task that asks for it, the run below counts
			}
			switch name {
			case "taken away":
				d.edit(t, 1, `"checks":`, `"checked":`)
			case "made optional":
				d.edit(t, 1, `"run":`, `"optional": true, "run":`)
			}
			d.edit(t, 1, `"status": "pending"`, test.text)
			for _, when := range []string{"at once", "again", "after a change", "from the journal"} {
				if got := unshown(d); got != test.want {
					t.Errorf("%s: %d, want %d", when, got, test.want)
				}
				switch when {
				case "again":
					d.now += 1e9
					if _, err := pawl.NewBoard(open(d)).Do(t.Context(), pawl.Request{By: by, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "b"}}}}); err != nil {
						t.Fatal(err)
					}
				case "after a change":
					has = false
					d.put(indexName, index)
					d.put(logName, log)
				}
			}
			if strings.HasPrefix(name, "taken") || strings.HasPrefix(name, "made") {
				return // no run shows what the task no longer asks for
			}
			do(t, d, pawl.AddEvidence{ID: 1, Evidence: []pawl.Evidence{{Check: "unit", Sum: unit.Sum(), Tree: strings.Repeat("b", 40), Passed: true, Millis: 1}}})
			if got := unshown(d); got != 0 {
				t.Errorf("after a run: %d", got)
			}
		})
	}
}
