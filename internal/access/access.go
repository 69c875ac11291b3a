// Package access says who may do what on a server's boards: tokens with a name, a
// role and boards, and a board that holds the holder of a token to them.
package access

import (
	"slices"
	"time"
)

// A Role is what the holder of a token may do.
type Role string

// The roles. Each may do what those before it may.
const (
	Read  Role = "read"  // look
	Work  Role = "work"  // change tasks
	Admin Role = "admin" // make boards, and read the server's numbers
)

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

// Live reports whether the token holds at a time.
func (t *Token) Live(now time.Time) bool {
	return t.Revoked.IsZero() && (t.Expires.IsZero() || now.Before(t.Expires))
}
