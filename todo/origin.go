package todo

import (
	"context"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// An Origin says whose session it is that a board at an address shows: mostly one of
// another machine, whose list can be read here and not changed.
type Origin struct {
	Key               // under which the list is found here; of a session of this machine its own
	Name    string    // of the agent or person, as the server knows them
	Machine string    // the name of the host
	Program string    // of the agent, as it calls itself; empty: not known
	Folder  string    // the name of the project's folder
	Session string    // as it is called there
	Seen    time.Time // when the session last did anything
	Here    bool      // it is of this machine
}

// Whose names the owner of a session, and the machine: "ada on mac-mini".
func (o *Origin) Whose() string {
	whose := text.Line(text.Clip(o.Name, 40))
	if o.Machine != "" {
		whose += " on " + text.Line(text.Clip(o.Machine, 40))
	}
	return whose
}

// Foreign is the error of a change of a list that is another machine's.
func (o *Origin) Foreign() error {
	return pawl.Errorf(pawl.Invalid, "this is the list of %s (session %s), and only that machine changes it", o.Whose(), text.Line(text.Clip(o.Session, 80))).
		Say("without --session or with your own, this takes over a copy of its todos: pawl todo resume " + text.Line(text.Clip(o.Key.Session, 80)))
}

// Presences is a store that also knows sessions without a list, as a board at an
// address does.
type Presences interface {
	// Present returns the sessions that were seen after a time, the one that was seen
	// last first, and when that was so if it is not known how it is now.
	Present(ctx context.Context, after time.Time) (sessions []Origin, old time.Time, err error)
}
