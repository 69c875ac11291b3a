package cli

import (
	"context"
	"errors"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/caller"
	"github.com/pawl-dev/pawl/internal/gitname"
)

// name is what the caller is called.
func (a *app) name() string {
	if a.called == "" {
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

// personName is what a person is called on the board whom the system calls user:
// what git calls them, as in its log. But a board that knows them as user, with
// tasks that they claimed or were given, and not by git's name, goes on with
// that, or these tasks would be somebody else's. Where it knows both names it is
// git's, and the tasks under the other one can be changed all the same: see carry.
func (a *app) personName(user string) string {
	name := gitname.Find(a.env.Getenv, a.env.Dir)
	if name == "" || name == user {
		return user
	}
	place, err := a.place()
	if err != nil || !place.Exists {
		return name
	}
	board, err := a.open()
	if err != nil || !owns(board, user) {
		return name
	}
	if !owns(board, name) {
		return user
	}
	a.former = user
	return name
}

// owns reports whether a task of the board, of any status, is in this name.
func owns(board ask.Board, name string) bool {
	found, err := ask.Of(context.Background(), board, ask.Asker{By: pawl.Actor{Name: name}},
		ask.TasksQuery{Query: pawl.Query{Owner: name, Brief: true, Limit: 1}})
	return err == nil && found.Page.Total > 0
}

// isFormer reports whether an error says that a task is in the caller's other
// name, without a lease, which only an agent's claim has.
func (a *app) isFormer(err error) bool {
	e, ok := errors.AsType[*pawl.Error](err)
	return ok && a.former != "" && e.Kind == pawl.Conflict && e.Holder != nil && e.Holder.Name == a.former && e.Holder.Claim.Until.IsZero()
}
