package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/credentials"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/text"
)

// serverHealth is what doctor finds out about the server of a board at an address.
type serverHealth struct {
	Answers bool         `json:"answers"`           // it answers, and accepts the token
	Version string       `json:"version,omitempty"` // of the pawl there
	Token   *joinedToken `json:"token,omitempty"`   // what it says of the token
	Pinned  bool         `json:"pinned,omitempty"`  // only one certificate is accepted, which join was told
	Millis  int64        `json:"ms,omitempty"`      // how long an answer takes
	Clock   int64        `json:"clock,omitempty"`   // by how many milliseconds its clock is ahead of this machine's
}

// When something about a server is worth a word.
const (
	soonExpired = 7 * 24 * time.Hour
	farOff      = 2 * time.Minute
	slowAnswer  = time.Second
)

// serverHealth asks the server of a board at an address; nil: the board is in a
// folder.
func (a *app) serverHealth(ctx context.Context, place *project.Board) (*serverHealth, []pawl.Problem) {
	if !place.Served() || a.env.Address == nil {
		return nil, nil
	}
	h := &serverHealth{}
	var found []pawl.Problem
	add := func(mend, format string, args ...any) {
		found = append(found, pawl.Problem{Kind: "server", Text: fmt.Sprintf(format, args...), Mend: mend})
	}
	fails := func(err error) (*serverHealth, []pawl.Problem) {
		mend := ""
		if e, ok := errors.AsType[*pawl.Error](err); ok {
			mend = a.hintFor(e)
		}
		add(mend, "%s", plainError(err))
		return h, found
	}
	known, err := credentials.Find(a.env.Getenv, place.Address)
	if err != nil {
		return fails(err)
	}
	h.Pinned = known.Cert != ""
	start := time.Now()
	hello, err := a.env.Address.Hello(ctx, known)
	if err != nil {
		return fails(err)
	}
	took := time.Since(start)
	h.Answers, h.Version, h.Millis = true, hello.Version, max(took.Milliseconds(), 1)
	known.Name, known.ID, known.Role, known.Person, known.Expires = hello.Name, hello.Token, hello.Role, hello.Person, hello.Expires
	h.Token = joinedTokenOf(&known)
	if left := hello.Expires.Sub(hello.Now); !hello.Expires.IsZero() && left < soonExpired {
		add("ask for another token, then: pawl join --new-token", "the token of %s expires in %s", text.Line(hello.Name), text.Age(left))
	}
	ahead := hello.Now.Sub(start.Add(took / 2))
	h.Clock = ahead.Milliseconds()
	if ahead.Abs() > farOff {
		way := map[bool]string{true: "behind", false: "ahead of"}[ahead > 0]
		add("set this machine's clock", "this machine's clock is %s %s the server's, which decides leases", text.Age(ahead.Abs()), way)
	}
	if took > slowAnswer {
		add("look at the network: pawl works, and hooks show what was known last", "the server takes %s to answer", took.Round(10*time.Millisecond))
	}
	return h, found
}

// tellServer is a line about a server that answers:
//
//	The server answers in 3 ms: pawl 1.4.0; you are ada, with a token for reading and working until 2027-02-21
func (a *app) tellServer(h *serverHealth) {
	if h == nil || !h.Answers {
		return
	}
	until := "which does not expire"
	if t, err := time.Parse(time.RFC3339, string(h.Token.Expires)); err == nil {
		until = "until " + t.Local().Format("2006-01-02 15:04")
	}
	version := "pawl " + text.Line(text.Clip(h.Version, 40))
	if h.Version == "" {
		version = "a development version of pawl"
	}
	a.print("The server answers in %d ms: %s; you are %s, with a token for %s, %s\n", h.Millis, version, text.Line(h.Token.Name), roleWords(h.Token.Role), until)
}
