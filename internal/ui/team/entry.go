package team

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/remote"
)

const boardsPath = "/boards/"

// ServeHTTP answers one request. Without a token that is for the board a client
// learns nothing: neither which boards exist nor which paths they have.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set(remote.ProtocolHeader, spoken)
	if s.RunName != "" {
		h.Set(remote.RunHeader, s.RunName)
	}
	seen := &watched{ResponseWriter: w}
	s.counts.now.Add(1)
	defer func() {
		s.counts.now.Add(-1)
		s.counts.status[min(max(seen.status/100, 2), 5)].Add(1)
	}()
	if err := s.route(seen, r); err != nil {
		s.fail(seen, r, err)
	}
}

// watched remembers the status of a response.
type watched struct {
	http.ResponseWriter
	status int
}

func (w *watched) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap lets deadlines and flushes reach the connection.
func (w *watched) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush is for handlers that look for it.
func (w *watched) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

func (s *Server) route(w http.ResponseWriter, r *http.Request) error {
	if r.URL.Host != "" || r.URL.Scheme != "" {
		return refused(http.StatusBadRequest, "this is not a proxy")
	}
	if err := s.throughProxy(r); err != nil {
		return err
	}
	if r.URL.EscapedPath() != r.URL.Path || path.Clean(r.URL.Path) != strings.TrimSuffix(r.URL.Path, "/") && r.URL.Path != "/" {
		return refused(http.StatusNotFound, "nothing is at this path")
	}
	if err := s.misdirected(r); err != nil {
		return err
	}
	rest, below := strings.CutPrefix(r.URL.Path, boardsPath)
	if !below {
		return s.beside(w, r)
	}
	if rest == "" {
		return noPath()
	}
	name, rest, slash := strings.Cut(rest, "/")
	rest = "/" + rest
	protocol := strings.HasPrefix(rest, "/v1/")
	if !slash && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
		http.Redirect(w, r, r.URL.Path+"/", http.StatusPermanentRedirect)
		return nil
	}
	if r.Header.Get("Authorization") == "" && !protocol && rest != "/mcp" {
		s.faces.serve(w, r.WithContext(access.At(r.Context(), name)), "", rest) // the same for each name
		return nil
	}
	came := way{"page", s.clientOf(r)}
	switch {
	case protocol:
		came.by = "v1"
	case rest == "/mcp":
		came.by = "mcp"
	}
	token, err := s.principal(r, name, came.by == "page")
	if err == nil {
		err = s.request(token.ID)
	}
	if err != nil {
		s.Audit.Deny(Entry{By: came.by, From: came.from, Token: token.ID, Name: token.Name, Kind: "unauthorized", Why: err.Error()})
		return err
	}
	if address.CheckName(name) != nil || !token.Opens(name) {
		s.Audit.Deny(Entry{By: came.by, From: came.from, Token: token.ID, Name: token.Name, Kind: "forbidden", Why: "the token is not for this board"})
		return noBoard(name)
	}
	v := &visit{server: s, token: token, name: name}
	if !mayMake(&token, name) && !v.named() {
		at, err := s.Boards.Find(r.Context(), name)
		if errors.Is(err, pawl.Unavailable) { // nobody knows whether it exists
			return err
		}
		if err != nil || at == nil {
			return noBoard(name)
		}
	}
	var at slot
	defer at.free()
	ctx, done := s.alive.begin(context.WithValue(withWay(r.Context(), came), slotKey{}, &at), token)
	defer done()
	if _, err := s.known(s.Tokens.Find(token.ID)); err != nil { // it ended before there was a request to end
		return err
	}
	r = r.WithContext(ctx)
	if !protocol {
		left, err := s.stream(token.ID)
		if err != nil {
			return err
		}
		defer left()
		if r.Method == http.MethodPost {
			done, err := s.faceBody(w, r, token.ID, rest == "/mcp")
			if err != nil {
				return err
			}
			defer done()
		}
		r, done := s.face(r)
		defer done()
		s.faces.serve(w, r, name, rest)
		return nil
	}
	return s.answer(w, r, v, rest)
}

