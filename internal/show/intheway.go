package show

import (
	"context"
	"errors"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// InTheWay says which change by whom is in the way of taking one back, where an
// undo was refused for it: "carol claimed #1 Set up from ada". It is empty where
// none is, and the error says why.
func InTheWay(ctx context.Context, b query.Board, who query.Asker, refused error) string {
	e, ok := errors.AsType[*pawl.Error](refused)
	if !ok || e.Revision == 0 {
		return ""
	}
	h, err := query.Of(ctx, b, who, query.HistoryQuery{At: e.Revision})
	if err != nil || e.Undoes != 0 && h.Sets[0].Undoes == e.Undoes {
		return ""
	}
	told := h.Told(0)
	return TellOne(told).Line(&told.Set)
}

// TellOne is how one set is told to the person who asked for it, without the
// tasks that became ready.
func TellOne(t *query.Told) Telling {
	t.Set.Ready = nil // it is no longer news
	return Telling{Names: t.Names, Most: SaidName, Words: true, Undid: t.Undid}
}
