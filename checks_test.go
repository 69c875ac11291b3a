package pawl_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
)

var (
	unit  = pawl.Check{Name: "unit", Run: []string{"go", "test", "./..."}}
	vet   = pawl.Check{Name: "vet", Run: []string{"go", "vet", "./..."}}
	lint  = pawl.Check{Name: "lint", Run: []string{"lint"}, Optional: true}
	treeA = strings.Repeat("a", 40)
	treeB = strings.Repeat("b", 40)
	evOf  = func(c pawl.Check, tree string, passed bool) pawl.Evidence {
		e := pawl.Evidence{Check: c.Name, Sum: c.Sum(), Tree: tree, Passed: passed, Millis: 12}
		if !passed {
			e.Exit = 1
		}
		return e
	}
	shown = func(all ...pawl.Evidence) pawl.Op { return pawl.AddEvidence{ID: 1, Evidence: all} }
)

// withChecks is a world whose #1 has a check unit, an optional lint and perhaps criteria.
func withChecks(t *testing.T, accept ...string) *world {
	w := newWorld(t)
	w.must(ada, create(pawl.NewTask{Subject: "one", Checks: []pawl.Check{unit, lint}, Accept: accept, Labels: []string{"go"}}))
	return w
}

// A task is completed when each required check, as it is now, has passed on the files
// that the request names, and each criterion is ticked. Nothing else will do.
func TestCompleteNeedsEvidence(t *testing.T) {
	other := unit
	other.Run = []string{"true"}
	rules := []pawl.CheckRule{{Check: vet, Labels: []string{"go"}}, {Check: pawl.Check{Name: "web", Run: []string{"web"}}, Labels: []string{"page"}}}
	for _, test := range []struct {
		name   string
		accept []string
		before []pawl.Op
		done   pawl.Complete
		says   string // empty: it works
	}{
		{name: "nothing", done: pawl.Complete{Tree: treeA}, says: "unit: has not run"},
		{name: "force", done: pawl.Complete{Tree: treeA, Force: true}, says: "unit: has not run"},
		{name: "shown", before: []pawl.Op{shown(evOf(unit, treeA, true))}, done: pawl.Complete{Tree: treeA}},
		{name: "failed", before: []pawl.Op{shown(evOf(unit, treeA, false))}, done: pawl.Complete{Tree: treeA}, says: "failed with exit code 1"},
		{name: "failed after it passed", before: []pawl.Op{shown(evOf(unit, treeA, true)), shown(evOf(unit, treeA, false))}, done: pawl.Complete{Tree: treeA}, says: "failed"},
		{name: "passed after it failed", before: []pawl.Op{shown(evOf(unit, treeA, false)), shown(evOf(unit, treeA, true))}, done: pawl.Complete{Tree: treeA}},
		{name: "another tree", before: []pawl.Op{shown(evOf(unit, treeB, true))}, done: pawl.Complete{Tree: treeA}, says: "other files"},
		{name: "no tree", before: []pawl.Op{shown(evOf(unit, treeA, true))}, says: "nobody has looked whether files changed"},
		{name: "without version control, before", before: []pawl.Op{shown(evOf(unit, pawl.NoTree, true))}, done: pawl.Complete{Tree: pawl.NoTree}, says: "other files"},
		{name: "a check of the same name", before: []pawl.Op{shown(evOf(other, treeA, true))}, done: pawl.Complete{Tree: treeA}, says: "unit: has not run"},
		{name: "changed since", before: []pawl.Op{shown(evOf(unit, treeA, true)), pawl.Update{ID: 1, AddChecks: []pawl.Check{other}}}, done: pawl.Complete{Tree: treeA}, says: "unit: has not run"},
		{name: "only the optional one failed", before: []pawl.Op{shown(evOf(unit, treeA, true), evOf(lint, treeA, false))}, done: pawl.Complete{Tree: treeA}},
		{name: "the project's", before: []pawl.Op{shown(evOf(unit, treeA, true))}, done: pawl.Complete{Tree: treeA, Rules: rules}, says: "vet: has not run"},
		{name: "the project's, shown", before: []pawl.Op{shown(evOf(unit, treeA, true), evOf(vet, treeA, true))}, done: pawl.Complete{Tree: treeA, Rules: rules}},
		{name: "the project's that is the task's optional one", before: []pawl.Op{shown(evOf(unit, treeA, true))},
			done: pawl.Complete{Tree: treeA, Rules: []pawl.CheckRule{{Check: pawl.Check{Name: "lint", Run: lint.Run}}}}, says: "lint: has not run"},
		{name: "a criterion", accept: []string{"no flicker"}, before: []pawl.Op{shown(evOf(unit, treeA, true))}, done: pawl.Complete{Tree: treeA}, says: "no flicker: is not ticked"},
		{name: "a criterion, ticked", accept: []string{"no flicker"}, before: []pawl.Op{shown(evOf(unit, treeA, true)), pawl.Update{ID: 1, Tick: []string{" no  flicker"}}}, done: pawl.Complete{Tree: treeA}},
		{name: "a criterion, unticked", accept: []string{"no flicker"}, before: []pawl.Op{
			shown(evOf(unit, treeA, true)), pawl.Update{ID: 1, Tick: []string{"no flicker"}}, pawl.Update{ID: 1, Untick: []string{"no flicker"}},
		}, done: pawl.Complete{Tree: treeA}, says: "not ticked"},
		{name: "unchecked", accept: []string{"no flicker"}, done: pawl.Complete{Unchecked: "the machine is down"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := withChecks(t, test.accept...)
			w.must(ada, claimFor(1))
			for _, op := range test.before {
				w.must(ada, op)
			}
			test.done.IDs = ids(1)
			if test.says == "" {
				w.must(ada, test.done)
				if is := w.task(1); is.Open() || test.done.Unchecked != "" && (len(is.Notes) != 1 || !strings.Contains(is.Notes[0].Text, test.done.Unchecked)) {
					t.Errorf("%+v", is)
				}
				return
			}
			e := w.fails(pawl.Unmet, ada, test.done)
			if !strings.Contains(e.Error(), test.says) || e.Hint.Step != pawl.HintCheck || !slices.Equal(e.Hint.IDs, ids(1)) {
				t.Errorf("%v (%+v)", e, e.Hint)
			}
			if is := w.task(1); is.Status != pawl.InProgress || is.Owner != ada.Name {
				t.Errorf("it is %v, of %q", is.Status, is.Owner)
			}
		})
	}
}

