package merge

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
)

// project is a check that no task has, only the project.
var project = pawl.Check{Name: "project", Run: []string{"make", "lint"}}

// shows does something about how a task is shown to be done, as ops do it.
func (s *sim) shows(task *pawl.Task, now time.Time, who int) {
	switch s.rng.IntN(5) {
	case 0, 1: // another check, or the same one as it is to be now
		name := fmt.Sprint("c", s.rng.IntN(3))
		c := pawl.Check{Name: name, Run: []string{"run", fmt.Sprint(s.rng.IntN(4))}, Optional: s.rng.IntN(2) == 0}
		s.setChecks(task, append(slices.DeleteFunc(slices.Clone(task.Checks), func(c pawl.Check) bool { return c.Name == name }), c))
	case 2:
		if n := len(task.Checks); n > 0 {
			s.setChecks(task, task.Checks[:n-1])
		}
	case 3:
		text := fmt.Sprint("w", s.rng.IntN(3))
		i := slices.IndexFunc(task.Accept, func(c pawl.Criterion) bool { return c.Text == text })
		task.Accept = slices.Clone(task.Accept)
		switch {
		case i < 0:
			task.Accept = append(task.Accept, pawl.Criterion{Text: text})
		case s.rng.IntN(6) == 0:
			task.Accept = slices.Delete(task.Accept, i, i+1)
		case task.Accept[i].Ticked():
			task.Accept[i] = pawl.Criterion{Text: text}
		default:
			task.Accept[i].At, task.Accept[i].By = now, fmt.Sprint("agent", who)
		}
	case 4:
		all := append(slices.Clone(task.Checks), project)
		c := all[s.rng.IntN(len(all))]
		e := pawl.Evidence{Check: c.Name, Sum: c.Sum(), At: now, By: fmt.Sprint("agent", who), Tree: pawl.NoTree, Exit: s.rng.IntN(2)}
		e.Passed = e.Exit == 0
		task.Evidence = append(slices.DeleteFunc(slices.Clone(task.Evidence), func(old pawl.Evidence) bool { return old.Sum == e.Sum }), e)
	}
}

func (s *sim) setChecks(task *pawl.Task, now []pawl.Check) {
	task.Evidence = slices.DeleteFunc(slices.Clone(task.Evidence), func(e pawl.Evidence) bool {
		return slices.ContainsFunc(task.Checks, func(c pawl.Check) bool { return c.Sum() == e.Sum }) && !slices.ContainsFunc(now, func(c pawl.Check) bool { return c.Sum() == e.Sum })
	})
	task.Checks = now
}

// checkShown checks that a merge has made no check, criterion or run of a task less than
// what a side has made of it since the base.
func checkShown(m, o, t *pawl.Task, b []*pawl.Task) error {
	base := &pawl.Task{}
	if len(b) > 0 {
		base = b[0]
	}
	check := func(task *pawl.Task, name string) *pawl.Check {
		for i := range task.Checks {
			if task.Checks[i].Name == name {
				return &task.Checks[i]
			}
		}
		return nil
	}
	sums := map[string]bool{project.Sum(): true}
	for i := range m.Checks {
		sums[m.Checks[i].Sum()] = true
	}
	for _, side := range []*pawl.Task{o, t} {
		other := o
		if side == o {
			other = t
		}
		for i := range side.Checks {
			c := &side.Checks[i]
			old, now, theirs := check(base, c.Name), check(m, c.Name), check(other, c.Name)
			changed := func(c *pawl.Check) bool { return (c == nil) != (old == nil) || c != nil && !c.Equal(old) }
			switch {
			case !changed(c):
			case now == nil:
				return fmt.Errorf("check %q is lost", c.Name)
			case !c.Optional && now.Optional && (theirs == nil || changed(theirs)):
				return fmt.Errorf("check %q is optional now: %+v and %+v became %+v", c.Name, c, theirs, now)
			case !now.Equal(c) && (theirs == nil || !now.Equal(theirs)):
				return fmt.Errorf("check %q is as no side has it", c.Name)
			}
		}
		for _, c := range side.Accept {
			same := func(other pawl.Criterion) bool { return sameCriterion(&c, &other) }
			if slices.ContainsFunc(base.Accept, same) {
				continue
			}
			i := slices.IndexFunc(m.Accept, func(now pawl.Criterion) bool { return now.Text == c.Text })
			if i < 0 {
				return fmt.Errorf("criterion %q is lost", c.Text)
			}
			if now := m.Accept[i]; c.Ticked() && (!now.Ticked() || now.At.After(c.At)) {
				return fmt.Errorf("criterion %q was ticked: %+v became %+v", c.Text, c, now)
			}
		}
		for i := range side.Evidence {
			e := &side.Evidence[i]
			if !sums[e.Sum] || slices.ContainsFunc(base.Evidence, func(old pawl.Evidence) bool { return e.Equal(&old) }) {
				continue
			}
			if base.Status == pawl.Completed && side.Status == pawl.Completed && m.Open() {
				continue // the other side has reopened the task
			}
			if now := m.LastEvidence(e.Sum); now == nil || now.At.Before(e.At) {
				return fmt.Errorf("the run of %q at %v is lost: %+v", e.Check, e.At, now)
			}
		}
	}
	for _, e := range m.Evidence {
		had := slices.ContainsFunc(slices.Concat(o.Checks, t.Checks), func(c pawl.Check) bool { return c.Sum() == e.Sum })
		if had && !sums[e.Sum] {
			return fmt.Errorf("the evidence of %q is of a check that is gone", e.Check)
		}
	}
	return nil
}

