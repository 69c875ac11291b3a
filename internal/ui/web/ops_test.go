package web

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

func TestFirstTaskMakesTheBoard(t *testing.T) {
	s := newSite(t, nil)
	if e := s.refuses(404, `{"op":"complete","ids":[1]}`); e.Kind != "not_found" || s.board != nil {
		t.Errorf("%+v", e)
	}
	made := s.do(chain)
	if made.Said != "Added #1 Set up, #2 Parse, #3 Print, #4 Write docs; a board was made" {
		t.Errorf("said %q", made.Said)
	}
	if made.Refs["b"] != 2 || len(made.Tasks) != 4 || made.Tasks[2].Priority != "high" {
		t.Errorf("%+v", made)
	}
}

func TestCompleteFrees(t *testing.T) {
	s := newSite(t, pawl.NewBoard(memory.New()))
	s.do(chain)
	if e := s.refuses(http.StatusConflict, `{"op":"complete","ids":[2]}`); e.Kind != "blocked" || e.Message != "#2 is blocked by #1 (not completed)" || len(e.IDs) != 1 {
		t.Errorf("%+v", e)
	}
	done := s.do(`{"op":"complete","ids":[1]}`)
	if done.Said != "Completed #1 Set up; ready now: #2 Parse" || len(done.Ready) != 1 || done.Ready[0] != (query.Brief{ID: 2, Subject: "Parse"}) {
		t.Errorf("%+v", done)
	}
	d := get[detailJSON](s, "tasks/2")
	if d.State != "ready" || d.Unblocks != 1 || len(d.WaitsFor) != 1 || d.WaitsFor[0].State != "completed" || len(d.WaitedFor) != 1 {
		t.Errorf("%+v", d)
	}
	if d := get[detailJSON](s, "tasks/1"); d.State != "completed" || d.Unblocks != 0 {
		t.Errorf("completed, and %d tasks depend on it: %+v", d.Unblocks, d)
	}
	again := s.do(`{"op":"complete","ids":[1]}`)
	if again.Changed || !strings.HasPrefix(again.Said, "#1 was completed already, by ") {
		t.Errorf("%+v", again)
	}
}

func TestAddressIsReadStrictly(t *testing.T) {
	s := newSite(t, pawl.NewBoard(memory.New()))
	e := s.fails(http.StatusBadRequest, "GET", "lanes?done=x&priority=urgent&nope=1&owner=a&owner=b", "")
	var paths []string
	for _, f := range e.Faults {
		paths = append(paths, f.Path)
	}
	if strings.Join(paths, " ") != "done nope owner priority" {
		t.Errorf("%+v", e)
	}
}

func TestForceSaysOfWhomItTookNoNotice(t *testing.T) {
	s := newSite(t, pawl.NewBoard(memory.New()))
	s.do(chain)
	s.board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "bob", Session: "s"}, Op: pawl.ClaimTask{ID: 1}})
	if e := s.refuses(http.StatusConflict, `{"op":"complete","ids":[1]}`); e.Holder == nil || e.Holder.Name != "bob" || e.Message != "#1 is claimed by bob" {
		t.Errorf("%+v", e)
	}
	done := s.do(`{"op":"complete","ids":[1],"force":true}`)
	if len(done.Warnings) != 1 || done.Warnings[0] != "#1 was with bob" {
		t.Errorf("%+v", done)
	}
}

func TestOnce(t *testing.T) {
	s := newSite(t, pawl.NewBoard(memory.New()))
	s.do(chain)
	first := s.post(`{"opId":"a","ops":[{"op":"complete","ids":[1]}]}`)
	again := s.post(`{"opId":"a","ops":[{"op":"complete","ids":[1]}]}`)
	if again.Revision != first.Revision || again.Said != "This was done already: completed #1 Set up; ready now: #2 Parse" {
		t.Errorf("%+v", again)
	}
	e := s.fails(http.StatusBadRequest, "POST", "ops", `{"opId":"a","ops":[{"op":"reopen","ids":[1]}]}`)
	if !strings.Contains(e.Message, "another request") {
		t.Errorf("%+v", e)
	}
}

