package checks

import (
	"context"
	"fmt"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/checks/run"
	"github.com/pawl-dev/pawl/todo"
)

// listKey names a todo list among the runs that are kept.
func listKey(key todo.Key) string {
	key = key.Normal()
	return fmt.Sprintf("todos %q %q", key.Session, key.Agent)
}

// Trusts reports whether a check may run in this clone.
func (s *Service) Trusts(c *pawl.Check) (bool, error) {
	trusted, err := s.trusted()
	return err == nil && trusted.has(c.Sum()), err
}

// MaySet refuses to change the check of a todo list for anybody but a person, if a person
// here trusts the one that it has: an agent gets around nothing that is asked of it.
func (s *Service) MaySet(l *todo.List, person bool) error {
	if person || l.Check == nil {
		return nil
	}
	if trusted, err := s.Trusts(l.Check); err != nil || !trusted {
		return err
	}
	return pawl.Errorf(pawl.Invalid, "only a person may change the check %s, which a person here has trusted, and this is an agent's command", l.Check.Name).
		Say("pawl check --todos")
}

// RunList runs the check of a todo list, if it is trusted here, and says what it showed:
// see [todo.Service.CheckRan], which is not called. Where it has passed on exactly these
// files it does not run again.
func (s *Service) RunList(ctx context.Context, r Request, l *todo.List) (Ran, todo.Checked, error) {
	if l.Check == nil {
		e := pawl.Errorf(pawl.Unmet, "the check of the todo list cannot be read, so nothing shows that it is done").Say("pawl todo check --none")
		if !l.HasCheck() {
			e = pawl.Errorf(pawl.NotFound, "the todo list has no check").Say(`pawl todo check "go test ./..."`)
		}
		return Ran{}, todo.Checked{}, e
	}
	ran, err := s.RunOne(ctx, r, listKey(l.Key), *l.Check)
	return ran, todo.Checked{Sum: ran.Check.Sum(), Passed: ran.Passed, Exit: ran.Exit, At: s.now()}, err
}

// RunOne runs one check by itself, of no task, if it is trusted here, and keeps what it
// printed under a name. A pass on exactly these files, which are those of a commit, does not run
// again. It is an error if files change while it runs: then it shows nothing.
func (s *Service) RunOne(ctx context.Context, r Request, name string, c pawl.Check) (Ran, error) {
	ran := Ran{Tasks: []pawl.ID{}, Check: c}
	switch trusted, err := s.Trusts(&c); {
	case err != nil:
		return ran, err
	case !trusted:
		return ran, untrusted([]pawl.Check{c})
	case run.Inside(s.Getenv):
		return ran, errInside()
	}
	before, err := s.files(ctx)
	if err != nil {
		return ran, err
	}
	states := s.states(ctx)
	same := stamp(states, states)
	if kept, ok := s.kept(name, c.Sum()); ok && kept.Evidence.Passed && before.still(&kept.Evidence) && same != "" && kept.States == same {
		ran.Passed, ran.Again, ran.Exit = true, true, kept.Evidence.Exit
		r.tell(ran.Line())
		return ran, nil
	}
	ran, e, err := s.perform(ctx, r, c, before)
	if err != nil {
		return ran, err
	}
	ran.Tasks = []pawl.ID{}
	after, err := s.files(ctx)
	if err != nil {
		return ran, err
	}
	if after.Tree != before.Tree {
		return ran, &UnmetError{errMoved(), Report{Ran: []Ran{ran}}}
	}
	e.At = s.now().UTC().Truncate(time.Second)
	return ran, s.keepRun(ctx, keptRun{name, e, ran.Tail, ran.Why, stamp(states, s.states(ctx))})
}

// LastOf is what is known here of the check of a todo list: whether it may run, and the
// end of what its last run printed, if that failed and was here. Nothing runs for it.
func (s *Service) LastOf(l *todo.List) (trusted bool, tail string, err error) {
	if l.Check == nil {
		return false, "", nil
	}
	trusted, err = s.Trusts(l.Check)
	if l.Standing() == pawl.CheckedFailed {
		if kept, ok := s.kept(listKey(l.Key), l.Check.Sum()); ok && !kept.Evidence.Passed {
			tail = kept.Tail
		}
	}
	return trusted, tail, err
}
