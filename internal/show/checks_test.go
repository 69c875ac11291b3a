package show

import (
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

var looked = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// asking is a task with a check of each kind and two criteria.
func asking() pawl.Task {
	unit := pawl.Check{Name: "unit", Run: []string{"go", "test", "./..."}}
	page := pawl.Check{Name: "page", Run: []string{"npm", "test"}, Dir: "web", Timeout: pawl.Duration(30 * time.Minute), Env: []string{"CI"}, Expect: 1}
	lint := pawl.Check{Name: "lint", Run: []string{"golint", "a\nb"}, Optional: true}
	return pawl.Task{
		ID: 12, Subject: "Fix the flicker", Status: pawl.Completed, CompletedAt: looked,
		Checks: []pawl.Check{unit, page, lint},
		Accept: []pawl.Criterion{{Text: "no flicker at 60 Hz", By: "ada", At: looked.Add(-time.Hour)}, {Text: "said\nso"}},
		Evidence: []pawl.Evidence{
			{Check: "unit", Sum: unit.Sum(), At: looked.Add(-3 * time.Minute), By: "ada", Commit: strings.Repeat("1a2b3c4d", 5), Passed: true, Millis: 2130},
			{Check: "page", Sum: page.Sum(), At: looked.Add(-3 * time.Minute), By: "bob", Commit: strings.Repeat("1a2b3c4d", 5), Dirty: true, Exit: 2, Millis: 12_300},
			{Check: "vet", Sum: strings.Repeat("a", 64), At: looked.Add(-time.Hour), Exit: pawl.NoExit, Millis: 600_000},
		},
	}
}

func lines(all []Shown) string {
	var b strings.Builder
	for _, s := range all {
		b.WriteString(s.Mark(true) + checkBox(s.Is) + " " + s.Line() + "\n")
	}
	return b.String()
}

func TestChecks(t *testing.T) {
	task := asking()
	const person = `✓[x] unit: go test ./... (passed 3 min ago on 1a2b3c4 by ada, 2.1 s; claimed: not verified here)
✘[!] page: npm test, in web, up to 30m, with CI, passes with exit code 1 (failed 3 min ago on 1a2b3c4 with changes, by bob, exit code 2, 12 s)
○[ ] lint: golint "a\nb" (optional, has not run)
✘[!] vet, a check of the project (failed 1 h ago, did not end by itself, 10 min)
✔[x] 1. no flicker at 60 Hz (ticked 1 h ago by ada)
○[ ] 2. said\nso
`
	clock := Clock{looked, time.UTC}
	if got := lines(Checks(&task, clock)) + lines(Criteria(&task, clock)); got != person {
		t.Errorf("a person reads\n%s\nwant\n%s", got, person)
	}
	if got, want := Checks(&task, Clock{})[0].Last, "passed 2026-11-23 11:57:00 UTC on 1a2b3c4 by ada, 2.1 s; claimed: not verified here"; got != want {
		t.Errorf("a program reads %q, want %q", got, want)
	}
	if got := Ticked(&task); got != "1 of 2 ticked" {
		t.Errorf("the criteria are %q", got)
	}
}

// A task that is completed without what shows it says so wherever it is shown.
func TestUnshown(t *testing.T) {
	shown := pawl.Task{ID: 1, Subject: "Shown", Status: pawl.Completed, Accept: []pawl.Criterion{{Text: "a", At: looked}}}
	nothing := pawl.Task{ID: 2, Subject: "Nothing asked", Status: pawl.Completed}
	failed := asking()
	open := asking()
	open.Evidence = open.Evidence[:1]
	told := open.Clone()
	told.Notes = []pawl.Note{{At: looked, By: "ada", Text: unchecked + "the server\nis down"}}
	later := open.Clone()
	later.Notes = []pawl.Note{{At: looked.Add(time.Second), By: "agent", Text: unchecked + "as agreed"}}
	doing := asking()
	doing.Status = pawl.InProgress
	for _, c := range []struct {
		name               string
		task               pawl.Task
		status, list, word string
	}{
		{"shown", shown, "completed", "[x] #1 Shown", "checked"},
		{"nothing asked", nothing, "completed", "[x] #2 Nothing asked", ""},
		{"failed", failed, `completed, but not shown: page failed, vet failed, "said\nso" is not ticked`, "[x] #12 Fix the flicker (completed, but a check failed)", "completed, but a check failed"},
		{"open", open, `completed, but not shown: page has not run, "said\nso" is not ticked`, "[x] #12 Fix the flicker (completed, but not shown)", "completed, but not shown"},
		{"with a reason", told, `completed without its checks: the server\nis down; page has not run, "said\nso" is not ticked`, "[x] #12 Fix the flicker (completed, but not shown)", "completed, but not shown"},
		{"with a reason that came later", later, `completed, but not shown: page has not run, "said\nso" is not ticked`, "[x] #12 Fix the flicker (completed, but not shown)", "completed, but not shown"},
		{"doing", doing, "in progress", "[>] #12 Fix the flicker (check failed)", "check failed"},
	} {
		if got := status(&c.task); got != c.status {
			t.Errorf("%s: the status is\n%s\nwant\n%s", c.name, got, c.status)
		}
		brief := c.task.Brief()
		for _, task := range []*pawl.Task{&c.task, &brief} {
			if got := ListLine(task, nil); got != c.list {
				t.Errorf("%s: the line is\n%s\nwant\n%s", c.name, got, c.list)
			}
			if got := CheckedWords(task); got != c.word {
				t.Errorf("%s: it is %q, want %q", c.name, got, c.word)
			}
		}
	}
}

func TestTellingChecks(t *testing.T) {
	const who = "ada"
	unit := pawl.Check{Name: "unit", Run: []string{"go", "test"}}
	race := pawl.Check{Name: "unit", Run: []string{"go", "test", "-race"}}
	was := pawl.Task{ID: 4, Subject: "Parse", Status: pawl.Pending}
	with := func(edit func(*pawl.Task)) pawl.Task {
		is := was.Clone()
		edit(&is)
		return is
	}
	ran := func(c *pawl.Check, passed bool) pawl.Evidence {
		return pawl.Evidence{Check: c.Name, Sum: c.Sum(), At: looked, Passed: passed}
	}
	checked := with(func(t *pawl.Task) { t.Checks = []pawl.Check{unit} })
	for _, c := range []struct {
		verb       string
		before, is pawl.Task
		want       string
	}{
		{pawl.VerbCheck, checked, with(func(t *pawl.Task) {
			t.Checks = checked.Checks
			t.Evidence = []pawl.Evidence{ran(&unit, true), {Check: "vet", Sum: "b"}}
		}), "ada checked #4 Parse: unit passed, vet failed"},
		{pawl.VerbUpdate, was, checked, "ada updated #4 Parse (check unit: go test)"},
		{pawl.VerbUpdate, checked, with(func(t *pawl.Task) { t.Checks = []pawl.Check{race} }), "ada updated #4 Parse (changed check unit: go test -race)"},
		{pawl.VerbUpdate, checked, was, "ada updated #4 Parse (no check unit)"},
		{pawl.VerbUpdate, was, with(func(t *pawl.Task) { t.Accept = []pawl.Criterion{{Text: "fast"}} }), `ada updated #4 Parse (criterion "fast")`},
		{pawl.VerbUpdate, with(func(t *pawl.Task) {
			t.Accept = []pawl.Criterion{{Text: "fast"}, {Text: "old", At: looked}, {Text: "gone"}}
		}),
			with(func(t *pawl.Task) { t.Accept = []pawl.Criterion{{Text: "fast", At: looked}, {Text: "old"}} }), `ada updated #4 Parse (ticked "fast", unticked "old", no criterion "gone")`},
		{pawl.VerbComplete, checked, with(func(t *pawl.Task) {
			t.Status, t.Checks, t.Evidence = pawl.Completed, checked.Checks, []pawl.Evidence{ran(&unit, true)}
		}), "ada completed #4 Parse (unit passed)"},
		{pawl.VerbComplete, checked, with(func(t *pawl.Task) {
			t.Status, t.Notes = pawl.Completed, []pawl.Note{{Text: "as agreed"}, {Text: unchecked + "no server"}}
		}), "ada completed #4 Parse without its checks: no server"},
		{pawl.ExternalName, checked, with(func(t *pawl.Task) { t.Status, t.Checks = pawl.Completed, checked.Checks }), "ada edited #4 Parse (status pending → completed)"},
	} {
		set := &pawl.ChangeSet{Verb: c.verb, By: pawl.Actor{Name: who}, Changes: []pawl.Change{{ID: 4, Before: &c.before, After: &c.is, Fields: pawl.Diff(&c.before, &c.is)}}}
		if got := (Telling{Names: query.Subjects{4: "Parse"}}).Line(set); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	after := with(func(t *pawl.Task) {
		t.Accept = []pawl.Criterion{{Text: "fast", At: looked, By: who}}
		t.Evidence = []pawl.Evidence{ran(&unit, true)}
	})
	change := pawl.Change{ID: 4, Before: &checked, After: &after, Fields: pawl.Diff(&checked, &after)}
	got := strings.Join(ChangeDetail(&change, query.Subjects{4: "Parse"}, Clock{looked.Add(time.Hour), time.UTC}), "\n")
	const want = `#4 Parse
  checks:
    no check unit
  criteria:
    criterion "fast"
    ticked "fast"
  evidence:
    unit passed 1 h ago, 0.0 s`
	if got != want {
		t.Errorf("in full it is\n%s\nwant\n%s", got, want)
	}
}
