package web

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/wire"
)

// Code makes a code for the address of the page of a server of one's own.
func (s *Server) Code() (string, error) {
	return s.Codes.Add(context.Background(), s.Now(), access.Code{})
}

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
	one, valid, err := v.Codes.Use(r.Context(), v.Now(), asked.Code)
	if err != nil {
		return nil, err
	}
	if !valid || v.Guarded && one.Board != access.Board(r.Context()) {
		return nil, v.wrong.answer(v.Now(), "this link was used already, or is older than a minute")
	}
	return v.key(one.Token, one.Board, one.Until), nil
}

func (v *visit) newCode(_ http.ResponseWriter, r *http.Request) (any, error) {
	text, err := v.Codes.Add(r.Context(), v.Now(), access.Code{Token: v.Token, Board: v.Name, Until: v.until(r)})
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