func checksOf(task *pawl.Task) string {
	var all []string
	for i := range task.Checks {
		all = append(all, task.Checks[i].Name+"="+task.Checks[i].Command())
		if task.Checks[i].Optional {
			all[i] += "?"
		}
	}
	return strings.Join(all, " ")
}

func withChecks(lines ...string) Board {
	task := pawl.Task{ID: 1, Subject: "a"}
	for _, line := range lines {
		line, optional := strings.CutSuffix(line, "?")
		c, err := pawl.ParseCheck(line)
		if err != nil {
			panic(err)
		}
		c.Optional = optional
		task.Checks = append(task.Checks, c)
	}
	return board(task)
}

func TestChecks(t *testing.T) {
	lines := func(all string) []string {
		return slices.DeleteFunc(strings.Split(all, ", "), func(s string) bool { return s == "" })
	}
	greater := "t: a"
	if a, b := (&pawl.Check{Run: []string{"a"}}).Sum(), (&pawl.Check{Run: []string{"b"}}).Sum(); b > a {
		greater = "t: b"
	}
	for _, c := range []struct {
		what, base, ours, theirs, want string
		noted                          int
	}{
		{"both added one", "", "t: a", "u: b", "t=a u=b", 0},
		{"one was changed", "t: a, u: b", "t: c, u: b", "t: a, u: b, v: d", "t=c u=b v=d", 0},
		{"one was removed", "t: a, u: b", "u: b", "t: a, u: b", "u=b", 0},
		{"one was removed, and changed", "t: a, u: b", "u: b", "t: c?, u: b", "t=c? u=b", 0},
		{"one was made optional", "t: a", "t: a?", "t: a", "t=a?", 0},
		{"the required one stands", "t: c", "t: a?", "t: b", "t=b", 1},
		{"and so where both added it", "", "t: b?", "t: a", "t=a", 1},
		{"else the greater sum", "t: c", "t: a", "t: b", strings.Replace(greater, ": ", "=", 1), 1},
		{"and so where both added it", "", "t: a", "t: b", strings.Replace(greater, ": ", "=", 1), 1},
	} {
		base, o, th := withChecks(lines(c.base)...), withChecks(lines(c.ours)...), withChecks(lines(c.theirs)...)
		tasks, r, _ := bothWays(t, []Board{base}, o, th)
		got := strings.Fields(checksOf(tasks[1]))
		slices.Sort(got)
		want(t, c.what, strings.Join(got, " "), c.want)
		want(t, c.what+": noted", len(r.Noted), c.noted)
	}
	m, r := Onto([]Board{withChecks("t: c")}, withChecks("t: a"), withChecks("t: b"))
	want(t, "on a shared board", checksOf(open(m).tasks[1]), "t=b")
	want(t, "noted", r.Noted, []Noted{{ID: 1, Field: pawl.FieldChecks, Side: Ours, Key: "t", Value: `{"name":"t","run":["a"]}`}})
	m, _ = Onto([]Board{withChecks("t: c")}, withChecks("t: a"), withChecks("t: b?"))
	want(t, "a required one of ours on a shared board", checksOf(open(m).tasks[1]), "t=a")
	_, r = Onto([]Board{withChecks("t: a")}, withChecks("t: a"), withChecks("t: a?"))
	want(t, "changed", r.Changed, ids(1))
}

