package checks

import (
	"context"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
)

// A raced board has something happen after each try of an agent's request, before its commit.
type raced struct {
	query.Board
	after func()
}

func (b raced) Try(ctx context.Context, want query.Want, requests ...pawl.Request) ([]query.Outcome, error) {
	came, err := b.Board.Try(ctx, want, requests...)
	b.after()
	return came, err
}

// What a person asks for between the screening of an agent's request and its commit stays.
func TestScreenedBeforeAnother(t *testing.T) {
	ann := pawl.Actor{Name: "ann"}
	holds := func(id pawl.ID) pawl.Op { return pawl.PutHold{IDs: []pawl.ID{id}, Reason: "ANN"} }
	asks := func(id pawl.ID) pawl.Op { return pawl.Update{ID: id, AddChecks: []pawl.Check{unit}} }
	held := func(s *stage, id pawl.ID) { s.do(pawl.PutHold{IDs: []pawl.ID{id}, Reason: "own"}) }
	for name, test := range map[string]struct {
		given   func(s *stage, id pawl.ID)
		person  func(id pawl.ID) pawl.Op
		agent   func(id pawl.ID) pawl.Op
		refused string
	}{
		"hold":         {nil, holds, func(id pawl.ID) pawl.Op { return pawl.PutHold{IDs: []pawl.ID{id}, Reason: "own"} }, "put on hold by ann"},
		"own hold":     {held, holds, func(id pawl.ID) pawl.Op { return pawl.PutHold{IDs: []pawl.ID{id}, Reason: "more"} }, "put on hold by ann"},
		"lift":         {held, holds, func(id pawl.ID) pawl.Op { return pawl.LiftHold{IDs: []pawl.ID{id}} }, "put on hold by ann"},
		"lift of none": {nil, holds, func(id pawl.ID) pawl.Op { return pawl.LiftHold{IDs: []pawl.ID{id}} }, "put on hold by ann"},
		"rm":           {nil, asks, func(id pawl.ID) pawl.Op { return pawl.Delete{IDs: []pawl.ID{id}} }, "needs unit"},
		"rm held":      {nil, holds, func(id pawl.ID) pawl.Op { return pawl.Delete{IDs: []pawl.ID{id}} }, "put on hold by ann"},
		"remove check": {nil, asks, func(id pawl.ID) pawl.Op { return pawl.Update{ID: id, RemoveChecks: []string{"unit"}} }, "may take the check unit"},
		"several": {nil, asks, func(id pawl.ID) pawl.Op {
			return pawl.All{Ops: []pawl.Op{pawl.Update{ID: id, RemoveChecks: []string{"unit"}}, pawl.Complete{IDs: []pawl.ID{id}}, pawl.Update{ID: id, AddChecks: []pawl.Check{unit}}}}
		}, "may take the check unit"},
		"undo": {held, holds, func(pawl.ID) pawl.Op { return pawl.Undo{} }, "has changed since"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			id := s.make()
			if test.given != nil {
				test.given(s, id)
			}
			board, once := s.board, false
			s.board = raced{board, func() {
				if !once {
					once = true
					must.Get(board.Do(t.Context(), pawl.Request{By: ann, Op: test.person(id)}, 0))(t)
				}
			}}
			before := func() *pawl.Task { s.board = board; return s.task(id) }
			err := s.sends(false, test.agent(id))
			if err == nil || !strings.Contains(err.Error(), test.refused) {
				t.Errorf("not refused: %v", err)
			}
			if now := before(); len(now.Checks) == 0 && (now.Hold == nil || now.Hold.Reason != "ANN") {
				t.Errorf("ann's word is lost: %+v", now)
			}
		})
	}
}

// A request that another change of its task keeps overtaking is refused in the end, and one
// that others' claims, leases and tasks overtake is not.
func TestScreenedAgain(t *testing.T) {
	s := newStage(t)
	id, other := s.make(), s.make()
	board, n := s.board, 0
	renewing := func() { s.do(pawl.Renew{IDs: []pawl.ID{id, other}}) }
	noting := func() { s.do(pawl.AddNote{ID: other, Text: "seen"}) }
	labels := func() {
		n++
		s.do(pawl.Update{ID: id, AddLabels: []string{"l" + strings.Repeat("x", n)}})
	}
	race := func(after func()) error {
		s.board = raced{board, func() { was := s.board; s.board = board; after(); s.board = was }}
		defer func() { s.board = board }()
		return s.sends(false, pawl.PutHold{IDs: []pawl.ID{id}, Reason: "own"})
	}
	err := race(labels)
	if pawl.KindOf(err) != pawl.Conflict || err.(*pawl.Error).Hint.Step != pawl.HintRetry || n < 2 || s.task(id).Hold != nil {
		t.Errorf("after %d tries: %v", n, err)
	}
	for _, after := range []func(){renewing, noting} {
		must.Do(t, race(after))
		s.do(pawl.LiftHold{IDs: []pawl.ID{id}})
	}
}
