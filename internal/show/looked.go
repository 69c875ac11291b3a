package show

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// A Look finds out what is known on this machine of a task's checks: what this clone
// has seen itself, and with files what no longer holds for the files that are there,
// which takes a run of git. It runs no check.
type Look func(ctx context.Context, t *pawl.Task, files bool) ([]Looked, error)

// lookFor is how long a screen waits for what this clone knows of checks.
const lookFor = 5 * time.Second

// Known is what is known here of a task's checks. Without a clone, or if it does not
// answer, that is what the task's file claims; the error is that of the clone.
func (look Look) Known(ctx context.Context, t *pawl.Task, files bool) ([]Looked, error) {
	if look == nil {
		return Claimed(t), nil
	}
	ctx, stop := context.WithTimeout(ctx, lookFor)
	defer stop()
	all, err := look(ctx, t, files)
	if err != nil {
		if ctx.Err() != nil { // it is killed then, and says so
			err = ctx.Err()
		}
		return Claimed(t), err
	}
	return AndOthers(all, t), nil
}

const (
	// mostPrinted is of how many cards it is found out what their failed check printed:
	// each takes reading a file or two.
	mostPrinted = 20
	// printedLines is how much of it a card shows.
	printedLines = 5
)

// Printed is what the failed checks of the cards printed here, the last lines.
func Printed(l *query.Lanes, known func(*pawl.Task) []Looked) map[pawl.ID][]string {
	found := map[pawl.ID][]string{}
	for lane := range l.Cards {
		for i := range l.Cards[lane] {
			if t := &l.Cards[lane][i].Task; Checked(t) == pawl.CheckedFailed && len(t.Evidence) > 0 && len(found) < mostPrinted {
				found[t.ID] = LastPrinted(known(t), printedLines)
			}
		}
	}
	return found
}

// A Looked is a check of a task with all that a person wants to know of it.
type Looked struct {
	Check    pawl.Check
	Project  bool           // the project asks it, not the task
	Evidence *pawl.Evidence // of its last run; nil: it has not run
	Stale    bool           // files have changed since
	Seen     bool           // this clone has seen that run; else it is what the task's file claims
	Waits    bool           // it does not run here before a person has trusted it
	Tail     string         // the end of what it printed here
	Why      string         // why it did not end by itself
}

// Claimed are the checks of a task as its file has them, where nobody can look.
func Claimed(t *pawl.Task) []Looked {
	all := make([]Looked, len(t.Checks))
	for i := range t.Checks {
		all[i] = Looked{Check: t.Checks[i], Evidence: t.LastEvidence(t.Checks[i].Sum())}
	}
	return AndOthers(all, t)
}

// AndOthers adds to checks of a task those that it has evidence of, and that neither the
// task nor its project asks here.
func AndOthers(all []Looked, t *pawl.Task) []Looked {
	for i := range t.Evidence {
		e := &t.Evidence[i]
		if !slices.ContainsFunc(all, func(l Looked) bool { return l.Evidence != nil && l.Evidence.Sum == e.Sum }) {
			all = append(all, Looked{Check: pawl.Check{Name: e.Check}, Project: true, Evidence: e})
		}
	}
	return all
}

// Is says how the check stands. One that passed on other files is as open as one that
// has not run.
func (l *Looked) Is() pawl.Checked {
	if l.Evidence == nil || l.Stale {
		return pawl.CheckedOpen
	}
	return ran(l.Evidence)
}

// Line is the check in the words of every screen.
func (l *Looked) Line(clock Clock) Shown {
	s := Shown{Is: l.Is(), What: text.Line(l.Check.Name), Last: l.Last(clock), Claimed: l.Evidence != nil && !l.Seen}
	if len(l.Check.Run) > 0 {
		s.What = CheckWords(&l.Check)
	}
	if l.Project {
		s.What += ", a check of the project"
	}
	return s
}

// Last says what its last run showed, and what that is worth here:
//
//	passed 3 min ago on 1a2b3c4 by ada, 2.1 s; stale: files have changed since
//	failed 3 min ago on 1a2b3c4 by bob, exit code 1, 12 s; claimed: this clone has not seen it
//	has not run; waits for trust: pawl trust checks
func (l *Looked) Last(clock Clock) string {
	s := "has not run"
	if l.Evidence != nil {
		s = EvidenceLine(l.Evidence, clock)
		if why := text.Line(l.Why); why != "" {
			s += ", " + why
		}
	}
	if l.Check.Optional {
		s = "optional, " + s
	}
	if l.Stale {
		s += "; stale: files have changed since"
	}
	if l.Evidence != nil && !l.Seen && !l.Evidence.LeftOut() {
		s += "; claimed: this clone has not seen it"
	}
	if l.Waits {
		s += "; waits for trust: pawl trust checks"
	}
	return s
}

// mostTail is how much of what a check printed is shown, in bytes.
const mostTail = 4 << 10

// TailLines are the last lines of what a check printed, with nothing in them that a
// terminal would act on, and no blank ones at the end.
func TailLines(tail string) []string {
	if len(tail) > mostTail {
		tail = tail[len(tail)-mostTail:]
		if _, whole, ok := strings.Cut(tail, "\n"); ok {
			tail = whole
		}
	}
	var lines []string
	for line := range strings.Lines(strings.ToValidUTF8(strings.TrimRight(tail, " \t\r\n"), "\uFFFD")) {
		lines = append(lines, text.Line(strings.ReplaceAll(strings.TrimRight(line, " \t\r\n"), "\t", "    ")))
	}
	return lines
}

// CardChecked says on a card what nobody must overlook: that a check failed, or that a
// completed task is not shown to be done.
//
//	unit failed
//	done, but unit and vet failed
//	done, not shown
func CardChecked(t *pawl.Task) string {
	failed := Checked(t) == pawl.CheckedFailed && t.Damage == ""
	switch {
	case failed && t.Open():
		return failing(t) + " failed"
	case failed && t.Unshown():
		return "done, but " + failing(t) + " failed"
	case t.Unshown():
		return "done, not shown"
	}
	return ""
}

// failing names the checks of which the last run failed.
func failing(t *pawl.Task) string {
	var names []string
	for i := range t.Evidence {
		if e := &t.Evidence[i]; e.Failed() {
			names = append(names, text.Line(e.Check))
		}
	}
	switch len(names) {
	case 0:
		return "a check"
	case 1, 2:
		return text.And(names)
	}
	return text.Few(names, 1)
}

// LastPrinted are the last lines of what a failed check of a task printed here, most of
// them at most; none: nothing is known of it.
func LastPrinted(all []Looked, most int) []string {
	for i := range all {
		l := &all[i]
		if l.Evidence == nil || l.Evidence.Passed {
			continue
		}
		lines := slices.DeleteFunc(TailLines(l.Tail), func(line string) bool { return line == "" })
		for i := range lines {
			lines[i] = text.Clip(lines[i], 200)
		}
		if len(lines) > 0 {
			return lines[max(0, len(lines)-most):]
		}
	}
	return nil
}
