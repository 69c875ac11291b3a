package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
)

// offerPatience is how long a command waits for a remote that was not named.
const offerPatience = 5 * time.Second

// offeredJSON is a shared board that the remote has.
type offeredJSON struct {
	Remote string `json:"remote"` // its name, or its address without credentials
	Ref    string `json:"ref"`    // the reference that has the board
	Join   string `json:"join"`   // the command that takes part in it
}

// offered asks the remote of a project that has no task yet whether it has a shared
// board. Nil: it has none, cannot be asked, or does not answer in time.
func (a *app) offered(ctx context.Context, place project.Board) *Offered {
	if a.env.Sharing == nil || place.Distant() {
		return nil
	}
	if status, err := a.sharedAt(place.Dir); err != nil || status != nil {
		return nil
	}
	if tasks, err := a.tasksHere(ctx, place); err != nil || tasks > 0 {
		return nil
	}
	bounded, cancel := context.WithTimeout(ctx, offerPatience)
	defer cancel()
	there, err := a.env.Sharing.Offered(bounded, ToShare{Dir: place.Dir, By: a.caller().Actor, Unasked: true})
	if err == nil {
		a.tellUnasked(&there)
	}
	if err != nil || there.Ref == "" {
		return nil
	}
	return &there
}

// tellUnasked says why a remote was not asked, if it was not.
func (a *app) tellUnasked(there *Offered) {
	if len(there.Programs) > 0 {
		a.say("%s was not asked for a shared board: git's configuration of this clone names a program on the way to it (%s); to ask it: %s",
			text.Line(there.Remote), text.Clip(show.Escaped(strings.Join(there.Programs, ", ")), 200), a.command("share"))
	}
}

// agreeing asks a person whether this clone may sync from now on, with all that git would use
// for it, unless that is what they have just been shown.
func (a *app) agreeing(shown *SharePlan) Agree {
	return func(t share.Target) error {
		if err := a.consents("let this clone sync with "+text.Line(t.Remote), "pawl sync"); err != nil {
			return err
		}
		if shown != nil && shown.Address == t.Address && slices.Equal(shown.Programs, t.Programs) {
			return nil
		}
		if !a.canAsk() {
			return pawl.Errorf(pawl.Invalid, "nothing was synced: this clone has not synced so before, and the question needs a terminal and no --json").
				Say("pawl sync")
		}
		a.print("This clone has not synced so before:\n  Remote   %s\n  Address  %s, %s\n", text.Line(t.Remote), show.Escaped(t.Address), text.Line(t.Ref))
		a.tellPrograms(t.Programs)
		return a.confirm(false, "Sync so from now on", "nothing was synced")
	}
}

// tellPrograms shows what the clone's own configuration of git runs, exactly and whole.
func (a *app) tellPrograms(programs []string) {
	for _, p := range programs {
		a.print("  Runs     %s\n", show.Escaped(p))
	}
}

func (a *app) offeredJSON(there *Offered) *offeredJSON {
	if there == nil {
		return nil
	}
	return &offeredJSON{there.Remote, there.Ref, a.command("share")}
}

// sentence says what the remote has: "origin has a shared board".
func (o *Offered) sentence() string { return text.Line(o.Remote) + " has a shared board" }

// takePart asks a person at the terminal whether to take part in a board, if there is
// one, and does it. It reports whether it did.
func (a *app) takePart(ctx context.Context, place project.Board, there *Offered) (bool, error) {
	if there == nil || !a.atTerminal() {
		return false, nil
	}
	err := a.confirm(false, there.sentence()+"; take part in it", "not shared")
	switch {
	case errors.Is(err, pawl.Invalid): // a no
		a.print("Later: %s\n", a.command("share"))
		return false, nil
	case err != nil:
		return false, err
	}
	return true, a.share(ctx, place, sharing{ToShare: ToShare{Dir: place.Dir, By: a.caller().Actor}})
}

// atTerminal reports whether a person can be asked.
func (a *app) atTerminal() bool {
	return a.caller().Person && a.canAsk()
}

// sharedAt is how the board in a folder is shared; nil: it is not.
func (a *app) sharedAt(dir string) (*share.Status, error) {
	if a.env.Sharing == nil || dir == "" {
		return nil, nil
	}
	return a.env.Sharing.Status(dir, false)
}

// hiddenByShare refuses to show a shared board to git.
func (a *app) hiddenByShare(place project.Board) error {
	status, err := a.sharedAt(place.Dir)
	if err != nil || status == nil {
		return err
	}
	return pawl.Errorf(pawl.Conflict, "%s", fmt.Sprintf("the board is shared through %s, so it stays hidden from git: two ways to share it would contradict each other", text.Line(status.Remote))).
		Say("to version it with the code instead: pawl share --stop")
}
