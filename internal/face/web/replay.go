package web

import "net/http"

// replay answers with the whole film, so that the page need not ask at each step.
func (s *Server) replay(_ http.ResponseWriter, r *http.Request) (any, error) {
	if _, err := s.board(r.Context()); err != nil {
		return nil, err
	}
	return s.Film(r.Context())
}
