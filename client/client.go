// Package client opens the board that a team server keeps: a [query.Board] over the
// protocol of docs/protocol.md.
//
//	board, err := client.Open("https://pawl.example.org/boards/shop", client.Options{Token: token})
//	…
//	defer board.Close()
//	lanes, err := query.Of(ctx, board, query.Asker{}, query.LanesQuery{})
package client

import (
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/query"
)

// Options are what a client needs.
type Options struct {
	Token string // its secret, as the server's administrator gave it
	// Cert is the SHA-256 of the server's certificate in hex, which then counts instead of
	// its signature; empty: the system's authorities decide.
	Cert string
	// Patience is for how long a request is repeated that the server does not answer; 0: ten
	// seconds. Each has an op id, so that the server carries it out once.
	Patience time.Duration
	// Cache is a folder for the latest answers, which are given, with their time in
	// [query.Head].Old, while the server is away. Empty: nothing is kept.
	Cache string
}

// Board is a board at an address. It is safe for concurrent use.
type Board interface {
	query.Board
	query.Distant
}

// Open returns the board at https://HOST/boards/NAME. It asks the server nothing yet.
func Open(at string, o Options) (Board, error) {
	place, err := address.Parse(at)
	if err != nil {
		return nil, err
	}
	if place.InDatabase() {
		return nil, pawl.Errorf(pawl.Invalid, "a program opens a board at https://…; only pawl-server opens a database").Say("write https://HOST/boards/NAME")
	}
	return remote.Open(remote.Options{Address: place, Token: o.Token, Cert: o.Cert, Patience: o.Patience, State: o.Cache, Version: "client"})
}
