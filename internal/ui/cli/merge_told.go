package cli

import (
	"context"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
)

// openedBoard is a board that a command works on. It says on stderr what was merged
// before a change, whatever came of the change, and what other clones have claimed.
type openedBoard struct {
	query.Board
	a *app
}

// tellingMerges is a board that was opened, and that tells of merges.
func (a *app) tellingMerges(board query.Board, err error) (query.Board, error) {
	if err != nil {
		return nil, err
	}
	return openedBoard{board, a}, nil
}

func (b openedBoard) Do(ctx context.Context, request pawl.Request, want query.Want) (query.Outcome, error) {
	o, err := b.Board.Do(ctx, request, want)
	b.a.mergedBefore(o.Merged)
	b.a.after(&o)
	return o, err
}

func (b openedBoard) DoAll(ctx context.Context, want query.Want, requests ...pawl.Request) ([]query.Outcome, error) {
	all, err := b.Board.DoAll(ctx, want, requests...)
	if len(all) > 0 {
		b.a.mergedBefore(all[0].Merged)
	}
	for i := range all {
		b.a.after(&all[i])
	}
	return all, err
}

// after says which edges were cut for a change, and what other clones have claimed.
func (a *app) after(o *query.Outcome) {
	for _, cut := range show.Cuts(&o.Result) {
		a.once("%s; it came from git or another program", cut)
	}
	a.sharedAfter(o)
}

// Ask asks, and says once how old the answers are if the server of a board at an
// address does not answer.
func (b openedBoard) Ask(ctx context.Context, who query.Asker, q query.Question) (query.Answer, error) {
	answer, err := b.Board.Ask(ctx, who, q)
	if old, ok := answer.(interface{ Aged() time.Time }); ok && err == nil && !old.Aged().IsZero() {
		b.a.tellAged(b, old.Aged())
	}
	if at, ok := b.Board.(interface{ Lost() error }); ok && err == nil && !b.a.brief {
		if lost := at.Lost(); lost != nil {
			b.a.once("%s", plainError(lost))
		}
	}
	return answer, err
}

// mergedBefore says what was merged before a change, and what git waits for:
//
//	pawl: merged: 2 arrived, #12 is now #15 (bob's is older)
//	pawl: hint: git add .tasks && git commit -m "Merge tasks" .tasks
func (a *app) mergedBefore(o *merge.Outcome) {
	if o.Nothing() {
		return
	}
	if o.Remark != "" {
		a.once("%s", o.Remark)
	}
	switch git := gitLine(o); {
	case !o.Report.Empty():
		a.once("merged: %s", show.Merged(&o.Report, a.name()))
	case git != "":
		a.once("merged: %s", git)
	default:
		return
	}
	if next := a.nextInGit(o); next != "" {
		a.once("hint: %s", next)
	}
}
