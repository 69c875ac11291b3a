package say

import (
	"context"
	"errors"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
)

// InTheWay says which change by whom is in the way of taking one back, where an
// undo was refused for it: "carol claimed #1 Set up from ada". It is empty where
// none is, and the error says why.
func InTheWay(ctx context.Context, b ask.Board, who ask.Asker, refused error) string {
	e, ok := errors.AsType[*pawl.Error](refused)
	if !ok || e.Revision == 0 {
		return ""
	}
	h, err := ask.Of(ctx, b, who, ask.HistoryQuery{At: e.Revision})
	if err != nil || e.Undoes != 0 && h.Sets[0].Undoes == e.Undoes {
		return ""
	}
	return TellOne(&h).Line(&h.Sets[0])
}

// TellOne is how the one set of a history is told to the person who asked for it,
// without what became ready then.
func TellOne(h *ask.History) Telling {
	h.Sets[0].Ready = nil // it is no longer news
	told := Telling{Names: h.Names, Most: SaidName, Words: true}
	if undid, ok := h.Undid[h.Sets[0].Revision]; ok {
		told.Undid = &undid
	}
	return told
}
