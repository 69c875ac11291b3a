package web

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/memory"
)

func TestLogTellsAndPages(t *testing.T) {
	s := newSite(t, pawl.NewBoard(memory.New()))
	s.do(chain)
	s.do(`{"op":"complete","ids":[1]}`)
	s.board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "bob"}, Op: pawl.ClaimTask{ID: 2}})
	first := get[historyJSON](s, "log?limit=2")
	if len(first.Changes) != 2 || first.Changes[0].Line != "bob claimed #2 Parse" || first.Changes[0].Mine || !first.Changes[1].Mine {
		t.Fatalf("%+v", first)
	}
	if got := strings.Join(first.Changes[0].Details, "\n"); !strings.Contains(got, "status: pending → in progress") {
		t.Errorf("details: %s", got)
	}
	rest := get[historyJSON](s, "log?limit=2&before="+strconv.FormatInt(int64(first.Next), 10))
	if len(rest.Changes) != 1 || rest.Next != 0 || !strings.HasPrefix(rest.Changes[0].Line, "ada added #1 Set up") {
		t.Errorf("%+v", rest)
	}
	if one := get[historyJSON](s, "log?task=2"); len(one.Changes) != 3 {
		t.Errorf("of #2: %+v", one)
	}
	s.fails(http.StatusNotFound, "GET", "log?task=99", "")
	s.fails(http.StatusBadRequest, "GET", "log?limit=0", "")
}

func TestUndo(t *testing.T) {
	s := newSite(t, pawl.NewBoard(memory.New()))
	s.do(chain)
	done := s.do(`{"op":"complete","ids":[1]}`)
	tried := s.post(`{"dry":true,"ops":[{"op":"undo"}]}`)
	if !tried.Dry || tried.Revision != 0 || tried.Said != "Undone: completed #1 Set up" {
		t.Errorf("%+v", tried)
	}
	if undone := s.do(`{"op":"undo"}`); undone.Said != "Undone: completed #1 Set up" || !undone.Changed {
		t.Errorf("%+v", undone)
	}
	if past := get[historyJSON](s, "log"); past.Changes[0].Line != "ada undid: completed #1 Set up" || !past.Changes[1].Undone {
		t.Errorf("%+v", past)
	}
	e := s.refuses(http.StatusConflict, `{"op":"undo","revision":`+strconv.FormatInt(int64(done.Revision), 10)+`}`)
	if !strings.Contains(e.Message, "undone already") {
		t.Errorf("%+v", e)
	}
}

func TestUndoSaysWhatIsInTheWay(t *testing.T) {
	s := newSite(t, pawl.NewBoard(memory.New()))
	s.do(`{"op":"create","tasks":[{"subject":"One"},{"subject":"Two"}]}`)
	held := s.do(`{"op":"hold","ids":[2],"reason":"later"}`)
	claimed := s.do(`{"op":"claim","id":1}`)
	s.board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "bob"}, Op: pawl.ClaimTask{ID: 1, Force: true}})
	e := s.refuses(http.StatusConflict, `{"op":"undo","revision":`+strconv.FormatInt(int64(claimed.Revision), 10)+`}`)
	if e.Message != "Since then bob claimed #1 One from ada" || e.Revision == 0 {
		t.Errorf("%+v", e)
	}
	undone := s.do(`{"op":"undo"}`)
	if undone.Said != "Undone: put #2 Two on hold: later; what you did after that stays: since then bob claimed #1 One from ada" || held.Revision == 0 {
		t.Errorf("said %q", undone.Said)
	}
}

// An undo that is sent again runs once, also where it does not name what it takes
// back: it was refused as another request, because it chose again.
func TestUndoOnce(t *testing.T) {
	s := newSite(t, pawl.NewBoard(memory.New()))
	s.do(chain)
	s.do(`{"op":"complete","ids":[1]}`)
	s.do(`{"op":"complete","ids":[2]}`)
	const undo = `{"opId":"u","ops":[{"op":"undo"}]}`
	first, again := s.post(undo), s.post(undo)
	if first.Said != "Undone: completed #2 Parse" || again.Revision != first.Revision || again.Said != "This was done already: undid: completed #2 Parse" {
		t.Errorf("%+v, then %+v", first, again)
	}
	if now := get[detailJSON](s, "tasks/1"); now.State != "completed" {
		t.Errorf("#1 is %s", now.State)
	}
}