// faceBody makes room for the body of a request to a page or a tool, which reads it.
// That of the page is read before it takes a slot; the tools take one for each call.
func (s *Server) faceBody(w http.ResponseWriter, r *http.Request, token string, mcp bool) (done func(), err error) {
	const most, values = maxBody / 2, 4 // bytes, and how many times that they are as values
	size := r.ContentLength
	if size < 0 || size > most {
		size = most
	}
	if size <= smallBody {
		return func() {}, nil
	}
	if done, err = s.room(r.Context(), token, size*values, most*values); err != nil || mcp {
		return done, err
	}
	text, err := s.body(w, r, most)
	if err == nil {
		r.Body = io.NopCloser(bytes.NewReader(text))
		_, err = s.large(r.Context(), token)
	}
	if err != nil {
		done()
	}
	return done, err
}

// inside is a request as a handler of one board sees it.
func inside(r *http.Request, rest string) *http.Request {
	at := new(http.Request)
	*at = *r
	u := *r.URL
	u.Path, u.RawPath = rest, ""
	at.URL = &u
	return at
}

// principal returns the token that a request has come with, for a board. A browser may
// have a key in its place, for the page.
func (s *Server) principal(r *http.Request, board string, page bool) (access.Token, error) {
	all := r.Header.Values("Authorization")
	if len(all) == 0 {
		return access.Token{}, unauthorized("this server wants a token", "pawl join ADDRESS asks for it")
	}
	secret, bearer := strings.CutPrefix(all[0], "Bearer ")
	if !bearer || len(all) > 1 {
		return access.Token{}, unauthorized("the token is not sent as this server wants it", "send it as Authorization: Bearer TOKEN")
	}
	if page && s.Keys != nil && strings.HasPrefix(secret, access.PageKeyPrefix) {
		id, _, ok := s.Keys.Token(secret, board, s.Now())
		if !ok {
			return access.Token{}, unauthorized("this page's key has ended", "open the page with a token again")
		}
		return s.known(s.Tokens.Find(id))
	}
	t, err := s.known(s.Tokens.Lookup(secret))
	if err != nil && pawl.KindOf(err) == pawl.Invalid {
		err = s.guess(s.clientOf(r), err)
	}
	return t, err
}

// known gives the error of a token that does not hold its status.
func (s *Server) known(t access.Token, err error) (access.Token, error) {
	if err == nil {
		return t, nil
	}
	if !errors.Is(err, access.ErrUnknown) {
		s.unread(err)
		return t, &refusal{errTokens, http.StatusServiceUnavailable, time.Second}
	}
	e, _ := errors.AsType[*pawl.Error](err)
	return t, &refusal{why: e, status: http.StatusUnauthorized}
}

// unread tells of tokens that cannot be read, once in a while: each request finds that
// out, and clients come back each second while the database is away.
func (s *Server) unread(err error) {
	const seldom = time.Minute
	told, now := s.toldUnread.Load(), s.Now().UnixNano()
	if (told == 0 || time.Duration(now-told) >= seldom) && s.toldUnread.CompareAndSwap(told, now) {
		s.Log.Error("the tokens cannot be read", "err", err)
	}
}

// noBoard says the same of a board that does not exist and of one that the token
// is not for.
func noBoard(name string) error {
	if address.CheckName(name) != nil {
		name = "of this name"
	}
	return pawl.Errorf(pawl.NotFound, "no board %s for this token", name).
		Say("check the name of the board, or ask who runs the server for a token for it")
}

// mayMake reports whether the first write of a token makes a board.
func mayMake(t *access.Token, name string) bool {
	return t.Role == access.Admin || t.Role != access.Read && slices.Contains(t.Boards, name)
}
