package web

import (
	"errors"
	"net/http"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

// mostNodes is how many tasks a graph may have: more than that no page draws
// while somebody looks at it.
const mostNodes = 5_000

func (v *visit) graph(_ http.ResponseWriter, r *http.Request) (any, error) {
	a := askedOf(r)
	board, err := v.board(r.Context())
	if err != nil {
		return nil, err
	}
	g, err := query.Of(r.Context(), board, v.asking(a), query.GraphQuery{
		Tasks: a.tasks(v.By.Name), All: a.flag("all"), Alone: a.flag("alone"), Also: append(a.ids("also"), a.ids("asDone")...),
		Around: a.id("around"), Depth: int(a.number("depth", 0)), Most: mostNodes, Waits: true,
	})
	if e, ok := errors.AsType[*pawl.Error](err); ok && e.Kind == pawl.Invalid && e.Hint.Step == pawl.HintSay { // too many
		e.Say("filter the tasks, or look around one of them")
	}
	if err != nil {
		return nil, err
	}
	answer := wire.GraphOf(v.By.Name, &g)
	answer.Envelope = wire.NewEnvelope("graph")
	return answer, nil
}
