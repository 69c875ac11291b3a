package web

import (
	"net/http"

	"github.com/pawl-dev/pawl/internal/replay"
)

// replay answers with the whole film, so that the page need not ask at each step.
func (v *visit) replay(_ http.ResponseWriter, r *http.Request) (any, error) {
	board, err := v.board(r.Context())
	if err != nil {
		return nil, err
	}
	return replay.Of(r.Context(), board, v.By.Name)
}
