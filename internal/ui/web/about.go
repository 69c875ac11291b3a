package web

import (
	"net/http"

	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/wire"
)

// aboutJSON is what this server shows.
type aboutJSON struct {
	wire.Envelope
	Project string      `json:"project"`           // its name
	Dir     string      `json:"dir"`               // the board's folder
	Address string      `json:"address,omitempty"` // of a board that a server keeps: https://HOST/boards/NAME; absent: it is in dir
	Me      string      `json:"me"`                // the name in which the API acts: tasks assigned to it are ready here
	Version string      `json:"version"`           // Pawl's version
	Board   bool        `json:"board"`             // whether the project has a board; if not, the first task makes one
	Role    access.Role `json:"role"`              // what the caller may do: read; work: also change tasks; admin: also make boards
	Person  bool        `json:"person"`            // whether the caller may use force, which needs a person's token
}

func (v *visit) about(_ http.ResponseWriter, r *http.Request) (any, error) {
	board, _, err := v.Open(r.Context(), false)
	if err != nil {
		return nil, err
	}
	return aboutJSON{wire.NewEnvelope("about"), v.Name, v.Dir, v.Address, v.By.Name, v.Version, board != nil, v.Role, v.Person}, nil
}
