package web

import (
	"crypto/rand"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/wire"
)

// A code stands for the token on its way to a browser: it is in an address, and
// so in histories and lists of processes, where it is worth nothing once it was
// used or a minute has passed.
const codeLife = time.Minute

// maxCodes bounds the codes that nobody has used yet.
const maxCodes = 16

// codes are those that still work.
type codes struct {
	mu   sync.Mutex
	ends map[string]time.Time
}

func (c *codes) add(now time.Time) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for code, ends := range c.ends {
		if !now.Before(ends) {
			delete(c.ends, code)
		}
	}
	if len(c.ends) >= maxCodes {
		return "", pawl.Errorf(pawl.Unavailable, "%d codes were made and not used: wait a minute", maxCodes)
	}
	if c.ends == nil {
		c.ends = map[string]time.Time{}
	}
	code := rand.Text()
	c.ends[code] = now.Add(codeLife)
	return code, nil
}

// use reports whether the code is valid, and invalidates it.
func (c *codes) use(code string, now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	ends, there := c.ends[code]
	delete(c.ends, code)
	return there && now.Before(ends)
}

// Code makes a code for the address of the page.
func (s *Server) Code() (string, error) { return s.codes.add(s.Now()) }

// codeJSON is a code that a browser got from pawl serve.
type codeJSON struct {
	Code string `json:"code"` // the part of the URL behind #
}

// tokenJSON is the token.
type tokenJSON struct {
	wire.Envelope
	Token string `json:"token"` // for Authorization: Bearer TOKEN
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
	if fromOtherUser(r) { // who saw it in a list of processes, and is faster than the browser
		return nil, refused(http.StatusForbidden, "a program of another user of this machine asks")
	}
	if !v.codes.use(asked.Code, v.Now()) {
		return nil, v.wrong.answer(v.Now(), "this link was used already, or is older than a minute")
	}
	return tokenJSON{wire.NewEnvelope("token"), v.AccessToken}, nil
}

func (v *visit) newCode(http.ResponseWriter, *http.Request) (any, error) {
	code, err := v.Code()
	if err != nil {
		return nil, err
	}
	return newCodeJSON{wire.NewEnvelope("code"), code}, nil
}

// fromOtherUser reports whether a request is known to come from another user of this
// machine.
func fromOtherUser(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	here, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return err == nil && ok && peer.Addr().IsLoopback() && otherUser(peer, here.AddrPort())
}
