package cli

import (
	"errors"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/caller"
	"github.com/pawl-dev/pawl/internal/terminal"
)

// name is what the caller is called.
func (a *app) name() string {
	if a.called == "" {
		if a.called = a.tokenName(); a.called != "" {
			return a.called
		}
		name := caller.Name(a.env.Getenv, a.asked())
		if a.asked() == "" && caller.Person(a.env.Getenv) {
			name = a.personName(name)
		}
		a.called = name
	}
	return a.called
}

// caller is who asks for a change.
func (a *app) caller() caller.Caller {
	if a.who == nil {
		who := caller.Find(a.env.Getenv, a.asked(), a.session)
		who.Name = a.name()
		a.who = &who
	}
	return *a.who
}

// mayConsent reports whether the caller may agree to something in the user's name: a person
// at a terminal. Not every agent's program is known by its variables, but the commands that
// it starts have no terminal. A command typed in an agent's chat has none either.
func (a *app) mayConsent() bool { return a.caller().Person && terminal.Is(a.env.Stdin) }

// consents refuses what only a person may do. Its hint names a person, so that no agent
// runs the command.
func (a *app) consents(to, command string) error {
	if a.mayConsent() {
		return nil
	}
	e := pawl.Errorf(pawl.Invalid, "only a person at a terminal may %s, and this command has no terminal", to)
	if !a.caller().Person {
		e.Message = "only a person may " + to + ", and this is an agent's command"
	}
	return e.Say("ask a person at a terminal to run: " + command)
}

// personName is the name of the person whom the system calls user: git's name for them, as
// in its log. They can still change a task that they claimed as user: see carry.
func (a *app) personName(user string) string {
	name := caller.GitName(a.env.Getenv, a.env.Dir)
	if name == "" || name == user {
		return user
	}
	a.former = user
	return name
}

// isFormer reports whether an error says that a task is in the caller's other name.
func (a *app) isFormer(err error) bool {
	e, ok := errors.AsType[*pawl.Error](err)
	return ok && e.Kind == pawl.Conflict && e.Holder != nil && a.formerly(e.Holder.Name, e.Holder.Claim)
}

// formerly reports whether a claim is the caller's, in their other name: one without
// a lease, which only an agent's claim has.
func (a *app) formerly(owner string, claim pawl.Claim) bool {
	return a.former != "" && owner == a.former && claim.Until.IsZero() && claim.Clone == ""
}
