package web

import (
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"testing"
)

// Every file of the page comes as what it is, packed where a browser takes that,
// and not again as long as it is the same.
func TestFiles(t *testing.T) {
	s := newSite(t, nil)
	ask := func(name, header, value string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", "/"+name, nil)
		r.Host = "127.0.0.1:7350"
		r.Header.Set(header, value)
		w := httptest.NewRecorder()
		s.guard(s.mux).ServeHTTP(w, r)
		return w
	}
	seen := 0
	err := fs.WalkDir(dist, "dist", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		seen++
		want, err := dist.ReadFile(name)
		if err != nil {
			return err
		}
		name = strings.TrimPrefix(strings.TrimPrefix(name, "dist/"), "index.html")
		w := ask(name, "Accept", "*/*")
		kind := map[string]string{"": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}[path.Ext(name)]
		h := w.Header()
		if w.Code != http.StatusOK || w.Body.String() != string(want) || h.Get("Content-Type") != kind || h.Get("Cache-Control") != "no-cache" {
			t.Errorf("%q: %d %v", name, w.Code, h)
		}
		if again := ask(name, "If-None-Match", h.Get("ETag")); again.Code != http.StatusNotModified || again.Body.Len() > 0 {
			t.Errorf("%q, the same again: %d", name, again.Code)
		}
		packed := ask(name, "Accept-Encoding", "gzip, br")
		z, err := gzip.NewReader(packed.Body)
		if err != nil {
			return err
		}
		text, err := io.ReadAll(z)
		if err != nil || string(text) != string(want) || packed.Header().Get("ETag") == h.Get("ETag") || packed.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q, packed: %v, %v", name, packed.Header(), err)
		}
		return nil
	})
	if err != nil || seen < 2 {
		t.Errorf("%d files were seen: %v", seen, err)
	}
}