func TestCriteria(t *testing.T) {
	with := func(all ...pawl.Criterion) Board { return board(pawl.Task{ID: 1, Subject: "a", Accept: all}) }
	open, early, late := pawl.Criterion{Text: "x"}, pawl.Criterion{Text: "x", By: "ada", At: at(3)}, pawl.Criterion{Text: "x", By: "bob", At: at(5)}
	for _, c := range []struct {
		what               string
		base, ours, theirs []pawl.Criterion
		want               []pawl.Criterion
	}{
		{"one side ticked it", []pawl.Criterion{open}, []pawl.Criterion{late}, []pawl.Criterion{open}, []pawl.Criterion{late}},
		{"both did", []pawl.Criterion{open}, []pawl.Criterion{late}, []pawl.Criterion{early}, []pawl.Criterion{early}},
		{"both made it, and one ticked it", nil, []pawl.Criterion{open}, []pawl.Criterion{late}, []pawl.Criterion{late}},
		{"one side took the tick back", []pawl.Criterion{early}, []pawl.Criterion{open}, []pawl.Criterion{early}, []pawl.Criterion{open}},
		{"one side removed it", []pawl.Criterion{open}, nil, []pawl.Criterion{open}, nil},
		{"one side removed it, the other ticked it", []pawl.Criterion{open}, nil, []pawl.Criterion{early}, []pawl.Criterion{early}},
	} {
		tasks, _, _ := bothWays(t, []Board{with(c.base...)}, with(c.ours...), with(c.theirs...))
		want(t, c.what, tasks[1].Accept, c.want)
	}
}

func TestEvidence(t *testing.T) {
	a, b := pawl.Check{Name: "t", Run: []string{"a"}}, pawl.Check{Name: "t", Run: []string{"b"}}
	run := func(c *pawl.Check, minute, exit int) pawl.Evidence {
		return pawl.Evidence{Check: c.Name, Sum: c.Sum(), At: at(minute), Tree: pawl.NoTree, Exit: exit, Passed: exit == 0}
	}
	with := func(c *pawl.Check, all ...pawl.Evidence) Board {
		task := pawl.Task{ID: 1, Subject: "a", Evidence: all}
		if c != nil {
			task.Checks = []pawl.Check{*c}
		}
		return board(task)
	}
	done := func(all ...pawl.Evidence) Board {
		return board(pawl.Task{ID: 1, Subject: "a", Status: pawl.Completed, CompletedAt: at(2), Checks: []pawl.Check{a}, Evidence: all})
	}
	for _, c := range []struct {
		what               string
		base, ours, theirs Board
		want               []pawl.Evidence
	}{
		{"of a task that one side has reopened", done(run(&a, 1, 0)), with(&a), done(run(&a, 4, 0)), nil},
		{"of a run since the reopening", done(run(&a, 1, 0)), with(&a, run(&a, 3, 1)), done(run(&a, 4, 0)), []pawl.Evidence{run(&a, 3, 1)}},
		{"of a task that one side has completed", with(&a, run(&a, 1, 1)), with(&a, run(&a, 1, 1)), done(run(&a, 4, 0)), []pawl.Evidence{run(&a, 4, 0)}},
		{"the later run", with(&a, run(&a, 1, 1)), with(&a, run(&a, 4, 1)), with(&a, run(&a, 3, 0)), []pawl.Evidence{run(&a, 4, 1)}},
		{"both first runs", with(&a), with(&a, run(&a, 4, 0)), with(&a, run(&a, 3, 1)), []pawl.Evidence{run(&a, 4, 0)}},
		{"of two checks", with(&a), with(&a, run(&a, 4, 0)), with(&a, run(&project, 3, 0)), []pawl.Evidence{run(&project, 3, 0), run(&a, 4, 0)}},
		{"of a check that was removed", with(&a), with(nil), with(&a, run(&a, 4, 0)), nil},
		{"that a check was left out, and removed", with(&a), with(nil, pawl.NoRun(a.Name, a.Sum())), with(&a, run(&project, 4, 0)), []pawl.Evidence{pawl.NoRun(a.Name, a.Sum()), run(&project, 4, 0)}},
		{"of a check that was changed", with(&a, run(&a, 1, 0)), with(&b), with(&a, run(&a, 4, 0)), nil},
		{"of the project's check", with(&a), with(nil), with(&a, run(&project, 4, 0)), []pawl.Evidence{run(&project, 4, 0)}},
	} {
		tasks, _, _ := bothWays(t, []Board{c.base}, c.ours, c.theirs)
		want(t, c.what, tasks[1].Evidence, c.want)
	}
}

