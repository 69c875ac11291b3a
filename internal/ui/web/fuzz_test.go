package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/store/memory"
)

// TestStrictBodies has one of each thing that is wrong with a body, and where.
func TestStrictBodies(t *testing.T) {
	s := newSite(t, pawl.NewBoard(memory.New()))
	s.do(chain)
	revision := get[lanesJSON](s, "lanes").Revision
	deep := strings.Repeat("[", pawl.MaxDepth+2) + strings.Repeat("]", pawl.MaxDepth+2)
	for what, c := range map[string]struct{ body, path, problem string }{
		"an unknown key":           {`{"ops":[{"op":"complete","ids":[1],"forse":true}]}`, "ops[0].forse", "did you mean force?"},
		"a lease":                  {`{"ops":[{"op":"claim","id":1,"lease":"1m"}]}`, "ops[0].lease", "is not a key here"},
		"a claim token":            {`{"ops":[{"op":"update","id":1,"subject":"x","token":7}]}`, "ops[0].token", "is not a key here"},
		"metadata":                 {`{"ops":[{"op":"create","tasks":[{"subject":"x","metadata":{"ref":"A-1"}}]}]}`, "ops[0].tasks[0].metadata", "is not a key here"},
		"a key in other letters":   {`{"ops":[{"op":"complete","ids":[1],"Force":true}]}`, "ops[0].Force", "did you mean force?"},
		"a key twice":              {`{"ops":[{"op":"complete","ids":[1],"ids":[2]}]}`, "ops[0].ids", "given twice"},
		"a missing key":            {`{"ops":[{"op":"complete"}]}`, "ops[0].ids", "is missing"},
		"another type":             {`{"ops":[{"op":"complete","ids":"1"}]}`, "ops[0].ids", "is a text, not a list"},
		"another type inside":      {`{"ops":[{"op":"complete","ids":[1,"2"]}]}`, "ops[0].ids[1]", "is a text, not a number"},
		"a broken number":          {`{"ops":[{"op":"complete","ids":[1.5]}]}`, "ops[0].ids[0]", "not a whole number"},
		"a huge number":            {`{"ops":[{"op":"complete","ids":[99999999999999999999]}]}`, "ops[0].ids[0]", "not a whole number"},
		"a number of no task":      {`{"ops":[{"op":"complete","ids":[0]}]}`, "ops[0].ids[0]", "0 is not a task id"},
		"null":                     {`{"ops":[{"op":"update","id":1,"subject":null}]}`, "ops[0].subject", "is null"},
		"no op":                    {`{"ops":[{"ids":[1]}]}`, "ops[0].op", "says which op"},
		"an op that is not there":  {`{"ops":[{"op":"finish","ids":[1]}]}`, "ops[0].op", "not an op: they are create"},
		"an op that is no object":  {`{"ops":["complete"]}`, "ops[0]", "is a text"},
		"no ops":                   {`{"ops":[]}`, "ops", "is empty"},
		"a priority of its own":    {`{"ops":[{"op":"update","id":1,"priority":"urgent"}]}`, "ops[0].priority", "none of high, medium, low"},
		"a ref of nobody":          {`{"ops":[{"op":"create","tasks":[{"subject":"x","blockedBy":["nobody"]}]}]}`, "ops[0].tasks[0].blockedBy[0]", "no task of this request"},
		"a ref that is neither":    {`{"ops":[{"op":"create","tasks":[{"subject":"x","parent":true}]}]}`, "ops[0].tasks[0].parent", "is true or false"},
		"an undo among others":     {`{"ops":[{"op":"undo"},{"op":"lift","ids":[1]}]}`, "ops", "stands alone"},
		"a NUL":                    {`{"ops":[{"op":"note","id":1,"text":"a\u0000b"}]}`, "ops[0].text", "has a NUL"},
		"a subject that is long":   {`{"ops":[{"op":"update","id":1,"subject":"` + strings.Repeat("x", pawl.MaxSubject+1) + `"}]}`, "ops[0].subject", "has 501 characters"},
		"an op id that is long":    {`{"opId":"` + strings.Repeat("x", pawl.MaxOpID+1) + `","ops":[{"op":"lift","ids":[1]}]}`, "opId", "200"},
		"two of several ops":       {`{"ops":[{"op":"lift","ids":[1]},{"op":"note","id":1,"text":" "}]}`, "ops[1].text", "is blank"},
		"null as a body":           {`null`, "body", "is null"},
		"a list as a body":         {`[]`, "body", "is a list"},
		"a number as a body":       {`3`, "body", "is a number"},
		"a text as a body":         {`"x"`, "body", "is a text"},
		"nothing as a body":        {``, "", "ends too early"},
		"text behind the end":      {`{"ops":[{"op":"lift","ids":[1]}]} {}`, "", "goes on after its end"},
		"an end that is too early": {`{"ops":[{"op":"lift","ids":[1]`, "", "ends too early"},
		"no JSON":                  {`ops=1`, "", "not JSON"},
		"half a character":         {`{"ops":[{"op":"note","id":1,"text":"\ud83d"}]}`, "", "half a character"},
		"no UTF-8":                 {"{\"ops\":[{\"op\":\"note\",\"id\":1,\"text\":\"\xff\"}]}", "", "not valid UTF-8"},
		"brackets in brackets":     {`{"ops":` + deep + `}`, "", "nested deeper"},
	} {
		e := s.fails(http.StatusBadRequest, "POST", "ops", c.body)
		problem, path := e.Message, ""
		if len(e.Faults) > 0 {
			problem, path = e.Faults[0].Problem, e.Faults[0].Path
		}
		if path != c.path || !strings.Contains(problem, c.problem) {
			t.Errorf("%s: %s: %s", what, path, problem)
		}
	}
	if now := get[lanesJSON](s, "lanes").Revision; now != revision {
		t.Error("something that was refused was written")
	}
}

