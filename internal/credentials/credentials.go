// Package credentials finds the token that opens a board at an address.
//
// In the environment it is PAWL_TOKEN, which counts only for the address that
// PAWL_BOARD names there: a token is never sent to another server than the one that
// it was given for.
package credentials

import (
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
)

// A Credential opens a board at an address.
type Credential struct {
	Token string // the secret
	Name  string // of the token; empty: the server has not said it yet
	Cert  string // the SHA-256 of the server's certificate, in hex; empty: its authority decides
}

// Find returns the credential for an address. With NotFound none is known.
func Find(getenv func(string) string, at address.Address) (Credential, error) {
	if token := strings.TrimSpace(getenv("PAWL_TOKEN")); token != "" {
		if named, err := address.Parse(getenv("PAWL_BOARD")); err == nil && named == at {
			return Credential{Token: token}, nil
		}
	}
	e := pawl.Errorf(pawl.NotFound, "no token is known for %s", at)
	e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "pawl join " + at.String()}
	return Credential{}, e
}
