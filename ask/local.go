package ask

import (
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/pawl-dev/pawl"
)

// Local is a board of this process. Nothing is encoded.
func Local(b *pawl.Board) Board { return local{b} }

type local struct{ board *pawl.Board }

func (l local) Close() error { return l.board.Close() }

func (l local) Do(ctx context.Context, request pawl.Request, want Want) (Outcome, error) {
	outcomes, err := l.DoAll(ctx, want, request)
	return outcomes[0], pawl.ErrorAt(err, 0)
}

func (l local) DoAll(ctx context.Context, want Want, requests ...pawl.Request) ([]Outcome, error) {
	var told []Outcome
	var broke error
	results, err := l.board.DoThen(ctx, requests, func(r pawl.Reader, results []pawl.Result, _ error) {
		if told, broke = outcomes(r, want, requests, results); broke != nil {
			told = nil // half of it would mislead
		}
	})
	return settled(requests, told, results, errors.Join(err, broke), err)
}

func (l local) Try(ctx context.Context, want Want, requests ...pawl.Request) ([]Outcome, error) {
	var told []Outcome
	var tried []pawl.Result
	var refused error
	err := l.board.Preview(ctx, requests, func(r pawl.Reader, results []pawl.Result, failed error) (err error) {
		tried, refused = results, failed
		told, err = outcomes(r, want, requests, results)
		return err
	})
	if err != nil && refused == nil { // nothing is done that would have to be told
		return make([]Outcome, len(requests)), err
	}
	return settled(requests, told, tried, err, refused)
}

// settled puts the results that count into what was told of them. Where nothing
// could be told (broke) but everything was carried out, only that is missing.
func settled(requests []pawl.Request, told []Outcome, results []pawl.Result, broke, failed error) ([]Outcome, error) {
	if len(told) != len(requests) {
		told = make([]Outcome, len(requests))
	}
	if len(results) != len(requests) {
		results = make([]pawl.Result, len(requests))
		if failed == nil {
			failed = broke
		}
	}
	for i := range told {
		if pawl.ErrorAt(failed, i) != nil {
			told[i] = Outcome{}
		}
		told[i].Result = results[i]
	}
	return told, failed
}

// outcomes tells what is wanted of results that are not written yet.
func outcomes(r pawl.Reader, want Want, requests []pawl.Request, results []pawl.Result) ([]Outcome, error) {
	all := make([]Outcome, len(results))
	if want == 0 {
		return all, nil
	}
	for i := range results {
		o := &all[i]
		o.Head = Head{Revision: r.Revision(), Now: r.Now()}
		if want&WantNames != 0 {
			if err := o.name(r, requests[i].By.Name, &results[i]); err != nil {
				return all, err
			}
		}
		if want&WantDetail != 0 && len(results[i].Tasks) > 0 {
			detail, err := LoadDetail(r, results[i].Tasks[0].ID)
			if err != nil {
				return all, err
			}
			o.Detail = detail
		}
		if want&WantEdges != 0 {
			waiting, err := waitingFor(r, results[i].Tasks)
			if err != nil {
				return all, err
			}
			o.Waiting = waiting
		}
		if want&WantTasks != 0 {
			if err := o.tasks(r, &results[i]); err != nil {
				return all, err
			}
		}
		if want&WantOpen != 0 {
			page, err := r.Select(pawl.Query{Status: []pawl.Status{pawl.Pending, pawl.InProgress}, Limit: 1, Brief: true})
			if err != nil {
				return all, err
			}
			o.Open = page.Total
		}
	}
	return all, nil
}

// tasks tells of the tasks around those that a result is about.
func (o *Outcome) tasks(r pawl.Reader, result *pawl.Result) (err error) {
	if o.Ready, _, err = Present(r, result.Ready); err != nil {
		return err
	}
	if o.Holding, _, err = Present(r, result.Holding); err != nil {
		return err
	}
	var waits []pawl.ID
	for i := range result.Changes {
		c := &result.Changes[i]
		if c.Before != nil && c.After != nil && c.Before.Free() && c.After.Status == pawl.Pending && !c.After.Free() && !slices.Contains(result.IDs, c.ID) {
			waits = append(waits, c.ID)
		}
	}
	o.Waits, _, err = Present(r, waits)
	return err
}

