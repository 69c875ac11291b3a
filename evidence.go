package pawl

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Evidence is what the last run of a check showed. It has none of the output: a task's
// file is shared, and what a program prints may be secret.
type Evidence struct {
	Check  string    `json:"check"`            // what the check is called
	Sum    string    `json:"sum"`              // of the check that ran ([Check.Sum])
	At     time.Time `json:"at,omitzero"`      // when it was recorded
	By     string    `json:"by,omitempty"`     // who let it run
	Commit string    `json:"commit,omitempty"` // on which the work tree was based; empty: none
	Tree   string    `json:"tree,omitempty"`   // what was checked: the id of the work tree's files without .tasks; or NoTree
	Dirty  bool      `json:"dirty,omitempty"`  // the files were not those of the commit
	Passed bool      `json:"passed,omitempty"`
	Exit   int       `json:"exit,omitempty"`   // NoExit: it did not end by itself
	Millis int64     `json:"ms,omitempty"`     // how long it took
	Output string    `json:"output,omitempty"` // hash of what it printed: "sha256:…"
}

const (
	// NoExit is the exit code of a check that was ended, or could not begin.
	NoExit = -1
	// NoTree stands for the files of a project that is in no version control: nothing
	// says later whether they are still those that were checked.
	NoTree = "none"
)

// LeftOut reports whether the record is of no run: the task was completed without the
// check. A run, also one that could not begin, took at least a millisecond.
func (e *Evidence) LeftOut() bool { return e.Exit == NoExit && e.Output == "" && e.Millis == 0 }

// NoRun is the record that a task was completed without a check.
func NoRun(check, sum string) Evidence {
	return Evidence{Check: check, Sum: sum, Tree: NoTree, Exit: NoExit}
}

// Failed reports whether the evidence is of a run that did not pass.
func (e *Evidence) Failed() bool { return !e.Passed && !e.LeftOut() }

// Equal reports whether two records are the same.
func (e *Evidence) Equal(other *Evidence) bool {
	a, b := *e, *other
	same := a.At.Equal(b.At)
	a.At, b.At = time.Time{}, time.Time{}
	return same && a == b
}

// Checked is how far it is shown that a task is done.
type Checked string

// The values of Checked. NotChecked never counts as passed: nothing was required.
const (
	NotChecked    Checked = ""
	CheckedOpen   Checked = "open"   // a required check has not run as it is now, or a criterion is not ticked
	CheckedFailed Checked = "failed" // the last run of a check failed
	CheckedPassed Checked = "passed" // all required checks have passed, and all criteria are ticked
)

// Standing tells how far the task's own checks, criteria and evidence prove that it is
// done. It does not tell whether the evidence is of the present files: no board knows
// these.
func (t *Task) Standing() Checked {
	unreadable := t.unreadable() != ""
	if len(t.Checks) == 0 && len(t.Accept) == 0 && len(t.Evidence) == 0 && !unreadable {
		return NotChecked
	}
	for i := range t.Evidence {
		if e := &t.Evidence[i]; e.Failed() && t.counts(e) {
			return CheckedFailed
		}
	}
	if unreadable || slices.ContainsFunc(t.Evidence, func(e Evidence) bool { return e.LeftOut() }) {
		return CheckedOpen
	}
	for i := range t.Checks {
		if c := &t.Checks[i]; !c.Optional && t.LastEvidence(c.Sum()) == nil {
			return CheckedOpen
		}
	}
	if slices.ContainsFunc(t.Accept, func(c Criterion) bool { return !c.Ticked() }) {
		return CheckedOpen
	}
	return CheckedPassed
}

// Unshown reports whether the task is completed but not proven: one of its checks failed
// or did not run, or a criterion is not ticked. It works on a brief task too.
func (t *Task) Unshown() bool {
	if t.Status != Completed || t.Damage != "" {
		return false
	}
	is := t.Checked
	if is == NotChecked {
		is = t.Standing()
	}
	return is == CheckedOpen || is == CheckedFailed
}

