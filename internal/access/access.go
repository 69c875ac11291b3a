// Package access says who may do what on a server's boards: tokens with a name, a role
// and boards, and a [Guard] that refuses what a token does not allow.
package access

import (
	"errors"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
)

// A Role is what the holder of a token may do.
type Role string

// The roles. Each may do what those before it may.
const (
	Read  Role = "read"  // look
	Work  Role = "work"  // change tasks
	Admin Role = "admin" // make boards, and read the server's numbers
)

// valid reports whether it is one of the roles.
func (r Role) valid() bool { return r == Read || r.changes() }

// changes reports whether the role may change tasks.
func (r Role) changes() bool { return r == Work || r == Admin }

// A Token is what a server knows of one. It does not have its secret.
type Token struct {
	ID      string    `json:"id"` // names it, and is not secret
	Name    string    `json:"name"`
	Person  bool      `json:"person,omitempty"` // else an agent's
	Role    Role      `json:"role"`
	Boards  []string  `json:"boards"` // by name; "*": all
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires,omitzero"`
	Revoked time.Time `json:"revoked,omitzero"`
}

// All is what stands in Token.Boards for all boards.
const All = "*"

// Opens reports whether the token is for a board.
func (t *Token) Opens(board string) bool {
	return slices.Contains(t.Boards, board) || slices.Contains(t.Boards, All)
}

// Same reports whether two values are one token, with the same name, role and boards.
func (t *Token) Same(other *Token) bool {
	return t.ID == other.ID && t.Name == other.Name && t.Person == other.Person && t.Role == other.Role && slices.Equal(t.Boards, other.Boards)
}

// Live reports whether the token holds at a time.
func (t *Token) Live(now time.Time) bool {
	return t.Revoked.IsZero() && (t.Expires.IsZero() || now.Before(t.Expires))
}

// ErrUnknown is the cause of each error about a token that does not hold: nobody is let
// in with it.
var ErrUnknown = errors.New("no such token")

// live says why the token does not hold at a time.
func (t *Token) live(now time.Time) error {
	switch {
	case t.Live(now):
		return nil
	case !t.Revoked.IsZero():
		return unknown("this token was revoked at %s", t.Revoked.UTC().Format(time.RFC3339))
	default:
		return unknown("this token expired at %s", t.Expires.UTC().Format(time.RFC3339))
	}
}

func notKnown() error { return unknown("this token is not known here") }

func unknown(format string, args ...any) error {
	e := pawl.Errorf(pawl.Invalid, format, args...).Say("ask for another token, then: pawl join")
	e.Cause = ErrUnknown
	return e
}
