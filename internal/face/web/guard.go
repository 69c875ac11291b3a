package web

import (
	"crypto/subtle"
	"mime"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl"
)

// maxBody bounds what a request may say: as much as a batch of 500 tasks of
// usual length, and one of the largest.
const maxBody = 1 << 20

// policy is what the page may do: load its own files, and ask its own server.
// Nothing that a task says can become a script, for strings cannot become HTML.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// guard lets through what may be asked: under a name of this server, from a page
// of this server or from no page at all, and with the token. A page of somebody
// else can make a browser ask, and point a name of its own at this address; so
// the name, the origin and the token are looked at on every route.
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
		if err := s.admit(r); err != nil {
			s.fail(w, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// admit says why a request is refused.
func (s *Server) admit(r *http.Request) error {
	if !s.hostAllowed(r.Host) {
		return refused(http.StatusMisdirectedRequest, "this server is not called %q", r.Host)
	}
	if origins := r.Header.Values("Origin"); len(origins) > 1 || len(origins) == 1 && !s.originAllowed(origins[0]) {
		return refused(http.StatusForbidden, "no page of another origin may ask")
	}
	navigates := r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" && !navigates {
		return refused(http.StatusForbidden, "no page of another site may ask")
	}
	_, pattern := s.mux.Handler(r)
	for _, route := range routes {
		if route.method+" "+route.path == pattern && route.open {
			return jsonOnly(r)
		}
	}
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok || subtle.ConstantTimeCompare([]byte(token), []byte(s.Token)) != 1 {
		return refused(http.StatusUnauthorized, "the token is missing or wrong")
	}
	return jsonOnly(r)
}

// jsonOnly refuses what a form of any page could send.
func jsonOnly(r *http.Request) error {
	if r.Method == http.MethodGet || r.Method == http.MethodHead || r.ContentLength == 0 {
		return nil
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return refused(http.StatusUnsupportedMediaType, "a body is JSON: Content-Type: application/json")
	}
	return nil
}

// hostAllowed knows the names of this server: those of loopback, or where it is
// exposed any address in digits, which nobody can point elsewhere.
func (s *Server) hostAllowed(host string) bool {
	name, port, err := net.SplitHostPort(host)
	if err != nil || s.addr == nil || port != strconv.Itoa(s.addr.Port) {
		return false
	}
	name = strings.ToLower(name)
	if slices.Contains(s.Hosts, name) {
		return true
	}
	ip := net.ParseIP(name)
	if s.Exposed && ip != nil {
		return true
	}
	return name == "localhost" || name == "127.0.0.1" || name == "::1"
}

func (s *Server) originAllowed(origin string) bool {
	host, ok := strings.CutPrefix(origin, "http://")
	return ok && s.hostAllowed(host)
}

// A refusal is an answer of the guard: about a request, not about a board.
type refusal struct {
	why    *pawl.Error
	status int
}

func (r *refusal) Error() string { return r.why.Error() }

func refused(status int, format string, args ...any) error {
	return &refusal{pawl.Errorf(pawl.Invalid, format, args...), status}
}