// counts reports whether a run matters to the task: it is not one that only optional checks of
// its own ask for. A record that a check was left out always does: an optional check leaves none.
func (t *Task) counts(e *Evidence) bool { return requires(t.Checks, e.Sum) || !hasSum(t.Checks, e.Sum) }

// requires reports whether one of the checks has this sum and is required.
func requires(all []Check, sum string) bool {
	return slices.ContainsFunc(all, func(c Check) bool { return !c.Optional && c.Sum() == sum })
}

// unreadable names what the task's file says about checks or criteria in a way that Pawl
// does not read; empty: nothing. Such a requirement is unknown, so nothing meets it.
func (t *Task) unreadable() Field {
	for _, f := range []Field{FieldChecks, FieldAccept} {
		if t.odd(f) {
			return f
		}
	}
	return ""
}

func (t *Task) odd(f Field) bool {
	_, odd := t.Extra[string(f)]
	return odd
}

// whatIs is how people call what a field of checks or criteria holds.
func (f Field) whatIs() string {
	if f == FieldAccept {
		return "criteria"
	}
	return "checks"
}

// LastEvidence returns the evidence of the last run of the check with this sum, or
// nil.
func (t *Task) LastEvidence(sum string) *Evidence {
	for i := range t.Evidence {
		if t.Evidence[i].Sum == sum {
			return &t.Evidence[i]
		}
	}
	return nil
}

// AddEvidence records what runs of a task's checks showed: of each check the last run
// counts. To complete a task in the same step, put it before a [Complete] in an [All].
type AddEvidence struct {
	ID       ID         `json:"id"`
	Evidence []Evidence `json:"evidence"` // the board sets At and By
}

// Verb names the op in history.
func (AddEvidence) Verb() string { return VerbCheck }

func (op AddEvidence) check() []Fault {
	var f faults
	f.id("id", op.ID)
	if len(op.Evidence) == 0 {
		f.add("evidence", "is empty")
	}
	f.evidence("evidence", op.Evidence)
	return f
}

// Valid says what is wrong with a record; nil: nothing is.
func (e *Evidence) Valid() []Fault {
	var f faults
	f.evidence("evidence", []Evidence{*e})
	return f
}

// evidence checks records of one task.
func (f *faults) evidence(at string, all []Evidence) {
	if len(all) > MaxEvidence {
		f.add(at, "has %d runs; the most is %d", len(all), MaxEvidence)
		return
	}
	for i := range all {
		e, at := &all[i], fmt.Sprintf("%s[%d]", at, i)
		f.required(at+".check", e.Check, MaxCheckName)
		f.name(at+".by", e.By)
		f.hash(at+".sum", e.Sum, 64, 64)
		if e.Commit != "" {
			f.hash(at+".commit", e.Commit, 40, 64)
		}
		if e.Tree != NoTree {
			f.hash(at+".tree", e.Tree, 40, 64)
		}
		if hash, named := strings.CutPrefix(e.Output, "sha256:"); e.Output != "" && named {
			f.hash(at+".output", hash, 64, 64)
		} else if e.Output != "" {
			f.add(at+".output", "is %q, not sha256: and a hash", clip(e.Output, 40))
		}
		if e.Exit < NoExit {
			f.add(at+".exit", "is %d, no exit code", e.Exit)
		}
		if e.Exit == NoExit && e.Passed {
			f.add(at+".passed", "is true of a run that did not end by itself")
		}
		if e.Millis < 0 || e.Millis > int64(100*MaxCheckTimeout/time.Millisecond) {
			f.add(at+".ms", "is %d", e.Millis)
		}
	}
}

// hash checks a hash in hexadecimal digits.
func (f *faults) hash(at, s string, least, most int) {
	if len(s) < least || len(s) > most || strings.Trim(s, "0123456789abcdef") != "" {
		f.add(at, "is %q, not a hash of %d or more hexadecimal digits", clip(s, 40), least)
	}
}

func (op AddEvidence) apply(x *tx) error {
	t, err := x.touch(op.ID)
	if err != nil {
		return err
	}
	for _, e := range op.Evidence {
		x.record(t, e)
		x.shown = append(x.shown, shownKey(t, e.Sum))
	}
	x.res.IDs = []ID{op.ID}
	return nil
}

