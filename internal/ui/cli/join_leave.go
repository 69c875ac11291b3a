package cli

import (
	"context"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/credentials"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
)

// leave undoes a join, or gives up one that has not succeeded.
func (a *app) leave(ctx context.Context) error {
	board, err := a.project().Board()
	if err != nil {
		return err
	}
	root, err := a.project().Root()
	if err != nil {
		return err
	}
	if board.Pending == "" {
		if e := notJoined(&board); e != nil {
			return e
		}
	}
	if err := a.consents("leave a board", "pawl join --leave"); err != nil { // the next tasks would go to another board
		return err
	}
	if board.Pending != "" {
		return a.giveUp(ctx, root, board.Pending)
	}
	if board.Source == project.Settings {
		err = a.project().Distrust(ctx)
	} else {
		err = a.project().Leave(ctx)
	}
	if err != nil {
		return err
	}
	others, err := project.Uses(a.env.Getenv, board.Address)
	if err != nil {
		return err
	}
	var gone *credentials.Credential
	if len(others) == 0 {
		store, err := credentials.Of(a.env.Getenv)
		if err != nil {
			return err
		}
		if gone, err = store.Forget(ctx, board.Address); err == nil {
			err = a.env.Address.Left(board.Address)
		}
		if err != nil {
			return err
		}
	}
	now, err := a.project().Board()
	if err != nil {
		return err
	}
	if a.json {
		answer := joinJSON{Envelope: wire.NewEnvelope("join"), Address: board.Address.String(), Project: root, Changed: true, Now: now.Where()}
		if gone != nil {
			answer.Token = joinedTokenOf(gone)
		}
		return a.printJSON(answer)
	}
	a.print("Left %s\n", board.Address)
	a.tellBoard(root, &now)
	switch {
	case gone != nil:
		a.print("The token of %s is forgotten here. It stays valid until it expires, or an admin of the server runs: pawl serve token revoke %s\n", text.Line(gone.Name), text.Line(gone.ID))
	case len(others) > 0:
		a.print("The token stays, for %s\n", text.Line(others[0]))
	}
	var again joining
	if gone != nil {
		again.cert = gone.Cert
	}
	a.print("The board and your claims there stay. To join again: %s\n", again.line(board.Address.String()))
	return nil
}

// giveUp ends a join that has not succeeded.
func (a *app) giveUp(ctx context.Context, root, address string) error {
	if err := a.project().Leave(ctx); err != nil {
		return err
	}
	now, err := a.project().Board()
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(joinJSON{Envelope: wire.NewEnvelope("join"), Address: address, Project: root, Changed: true, Now: now.Where()})
	}
	a.print("Gave up joining %s\n", address)
	a.tellBoard(root, &now)
	return nil
}

// tellBoard says which board a project uses after it left one.
func (a *app) tellBoard(root string, now *project.Board) {
	if now.Exists {
		a.print("Project %s uses the board in %s\n", text.Line(root), text.Line(now.Where()))
		return
	}
	a.print("Project %s has no board: the first task makes one\n", text.Line(root))
}

// notJoined refuses to leave a board that was not joined.
func notJoined(board *project.Board) error {
	var e *pawl.Error
	switch {
	case !board.Distant():
		e = pawl.Errorf(pawl.NotFound, "this project has joined no board").Say("pawl status")
	case board.Source == project.Environment:
		e = pawl.Errorf(pawl.Invalid, "PAWL_BOARD names %s: to leave it, unset PAWL_BOARD", board.Address)
	case board.Source == project.Flag:
		e = usage("join", "--board names a board for one command: to leave the joined one, omit --board")
	case board.Source == project.User:
		e = pawl.Errorf(pawl.Invalid, "your settings name %s for all projects without a board", board.Address).Say("pawl config unset board --user")
	default:
		return nil
	}
	return e
}
