package web

import (
	"crypto/rand"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/wire"
)

// A code stands for the token on its way to a browser: it is in an address, and
// so in histories and lists of processes, where it is worth nothing once it was
// used or a minute has passed.
const codeLife = time.Minute

// maxCodes bounds the codes of one token that nobody has used yet.
const maxCodes = 16

// Codes are those that still work. The pages of all boards of a server share them: a
// browser that has a code only has no board yet.
type Codes struct {
	mu   sync.Mutex
	live map[string]code
}

// A code stands for an access.
type code struct {
	ends  time.Time
	token string // the id of who made it; empty on a server of one's own
	board string
	until time.Time // the key of a page that it is exchanged for
}

func (c *Codes) add(now time.Time, one code) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	unused := 0
	for text, old := range c.live {
		if !now.Before(old.ends) {
			delete(c.live, text)
		} else if old.token == one.token {
			unused++
		}
	}
	if unused >= maxCodes {
		return "", pawl.Errorf(pawl.Unavailable, "%d codes were made and not used: wait a minute", maxCodes)
	}
	if c.live == nil {
		c.live = map[string]code{}
	}
	text := rand.Text()
	one.ends = now.Add(codeLife)
	c.live[text] = one
	return text, nil
}

// use reports whether the code is valid, and invalidates it.
func (c *Codes) use(text string, now time.Time) (code, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	one, there := c.live[text]
	delete(c.live, text)
	return one, there && now.Before(one.ends)
}

// Code makes a code for the address of the page of a server of one's own.
func (s *Server) Code() (string, error) { return s.Codes.add(s.Now(), code{}) }

// codeJSON is a code that a browser got from pawl serve.
type codeJSON struct {
	Code string `json:"code"` // the part of the URL behind #
}

// tokenJSON is what opens the API.
type tokenJSON struct {
	wire.Envelope
	Token string      `json:"token"`           // for Authorization: Bearer TOKEN
	Until wire.Moment `json:"until,omitempty"` // of a page's key: when it ends
}

// newCodeJSON is a code that was made.
type newCodeJSON struct {
	wire.Envelope
	Code string `json:"code"` // works once, for a minute
}

func (v *visit) exchange(_ http.ResponseWriter, r *http.Request) (any, error) {
	var asked codeJSON
	if err := readBody(r, &asked); err != nil {
		return nil, err
	}
	if !v.Guarded && fromOtherUser(r) { // who saw it in a list of processes, and is faster than the browser
		return nil, refused(http.StatusForbidden, "a program of another user of this machine asks")
	}
	one, valid := v.Codes.use(asked.Code, v.Now())
	if !valid {
		return nil, v.wrong.answer(v.Now(), "this link was used already, or is older than a minute")
	}
	return v.key(one.token, one.board, one.until), nil
}

func (v *visit) newCode(_ http.ResponseWriter, r *http.Request) (any, error) {
	text, err := v.Codes.add(v.Now(), code{token: v.Token, board: v.Name, until: v.until(r)})
	if err != nil {
		return nil, err
	}
	return newCodeJSON{wire.NewEnvelope("code"), text}, nil
}

// newKey is for a person who gives a page a token: the page keeps the key, not the
// token.
func (v *visit) newKey(_ http.ResponseWriter, r *http.Request) (any, error) {
	return v.key(v.Token, v.Name, v.until(r)), nil
}

// key is what a page gets: on a server of one's own the access token, which is for
// pages; else a key that stands for a token.
func (s *Server) key(token, board string, until time.Time) tokenJSON {
	if !s.Guarded {
		return tokenJSON{Envelope: wire.NewEnvelope("token"), Token: s.AccessToken}
	}
	return tokenJSON{wire.NewEnvelope("token"), s.Keys.Make(token, board, until), wire.Time(until)}
}

// until is when a page's key ends that a request asks for. A page that has one gets
// none that lasts longer.
func (v *visit) until(r *http.Request) time.Time {
	if !v.Guarded {
		return time.Time{}
	}
	own, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if _, until, ok := v.Keys.Token(own, v.Name, v.Now()); ok {
		return until
	}
	return v.Now().Add(access.PageKeyLife)
}

// fromOtherUser reports whether a request is known to come from another user of this
// machine.
func fromOtherUser(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	here, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return err == nil && ok && peer.Addr().IsLoopback() && otherUser(peer, here.AddrPort())
}
