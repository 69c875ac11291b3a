package show

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// Checked is how far it is shown that a task is done, of a brief task too.
func Checked(t *pawl.Task) pawl.Checked {
	if t.Checked != pawl.NotChecked {
		return t.Checked
	}
	return t.Standing()
}

// CheckMark is the one character that stands for how a check, a criterion or a task with
// them stands, as the task's file claims: ✓ ✘ ○. It is empty where nothing was asked.
func CheckMark(is pawl.Checked, unicode bool) string {
	if unicode {
		return map[pawl.Checked]string{pawl.CheckedPassed: "✓", pawl.CheckedFailed: "✘", pawl.CheckedOpen: "○"}[is]
	}
	return map[pawl.Checked]string{pawl.CheckedPassed: "c", pawl.CheckedFailed: "!", pawl.CheckedOpen: "o"}[is]
}

// Mark is the mark of a check or a criterion. A pass that this clone has seen, on the
// files that are there, has a stronger one than a pass that only the task's file claims.
func (s Shown) Mark(unicode bool) string {
	switch {
	case !s.Sure():
		return CheckMark(s.Is, unicode)
	case unicode:
		return "✔"
	}
	return "v"
}

// Sure reports whether it passed and this clone has seen that.
func (s Shown) Sure() bool { return s.Is == pawl.CheckedPassed && !s.Claimed }

// checkBox is the same before a line for programs.
func checkBox(is pawl.Checked) string {
	return cmp.Or(map[pawl.Checked]string{pawl.CheckedPassed: "[x]", pawl.CheckedFailed: "[!]"}[is], "[ ]")
}

// CheckedWords says in a list how far it is shown that a task is done; empty where
// nothing was asked.
func CheckedWords(t *pawl.Task) string {
	is := Checked(t)
	switch {
	case is == pawl.NotChecked || t.Damage != "":
		return ""
	case t.Unshown() && is == pawl.CheckedFailed:
		return "completed, but a check failed"
	case t.Unshown():
		return "completed, but not shown"
	case is == pawl.CheckedFailed:
		return "check failed"
	case is == pawl.CheckedOpen:
		return "to be checked"
	}
	return "checked"
}

// A Shown is a check or a criterion of a task, in the words of every screen.
type Shown struct {
	Is      pawl.Checked // passed, failed or open; of a criterion passed: it is ticked
	What    string       // "unit: go test ./...", or what a criterion says
	Last    string       // "passed 3 min ago on 1a2b3c4 by ada, 2.1 s"; empty of a criterion that is not ticked
	Claimed bool         // of a check that ran: it is what the task's file says, and this clone has not seen it
	Tail    []string     // of a check that failed here: the last lines that it printed
}

// Line is all of it but the mark: "unit: go test ./... (passed 3 min ago by ada, 2.1 s)".
func (s Shown) Line() string {
	if s.Last == "" {
		return s.What
	}
	return s.What + " (" + s.Last + ")"
}

// Checks are the checks of a task with what its file says of their last runs: its own, then
// those of the project that have run. [Look] knows more.
func Checks(t *pawl.Task, clock Clock) []Shown {
	var all []Shown
	own := map[string]bool{}
	for i := range t.Checks {
		c := &t.Checks[i]
		s, e := Shown{Is: pawl.CheckedOpen, What: CheckWords(c), Last: "has not run"}, t.LastEvidence(c.Sum())
		if own[c.Sum()] = true; e != nil {
			s = shownAs(e, s.What, clock)
		}
		if c.Optional {
			s.Last = "optional, " + s.Last
		}
		all = append(all, s)
	}
	for i := range t.Evidence {
		if e := &t.Evidence[i]; !own[e.Sum] {
			all = append(all, shownAs(e, text.Line(e.Check)+", a check of the project", clock))
		}
	}
	return all
}

// shownAs is a check with what the task's file says of its last run.
func shownAs(e *pawl.Evidence, what string, clock Clock) Shown {
	s := Shown{Is: ran(e), What: what, Last: EvidenceLine(e, clock), Claimed: true}
	if e.Passed {
		s.Last += "; claimed: not verified here"
	}
	return s
}

// CheckWords is a check in one line: its name and what it runs.
//
//	unit: go test ./...
//	page: npm test, in web, up to 30m, with CI, passes with exit code 1
func CheckWords(c *pawl.Check) string {
	s := text.Line(c.Name)
	if command := Command(c); command != s {
		s += ": " + command
	}
	if c.Dir != "" {
		s += ", in " + text.Line(c.Dir)
	}
	if c.Timeout != 0 {
		s += ", up to " + text.FormatDuration(time.Duration(c.Timeout))
	}
	if len(c.Env) > 0 {
		s += ", with " + text.Line(strings.Join(c.Env, ", "))
	}
	if c.Expect != 0 {
		s += fmt.Sprintf(", passes with exit code %d", c.Expect)
	}
	return s
}

