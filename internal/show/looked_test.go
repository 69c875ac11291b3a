package show

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
)

func TestLooked(t *testing.T) {
	task := asking()
	unit, page := task.Checks[0], task.Checks[1]
	all := AndOthers([]Looked{
		{Check: unit, Evidence: &task.Evidence[0], Seen: true, Stale: true},
		{Check: page, Evidence: &task.Evidence[1], Why: "timed out\nafter 10 min"},
		{Check: task.Checks[2], Waits: true},
		{Check: pawl.Check{Name: "fmt", Run: []string{"gofmt", "-l", "x"}}, Project: true},
	}, &task)
	var shown []Shown
	for i := range all {
		shown = append(shown, all[i].Line(Clock{looked, time.UTC}))
	}
	const want = `○[ ] unit: go test ./... (passed 3 min ago on 1a2b3c4 by ada, 2.1 s; stale: files have changed since)
✘[!] page: npm test, in web, up to 30m, with CI, passes with exit code 1 (failed 3 min ago on 1a2b3c4 with changes, by bob, exit code 2, 12 s, timed out\nafter 10 min; claimed: this clone has not seen it)
○[ ] lint: golint "a\nb" (optional, has not run; waits for trust: pawl trust checks)
○[ ] fmt: gofmt -l x, a check of the project (has not run)
✘[!] vet, a check of the project (failed 1 h ago, did not end by itself, 10 min; claimed: this clone has not seen it)
`
	if got := lines(shown); got != want {
		t.Errorf("they read\n%s\nwant\n%s", got, want)
	}
	if claimed := Claimed(&task); len(claimed) != 4 || claimed[0].Seen || claimed[0].Is() != pawl.CheckedPassed {
		t.Errorf("claimed: %+v", claimed)
	}
}

// A pass that this clone has not seen looked like one that it has.
func TestClaimedPass(t *testing.T) {
	task := asking()
	e := task.Evidence[0]
	for _, c := range []struct {
		looked Looked
		mark   string
		ascii  string
		sure   bool
	}{
		{Looked{Evidence: &e, Seen: true}, "✔", "v", true},
		{Looked{Evidence: &e}, "✓", "c", false},
		{Looked{Evidence: &e, Stale: true}, "○", "o", false},
		{Looked{Evidence: &task.Evidence[1]}, "✘", "!", false},
		{Looked{}, "○", "o", false},
	} {
		c.looked.Check = task.Checks[0]
		s := c.looked.Line(Clock{looked, time.UTC})
		if s.Mark(true) != c.mark || s.Mark(false) != c.ascii || s.Sure() != c.sure {
			t.Errorf("%s: marks %s and %s, sure: %v", s.Line(), s.Mark(true), s.Mark(false), s.Sure())
		}
	}
}

func TestCardChecked(t *testing.T) {
	failed := func(names ...string) (all []pawl.Evidence) {
		for i, name := range names {
			all = append(all, pawl.Evidence{Check: name, Sum: strings.Repeat(string(rune('a'+i)), 64), Exit: 1})
		}
		return all
	}
	for _, test := range []struct {
		task pawl.Task
		want string
	}{
		{pawl.Task{Status: pawl.Completed}, ""},
		{pawl.Task{Checked: pawl.CheckedOpen}, ""},
		{pawl.Task{Checked: pawl.CheckedPassed, Status: pawl.Completed}, ""},
		{pawl.Task{Checked: pawl.CheckedOpen, Status: pawl.Completed}, "done, not shown"},
		{pawl.Task{Checked: pawl.CheckedFailed, Status: pawl.Completed}, "done, but a check failed"},
		{pawl.Task{Checked: pawl.CheckedFailed, Status: pawl.InProgress}, "a check failed"},
		{pawl.Task{Evidence: failed("unit"), Status: pawl.Completed}, "done, but unit failed"},
		{pawl.Task{Evidence: failed("unit"), Status: pawl.InProgress}, "unit failed"},
		{pawl.Task{Evidence: failed("unit", "v\x1bet"), Status: pawl.Pending}, `unit and v\x1bet failed`},
		{pawl.Task{Evidence: failed("unit", "vet", "page"), Status: pawl.Pending}, "unit and 2 more failed"},
		{pawl.Task{Checked: pawl.CheckedFailed, Status: pawl.Completed, Damage: "torn"}, ""},
	} {
		if got := CardChecked(&test.task); got != test.want {
			t.Errorf("%+v: %q, want %q", test.task, got, test.want)
		}
	}
}

func TestTailLines(t *testing.T) {
	for _, test := range []struct {
		tail string
		want []string
	}{
		{"", nil},
		{"\n\n", nil},
		{"a\r\n\tb  \n\n", []string{"a", "    b"}},
		{"\x1b[2J\xff", []string{`\x1b[2J` + "\uFFFD"}},
		{strings.Repeat("x", mostTail) + "\nend", []string{"end"}},
	} {
		if got := TailLines(test.tail); !slices.Equal(got, test.want) {
			t.Errorf("%.40q: %q, want %q", test.tail, got, test.want)
		}
	}
	failed := Looked{Evidence: &pawl.Evidence{}, Tail: "one\n\n  two\n"}
	if got := LastPrinted([]Looked{{Tail: "never ran"}, {Evidence: &pawl.Evidence{Passed: true}, Tail: "ok"}, failed}, 2); !slices.Equal(got, []string{"one", "  two"}) {
		t.Errorf("the last lines are %q", got)
	}
	if got := LastPrinted([]Looked{failed}, 1); !slices.Equal(got, []string{"  two"}) {
		t.Errorf("the last line is %q", got)
	}
}
