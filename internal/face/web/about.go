package web

import (
	"net/http"

	"github.com/pawl-dev/pawl/internal/wire"
)

// aboutJSON is what this server shows.
type aboutJSON struct {
	wire.Envelope
	Project string `json:"project"` // its name
	Dir     string `json:"dir"`     // the board's folder
	Me      string `json:"me"`      // the name in which the API acts: tasks assigned to it are ready here
	Version string `json:"version"` // Pawl's version
	Board   bool   `json:"board"`   // whether the project has a board; if not, the first task makes one
}

func (s *Server) about(_ http.ResponseWriter, r *http.Request) (any, error) {
	board, _, err := s.Open(r.Context(), false)
	if err != nil {
		return nil, err
	}
	return aboutJSON{wire.NewEnvelope("about"), s.Name, s.Dir, s.By.Name, s.Version, board != nil}, nil
}
