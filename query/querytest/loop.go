// Package querytest has a board for tests that encodes everything as JSON and
// decodes it, so that values that JSON loses show without a server.
package querytest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// Loop returns b behind a wire: each question, answer, request, outcome, error
// and news is encoded and read again, both ways.
func Loop(b query.Board) query.Board { return loop{b} }

type loop struct{ far query.Board }

func (l loop) Close() error { return l.far.Close() }

func (l loop) Do(ctx context.Context, request pawl.Request, want query.Want) (query.Outcome, error) {
	outcomes, err := l.DoAll(ctx, want, request)
	if len(outcomes) == 0 {
		return query.Outcome{}, err
	}
	return outcomes[0], pawl.ErrorAt(err, 0)
}

func (l loop) DoAll(ctx context.Context, want query.Want, requests ...pawl.Request) ([]query.Outcome, error) {
	return l.send(ctx, l.far.DoAll, want, requests)
}

func (l loop) Try(ctx context.Context, want query.Want, requests ...pawl.Request) ([]query.Outcome, error) {
	return l.send(ctx, l.far.Try, want, requests)
}

type carry func(context.Context, query.Want, ...pawl.Request) ([]query.Outcome, error)

// send carries requests over. A sender who knows more sessions as its own is
// asked for those that were in the way, and what was refused for them is sent
// again.
func (l loop) send(ctx context.Context, carry carry, want query.Want, requests []pawl.Request) ([]query.Outcome, error) {
	there := make([]pawl.Request, len(requests))
	for i := range requests {
		text, err := json.Marshal(requests[i])
		if err == nil {
			there[i], err = pawl.ParseRequest(text)
		}
		if err != nil {
			return make([]query.Outcome, len(requests)), err
		}
	}
	outcomes, failed := carry(ctx, want, there...)
	back := make([]query.Outcome, len(outcomes))
	if err := over(outcomes, &back); err != nil {
		return back, err
	}
	failed = overErrors(failed, len(requests))
	for i := range requests {
		next, again := requests[i].Related(pawl.ErrorAt(failed, i))
		if !again {
			continue
		}
		one, err := l.send(ctx, carry, want, []pawl.Request{next})
		errs := make([]error, len(requests))
		for n := range errs {
			errs[n] = pawl.ErrorAt(failed, n)
		}
		back[i], errs[i] = one[0], pawl.ErrorAt(err, 0)
		failed = batch(errs)
	}
	return back, failed
}

func (l loop) Ask(ctx context.Context, who query.Asker, q query.Question) (query.Answer, error) {
	var by query.Asker
	if err := over(who, &by); err != nil {
		return nil, err
	}
	text, err := query.EncodeQuestion(q)
	if err != nil {
		return nil, err
	}
	there, err := query.DecodeQuestion(text)
	if err != nil {
		return nil, err
	}
	answer, err := l.far.Ask(ctx, by, there)
	if err != nil {
		return nil, overError(err)
	}
	if text, err = query.EncodeAnswer(answer); err != nil {
		return nil, err
	}
	back, err := query.DecodeAnswer(text)
	if err != nil {
		return nil, err
	}
	if again, err := query.EncodeAnswer(back); err != nil || !bytes.Equal(again, text) {
		return nil, fmt.Errorf("%T does not travel: %s became %s, %v", answer, text, again, err)
	}
	return back, nil
}

func (l loop) Watch(ctx context.Context, who query.Asker, from query.From) iter.Seq2[query.News, error] {
	return func(yield func(query.News, error) bool) {
		var by query.Asker
		var there query.From
		if err := errors.Join(over(who, &by), over(from, &there)); err != nil {
			yield(query.News{}, err)
			return
		}
		for news, err := range l.far.Watch(ctx, by, there) {
			var back query.News
			if broken := over(news, &back); broken != nil {
				yield(back, broken)
				return
			}
			if !yield(back, overError(err)) {
				return
			}
		}
	}
}

func (l loop) Export(ctx context.Context, who query.Asker, q pawl.Query) iter.Seq2[pawl.Task, error] {
	return func(yield func(pawl.Task, error) bool) {
		var by query.Asker
		var there pawl.Query
		if err := errors.Join(over(who, &by), over(q, &there)); err != nil {
			yield(pawl.Task{}, err)
			return
		}
		for task, err := range l.far.Export(ctx, by, there) {
			var back pawl.Task
			if broken := over(task, &back); broken != nil {
				yield(back, broken)
				return
			}
			if !yield(back, overError(err)) {
				return
			}
		}
	}
}

// over sends v as JSON, read strictly into the other one.
func over(v, into any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("%T does not travel: %w", v, err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%T does not travel: %w", v, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("%T does not travel: something follows it", v)
	}
	return nil
}

// overError sends an error: of Pawl's own all but its cause arrives, of any other
// one its sentence.
func overError(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	e, own := errors.AsType[*pawl.Error](err)
	if !own {
		return errors.New(err.Error())
	}
	var back pawl.Error
	if broken := over(e, &back); broken != nil {
		return broken
	}
	return &back
}

func overErrors(err error, n int) error {
	if err == nil {
		return nil
	}
	errs := make([]error, n)
	for i := range errs {
		errs[i] = overError(pawl.ErrorAt(err, i))
	}
	return batch(errs)
}

func batch(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return &pawl.BatchError{Errs: errs}
		}
	}
	return nil
}
