package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
)

// dist is the page as it was built from the folder page: see docs/api.md for
// what it asks, and page/README.md for how it is built.
//
//go:embed dist
var dist embed.FS

// kindsOfFiles are what the page can be made of. The system's own table is not
// asked: on Windows any program may have said there that a script is text.
var kindsOfFiles = map[string]string{
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".svg":  "image/svg+xml",
}

// A file of the page, as it is and as most browsers take it.
type file struct {
	text, zipped []byte
	tag          string
}

var files sync.Map // of func() (*file, error), by name

func (v *visit) page(w http.ResponseWriter, r *http.Request) (any, error) {
	return v.file(w, r, "index.html")
}

func (v *visit) asset(w http.ResponseWriter, r *http.Request) (any, error) {
	return v.file(w, r, "assets/"+r.PathValue("file"))
}

func (v *visit) file(w http.ResponseWriter, r *http.Request, name string) (any, error) {
	kind := kindsOfFiles[path.Ext(name)]
	f, err := load(name)
	if err != nil || kind == "" {
		return nil, pawl.Errorf(pawl.NotFound, "the file %q does not exist", name)
	}
	h := w.Header()
	h.Set("Cache-Control", "no-cache") // kept, and asked for again: another version has other files of the same names
	h.Set("Content-Type", kind)
	h.Set("Vary", "Accept-Encoding")
	text, tag := f.text, f.tag
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		text, tag = f.zipped, tag+"-gzip"
	}
	h.Set("ETag", `"`+tag+`"`)
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(text))
	return nil, nil
}

// load prepares a file once.
func load(name string) (*file, error) {
	text, err := dist.ReadFile("dist/" + name)
	if err != nil {
		return nil, err // and nothing is remembered of names that anybody makes up
	}
	once, _ := files.LoadOrStore(name, sync.OnceValues(func() (*file, error) {
		var zipped bytes.Buffer
		z := gzip.NewWriter(&zipped)
		if _, err := z.Write(text); err != nil {
			return nil, err
		}
		if err := z.Close(); err != nil {
			return nil, err
		}
		sum := sha256.Sum256(text)
		return &file{text, zipped.Bytes(), hex.EncodeToString(sum[:8])}, nil
	}))
	return once.(func() (*file, error))()
}