// name tells what the tasks are called that a result is about, and those that
// these wait for.
func (o *Outcome) name(r pawl.Reader, by string, result *pawl.Result) error {
	o.Names = map[pawl.ID]Near{}
	var ids []pawl.ID
	learn := func(t *pawl.Task) { o.Names[t.ID] = Near{t.Subject, StateOf(t, by), t.Owner} }
	for i := range result.Tasks {
		learn(&result.Tasks[i])
		ids = append(ids, result.Tasks[i].BlockedBy...)
	}
	for i := range result.Changes {
		ids = append(ids, result.Changes[i].ID)
	}
	ids = append(append(append(ids, result.IDs...), result.Ready...), result.Holding...)
	tasks, _, err := Present(r, unknown(ids, o.Names))
	for i := range tasks {
		learn(&tasks[i])
	}
	return err
}

// unknown are those of the ids that are not known, each once.
func unknown[V any](ids []pawl.ID, known map[pawl.ID]V) []pawl.ID {
	var rest []pawl.ID
	seen := map[pawl.ID]bool{}
	for _, id := range ids {
		if _, ok := known[id]; !ok && !seen[id] {
			seen[id], rest = true, append(rest, id)
		}
	}
	return rest
}

func (l local) Ask(ctx context.Context, who Asker, q Question) (answer Answer, err error) {
	if g, quick := q.(GlanceQuery); quick && len(who.AsDone) == 0 {
		return g.glance(ctx, l.board)
	}
	read := func(r pawl.Reader) error {
		answer, err = q.read(r, who)
		return err
	}
	if len(who.AsDone) > 0 {
		err = l.asDone(ctx, who, func(r pawl.Reader, done []pawl.ID) error {
			err := read(r)
			if a, ok := answer.(interface{ suppose([]pawl.ID) }); ok && err == nil {
				a.suppose(done)
			}
			return err
		})
	} else {
		err = l.board.View(ctx, read)
	}
	if err != nil {
		return nil, err
	}
	if past, ok := q.(interface {
		fill(context.Context, *pawl.Board, Answer) error
	}); ok { // history is read beside the view: only what the view had counts
		if err := past.fill(ctx, l.board, answer); err != nil {
			return nil, err
		}
	}
	return answer, nil
}

// asDone runs fn on the board as it would be if its owners, or the asker where a
// task has none, had completed some tasks. done are those that it did not find
// completed.
func (l local) asDone(ctx context.Context, who Asker, fn func(r pawl.Reader, done []pawl.ID) error) error {
	requests := make([]pawl.Request, len(who.AsDone))
	err := l.board.View(ctx, func(r pawl.Reader) error {
		nodes, err := r.Nodes(who.AsDone...)
		for i := range nodes {
			by := pawl.Actor{Name: who.By.Name} // without a session, whose claims this would renew
			if nodes[i].Status == pawl.InProgress && nodes[i].Owner != "" {
				by.Name = nodes[i].Owner
			}
			requests[i] = pawl.Request{By: by, Op: pawl.Complete{IDs: who.AsDone[i : i+1]}}
		}
		return err
	})
	if err != nil {
		return err
	}
	return l.board.Preview(ctx, requests, func(r pawl.Reader, results []pawl.Result, refused error) error {
		var done []pawl.ID
		for i := range requests {
			if err := pawl.ErrorAt(refused, i); err != nil {
				return err
			}
			if results[i].Changed {
				done = append(done, who.AsDone[i])
			}
		}
		return fn(r, done)
	})
}

func (l local) Watch(ctx context.Context, _ Asker, from From) iter.Seq2[News, error] {
	return func(yield func(News, error) bool) {
		var revision pawl.Revision
		err := l.board.View(ctx, func(r pawl.Reader) error {
			revision = r.Revision()
			return nil
		})
		if !yield(News{Revision: revision}, err) || err != nil {
			return
		}
		if from.Now {
			from.After = revision
		}
		for set, err := range l.board.Watch(ctx, from.After) {
			e, _ := errors.AsType[*pawl.Error](err)
			switch {
			case err == nil:
				if !yield(News{Revision: set.Revision, Set: &set}, nil) {
					return
				}
			case errors.Is(err, pawl.Gone) && e != nil:
				if !yield(News{Revision: e.Revision, Gone: true}, nil) {
					return
				}
			default:
				yield(News{}, err)
				return
			}
		}
	}
}

func (l local) Export(ctx context.Context, _ Asker, q pawl.Query) iter.Seq2[pawl.Task, error] {
	return func(yield func(pawl.Task, error) bool) {
		enough := errors.New("enough")
		err := l.board.View(ctx, func(r pawl.Reader) error {
			for {
				page, err := r.Select(q)
				if err != nil {
					return err
				}
				for _, t := range page.Tasks {
					if !yield(t, nil) {
						return enough
					}
				}
				if q.After = page.Next; q.After == nil {
					return nil
				}
			}
		})
		if err != nil && !errors.Is(err, enough) {
			yield(pawl.Task{}, err)
		}
	}
}
