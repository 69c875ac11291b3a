package file

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// Another program than Pawl and git writes that checks have passed, or that a task is
// completed: no run has shown that, until a check has run. What git has is the word
// of the commit's author.
func TestForgedEvidence(t *testing.T) {
	unit := pawl.Check{Name: "unit", Run: []string{"go", "test"}}
	passed := `"status": "completed", "evidence": [{"check": "unit", "sum": "` + unit.Sum() + `", "tree": "` + strings.Repeat("a", 40) + `", "passed": true}]`
	has := false // git has all texts
	open := func(d *disk) *Store {
		s := simStore(t, d.process())
		s.checks = func() []pawl.CheckRule { return []pawl.CheckRule{{Check: unit, Labels: []string{"go"}}} }
		s.gitHas = func(texts [][]byte) []bool { return slices.Repeat([]bool{has}, len(texts)) }
		return s
	}
	unshown := func(d *disk) int {
		t.Helper()
		s := open(d)
		page, tasks := pawl.Page{}, []pawl.Task(nil)
		must.Do(t, s.View(t.Context(), func(r pawl.Reader) (err error) {
			if page, err = r.Select(pawl.Query{Unshown: true}); err == nil {
				tasks, err = r.Get(1)
			}
			return err
		}))
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
					must.Do(t, errOf(pawl.NewBoard(open(d)).Do(t.Context(), pawl.Request{By: by, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "b"}}}})))
				case "after a change":
					has = false
					d.put(indexName, index)
					d.put(logName, log)
				}
			}
			do(t, d, pawl.AddEvidence{ID: 1, Evidence: []pawl.Evidence{{Check: "unit", Sum: unit.Sum(), Tree: strings.Repeat("b", 40), Passed: true, Millis: 1}}})
			if got := unshown(d); got != 0 {
				t.Errorf("after a run: %d", got)
			}
		})
	}
}

