package web

import (
	"context"
	"errors"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
)

// mostPassed is how many changes by the caller are skipped because later changes
// of others depend on them.
const mostPassed = 20

// undo takes a change back; without a revision the caller's last one that can be.
func (v *visit) undo(ctx context.Context, board query.Board, asked *opsJSON, rev pawl.Revision) (*outcomeJSON, error) {
	op := pawl.Undo{Revision: rev}
	if rev == 0 {
		op.Everywhere, op.Pass = true, mostPassed
	}
	request, err := v.screened(ctx, board, pawl.Request{By: v.By, Op: op, ID: asked.OpID})
	if err != nil {
		return nil, err
	}
	o, err := carry(ctx, board, asked.Dry, request)
	if err != nil {
		return nil, v.inTheWay(ctx, board, err)
	}
	answer := v.outcome(asked, &o)
	if o.Result.Repeated {
		answer.Said = v.again(ctx, board, o.Result.Revision)
		return answer, nil
	}
	answer.Said = undid(&o)
	if passed := o.Result.Passed; len(passed) > 0 {
		if stays := v.stays(ctx, board, passed[0]); stays != "" {
			answer.Said += "; what you did after that stays: " + stays
		}
	}
	return answer, nil
}

// undid says what was undone.
func undid(o *query.Outcome) string {
	if o.Undid == nil {
		return "Undone" // it was undone even if the change cannot be named
	}
	deed := show.TellOne(o.Undid).Deed(&o.Undid.Set)
	if !o.Result.Changed {
		return "Nothing changed; this is undone already: " + deed
	}
	return "Undone: " + deed
}

// stays says why a change cannot be undone; nothing: it can be.
func (v *visit) stays(ctx context.Context, board query.Board, rev pawl.Revision) string {
	_, err := board.Try(ctx, 0, pawl.Request{By: v.By, Op: pawl.Undo{Revision: rev}})
	if err = pawl.ErrorAt(err, 0); err == nil {
		return ""
	}
	return v.inTheWay(ctx, board, err).Error()
}

// inTheWay says of an undo that was refused for a later change who did what
// since then.
func (v *visit) inTheWay(ctx context.Context, board query.Board, err error) error {
	e, ok := errors.AsType[*pawl.Error](err)
	if !ok {
		return err
	}
	if later := show.InTheWay(ctx, board, v.asking(nil), err); later != "" {
		told := *e
		told.Message = "since then " + later
		return &told
	}
	return err
}