// The reason of a person who completes a task without its checks is kept, unless all that
// the task asks for was shown. A task that had only optional checks lost it.
func TestUncheckedKeepsTheReason(t *testing.T) {
	done := pawl.Complete{Unchecked: "hurry", Tree: treeA}
	for _, test := range []struct {
		name   string
		task   pawl.NewTask
		before []pawl.Op
		keeps  bool
	}{
		{"nothing asked", pawl.NewTask{}, nil, true},
		{"only an optional check", pawl.NewTask{Checks: []pawl.Check{lint}}, nil, true},
		{"an optional check that passed", pawl.NewTask{Checks: []pawl.Check{lint}}, []pawl.Op{shown(evOf(lint, treeA, true))}, true},
		{"a check that the task has lost", pawl.NewTask{Checks: []pawl.Check{unit}}, []pawl.Op{shown(evOf(unit, treeA, true)), pawl.Update{ID: 1, RemoveChecks: []string{"unit"}}}, true},
		{"a check that has not run", pawl.NewTask{Checks: []pawl.Check{unit}}, nil, true},
		{"a check that passed on other files", pawl.NewTask{Checks: []pawl.Check{unit}}, []pawl.Op{shown(evOf(unit, treeB, true))}, true},
		{"a check that passed", pawl.NewTask{Checks: []pawl.Check{unit}}, []pawl.Op{shown(evOf(unit, treeA, true))}, false},
		{"a criterion that is ticked", pawl.NewTask{Accept: []string{"safe"}}, []pawl.Op{pawl.Update{ID: 1, Tick: []string{"safe"}}}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			test.task.Subject = "one"
			w.must(ada, create(test.task))
			for _, op := range test.before {
				w.must(ada, op)
			}
			done.IDs = ids(1)
			w.must(ada, done)
			if is := w.task(1); is.Open() || (len(is.Notes) > 0) != test.keeps {
				t.Errorf("%+v", is.Notes)
			}
		})
	}
}

