package web

import (
	"net/http"

	"github.com/pawl-dev/pawl/internal/replay"
)

// replay answers with the whole film, so that whoever goes through it need not
// ask at each step.
func (s *Server) replay(_ http.ResponseWriter, r *http.Request) (any, error) {
	board, err := s.board(r.Context())
	if err != nil {
		return nil, err
	}
	return replay.Load(r.Context(), board, s.By.Name, replay.MaxSteps)
}
