package web

import (
	"bytes"
	"embed"
	"net/http"
	"time"

	"github.com/pawl-dev/pawl"
)

// dist is the page as it was built from the folder page: see docs/api.md for
// what it asks, and page/README.md for how it is built.
//
//go:embed dist
var dist embed.FS

func (s *Server) page(w http.ResponseWriter, r *http.Request) (any, error) {
	return s.file(w, r, "index.html")
}

func (s *Server) asset(w http.ResponseWriter, r *http.Request) (any, error) {
	return s.file(w, r, "assets/"+r.PathValue("file"))
}

func (s *Server) file(w http.ResponseWriter, r *http.Request, name string) (any, error) {
	text, err := dist.ReadFile("dist/" + name)
	if err != nil {
		return nil, pawl.Errorf(pawl.NotFound, "there is no file %q", name)
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(text))
	return nil, nil
}