// What runs showed and the completion are one step: without version control only that
// counts.
func TestEvidenceAndCompletionAreOne(t *testing.T) {
	w := withChecks(t)
	w.must(ada, claimFor(1))
	all := func(e pawl.Evidence) pawl.Op {
		return pawl.All{Ops: []pawl.Op{shown(e), pawl.Complete{IDs: ids(1), Tree: pawl.NoTree}}}
	}
	w.fails(pawl.Unmet, ada, all(evOf(unit, pawl.NoTree, false)))
	if got := w.task(1); len(got.Evidence) != 0 {
		t.Errorf("a refused request left %+v", got.Evidence)
	}
	w.must(ada, all(evOf(unit, pawl.NoTree, true)))
	got := w.task(1)
	if got.Open() || got.Standing() != pawl.CheckedPassed || got.Evidence[0].By != ada.Name || got.Evidence[0].At.IsZero() {
		t.Errorf("%+v", got)
	}
	if brief := got.Brief(); brief.Checked != pawl.CheckedPassed || brief.Evidence != nil || brief.Checks != nil {
		t.Errorf("brief: %+v", brief)
	}
}

// Who is bound to what is its name's own cannot do without the checks.
func TestBoundCannotLeaveChecksOut(t *testing.T) {
	w := withChecks(t)
	_, err := w.Do(context.Background(), pawl.Request{By: ada, Op: pawl.Complete{IDs: ids(1), Unchecked: "because"}, Bound: true})
	if pawl.KindOf(err) != pawl.Conflict || !w.open(1) {
		t.Error(err)
	}
}

func (w *world) open(id pawl.ID) bool { t := w.task(id); return t.Open() }

// Standing is told by the last runs and the ticks.
func TestStanding(t *testing.T) {
	passed, failed := evOf(unit, treeA, true), evOf(unit, treeA, false)
	for _, test := range []struct {
		task pawl.Task
		want pawl.Checked
	}{
		{pawl.Task{}, pawl.NotChecked},
		{pawl.Task{Checks: []pawl.Check{unit}}, pawl.CheckedOpen},
		{pawl.Task{Checks: []pawl.Check{unit}, Evidence: []pawl.Evidence{passed}}, pawl.CheckedPassed},
		{pawl.Task{Checks: []pawl.Check{unit, vet}, Evidence: []pawl.Evidence{passed}}, pawl.CheckedOpen},
		{pawl.Task{Checks: []pawl.Check{unit, lint}, Evidence: []pawl.Evidence{passed}}, pawl.CheckedPassed},
		{pawl.Task{Checks: []pawl.Check{unit}, Evidence: []pawl.Evidence{failed}}, pawl.CheckedFailed},
		{pawl.Task{Checks: []pawl.Check{unit, lint}, Evidence: []pawl.Evidence{passed, evOf(lint, treeA, false)}}, pawl.CheckedPassed},
		{pawl.Task{Evidence: []pawl.Evidence{failed}}, pawl.CheckedFailed},
		{pawl.Task{Evidence: []pawl.Evidence{passed}}, pawl.CheckedPassed},
		{pawl.Task{Accept: []pawl.Criterion{{Text: "x"}}}, pawl.CheckedOpen},
		{pawl.Task{Accept: []pawl.Criterion{{Text: "x", At: time.Unix(1, 0)}}}, pawl.CheckedPassed},
		{pawl.Task{Accept: []pawl.Criterion{{Text: "x"}}, Evidence: []pawl.Evidence{passed}}, pawl.CheckedOpen},
	} {
		if got := test.task.Standing(); got != test.want {
			t.Errorf("%+v: %q, want %q", test.task, got, test.want)
		}
	}
}

