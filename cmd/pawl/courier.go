package main

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/boards"
	"github.com/pawl-dev/pawl/internal/courier"
	"github.com/pawl-dev/pawl/internal/credentials"
	"github.com/pawl-dev/pawl/internal/ui/hook"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/query"
)

// courierVerb is the command of the courier, which only Pawl itself starts:
//
//	pawl courier https://pawl.example.org/boards/shop
const courierVerb = "courier"

// spawnCourier starts the courier of an address; a test replaces it, whose program is not
// this one.
var spawnCourier = startCourier

func startCourier(at address.Address) error {
	// A token of the environment is good only together with the address that is there.
	return boards.Background(program(), []string{"PAWL_BOARD", "PAWL_TOKEN"}, courierVerb, at.Whole())
}

// postOf is this machine's end of the line to an address; nil: without a home nothing can
// be left to the courier.
func postOf(at address.Address) *courier.Post {
	state, err := userdir.State(os.Getenv)
	if err != nil {
		return nil
	}
	o := courier.Options{
		State: state, Address: at, Log: hook.Logger(os.Getenv, time.Now),
		Dial:     func(patience time.Duration) (query.Board, error) { return openForHook(at, patience) },
		Patience: glance,
	}
	if os.Getenv(boards.NoBackground) == "" {
		o.Spawn = func() error { return spawnCourier(at) }
	}
	return courier.Open(o)
}

// left erases what is remembered of an address that nobody here uses any longer, and which
// others have written.
func left(at address.Address) error {
	state, err := userdir.State(os.Getenv)
	if err != nil {
		return nil // nothing is remembered
	}
	return errors.Join(courier.Leave(state, at), os.RemoveAll(credentials.State(os.Getenv, at)))
}

// carry is the courier.
func carry(ctx context.Context, args []string) error {
	at, err := address.Parse(strings.Join(args, " "))
	if err != nil {
		return err
	}
	p := postOf(at)
	if p == nil {
		return nil
	}
	defer p.Close()
	return p.Run(ctx)
}
