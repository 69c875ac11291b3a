package web

import (
	"bytes"
	"context"
	"crypto/subtle"
	"errors"
	"io"
	"net/http"
	"os"
	"path"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/wire"
)

const (
	maxBody     = 1 << 20          // as much as a batch of 500 tasks of usual length, and one of the largest
	maxMCPBody  = 4 << 20          // as much as mcpserver takes
	maxOpenBody = 4 << 10          // without an access token
	bodyTimeout = 30 * time.Second // for the whole body
	sendTimeout = 30 * time.Second // for the whole response, unless it is a stream
)

// policy allows the page to load its own files and to ask its own server. A task's
// text cannot become a script, because strings cannot become HTML.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// guard passes a request on if it names this server as host, comes from this
// server's page or from no page, and has the access token. Another site can make a
// browser send requests, and can point a name of its own at this address (DNS
// rebinding). So the guard checks host, origin and token on every route. Without
// the token a client learns nothing, not even which routes exist.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		control := http.NewResponseController(w)
		if r.ContentLength != 0 { // also of one that is refused: what it sends on is read, and thrown away
			control.SetReadDeadline(time.Now().Add(bodyTimeout))
		}
		found := s.find(r)
		who, err := s.admit(r, found)
		if err == nil {
			err = take(w, r, found)
		}
		if err != nil {
			(&visit{s, who}).fail(w, err)
			return
		}
		r = r.WithContext(who.in(r.Context()))
		control.SetReadDeadline(time.Time{})
		var until time.Time
		if !found.streams() {
			until = time.Now().Add(sendTimeout)
			r = r.WithContext(context.WithoutCancel(r.Context())) // what has begun is done, though the server ends: see lastWords
		}
		control.SetWriteDeadline(until) // also none: the connection may have one from the request before
		next.ServeHTTP(w, r)
	})
}

// A destination is the handler of a request.
type destination struct {
	exists bool
	route  *route // nil of one that is not in the table, such as that of the Model Context Protocol
}

func (d destination) open() bool { return d.route != nil && d.route.open }

// streams reports whether responses are unlimited in time.
func (d destination) streams() bool { return d.route == nil || d.route.gives == nil && !d.route.open }

// find returns the destination of a request. A path that is not in canonical form
// has none: the guard and the handler could read it in different ways.
func (s *Server) find(r *http.Request) destination {
	if r.URL.EscapedPath() != r.URL.Path || path.Clean(r.URL.Path) != r.URL.Path {
		return destination{}
	}
	_, pattern := s.mux.Handler(r)
	d := destination{exists: pattern != "", route: s.byPattern[pattern]}
	if r.Method == http.MethodHead && !d.open() {
		return destination{} // HEAD of a stream would never end
	}
	return d
}

// admit returns who asks, or why the request is refused.
func (s *Server) admit(r *http.Request, d destination) (visitor, error) {
	var who visitor
	if r.URL.Host != "" || r.URL.Scheme != "" {
		return who, refused(http.StatusBadRequest, "this is not a proxy")
	}
	if !s.Guarded && !s.names.known(r.Host) {
		return who, refused(http.StatusMisdirectedRequest, "this server is not called %q", r.Host)
	}
	if origins := r.Header.Values("Origin"); len(origins) > 1 || len(origins) == 1 && !s.sameOrigin(r, origins[0]) {
		return who, refused(http.StatusForbidden, "no page of another origin may ask")
	}
	if !ownSite(r, d) {
		return who, refused(http.StatusForbidden, "no page of another site may ask")
	}
	if !d.open() {
		var err error
		if who, err = s.principal(r); err != nil {
			return who, err
		}
	}
	if !d.exists {
		return who, s.nowhere(r)
	}
	return who, jsonOnly(r)
}

// sameOrigin reports whether an origin is that of the page that this server shows
// under the host of a request. Which hosts those are, a server that keeps boards for
// others does not know: every request needs a token that no other page has. Behind a
// proxy it does not know the scheme either.
func (s *Server) sameOrigin(r *http.Request, origin string) bool {
	if !s.Guarded {
		return s.names.same(origin, r.Host)
	}
	host := strings.ToLower(r.Host)
	return origin == "https://"+host || r.TLS == nil && origin == "http://"+host
}

// principal returns whose access token a request has.
func (s *Server) principal(r *http.Request) (visitor, error) {
	if !s.Guarded {
		return s.owner(), s.checkToken(r)
	}
	t, there := access.Of(r.Context())
	if !there {
		return visitor{}, refused(http.StatusUnauthorized, "the token is missing")
	}
	return holder(t), nil
}

// ownSite checks the headers in which browsers name the requesting site; pages
// cannot change them. Another site may only link to the page.
func ownSite(r *http.Request, d destination) bool {
	link := d.open() && r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
	for _, site := range r.Header.Values("Sec-Fetch-Site") {
		if site != "same-origin" && site != "none" && !link {
			return false
		}
	}
	return true
}

// checkToken holds a request to the access token of the user.
func (s *Server) checkToken(r *http.Request) error {
	all := r.Header.Values("Authorization")
	if len(all) == 0 {
		return refused(http.StatusUnauthorized, "the token is missing")
	}
	token, ok := strings.CutPrefix(all[0], "Bearer ")
	if !ok || len(all) > 1 || s.AccessToken == "" || subtle.ConstantTimeCompare([]byte(token), []byte(s.AccessToken)) != 1 {
		return s.wrong.answer(s.Now(), "the token is wrong")
	}
	return nil
}

// nowhere answers a request without a route.
func (s *Server) nowhere(r *http.Request) error {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		other := *r
		other.Method = method
		if method != r.Method && s.find(&other).exists {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) > 0 {
		return refused(http.StatusMethodNotAllowed, "%s is asked with %s", r.URL.Path, strings.Join(allowed, ", "))
	}
	return refused(http.StatusNotFound, "there is no %s here", r.URL.Path)
}

// jsonOnly refuses bodies that a form of any page could send.
func jsonOnly(r *http.Request) error {
	if r.Method == http.MethodGet || r.Method == http.MethodHead || r.ContentLength == 0 {
		return nil
	}
	types := r.Header.Values("Content-Type")
	if len(types) == 1 && wire.IsJSON(types[0]) {
		return nil
	}
	return refused(http.StatusUnsupportedMediaType, "a body is JSON: Content-Type: application/json")
}

// take reads the whole body before the handler runs, so that no client keeps a
// handler waiting.
func take(w http.ResponseWriter, r *http.Request, d destination) error {
	if r.ContentLength == 0 {
		return nil
	}
	limit := int64(maxBody)
	switch {
	case d.open():
		limit = maxOpenBody
	case d.route == nil:
		limit = maxMCPBody
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return refused(http.StatusRequestEntityTooLarge, "a body has at most %d bytes here", large.Limit)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return refused(http.StatusRequestTimeout, "the body did not come within %v", bodyTimeout)
	}
	if err != nil {
		return refused(http.StatusBadRequest, "the body cannot be read")
	}
	r.Body = io.NopCloser(bytes.NewReader(text))
	return nil
}

// A refusal is an error of the guard: about a request, not about a board.
type refusal struct {
	why    *pawl.Error
	status int
}

func (r *refusal) Error() string { return r.why.Error() }

func refused(status int, format string, args ...any) error {
	return &refusal{pawl.Errorf(pawl.Invalid, format, args...), status}
}