// An update changes checks and criteria by name, and evidence of what is gone goes.
func TestUpdateChecks(t *testing.T) {
	w := withChecks(t, "a", "b")
	w.must(ada, shown(evOf(unit, treeA, true), evOf(lint, treeA, false), evOf(vet, treeA, true)))
	w.must(ada, pawl.Update{ID: 1, RemoveChecks: []string{"lint"}, AddChecks: []pawl.Check{vet}, AddAccept: []string{"c", "a"}, RemoveAccept: []string{"b"}})
	got := w.task(1)
	if len(got.Checks) != 2 || got.Checks[1].Name != "vet" || len(got.Evidence) != 2 || len(got.Accept) != 2 || got.Accept[1].Text != "c" {
		t.Errorf("%+v", got)
	}
	for _, op := range []pawl.Update{{RemoveChecks: []string{"lint"}}, {Tick: []string{"b"}}, {Untick: []string{"b"}}, {RemoveAccept: []string{"b"}}} {
		op.ID = 1
		if e := w.fails(pawl.NotFound, ada, op); !strings.Contains(e.Message, `"c"`) && !strings.Contains(e.Message, `"vet"`) {
			t.Error(e)
		}
	}
	var many []pawl.Check
	for i := range pawl.MaxChecks - 1 {
		many = append(many, pawl.Check{Name: "x" + string(rune('a'+i)), Run: []string{"x"}})
	}
	w.fails(pawl.Invalid, ada, pawl.Update{ID: 1, AddChecks: many})
}

// Checks that cannot be run are refused, each fault with its place.
func TestCheckFaults(t *testing.T) {
	for want, c := range map[string]pawl.Check{
		"name: is blank":             {Run: []string{"x"}},
		"run: names no program":      {Name: "a"},
		"run[1]: has a NUL":          {Name: "a", Run: []string{"x", "\x00"}},
		"dir: \"../x\" is not":       {Name: "a", Run: []string{"x"}, Dir: "../x"},
		"dir: \"/x\" is not":         {Name: "a", Run: []string{"x"}, Dir: "/x"},
		"dir: \"a/../b\" is not":     {Name: "a", Run: []string{"x"}, Dir: "a/../b"},
		"dir: \"C:x\" is not":        {Name: "a", Run: []string{"x"}, Dir: "C:x"},
		"timeout: is 1ms":            {Name: "a", Run: []string{"x"}, Timeout: pawl.Duration(time.Millisecond)},
		"timeout: is 5h0m0s":         {Name: "a", Run: []string{"x"}, Timeout: pawl.Duration(5 * time.Hour)},
		"env[0]: \"A=b\" is not":     {Name: "a", Run: []string{"x"}, Env: []string{"A=b"}},
		"expect: is 256":             {Name: "a", Run: []string{"x"}, Expect: 256},
		"run: has 65 arguments; the": {Name: "a", Run: slices.Repeat([]string{"x"}, 65)},
	} {
		w := newWorld(t)
		if e := w.fails(pawl.Invalid, ada, create(pawl.NewTask{Subject: "s", Checks: []pawl.Check{c}})); !strings.Contains(e.Error(), "tasks[0].checks[0]."+want) {
			t.Errorf("%s: %v", want, e)
		}
	}
	w := newWorld(t)
	w.fails(pawl.Invalid, ada, create(pawl.NewTask{Subject: "s", Checks: []pawl.Check{unit, unit}}))
	w.fails(pawl.Invalid, ada, create(pawl.NewTask{Subject: "s", Checks: []pawl.Check{unit}, Done: true}))
	w.must(ada, create(pawl.NewTask{Subject: "s"}))
	for _, e := range []pawl.Evidence{{}, {Check: "a", Sum: "x"}, func() pawl.Evidence { e := evOf(unit, treeA, true); e.Exit = pawl.NoExit; return e }(), evOf(unit, "", true), evOf(unit, "HEAD", true)} {
		w.fails(pawl.Invalid, ada, shown(e))
	}
}

// An import completes no task whose checks have not passed here, and keeps what it brings
// of a task that is new.
func TestImportIsNoWayAround(t *testing.T) {
	w := withChecks(t, "a")
	made := w.task(1)
	again := pawl.ImportTask{ID: 1, CreatedAt: made.CreatedAt, Status: pawl.Completed, CompletedAt: made.CreatedAt, NewTask: pawl.NewTask{Subject: "renamed"}}
	w.must(ada, pawl.Import{Tasks: []pawl.ImportTask{again}})
	if got := w.task(1); !got.Open() || !got.CompletedAt.IsZero() || got.Subject != "renamed" || len(got.Checks) != 2 {
		t.Errorf("%+v", got)
	}
	at := made.CreatedAt.Add(time.Hour)
	brought := pawl.ImportTask{Status: pawl.Completed, Ticked: []pawl.Criterion{{Text: "a", By: "bob", At: at}}, Evidence: []pawl.Evidence{evOf(unit, treeA, true)},
		NewTask: pawl.NewTask{Subject: "old", Checks: []pawl.Check{unit}, Accept: []string{"a", "b"}}}
	w.must(ada, pawl.Import{Tasks: []pawl.ImportTask{brought}})
	if got := w.task(2); got.Open() || got.Standing() != pawl.CheckedOpen || got.Accept[0].By != "bob" || !got.Accept[0].At.Equal(at) || got.Accept[1].Ticked() {
		t.Errorf("%+v", got)
	}
}

