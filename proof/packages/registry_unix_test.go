//go:build unix

package main

import (
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"strings"
	"testing"
)

// registry is an npm registry on the loopback interface. It has what was published,
// and nothing else.
type registry struct {
	t         *testing.T
	url       string
	documents map[string][]byte // by package name
	tarballs  map[string][]byte // by file name
}

func newRegistry(t *testing.T) *registry {
	r := &registry{t: t, documents: map[string][]byte{}, tarballs: map[string][]byte{}}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	r.url = server.URL
	return r
}

// publish takes a package's manifest and its tarball.
func (r *registry) publish(manifest, tarball string) {
	r.t.Helper()
	content, err := os.ReadFile(tarball)
	if err != nil {
		r.t.Fatal(err)
	}
	text, err := os.ReadFile(manifest)
	if err != nil {
		r.t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(text, &m); err != nil {
		r.t.Fatal(err)
	}
	file := path.Base(tarball)
	r.tarballs[file] = content
	sum := sha512.Sum512(content)
	m["dist"] = map[string]any{
		"tarball": r.url + "/-/" + file, "integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:]),
	}
	name, version := m["name"].(string), m["version"].(string)
	r.documents[name], err = json.Marshal(map[string]any{
		"name": name, "dist-tags": map[string]string{"latest": version}, "versions": map[string]any{version: m},
	})
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r *registry) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if file, ok := strings.CutPrefix(req.URL.Path, "/-/"); ok && r.tarballs[file] != nil {
		_, _ = w.Write(r.tarballs[file])
		return
	}
	name, err := url.PathUnescape(strings.TrimPrefix(req.URL.EscapedPath(), "/"))
	if document := r.documents[name]; err == nil && document != nil {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(document)
		return
	}
	http.NotFound(w, req)
}
