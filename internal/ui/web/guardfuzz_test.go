package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// Whatever stands in a request that has not got the token, it reads nothing of
// the board and no token.
func FuzzGuard(f *testing.F) {
	f.Add("GET", "/api/v1/lanes", "127.0.0.1:7350", "Authorization", "Bearer x", "Origin", "null")
	f.Add("POST", "/mcp", "localhost:7350", "X-Forwarded-Host", "127.0.0.1", "Sec-Fetch-Site", "none")
	f.Add("GET", "/api/v1/../v1/lanes", "[::1]:7350", "X-Original-URL", "/", "X-HTTP-Method-Override", "GET")
	f.Add("OPTIONS", "/assets/..%2fapi%2fv1%2flanes", "127.0.0.1:7350", "Access-Control-Request-Method", "POST", "Authorization", "Bearer ")
	f.Fuzz(func(t *testing.T, method, path, host, name1, value1, name2, value2 string) {
		u, err := url.ParseRequestURI(path)
		if err != nil || strings.Contains(value1+value2, "secret") {
			return
		}
		s := newSite(t, nil)
		s.MCP = http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Errorf("%s %s from %q came through", method, path, host) })
		s.mux.Handle("/mcp", s.MCP)
		r := httptest.NewRequest("GET", "/", strings.NewReader("{}"))
		r.Method, r.URL, r.Host = method, u, host
		r.Header = http.Header{http.CanonicalHeaderKey(name1): {value1}}
		r.Header.Add(name2, value2)
		w := httptest.NewRecorder()
		s.guard(s.mux).ServeHTTP(w, r)
		open := path == "/" || strings.HasPrefix(u.Path, "/assets/") || u.Path == "/api/v1/proof" || u.Path == "/api/v1/token"
		if w.Code < 400 && !open || strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%s %s from %q, %s: %q, %s: %q: %d %s", method, path, host, name1, value1, name2, value2, w.Code, w.Body)
		}
		if w.Code < 400 && r.Header.Get("Origin") != "" && r.Header.Get("Origin") != "http://"+strings.ToLower(host) {
			t.Errorf("a page of %q may ask %q", r.Header.Get("Origin"), host)
		}
	})
}
