package remote

import (
	"time"

	"github.com/pawl-dev/pawl/internal/address"
)

// Options are what a client needs.
type Options struct {
	Address address.Address
	Token   string // the secret
	Name    string // of the token, as the server told it when it was joined
	// Cert is the SHA-256 of the server's certificate in hex, which then counts
	// instead of who signed it; empty: the system's authorities decide.
	Cert string
	// Patience is for how long a request is repeated that the server does not answer;
	// 0: [Usual]. A hook has far less.
	Patience time.Duration
	// State is a folder for what is remembered of the server: the latest answers, and
	// since when it is away. Empty: nothing is.
	State   string
	Version string // of this program
}

// Usual is the patience of commands and servers.
const Usual = 10 * time.Second
