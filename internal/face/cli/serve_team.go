package cli

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/wire"
)

// Teaming is what a server for a team works with.
type Teaming struct {
	Dir     string // the folder of the boards
	Addr    string // where to listen; empty: the usual place
	Version string
	Getenv  func(string) string
	Warn    func(text string)
	Up      func(access.Where) error // called as soon as it is served
}

// teamJSON is the envelope of serve --boards.
type teamJSON struct {
	wire.Envelope
	Address string `json:"address"` // of the server; its boards are below /boards
}

// teamRun is serve --boards.
type teamRun struct {
	*app
	boards *string
}

func (a *app) teamFlags(_ *cobra.Command, boards *string) *teamRun {
	return &teamRun{app: a, boards: boards}
}

func (t *teamRun) run(ctx context.Context, addr string) error {
	dir, err := access.Boards(*t.boards, t.env.Dir)
	if err != nil {
		return err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	return t.env.Team(ctx, Teaming{
		Dir: dir, Addr: addr, Version: t.env.Build.Version, Getenv: t.env.Getenv,
		Warn: func(text string) { t.say("%s", text) },
		Up:   t.up,
	})
}

func (t *teamRun) up(at access.Where) error {
	if t.json {
		if err := t.printJSON(teamJSON{wire.NewEnvelope("serve"), at.Origin}); err != nil {
			return err
		}
	} else {
		t.print("Serving %s\n", at.Origin)
	}
	return t.flush()
}
