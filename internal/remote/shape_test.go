package remote

import (
	"errors"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// TestTold: an outcome that lacks what was done, on which an interface would fall
// over, is not one.
func TestTold(t *testing.T) {
	claim := &pawl.Request{Op: pawl.ClaimTask{}}
	whole := pawl.Result{IDs: []pawl.ID{1}, Tasks: []pawl.Task{{ID: 1}}}
	for name, test := range map[string]struct {
		req   *pawl.Request
		o     query.Outcome
		e     *pawl.Error
		sound bool
	}{
		"a claim":                    {claim, query.Outcome{Result: whole}, nil, true},
		"a claim of nothing":         {claim, query.Outcome{}, nil, false},
		"a claim without its task":   {claim, query.Outcome{Result: pawl.Result{IDs: []pawl.ID{1}}}, nil, false},
		"a detail of nothing":        {claim, query.Outcome{Result: whole, Detail: &query.Detail{}}, nil, false},
		"a refusal":                  {claim, query.Outcome{}, &pawl.Error{Kind: pawl.Idle, Message: "nothing is left"}, true},
		"a refusal without a word":   {claim, query.Outcome{}, &pawl.Error{}, false},
		"a deletion":                 {&pawl.Request{Op: pawl.Delete{IDs: []pawl.ID{1}}}, query.Outcome{Result: pawl.Result{IDs: []pawl.ID{1}}}, nil, true},
		"tasks that nobody asked of": {&pawl.Request{Op: pawl.Delete{IDs: []pawl.ID{1}}}, query.Outcome{Result: pawl.Result{Tasks: []pawl.Task{{ID: 1}}}}, nil, false},
	} {
		err, sound := told(test.req, &test.o, test.e)
		if sound != test.sound || sound && (err != nil) != (test.e != nil) {
			t.Errorf("%s: %v, %v", name, err, sound)
		}
	}
	err, sound := told(claim, &query.Outcome{Result: pawl.Result{Repeated: true, IDs: []pawl.ID{1}}}, nil)
	if !sound || !errors.Is(err, pawl.NotFound) {
		t.Errorf("a claim that was repeated after its task was deleted: %v, %v", err, sound)
	}
	err, _ = told(claim, &query.Outcome{}, &pawl.Error{Message: strings.Repeat("long ", 100_000)})
	if n := len(err.Error()); n > 5_000 {
		t.Errorf("an error of %d bytes is shown", n)
	}
}

// TestAnswers: an answer has a part for each of the question's.
func TestAnswers(t *testing.T) {
	q := query.TaskQuery{Names: []string{"1"}}
	for name, test := range map[string]struct {
		q     query.Question
		a     query.Answer
		sound bool
	}{
		"a task":            {q, &query.Details{Tasks: []query.Found{{Detail: &query.Detail{}}}}, true},
		"a fault":           {q, &query.Details{Tasks: []query.Found{{Fault: &pawl.Error{}}}}, true},
		"neither":           {q, &query.Details{Tasks: []query.Found{{}}}, false},
		"none":              {q, &query.Details{}, false},
		"another answer":    {q, &query.Resolved{}, false},
		"nothing":           {q, nil, false},
		"ids":               {query.ResolveQuery{Names: []string{"1"}}, &query.Resolved{IDs: []pawl.ID{1}, Faults: []*pawl.Error{nil}}, true},
		"ids without words": {query.ResolveQuery{Names: []string{"1"}}, &query.Resolved{IDs: []pawl.ID{1}}, false},
	} {
		if answers(test.q, test.a) != test.sound {
			t.Errorf("%s: taken for sound: %v", name, !test.sound)
		}
	}
}