// record puts a record in the place of the last one of its check. For a person it takes that of
// one that was left out under its name, too: the project may have changed the command. A failure
// that does not count leaves the record that the check was left out.
func (x *tx) record(t *Task, e Evidence) {
	e.Check, e.At, e.By = oneLine(e.Check), x.now, x.by.Name
	if last := t.LastEvidence(e.Sum); last != nil && last.LeftOut() && e.Failed() && !t.counts(&e) {
		return
	}
	own := hasSum(t.Checks, e.Sum)
	t.Evidence = slices.DeleteFunc(t.Evidence, func(old Evidence) bool {
		return !x.agent && old.LeftOut() && old.Check == e.Check && !own && !hasSum(t.Checks, old.Sum)
	})
	t.Record(e)
}

// Record puts records in the place of those of the same checks. If there are too many, the
// oldest runs go first: an edit may have invented them, to leave no room for records of
// left-out checks.
func (t *Task) Record(all ...Evidence) {
	kept := slices.DeleteFunc(slices.Clone(t.Evidence), func(e Evidence) bool {
		return slices.ContainsFunc(all, func(now Evidence) bool { return now.Sum == e.Sum })
	})
	for kept = append(kept, all...); len(kept) > MaxEvidence; {
		at := max(0, slices.IndexFunc(kept, func(e Evidence) bool { return !e.LeftOut() }))
		kept = slices.Delete(kept, at, at+1)
	}
	t.Evidence = kept
}

// Unproven compares a task that another program has edited with its state before. It returns a
// left-out record for each check that no run proves: the edit added its pass; or the task
// needed it before, or needs it now that the edit completed it, and has no record of before. An
// earlier pass does not prove a completion by an edit. If before is brief, it may have needed
// any check.
func (t *Task) Unproven(before *Task, rules []CheckRule) (left []Evidence) {
	if before.Checked != NotChecked && before.Checked == t.Standing() && before.Status == t.Status {
		return nil
	}
	completes, now := before.Open() && !t.Open(), t.AllChecks(rules)
	had := func(e *Evidence) bool {
		return slices.ContainsFunc(before.Evidence, func(b Evidence) bool { return b.Equal(e) })
	}
	for i := range t.Evidence {
		if e := &t.Evidence[i]; e.Passed && !had(e) && (requires(now, e.Sum) || !hasSum(now, e.Sum)) {
			left = append(left, NoRun(e.Check, e.Sum))
		}
	}
	leave := func(check, sum string) {
		e := t.LastEvidence(sum)
		shown := e != nil && (e.LeftOut() || e.Failed() && t.counts(e) || e.Passed && !completes && had(e))
		if !shown && !(t.Open() && requires(now, sum)) && !slices.ContainsFunc(left, func(l Evidence) bool { return l.Sum == sum }) {
			left = append(left, NoRun(check, sum))
		}
	}
	for _, c := range before.AllChecks(rules) {
		if sum := c.Sum(); !c.Optional && (before.Open() || requires(before.Checks, sum) || before.LastEvidence(sum) != nil) {
			leave(c.Name, sum)
		}
	}
	for i := range before.Evidence {
		if e := &before.Evidence[i]; e.LeftOut() || e.Failed() && before.counts(e) {
			leave(e.Check, e.Sum)
		}
	}
	for _, c := range now {
		if completes && !c.Optional {
			leave(c.Name, c.Sum())
		}
	}
	if before.Checked != NotChecked && len(left) == 0 {
		leave("what it needed before", (&Check{}).Sum())
	}
	return left
}

// leaveOut records of a completed task which required checks have not run.
func (t *Task) leaveOut(rules []CheckRule) {
	for _, c := range t.AllChecks(rules) {
		if !t.Open() && !c.Optional && t.LastEvidence(c.Sum()) == nil {
			t.Record(NoRun(c.Name, c.Sum()))
		}
	}
}

func shownKey(t *Task, sum string) string { return t.ID.String() + " " + sum }