// Checks that cannot be read are one value: no part of them becomes all that there is.
func TestUnreadableChecks(t *testing.T) {
	odd := func(raw string) Board {
		return board(pawl.Task{ID: 1, Subject: "a", Extra: map[string]json.RawMessage{"checks": json.RawMessage(raw), "kept": json.RawMessage("1")}})
	}
	plain := func(lines ...string) Board {
		b := withChecks(lines...)
		task := open(b).tasks[1]
		task.Extra = map[string]json.RawMessage{"kept": json.RawMessage("1")}
		return board(*task)
	}
	const x, y = `[{"name":"t","run":["a"],"shell":true}]`, `[{"name":"t","run":["a"]},{"name":"t","run":["b"]}]`
	for _, c := range []struct {
		what               string
		base, ours, theirs Board
		raw, checks        string
	}{
		{"one side wrote them", plain("t: a"), odd(x), plain("t: a"), x, ""},
		{"one side wrote them, one changed the others", plain("t: a"), odd(x), plain("t: b"), x, ""},
		{"one side mended them", odd(x), plain("t: a"), odd(x), "", "t=a"},
		{"one side removed them", odd(x), plain(), odd(x), "", ""},
		{"both mended them", odd(x), plain("t: a"), plain("u: b"), "", "t=a u=b"},
		{"one mended them, one changed them", odd(x), plain("t: a"), odd(y), y, ""},
		{"both changed them", odd(`[1]`), odd(x), odd(y), y, ""},
	} {
		tasks, _, _ := bothWays(t, []Board{c.base}, c.ours, c.theirs)
		got := strings.Fields(checksOf(tasks[1]))
		slices.Sort(got)
		want(t, c.what, string(tasks[1].Extra["checks"]), c.raw)
		want(t, c.what, strings.Join(got, " "), c.checks)
		want(t, c.what, string(tasks[1].Extra["kept"]), "1")
	}
}

// More than a task may have could not be read again.
func TestTooManyChecks(t *testing.T) {
	many := func(side string) pawl.Task {
		task := pawl.Task{ID: 1, Subject: "a"}
		for i := range pawl.MaxChecks {
			c := pawl.Check{Name: fmt.Sprint(side, i), Run: []string{side, fmt.Sprint(i)}, Optional: i%2 == 0}
			task.Checks = append(task.Checks, c)
			task.Evidence = append(task.Evidence, pawl.Evidence{Check: c.Name, Sum: c.Sum(), At: at(i), Tree: pawl.NoTree})
		}
		for i := range pawl.MaxCriteria {
			task.Accept = append(task.Accept, pawl.Criterion{Text: fmt.Sprint(side, i)})
			if i%2 == 0 {
				task.Accept[i].At = at(i)
			}
		}
		for i := range pawl.MaxEvidence - pawl.MaxChecks {
			c := pawl.Check{Run: []string{"project", side, fmt.Sprint(i)}}
			task.Evidence = append(task.Evidence, pawl.Evidence{Check: "p", Sum: c.Sum(), At: at(i), Tree: pawl.NoTree})
		}
		return task
	}
	tasks, r, _ := bothWays(t, []Board{board(pawl.Task{ID: 1, Subject: "a"})}, board(many("o")), board(many("t")))
	task := tasks[1]
	if len(task.Extra) > 0 || len(task.Checks) != pawl.MaxChecks || len(task.Accept) != pawl.MaxCriteria || len(task.Evidence) != pawl.MaxEvidence {
		t.Fatalf("%d checks, %d criteria, %d runs, %v", len(task.Checks), len(task.Accept), len(task.Evidence), slices.Collect(maps.Keys(task.Extra)))
	}
	for _, c := range task.Checks {
		if c.Optional {
			t.Errorf("%q is optional, and a required check was cut", c.Name)
		}
	}
	for _, c := range task.Accept {
		if c.Ticked() {
			t.Errorf("%q is ticked, and one that is not was cut", c.Text)
		}
	}
	var why []string
	for _, b := range r.Beside {
		why = append(why, b.Why)
	}
	want(t, "beside", why, []string{"a task has at most 20 checks", "a task has at most 50 criteria", "a task keeps at most 40 runs of checks"})
}