// What an edit of a task's file takes away, or makes up, is held against the task as the board
// had it before, wherever that is known from. What Pawl itself did to the task is not.
func TestEditsAreHeldToTheTaskBefore(t *testing.T) {
	unit, other := pawl.Check{Name: "unit", Run: []string{"go", "test"}}, pawl.Check{Name: "other", Run: []string{"true"}}
	own, project := pawl.NewTask{Checks: []pawl.Check{other, unit}}, pawl.NewTask{Labels: []string{"go"}, Description: "text"}
	ran := func(c pawl.Check) pawl.Op {
		return pawl.AddEvidence{ID: 1, Evidence: []pawl.Evidence{{Check: c.Name, Sum: c.Sum(), Tree: strings.Repeat("b", 40), Passed: true, Millis: 1}}}
	}
	completed := func(text string) string { return strings.Replace(text, `"pending"`, `"completed"`, 1) }
	without := func(key string) func(string) string {
		return func(text string) string { return strings.Replace(text, `"`+key+`":`, `"other`+key+`":`, 1) }
	}
	put := func(fields string) func(string) string {
		return func(text string) string { return strings.Replace(text, "{", "{"+fields+",", 1) }
	}
	twin := put(`"checks": [{"name": "o", "run": ["go", "test"], "optional": true}]`)
	var runs []string
	for i := range pawl.MaxEvidence {
		runs = append(runs, fmt.Sprintf(`{"check": "o", "sum": %q, "tree": "none", "ms": 1}`, fmt.Sprintf("%064x", i)))
	}
	type step any // a change by Pawl, an edit, "mend", or the name of a file that is removed
	for name, test := range map[string]struct {
		task  pawl.NewTask
		steps []step
		want  int
	}{
		"the same command, optional":      {project, []step{twin, completed}, 1},
		"and then fails":                  {project, []step{twin, completed, pawl.AddEvidence{ID: 1, Evidence: []pawl.Evidence{{Check: "o", Sum: unit.Sum(), Tree: pawl.NoTree, Exit: 1, Millis: 1}}}}, 1},
		"made at another time":            {own, []step{func(s string) string { return completed(without("checks")(without("createdAt")(s))) }}, 1},
		"without the label":               {project, []step{func(s string) string { return completed(without("labels")(s)) }}, 1},
		"no room":                         {project, []step{func(s string) string { return completed(put(`"evidence": [` + strings.Join(runs, ",") + `]`)(s)) }}, 1},
		"in two steps":                    {own, []step{without("checks"), completed}, 1},
		"in two steps, recorded between":  {own, []step{without("checks"), create("b"), completed}, 1},
		"completed by Pawl":               {own, []step{without("checks"), pawl.Complete{IDs: []pawl.ID{1}}}, 1},
		"the label, completed by Pawl":    {project, []step{without("labels"), pawl.Complete{IDs: []pawl.ID{1}}}, 1},
		"another check ran":               {own, []step{func(s string) string { return completed(strings.Replace(s, `"go"`, `"gone"`, 1)) }, ran(other)}, 1},
		"its record taken away":           {own, []step{func(s string) string { return completed(without("checks")(s)) }, pawl.AddNote{ID: 1, Text: "x"}, without("evidence")}, 1},
		"a pass from before":              {own, []step{ran(unit), ran(other), completed}, 1},
		"without the index":               {own, []step{indexName, func(s string) string { return completed(without("checks")(s)) }}, 1},
		"recorded, then no index":         {own, []step{func(s string) string { return completed(without("checks")(s)) }, create("b"), indexName}, 1},
		"unreadable between":              {own, []step{func(s string) string { return "x" + s }, create("b"), func(s string) string { return completed(without("checks")(s[1:])) }}, 1},
		"restored by Pawl":                {own, []step{without("checks"), create("b"), func(s string) string { return "x" + s }, "mend", pawl.Complete{IDs: []pawl.ID{1}}}, 1},
		"legal: a person drops the check": {own, []step{pawl.Update{ID: 1, RemoveChecks: []string{"unit", "other"}}, completed}, 0},
		"legal: all ran, then a word":     {own, []step{ran(unit), ran(other), pawl.Complete{IDs: []pawl.ID{1}, Tree: strings.Repeat("b", 40)}, put(`"words": "x"`)}, 0},
		"legal: done, and no index":       {own, []step{ran(unit), ran(other), pawl.Complete{IDs: []pawl.ID{1}, Tree: strings.Repeat("b", 40)}, indexName}, 0},
		"legal: done before the project":  {project, []step{pawl.Complete{IDs: []pawl.ID{1}}, without("description")}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			test.task.Subject = "a"
			d := board(t, pawl.Create{Tasks: []pawl.NewTask{test.task}})
			open := func() *Store {
				s := simStore(t, d.process())
				s.checks = func() []pawl.CheckRule { return []pawl.CheckRule{{Check: unit, Labels: []string{"go"}}} }
				return s
			}
			unshown := func(when string) {
				t.Helper()
				var tasks []pawl.Task
				must.Do(t, open().View(t.Context(), func(r pawl.Reader) (err error) { tasks, err = r.Get(1); return err }))
				if is := tasks[0].Unshown(); tasks[0].Open() || is != (test.want == 1) {
					t.Errorf("%s: not shown: %v: %+v", when, is, tasks[0])
				}
			}
			for _, step := range test.steps {
				d.now += 1e9
				switch step := step.(type) {
				case string:
					if step != "mend" {
						d.drop(step)
					} else if _, err := pawl.NewBoard(open()).Mend(t.Context(), by, false); err != nil {
						t.Fatal(err)
					}
				case func(string) string:
					d.put(taskName(1), step(d.text(taskName(1))))
				case pawl.Op:
					must.Do(t, errOf(pawl.NewBoard(open()).Do(t.Context(), pawl.Request{By: by, Op: step})))
				}
			}
			unshown("at once")
			d.now += 1e9
			must.Do(t, errOf(pawl.NewBoard(open()).Do(t.Context(), pawl.Request{By: by, Op: create("c")})))
			unshown("recorded")
			d.now += 1e9
			var given string
			must.Do(t, errOf(open().Rewrite(t.Context(), Why{By: by, Verb: "x"}, func(f Files) (Rewriting, error) {
				given = string(f.Tasks[1])
				return Rewriting{}, nil
			})))
			if task, ok := decodeTask([]byte(given)); !ok || task.Unshown() != (test.want == 1) {
				t.Errorf("others are given %s", given)
			}
		})
	}
}
