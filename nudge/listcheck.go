package nudge

import (
	"fmt"

	"github.com/pawl-dev/pawl"
)

// A ListCheck is the state of the check of a todo list, as known where its agent
// works.
type ListCheck struct {
	Runs bool   // it may run there: a person has trusted it
	Tail string // the end of what its last run printed there, with secrets masked, if that failed
	How  string // the command that runs it
}

// checkSum is where the list stands with its check. Each run moves it, and so does trust.
func checkSum(f Facts) uint64 {
	if !f.List.HasCheck() {
		return 0
	}
	ran := int64(0)
	if f.List.Checked != nil {
		ran = f.List.Checked.At.UnixMilli()
	}
	return sumOf("check", string(f.List.Standing()), fmt.Sprint(ran, f.Check.Runs))
}

// failed are the checks that failed when they last ran, that of the list first.
func (f *Facts) failed() []FailedCheck {
	if f.List.Standing() != pawl.CheckedFailed {
		return f.Failed
	}
	return append([]FailedCheck{{Check: f.List.Check.Name, Tail: f.Check.Tail}}, f.Failed...)
}

// checkLine says of a list whose todos are completed what it waits for.
func checkLine(l left, f Facts) string {
	if l.check == "" {
		return ""
	}
	return fmt.Sprintf("- All todos are completed, and count as done when their check %s has passed: run %s\n", l.check, f.Check.How)
}

// checkPart says what the list waits for beside its todos.
func checkPart(f Facts) part {
	l := &f.List
	if !l.HasCheck() || len(l.Items) == 0 {
		return part{}
	}
	name, how := "that cannot be read", "; only a person can go on: pawl todo check"
	if l.Check != nil {
		name, how = line(l.Check.Name, maxName), ": "+f.Check.How
		if !f.Check.Runs {
			how = "; a person has to trust it first: pawl trust checks"
		}
	}
	is := ""
	if l.Standing() == pawl.CheckedFailed {
		is = ", which failed when it last ran"
	}
	return part{lines: []string{fmt.Sprintf("The list is done when all todos are completed and its check %s has passed%s%s\n", name, is, how)}, total: 1}
}

// untrusted tells the user, once, that only a person can go on: the todos are completed,
// and their check must not run.
func (s *State) untrusted(f Facts) Decision {
	now := sum(f)
	if !f.List.AwaitsCheck() || s.Quiet && s.Left == now {
		return Decision{}
	}
	s.Left, s.Quiet = now, true
	if f.List.Check == nil {
		return Decision{Show: "Pawl: all todos are completed, and their check cannot be read: pawl todo check --none takes it away"}
	}
	return Decision{Show: fmt.Sprintf("Pawl: all todos are completed, and nobody here has trusted their check %s: pawl trust checks", line(f.List.Check.Name, maxName))}
}