func ran(e *pawl.Evidence) pawl.Checked {
	switch {
	case e.Passed:
		return pawl.CheckedPassed
	case e.LeftOut():
		return pawl.CheckedOpen
	}
	return pawl.CheckedFailed
}

// EvidenceLine says what a run of a check showed:
//
//	passed 3 min ago on 1a2b3c4 by ada, 2.1 s
//	failed 2026-11-20 13:03:07 UTC on 1a2b3c4 with changes, by ada, exit code 1, 12 s
//	left out 3 min ago by claude
func EvidenceLine(e *pawl.Evidence, clock Clock) string {
	s := map[pawl.Checked]string{pawl.CheckedPassed: "passed", pawl.CheckedOpen: "left out", pawl.CheckedFailed: "failed"}[ran(e)]
	s += moment(e.At, clock)
	if e.Commit != "" {
		s += " on " + text.Line(e.Commit[:min(len(e.Commit), shortCommit)])
		if e.Dirty {
			s += " with changes,"
		}
	}
	if e.By != "" {
		s += " by " + text.Line(e.By)
	}
	switch {
	case e.LeftOut():
		return s
	case e.Passed:
	case e.Exit == pawl.NoExit:
		s += ", did not end by itself"
	default:
		s += fmt.Sprintf(", exit code %d", e.Exit)
	}
	return s + ", " + Took(time.Duration(e.Millis)*time.Millisecond)
}

// shortCommit is how much of a commit's id people read.
const shortCommit = 7

// moment says how long ago something was, or to a program when.
func moment(at time.Time, clock Clock) string {
	switch {
	case at.IsZero():
		return ""
	case clock.person():
		return " " + text.Ago(clock.Now, at)
	}
	return " " + clock.Spell(at)
}

// Took says how long something took: 2.1 s.
func Took(d time.Duration) string {
	switch {
	case d < 9950*time.Millisecond:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
	return text.Age(d)
}

// Criteria are the criteria of a task and who ticked them, several of them with their
// numbers.
func Criteria(t *pawl.Task, clock Clock) []Shown {
	var all []Shown
	for i := range t.Accept {
		c := &t.Accept[i]
		s := Shown{Is: pawl.CheckedOpen, What: text.Line(c.Text)}
		if len(t.Accept) > 1 {
			s.What = fmt.Sprintf("%d. %s", i+1, s.What)
		}
		if c.Ticked() {
			s.Is, s.Last = pawl.CheckedPassed, "ticked"+moment(c.At, clock)
			if c.By != "" {
				s.Last += " by " + text.Line(c.By)
			}
		}
		all = append(all, s)
	}
	return all
}

// Ticked counts the criteria that are ticked: "1 of 2 ticked".
func Ticked(t *pawl.Task) string {
	n := 0
	for i := range t.Accept {
		if t.Accept[i].Ticked() {
			n++
		}
	}
	return fmt.Sprintf("%d of %d ticked", n, len(t.Accept))
}

// mostUnmet is how many reasons a line spells out.
const mostUnmet = 3

// unchecked begins the note that [pawl.Complete] leaves with its reason.
const unchecked = "Completed without its checks: "

// unshown says why a task that is completed is not shown to be done:
//
//	completed, but not shown: unit failed, vet has not run
//	completed without its checks: the server is down; unit failed
func unshown(t *pawl.Task) string {
	why := unmet(t)
	if len(why) > mostUnmet {
		why = append(why[:mostUnmet:mostUnmet], fmt.Sprintf("and %d more", len(why)-mostUnmet))
	}
	for i := range t.Notes {
		n := &t.Notes[i]
		if reason, ok := strings.CutPrefix(n.Text, unchecked); ok && n.At.Equal(t.CompletedAt) {
			return strings.Join(append([]string{"completed without its checks: " + text.Line(reason)}, strings.Join(why, ", ")), "; ")
		}
	}
	return "completed, but not shown: " + strings.Join(why, ", ")
}

// unmet says what of a task does not show that it is done.
func unmet(t *pawl.Task) []string {
	var failed, open []string
	for i := range t.Evidence {
		switch e := &t.Evidence[i]; {
		case e.LeftOut():
			open = append(open, outcome(e))
		case !e.Passed:
			failed = append(failed, outcome(e))
		}
	}
	for i := range t.Checks {
		if c := &t.Checks[i]; !c.Optional && t.LastEvidence(c.Sum()) == nil {
			open = append(open, text.Line(c.Name)+" has not run")
		}
	}
	for i := range t.Accept {
		if !t.Accept[i].Ticked() {
			open = append(open, `"`+text.Line(text.Clip(t.Accept[i].Text, 60))+`" is not ticked`)
		}
	}
	return append(failed, open...)
}
