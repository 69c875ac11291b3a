package query_test

import (
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/query/querytest"
	"github.com/pawl-dev/pawl/store/memory"
)

// A number leads to the task that had it once, whether another task has it now, or
// none does.
func TestOnce(t *testing.T) {
	board := querytest.Loop(query.Local(pawl.NewBoard(memory.New())))
	who := query.Asker{By: pawl.Actor{Name: "ada"}}
	do := func(op pawl.Op) error {
		_, err := board.Do(t.Context(), pawl.Request{By: who.By, Op: op}, 0)
		return err
	}
	made := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	must.Do(t, do(pawl.Import{Tasks: []pawl.ImportTask{
		{ID: 12, NewTask: pawl.NewTask{Subject: "Cart"}, CreatedAt: made},
		{ID: 15, NewTask: pawl.NewTask{Subject: "Retry hooks"}, CreatedAt: made.Add(1), Was: []pawl.ID{12}},
	}}))
	show := func(name string) query.Found {
		found, err := query.Of(t.Context(), board, who, query.TaskQuery{Names: []string{name}})
		must.Do(t, err)
		return found.Tasks[0]
	}
	if d := show("12").Detail; len(d.Once) != 1 || d.Once[0].ID != 15 || d.Once[0].Subject != "Retry hooks" {
		t.Errorf("#12 was once %+v", d.Once)
	}
	if d := show("15").Detail; len(d.Once) != 0 || len(d.Task.Was) != 1 {
		t.Errorf("#15: %+v", d)
	}
	must.Do(t, do(pawl.Delete{IDs: []pawl.ID{12}}))
	named := func(e *pawl.Error) {
		t.Helper()
		if e == nil || e.Kind != pawl.NotFound || !strings.HasSuffix(e.Message, "; #15 Retry hooks was #12 until it was merged") ||
			!strings.HasPrefix(e.Message, "#12 Cart was deleted by ada at ") || e.Hint.Step != pawl.HintShow || len(e.Hint.IDs) != 1 || e.Hint.IDs[0] != 15 {
			t.Errorf("%+v", e)
		}
	}
	named(show("12").Fault)
	e, _ := do(pawl.Complete{IDs: []pawl.ID{12}}).(*pawl.Error)
	named(e)
}
