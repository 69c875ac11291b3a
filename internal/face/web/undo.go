package web

import (
	"context"
	"errors"
	"fmt"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/say"
	"github.com/pawl-dev/pawl/internal/wire"
)

// mostPassed is how many changes by the caller are passed over, of which others
// have made something since.
const mostPassed = 20

// undo takes a change back; without a revision the caller's last one that can be.
func (s *Server) undo(ctx context.Context, board *pawl.Board, asked *opsJSON, rev pawl.Revision) (*outcomeJSON, error) {
	if rev != 0 {
		set, err := ask.ChangeAt(ctx, board, rev)
		if err != nil {
			return nil, err
		}
		return s.takeBack(ctx, board, asked, &set)
	}
	var passed []pawl.Revision
	stays := ""
	for {
		set, err := board.Undoable(ctx, pawl.Actor{Name: s.By.Name}, nil, passed...)
		if err != nil {
			return nil, err
		}
		answer, err := s.takeBack(ctx, board, asked, &set)
		if pawl.KindOf(err) != pawl.Conflict || err == nil || len(passed) == mostPassed {
			if err == nil && stays != "" {
				answer.Said += "; what you did after that stays: " + stays
			}
			return answer, err
		}
		if passed = append(passed, set.Revision); stays == "" {
			stays = err.Error()
		}
	}
}

// takeBack undoes a change, and says what was undone or what is in the way.
func (s *Server) takeBack(ctx context.Context, board *pawl.Board, asked *opsJSON, set *pawl.ChangeSet) (*outcomeJSON, error) {
	undid := ask.LoadUndid(ctx, board, set, map[pawl.Revision]pawl.ChangeSet{})
	var answer *outcomeJSON
	var names ask.Subjects
	var failed error
	request := pawl.Request{By: s.By, Op: pawl.Undo{Revision: set.Revision}, ID: asked.OpID}
	result, err := s.carry(ctx, board, asked.Dry, request, func(r pawl.Reader, result *pawl.Result) {
		if names, failed = ask.LoadSubjects(r, *set); failed == nil {
			answer, failed = s.outcome(r, result)
		}
	})
	if err != nil {
		return nil, s.inTheWay(ctx, board, set, err)
	}
	then := *set
	then.Ready = nil // what became ready then is not the news
	deed := say.Telling{Names: names, Most: say.SaidName, Words: true, Undid: undid}.Deed(&then)
	switch {
	case failed != nil: // it is done all the same
		answer = &outcomeJSON{Said: "Undone", Ready: []ask.Brief{}, Tasks: []wire.Task{}}
	case result.Repeated:
		answer.Said = s.again(ctx, board, result.Revision)
	case !result.Changed:
		answer.Said = "Nothing changed; this is undone already: " + deed
	default:
		answer.Said = "Undone: " + deed
	}
	answer.take(asked, result)
	return answer, nil
}

// inTheWay says of an undo that was refused for a later change who did what
// since then.
func (s *Server) inTheWay(ctx context.Context, board *pawl.Board, set *pawl.ChangeSet, err error) error {
	e, ok := errors.AsType[*pawl.Error](err)
	if !ok {
		return err
	}
	if later := say.Barred(ctx, board, set, err); later != "" {
		told := *e
		told.Message = fmt.Sprintf("since then %s", later)
		return &told
	}
	return err
}
