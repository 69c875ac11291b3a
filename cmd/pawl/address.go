package main

import (
	"os"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/credentials"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/remote"
)

// glance is how long a hook waits for a server.
const glance = 40 * time.Millisecond

// openAny opens a board, wherever it is.
func openAny(b project.Board) (ask.Board, error) {
	if b.Distant() {
		return openAddress(b.Address, remote.Usual)
	}
	return openBoard(b.Dir)
}

// openAnyWatched is openAny for a command that runs on.
func openAnyWatched(b project.Board, warn func(string)) (ask.Board, error) {
	if b.Distant() {
		return openAddress(b.Address, remote.Usual)
	}
	return openWatched(b.Dir, warn)
}

// openQuick is openAny for a hook, which runs no git and waits for nothing.
func openQuick(b project.Board) (ask.Board, error) {
	if b.Distant() {
		return openAddress(b.Address, glance)
	}
	return openPlain(b.Dir)
}

func openAddress(at address.Address, patience time.Duration) (ask.Board, error) {
	if _, err := credentials.Find(os.Getenv, at); err != nil {
		return nil, err
	}
	_ = patience
	return nil, pawl.Errorf(pawl.Unavailable, "this pawl cannot open %s yet", at)
}