// mayBeDone refuses to complete a task for which it is not shown that it is done: each
// required check has passed, as it is now and on the files that op names, and each
// criterion is ticked.
func (op *Complete) mayBeDone(x *tx, t *Task) error {
	if odd := t.unreadable(); odd != "" && op.Unchecked == "" {
		return t.unreadableError(odd)
	}
	var f faults
	var leftOut []Evidence
	required := len(t.Accept) > 0
	for _, c := range t.AllChecks(op.Rules) {
		if c.Optional {
			continue
		}
		required = true
		e := t.LastEvidence(c.Sum())
		before := len(f)
		switch lacks := e.lacks(); {
		case lacks != "":
			f.add(c.Name, "%s", lacks)
		case op.Tree == "":
			f.add(c.Name, "has passed, and nobody has looked whether files changed since")
		case e.Tree != op.Tree, op.Tree == NoTree && !slices.Contains(x.shown, shownKey(t, e.Sum)):
			f.add(c.Name, "has passed on other files than those that are there now")
		}
		if len(f) > before && (e == nil || e.Passed || !t.counts(e)) { // a failure says more
			leftOut = append(leftOut, NoRun(c.Name, c.Sum()))
		}
	}
	f.unticked(t)
	// The reason for a single task without requirements is kept, too: the task may have
	// lost the checks that the reason is about, or have only optional ones.
	if op.Unchecked != "" && (len(f) > 0 || t.unreadable() != "" || len(op.IDs) == 1 && !required) {
		if len(t.Notes) >= MaxNotes {
			return invalid("%v has %d notes; it takes no more, and the reason would be one", t.ID, len(t.Notes)).About(t.ID)
		}
		t.Notes = append(t.Notes, Note{At: x.now, By: x.by.Name, Text: "Completed without its checks: " + op.Unchecked})
		// An earlier pass shows nothing of this completion.
		for _, e := range leftOut {
			x.record(t, e)
		}
		return nil
	}
	return t.unmetError(f)
}

// asksFor reports whether anything must be shown before the task is completed, by itself
// or by rules of its project.
func (t *Task) asksFor(rules []CheckRule) bool {
	return t.Standing() != NotChecked || slices.ContainsFunc(rules, func(r CheckRule) bool { return !r.Optional && r.Of(t) })
}

// mayBeDoneAgain refuses an undo that completes a task of whose checks, by rules of its
// project too, and criteria one is not met: it may have come since the task was completed,
// or have failed since.
func (t *Task) mayBeDoneAgain(rules []CheckRule) error {
	var f faults
	for _, c := range t.AllChecks(rules) {
		if !c.Optional {
			if lacks := t.LastEvidence(c.Sum()).lacks(); lacks != "" {
				f.add(c.Name, "%s", lacks)
			}
		}
	}
	return t.unmet(f)
}

// Unmeetable says why the task cannot be completed even if all its checks pass.
func (t *Task) Unmeetable() error { return t.unmet(nil) }

// unmet says what of a task is not shown, with the criteria that are not ticked.
func (t *Task) unmet(f faults) error {
	if odd := t.unreadable(); odd != "" {
		return t.unreadableError(odd)
	}
	f.unticked(t)
	return t.unmetError(f)
}

// lacks says why a run does not show that its check has passed; e may be nil.
func (e *Evidence) lacks() string {
	switch {
	case e == nil, e.LeftOut():
		return "has not run"
	case e.Passed:
		return ""
	case e.Exit == NoExit:
		return "did not end"
	}
	return fmt.Sprintf("failed with exit code %d", e.Exit)
}

func (f *faults) unticked(t *Task) {
	for _, c := range t.Accept {
		if !c.Ticked() {
			f.add(c.Text, notTicked)
		}
	}
}

func (t *Task) unmetError(f faults) error {
	if len(f) == 0 {
		return nil
	}
	e := Errorf(Unmet, "%v is not shown to be done", t.ID).About(t.ID).Next(HintCheck, t.ID)
	e.Faults = f
	return e
}

func (t *Task) unreadableError(odd Field) error {
	return Errorf(Unmet, "the %s of %v cannot be read, so nothing shows that it is done: %s", odd.whatIs(), t.ID, clip(string(t.Extra[string(odd)]), 80)).
		About(t.ID).Next(HintShow, t.ID)
}
