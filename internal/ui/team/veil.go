package team

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/replay"
	"github.com/pawl-dev/pawl/query"
)

// veiled is an error without where the boards lie on the server, which is not a
// client's business.
func (s *Server) veiled(err error) error {
	if err == nil || s.Boards == nil {
		return err
	}
	if batch, ok := errors.AsType[*pawl.BatchError](err); ok {
		errs := make([]error, len(batch.Errs))
		for i, one := range batch.Errs {
			errs[i] = s.veiled(one)
		}
		return &pawl.BatchError{Errs: errs}
	}
	e, ok := errors.AsType[*pawl.Error](err)
	if !ok {
		e = pawl.Errorf(pawl.Internal, "%s", err)
	}
	if of, private := errors.AsType[interface {
		error
		ForClients() string
	}](e); private { // a database may have named its users and hosts
		s.Log.Warn("the store of the boards failed", "err", e)
		plain := *e
		plain.Message, plain.Cause = of.ForClients(), nil
		if e.Hint.Step == pawl.HintSay {
			plain.Hint = pawl.Hint{}
		}
		return &plain
	}
	hidden := s.Boards.Hidden()
	said := fmt.Sprint(e.Message, e.Hint.Text, e.Faults)
	if !slices.ContainsFunc(hidden, func(what string) bool { return strings.Contains(said, what) }) {
		return err
	}
	veiled := *e
	hide := func(text string) string {
		for _, what := range hidden {
			text = strings.ReplaceAll(text, what, "…")
		}
		return text
	}
	veiled.Message, veiled.Hint.Text = hide(e.Message), hide(e.Hint.Text)
	veiled.Faults = append([]pawl.Fault(nil), e.Faults...)
	for i, f := range e.Faults {
		veiled.Faults[i] = pawl.Fault{Path: hide(f.Path), Problem: hide(f.Problem)}
	}
	return &veiled
}

// A veil is a board for the page and the tools, which tell its errors in words
// of their own.
type veil struct {
	query.Board
	server *Server
}

func (v veil) Do(ctx context.Context, request pawl.Request, want query.Want) (query.Outcome, error) {
	outcome, err := v.Board.Do(ctx, request, want)
	return outcome, v.server.veiled(err)
}

func (v veil) DoAll(ctx context.Context, want query.Want, requests ...pawl.Request) ([]query.Outcome, error) {
	outcomes, err := v.Board.DoAll(ctx, want, requests...)
	return outcomes, v.server.veiled(err)
}

func (v veil) Try(ctx context.Context, want query.Want, requests ...pawl.Request) ([]query.Outcome, error) {
	outcomes, err := v.Board.Try(ctx, want, requests...)
	return outcomes, v.server.veiled(err)
}

func (v veil) Ask(ctx context.Context, who query.Asker, q query.Question) (query.Answer, error) {
	answer, err := v.Board.Ask(ctx, who, q)
	return answer, v.server.veiled(err)
}

func (v veil) Watch(ctx context.Context, who query.Asker, from query.From) iter.Seq2[query.News, error] {
	return veiledAll(v.server, v.Board.Watch(ctx, who, from))
}

func (v veil) Export(ctx context.Context, who query.Asker, q pawl.Query) iter.Seq2[pawl.Task, error] {
	return veiledAll(v.server, v.Board.Export(ctx, who, q))
}

// Film returns the history, which the board tells.
func (v veil) Film(ctx context.Context, name string) (*replay.Film, error) {
	film, err := replay.Of(ctx, v.Board, name)
	return film, v.server.veiled(err)
}

func veiledAll[T any](s *Server, all iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for one, err := range all {
			if !yield(one, s.veiled(err)) {
				return
			}
		}
	}
}