// What a project asks of its tasks holds for an import as it does for a completion, before
// the import and after it.
func TestImportIsHeldToTheProject(t *testing.T) {
	for name, test := range map[string]struct {
		rules  []pawl.CheckRule
		labels []string // of the task that is brought in; nil: as they are
		open   bool
	}{
		"all":         {[]pawl.CheckRule{{Check: unit}}, nil, true},
		"its label":   {[]pawl.CheckRule{{Check: unit, Labels: []string{"go"}}}, nil, true},
		"lost label":  {[]pawl.CheckRule{{Check: unit, Labels: []string{"go"}}}, []string{"web"}, true},
		"new label":   {[]pawl.CheckRule{{Check: unit, Labels: []string{"web"}}}, []string{"web"}, true},
		"other label": {[]pawl.CheckRule{{Check: unit, Labels: []string{"web"}}}, nil, false},
		"optional":    {[]pawl.CheckRule{{Check: lint}}, nil, false},
	} {
		w := newWorld(t)
		w.must(ada, create(pawl.NewTask{Subject: "one", Labels: []string{"go"}}))
		in := pawl.ImportTask{ID: 1, CreatedAt: w.task(1).CreatedAt, Status: pawl.Completed, NewTask: pawl.NewTask{Subject: "renamed", Labels: test.labels}}
		w.must(ada, pawl.Import{Tasks: []pawl.ImportTask{in}, Rules: test.rules})
		if got := w.task(1); got.Open() != test.open || got.Subject != "renamed" {
			t.Errorf("%s: %+v", name, got)
		}
	}
	w := newWorld(t)
	w.fails(pawl.Invalid, ada, pawl.Import{Tasks: []pawl.ImportTask{{NewTask: pawl.NewTask{Subject: "one"}}}, Rules: []pawl.CheckRule{{}}})
}

// A task that an import finds stays the same task: what is remembered of it is remembered
// under the time at which it was made.
func TestImportKeepsWhoATaskIs(t *testing.T) {
	w := newWorld(t)
	ref := map[string]json.RawMessage{pawl.RefKey: json.RawMessage(`"x-1"`)}
	w.must(ada, create(pawl.NewTask{Subject: "one", Metadata: ref}))
	made := w.task(1).CreatedAt
	w.must(ada, pawl.Import{Tasks: []pawl.ImportTask{{CreatedAt: made.Add(-time.Hour), NewTask: pawl.NewTask{Subject: "renamed", Metadata: ref}}}})
	if got := w.task(1); got.Subject != "renamed" || !got.CreatedAt.Equal(made) {
		t.Errorf("%+v", got)
	}
}

// What an import says of checks counts for nothing, whether it takes them away or brings
// runs, and whether it completes at once or the next time.
func TestImportIsNoEvidence(t *testing.T) {
	for name, all := range map[string][]pawl.ImportTask{
		"less":  {{NewTask: pawl.NewTask{Checks: []pawl.Check{}}}},
		"runs":  {{Evidence: []pawl.Evidence{evOf(unit, treeA, true)}}},
		"twice": {{Evidence: []pawl.Evidence{evOf(unit, treeA, true)}}, {}},
	} {
		w := newWorld(t)
		w.must(ada, pawl.Create{Tasks: []pawl.NewTask{{Subject: "task", Checks: []pawl.Check{unit}}}})
		for i, in := range all {
			in.ID, in.CreatedAt, in.Subject = 1, w.task(1).CreatedAt, "task"
			if i == len(all)-1 {
				in.Status = pawl.Completed
			}
			w.must(ada, pawl.Import{Tasks: []pawl.ImportTask{in}})
		}
		if got := w.task(1); !got.Open() {
			t.Errorf("%s: completed by what an import claims: %+v", name, got)
		}
	}
}

