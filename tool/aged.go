package tool

import (
	"context"
	"time"

	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// agedKey is where a board puts how old its oldest answer in a call is.
type agedKey struct{}

// dated is a board that notes answers that were given earlier, because the server of
// the board does not answer.
type dated struct{ query.Board }

func (b dated) Ask(ctx context.Context, who query.Asker, q query.Question) (query.Answer, error) {
	answer, err := b.Board.Ask(ctx, who, q)
	old, marked := answer.(interface{ Aged() time.Time })
	oldest, noting := ctx.Value(agedKey{}).(*time.Time)
	if err == nil && marked && noting && !old.Aged().IsZero() && (oldest.IsZero() || old.Aged().Before(*oldest)) {
		*oldest = old.Aged()
	}
	return answer, err
}

// dating is a source of boards that note how old their answers are.
func dating(board func(context.Context, Caller, bool) (query.Board, string, error)) func(context.Context, Caller, bool) (query.Board, string, error) {
	if board == nil {
		return nil
	}
	return func(ctx context.Context, by Caller, write bool) (query.Board, string, error) {
		b, note, err := board(ctx, by, write)
		if b != nil {
			b = dated{b}
		}
		return b, note, err
	}
}

// agedNote tells a model how old an answer is.
func agedNote(given, now time.Time) []string {
	if given.IsZero() {
		return nil
	}
	return []string{"This was so " + text.Ago(now, given) + ": the board's server does not answer now, so tasks may have changed since, and changes fail until it does."}
}
