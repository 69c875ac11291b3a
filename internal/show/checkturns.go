package show

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// checkTurns say which checks a task got, lost and has changed:
//
//	check unit: go test ./...
//	no check vet
//	check unit is now go test -race ./...
func checkTurns(was, is []pawl.Check) []string {
	var said []string
	find := func(all []pawl.Check, name string) *pawl.Check {
		if at := slices.IndexFunc(all, func(c pawl.Check) bool { return c.Name == name }); at >= 0 {
			return &all[at]
		}
		return nil
	}
	for i := range is {
		c := &is[i]
		switch old := find(was, c.Name); {
		case old == nil:
			said = append(said, "check "+text.Clip(CheckWords(c), noteLength))
		case old.Equal(c):
		case old.Sum() == c.Sum() && c.Optional != old.Optional:
			said = append(said, "check "+text.Line(c.Name)+" is now "+needed(c))
		default:
			said = append(said, "changed check "+text.Clip(CheckWords(c), noteLength))
		}
	}
	for i := range was {
		if find(is, was[i].Name) == nil {
			said = append(said, "no check "+text.Line(was[i].Name))
		}
	}
	return said
}

func needed(c *pawl.Check) string {
	if c.Optional {
		return "optional"
	}
	return "required"
}

// criterionTurns say which criteria came, went, and were ticked:
//
//	criterion "no flicker"
//	ticked "no flicker"
func criterionTurns(was, is []pawl.Criterion) []string {
	var said []string
	find := func(all []pawl.Criterion, wanted string) *pawl.Criterion {
		if at := slices.IndexFunc(all, func(c pawl.Criterion) bool { return c.Text == wanted }); at >= 0 {
			return &all[at]
		}
		return nil
	}
	quoted := func(c *pawl.Criterion) string { return strconv.Quote(text.Clip(c.Text, noteLength)) }
	for i := range is {
		c := &is[i]
		old := find(was, c.Text)
		if old == nil {
			said = append(said, "criterion "+quoted(c))
			old = &pawl.Criterion{}
		}
		switch {
		case c.Ticked() && !old.Ticked():
			said = append(said, "ticked "+quoted(c))
		case !c.Ticked() && old.Ticked():
			said = append(said, "unticked "+quoted(c))
		}
	}
	for i := range was {
		if find(is, was[i].Text) == nil {
			said = append(said, "no criterion "+quoted(&was[i]))
		}
	}
	return said
}

// newRuns are the runs in is that were not in was.
func newRuns(was, is []pawl.Evidence) []pawl.Evidence {
	return slices.DeleteFunc(slices.Clone(is), func(e pawl.Evidence) bool {
		return slices.ContainsFunc(was, func(old pawl.Evidence) bool { return old.Equal(&e) })
	})
}

// ranChecks say what the runs of a change showed: "unit passed", "vet failed".
func ranChecks(c *pawl.Change) []string {
	var said []string
	ran := newRuns(c.Before.Evidence, c.After.Evidence)
	for i := range ran {
		said = append(said, outcome(&ran[i]))
	}
	return said
}

// reasonIn is why a change completed a task without its checks; empty: it did not. It is
// found by the note that this leaves: history has nothing of the checks themselves.
func reasonIn(c *pawl.Change) string {
	for _, n := range c.After.Notes[min(len(c.Before.Notes), len(c.After.Notes)):] {
		if reason, ok := strings.CutPrefix(n.Text, unchecked); ok {
			return text.Line(text.Clip(reason, noteLength))
		}
	}
	return ""
}

func outcome(e *pawl.Evidence) string {
	return text.Line(e.Check) + map[pawl.Checked]string{pawl.CheckedPassed: " passed", pawl.CheckedOpen: " has not run", pawl.CheckedFailed: " failed"}[ran(e)]
}

// evidenceTurns tell of each new run all that is known, and which are forgotten.
func evidenceTurns(was, is []pawl.Evidence, clock Clock) []string {
	var said []string
	ran := newRuns(was, is)
	for i := range ran {
		said = append(said, text.Line(ran[i].Check)+" "+EvidenceLine(&ran[i], clock))
	}
	for i := range was {
		if !slices.ContainsFunc(is, func(e pawl.Evidence) bool { return e.Sum == was[i].Sum }) {
			said = append(said, "forgot that "+outcome(&was[i]))
		}
	}
	return said
}

// turnLines are the lines about a field of which each part is told by itself.
func turnLines(name string, parts []string) []string {
	if len(parts) == 0 {
		return nil
	}
	lines := []string{"  " + name + ":"}
	for _, part := range parts {
		lines = append(lines, "    "+part)
	}
	return lines
}