// What a task's file says about checks or criteria in a way that nobody can read is met
// by nothing, and no change puts something weaker in its place.
func TestUnreadable(t *testing.T) {
	for _, key := range []string{"checks", "accept"} {
		w := newWorld(t)
		w.must(ada, pawl.Import{Tasks: []pawl.ImportTask{{NewTask: pawl.NewTask{Subject: "odd"}, Extra: map[string]json.RawMessage{key: json.RawMessage(`7`)}}}})
		if got := w.task(1); got.Standing() != pawl.CheckedOpen || got.Brief().Checked != pawl.CheckedOpen {
			t.Errorf("%s: %q", key, got.Standing())
		}
		w.fails(pawl.Unmet, ada, pawl.Complete{IDs: ids(1), Tree: treeA, Force: true})
		change := pawl.Update{ID: 1, AddChecks: []pawl.Check{unit}}
		if key == "accept" {
			change = pawl.Update{ID: 1, AddAccept: []string{"a"}}
		}
		w.fails(pawl.Conflict, ada, change)
		made := w.task(1)
		w.must(ada, pawl.Import{Tasks: []pawl.ImportTask{{ID: 1, CreatedAt: made.CreatedAt, NewTask: pawl.NewTask{Subject: "odd", Checks: []pawl.Check{unit}, Accept: []string{"a"}}}}})
		if got := w.task(1); key == "checks" && got.Checks != nil || key == "accept" && got.Accept != nil {
			t.Errorf("%s: an import put %+v %+v in its place", key, got.Checks, got.Accept)
		}
		w.must(ada, pawl.Complete{IDs: ids(1), Unchecked: "the file is wrong"})
	}
}

// What an import brings as done shows nothing of what the project requires. Of an agent's
// import neither a pass counts nor that a person has ticked a criterion: both are its word.
func TestImportOfWhatIsDone(t *testing.T) {
	rules := []pawl.CheckRule{{Check: unit}}
	done := func(n pawl.NewTask, more pawl.ImportTask) pawl.Import {
		more.NewTask, more.Status = n, pawl.Completed
		return pawl.Import{Tasks: []pawl.ImportTask{more}, Rules: rules}
	}
	passed := pawl.ImportTask{Evidence: []pawl.Evidence{evOf(unit, treeA, true)}}
	own := pawl.NewTask{Subject: "old", Checks: []pawl.Check{unit}}
	for name, test := range map[string]struct {
		op      pawl.Import
		agent   bool
		unshown bool
	}{
		"not run":              {done(pawl.NewTask{Subject: "old"}, pawl.ImportTask{}), false, true},
		"passed":               {done(pawl.NewTask{Subject: "old"}, passed), false, false},
		"of an agent":          {done(pawl.NewTask{Subject: "old"}, passed), true, true},
		"of an agent, its own": {done(own, passed), true, true},
	} {
		w := newWorld(t)
		w.Do(context.Background(), pawl.Request{By: ada, Op: test.op, Agent: test.agent})
		if got := w.task(1); got.Unshown() != test.unshown {
			t.Errorf("%s: %+v", name, got)
		}
	}
	w := newWorld(t)
	w.must(ada, create(pawl.NewTask{Subject: "one", Checks: []pawl.Check{unit}, Accept: []string{"a", "b"}}))
	w.must(ada, pawl.Update{ID: 1, Tick: []string{"a"}})
	was, at := w.task(1), w.task(1).CreatedAt
	claim := pawl.ImportTask{ID: 1, CreatedAt: at, NewTask: pawl.NewTask{Subject: "one"}, Evidence: []pawl.Evidence{evOf(unit, treeA, true)},
		Ticked: []pawl.Criterion{{Text: "a", By: "Ann", At: at}, {Text: "b", By: "Ann", At: at}}}
	w.Do(context.Background(), pawl.Request{By: bob, Op: pawl.Import{Tasks: []pawl.ImportTask{claim}}, Agent: true})
	if got := w.task(1); got.Accept[1].By != bob.Name || got.Accept[0].By != was.Accept[0].By || len(got.Evidence) > 0 {
		t.Errorf("%+v", got)
	}
}
