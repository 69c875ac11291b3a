package remote

import (
	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// The limits of an error from a server: nobody reads beyond them.
const (
	mostSaid   = 4_000 // runes of a sentence
	mostFaults = 1_000
)

// bounded is an error from a server at a length that can be shown.
func bounded(e *pawl.Error) *pawl.Error {
	e.Message, e.Hint.Text = text.Clip(e.Message, mostSaid), text.Clip(e.Hint.Text, mostSaid)
	e.Faults = e.Faults[:min(len(e.Faults), mostFaults)]
	for i, f := range e.Faults {
		e.Faults[i] = pawl.Fault{Path: text.Clip(f.Path, mostSaid), Problem: text.Clip(f.Problem, mostSaid)}
	}
	return e
}

// told is what a server says of one request, held to what the board itself would have
// said: interfaces rely on it. The last result is false if it is not.
func told(req *pawl.Request, o *query.Outcome, e *pawl.Error) (error, bool) {
	if e != nil {
		return bounded(e), e.Message != ""
	}
	if o.Detail != nil && o.Detail.Task.ID == 0 {
		return nil, false
	}
	switch req.Op.(type) {
	case pawl.ClaimTask, pawl.Update, pawl.AddNote:
		if len(o.Result.IDs) != 1 {
			return nil, false
		}
		if o.Result.Repeated && len(o.Result.Tasks) == 0 {
			e := pawl.Errorf(pawl.NotFound, "%v was deleted since", o.Result.IDs[0])
			e.IDs = o.Result.IDs
			return e, true
		}
		return nil, len(o.Result.Tasks) == 1
	}
	return nil, len(o.Result.Tasks) <= len(o.Result.IDs)
}

// answers reports whether an answer is one to a question, and has a part for each of
// the question's.
func answers(q query.Question, a query.Answer) bool {
	if !query.Answers(q, a) {
		return false
	}
	switch q := q.(type) {
	case query.TaskQuery:
		found := a.(*query.Details)
		for _, t := range found.Tasks {
			if t.Fault == nil && t.Detail == nil {
				return false
			}
		}
		return len(found.Tasks) == len(q.Names)
	case query.ResolveQuery:
		r := a.(*query.Resolved)
		return len(r.IDs) == len(q.Names) && len(r.Faults) == len(q.Names)
	}
	return true
}