func TestAllOrNothing(t *testing.T) {
	s := newSite(t, pawl.NewBoard(memory.New()))
	s.do(chain)
	before := get[lanesJSON](s, "lanes")
	e := s.refuses(http.StatusConflict, `{"op":"complete","ids":[1]}`, `{"op":"complete","ids":[3]}`)
	if e.Kind != "blocked" || get[lanesJSON](s, "lanes").Revision != before.Revision {
		t.Errorf("%+v", e)
	}
	both := s.do(`{"op":"hold","ids":[4],"reason":"later"}`, `{"op":"complete","ids":[1,2]}`)
	if len(both.IDs) != 3 || len(both.Ready) != 1 || both.Ready[0].ID != 3 {
		t.Errorf("%+v", both)
	}
}

func TestGraphIsBounded(t *testing.T) {
	s := newSite(t, pawl.NewBoard(memory.New()))
	for range mostNodes/pawl.MaxBatch + 1 {
		create := pawl.Create{Tasks: make([]pawl.NewTask, pawl.MaxBatch)}
		for i := range create.Tasks {
			create.Tasks[i].Subject = "x"
		}
		s.board.Do(t.Context(), pawl.Request{Op: create})
	}
	if e := s.fails(http.StatusBadRequest, "GET", "graph?alone=true", ""); !strings.HasPrefix(e.Hint, "filter") || !strings.Contains(e.Message, "5000") {
		t.Errorf("%+v", e)
	}
	if g := get[wire.GraphJSON](s, "graph"); g.Alone != mostNodes+pawl.MaxBatch {
		t.Errorf("%d alone", g.Alone)
	}
}

// A claim that finds nothing is not a failure: it says whether all is done or
// others are at work. It was a 404.
func TestClaimOfNothing(t *testing.T) {
	s := newSite(t, pawl.NewBoard(memory.New()))
	s.do(`{"op":"create","tasks":[{"subject":"Set up"},{"subject":"Parse","labels":["core"]}]}`)
	bob := pawl.Actor{Name: "bob", Session: "s"}
	for _, id := range []pawl.ID{1, 2} {
		must.Get(s.board.Do(t.Context(), pawl.Request{By: bob, Op: pawl.ClaimTask{ID: id, Lease: pawl.Duration(time.Hour)}}))(t)
	}
	busy := s.do(`{"op":"claim"}`)
	if n := busy.Nothing; busy.Changed || len(busy.IDs) != 0 || n == nil || n.Kind != "busy" || n.Until == "" || len(n.By) != 1 || n.By[0] != "bob" || n.Hint == "" {
		t.Errorf("%+v: %+v", busy, n)
	}
	if dry := s.post(`{"dry":true,"ops":[{"op":"claim"}]}`); dry.Nothing == nil || !dry.Dry {
		t.Errorf("%+v", dry)
	}
	e := s.refuses(http.StatusConflict, `{"op":"note","id":1,"text":"mine"}`, `{"op":"claim"}`)
	if e.Kind != "busy" || e.Until == "" || len(e.By) != 1 {
		t.Errorf("with another op: %+v", e)
	}
	if d := get[detailJSON](s, "tasks/1"); len(d.Task.Notes) != 0 {
		t.Errorf("half of a refused request was done: %+v", d)
	}
	s.do(`{"op":"complete","ids":[1,2],"force":true}`)
	idle := s.do(`{"op":"claim"}`)
	if n := idle.Nothing; n == nil || n.Kind != "idle" || idle.Said != "Nothing is left to claim: all 2 tasks are completed" {
		t.Errorf("%+v: %+v", idle, n)
	}
	s.do(`{"op":"create","tasks":[{"subject":"Print"}]}`, `{"op":"hold","ids":[3],"reason":"no paper"}`)
	if e := s.refuses(http.StatusConflict, `{"op":"claim"}`); e.Kind != "blocked" || len(e.IDs) != 1 || e.Hint != "lift the hold of #3 first" {
		t.Errorf("%+v", e)
	}
}
