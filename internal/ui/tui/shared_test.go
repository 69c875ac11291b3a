package tui

import (
	"context"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/query"
)

// sharedBoard is one on which bob works in another clone, and status is how it is shared.
type sharedBoard struct {
	query.Board
	status *share.Status
}

func (b sharedBoard) Ask(ctx context.Context, who query.Asker, q query.Question) (query.Answer, error) {
	answer, err := b.Board.Ask(ctx, who, q)
	elsewhere := func(t *pawl.Task) {
		if t.Claim.Live() && t.Owner == "bob" {
			t.Claim.Clone = "mac-mini-3f2a9c1d"
		}
	}
	status := *b.status
	switch a := answer.(type) {
	case *query.Lanes:
		a.Shared = &status
		for i := range a.Cards[query.Doing] {
			elsewhere(&a.Cards[query.Doing][i].Task)
		}
	case *query.Details:
		a.Shared = &status
		for i := range a.Tasks {
			if a.Tasks[i].Detail != nil {
				elsewhere(&a.Tasks[i].Detail.Task)
			}
		}
	}
	return answer, err
}

func TestSharedBoard(t *testing.T) {
	status := &share.Status{Remote: "origin", Clone: "laptop-00000001", Here: []pawl.ID{2}, Clones: []string{"mac-mini-3f2a9c1d"}}
	reach := func(_ testing.TB, b *pawl.Board) query.Board { return sharedBoard{query.Local(b), status} }
	flyOn(t, reach, func(p *pilot) {
		p.do(bob, pawl.ClaimTask{ID: 6, Lease: pawl.Duration(15 * time.Minute)})
		status.Synced = time.Now()
		p.sleep(2 * time.Minute)
		p.sees("synced 2 min ago", "bob on mac-mini", "ada, claimed here")
		p.goldens("lanes/shared")
		status.Failed, status.Since = "origin cannot be reached (Connection refused)", time.Now()
		p.size(120, 40)
		p.sleep(2 * tickEvery)
		p.sees("last synced 2 min ago: origin cannot be reached (Connection refused)", "(pawl sync)")
		p.goldens("lanes/unreached")
		status.Failed, status.Stopped = "", share.StopRewound
		p.size(120, 40)
		p.sleep(2 * tickEvery)
		p.sees("stopped: origin lacks changes", "(pawl sync --resume)")
		p.fits()
		p.press("enter")
	}, parserBoard()...)
}