// FuzzOps sends what nobody would: it is refused, or does what it says and is
// what the contract describes.
func FuzzOps(f *testing.F) {
	for _, seed := range []string{
		chain, `{"op":"complete","ids":[1,2]}`, `{"op":"claim"}`, `{"op":"claim","id":1,"force":true}`, `{"op":"start","ids":[1]}`, `{"op":"reopen","ids":[5]}`,
		`{"op":"release","ids":[4],"hold":"x"}`, `{"op":"assign","ids":[1],"owner":"bob"}`, `{"op":"hold","ids":[1],"reason":"x"}`, `{"op":"lift","ids":[1]}`,
		`{"op":"note","id":1,"text":"x"}`, `{"op":"delete","ids":[1]}`, `{"op":"undo"}`, `{"op":"update","id":1,"subject":"y","addBlocks":[3],"parent":2,"addLabels":["a"]}`,
	} {
		f.Add(`{"ops":[` + seed + `]}`)
		f.Add(`{"dry":true,"opId":"1","ops":[` + seed + `,` + seed + `]}`)
	}
	f.Fuzz(func(t *testing.T, body string) {
		s := newSite(t, pawl.NewBoard(memory.New()))
		s.do(chain, `{"op":"create","tasks":[{"subject":"Old"}]}`, `{"op":"complete","ids":[5]}`)
		before := get[lanesJSON](s, "lanes").Revision
		w := s.send("POST", "ops", body) // which holds both sides to the contract
		if w.Code >= http.StatusInternalServerError {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		after := get[lanesJSON](s, "lanes").Revision
		if w.Code != http.StatusOK {
			if after != before {
				t.Fatalf("it was refused and written: %s", w.Body)
			}
			return
		}
		answer := decoded[outcomeJSON](t, w.Body.Bytes())
		if wrote := after != before; wrote != (answer.Revision != 0) || answer.Dry && wrote || answer.Said == "" {
			t.Fatalf("revision %d, then %d: %s", before, after, w.Body)
		}
		var asked opsJSON
		must.Do(t, strict([]byte(body), &asked))
		if len(asked.Ops) == 1 && !asked.Dry {
			didWhatItSays(t, s, asked.Ops[0].Op)
		}
	})
}

// didWhatItSays looks whether the board is as an op left it.
func didWhatItSays(t *testing.T, s *site, op pawl.Op) {
	t.Helper()
	each := func(ids []pawl.ID, is func(t *pawl.Task) bool) {
		tasks := must.Get(s.board.Get(t.Context(), ids...))(t)
		for i := range tasks {
			if !is(&tasks[i]) {
				t.Fatalf("%T was not done: %+v", op, tasks[i])
			}
		}
	}
	switch op := op.(type) {
	case pawl.Complete:
		each(op.IDs, func(t *pawl.Task) bool { return t.Status == pawl.Completed })
	case pawl.Reopen:
		each(op.IDs, func(t *pawl.Task) bool { return t.Status == pawl.Pending })
	case pawl.Start:
		each(op.IDs, func(t *pawl.Task) bool { return t.Status == pawl.InProgress && t.Owner == "ada" })
	case pawl.Release:
		each(op.IDs, func(t *pawl.Task) bool { return t.Status == pawl.Pending && (op.Hold == "" || t.Hold != nil) })
	case pawl.PutHold:
		each(op.IDs, func(t *pawl.Task) bool { return t.Hold != nil })
	case pawl.LiftHold:
		each(op.IDs, func(t *pawl.Task) bool { return t.Hold == nil })
	case pawl.AddNote:
		each([]pawl.ID{op.ID}, func(t *pawl.Task) bool { return t.Notes[len(t.Notes)-1].Text == op.Text })
	case pawl.Delete:
		for _, id := range op.IDs {
			if _, err := s.board.Get(t.Context(), id); pawl.KindOf(err) != pawl.NotFound || err == nil {
				t.Fatalf("%v is still there", id)
			}
		}
	case pawl.Update:
		each([]pawl.ID{op.ID}, func(t *pawl.Task) bool {
			return !slices.ContainsFunc(op.AddBlocks, func(id pawl.ID) bool { return !slices.Contains(t.Blocks, id) }) &&
				(op.Parent == nil || t.Parent == *op.Parent) && (op.Description == nil || t.Description == *op.Description)
		})
	}
}

// FuzzQuery asks for what nobody would: it is refused, or answered as the
// contract says.
func FuzzQuery(f *testing.F) {
	f.Add("lanes", "owner=@me&label=a&label=b&priority=high&text=x&parent=1&done=3&asDone=1")
	f.Add("graph", "around=1&depth=2&all=true&also=5&alone=false&asDone=1&asDone=2")
	f.Add("log", "before=3&limit=2&task=1")
	f.Add("tasks/1", "asDone=1")
	f.Add("tasks/0", "%zz")
	f.Fuzz(func(t *testing.T, path, query string) {
		if !slices.Contains([]string{"lanes", "graph", "log", "about", "replay", "tasks/1", "tasks/2", "tasks/0"}, path) {
			return
		}
		s := newSite(t, pawl.NewBoard(memory.New()))
		s.do(chain)
		r := httptest.NewRequest("GET", "/api/v1/"+path, nil)
		r.URL.RawQuery = query
		w := s.ask(r, "")
		if w.Code >= http.StatusInternalServerError {
			t.Fatalf("%s?%s: %d %s", path, query, w.Code, w.Body)
		}
		if values, err := url.ParseQuery(query); w.Code == http.StatusOK && (err != nil || values.Has("")) {
			t.Errorf("%q was let through", query)
		}
	})
}
