package web

import (
	"net/http"

	"github.com/pawl-dev/pawl/internal/view"
)

// aboutJSON is what this server shows.
type aboutJSON struct {
	view.Envelope
	Project string `json:"project"` // its name
	Dir     string `json:"dir"`     // the board's folder
	Me      string `json:"me"`      // as whom the API acts: what is assigned to this name is ready here
	Version string `json:"version"` // of pawl
	Board   bool   `json:"board"`   // there is a board; else the first task makes one
}

func (s *Server) about(_ http.ResponseWriter, r *http.Request) (any, error) {
	board, _, err := s.Open(r.Context(), false)
	if err != nil {
		return nil, err
	}
	return aboutJSON{view.NewEnvelope("about"), s.Name, s.Dir, s.By.Name, s.Version, board != nil}, nil
}
