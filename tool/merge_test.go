package tool_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/tool"
)

// A meeting is a merger that has moved task 1, and tells each caller once.
type meeting struct{ told, refused bool }

func (m *meeting) moved() []merge.Moved {
	return []merge.Moved{{Named: merge.Named{ID: 15, Subject: "Mine"}, From: 1, Side: merge.Ours, Elder: "Retry hooks", ElderBy: "bob"}}
}

func (m *meeting) Before(context.Context, pawl.Actor) *merge.Outcome {
	if m.told {
		return nil
	}
	m.told = true
	return &merge.Outcome{Revision: 7, Report: merge.Report{Moved: m.moved()}}
}

func (m *meeting) Stale(_ pawl.Actor, numbers []pawl.ID) []merge.Moved {
	if len(numbers) == 0 || m.refused {
		return nil
	}
	return m.moved()
}

func (m *meeting) Tell(pawl.Actor, []merge.Moved) { m.refused = true }

func (m *meeting) MayUndo(context.Context, pawl.Revision) error { return nil }

func (m *meeting) Undo(context.Context, pawl.Actor, pawl.Revision) (pawl.Result, error) {
	return pawl.Result{}, nil
}

// A model is told which numbers mean other tasks now, with the result of the call that
// merged, and also if that call is refused for it. A call that read no task before was asked of
// the board again at once, and changed the other task.
func TestModelIsToldOfAMerge(t *testing.T) {
	const remark = "The board was merged with another branch: #1 is now #15."
	for call, want := range map[string]string{
		`task_create {"tasks":[{"subject":"New"}]}`: "#2 New",
		`task_update {"id":1,"subject":"Other"}`:    "#1 is now #15; #1 is bob's Retry hooks",
	} {
		board := pawl.NewBoard(memory.New())
		must.Do(t, errOf(board.Do(t.Context(), pawl.Request{Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "Retry hooks"}}}})))
		b := query.Local(board, query.Merging(&meeting{}))
		tools := tool.New(tool.Options{
			Now:   time.Now,
			Board: func(context.Context, tool.Caller, bool) (query.Board, string, error) { return b, "", nil },
		})
		name, args, _ := strings.Cut(call, " ")
		for i := range 2 {
			got := ""
			for _, one := range tools {
				if one.Name == name {
					got = one.Call(t.Context(), tool.Caller{Actor: pawl.Actor{Name: "ada", Session: "s1"}}, json.RawMessage(args)).LLMContent
				}
			}
			if i == 0 && !strings.Contains(got, want) || strings.Contains(got, remark) != (i == 0) {
				t.Errorf("%s, call %d: %q", call, i+1, got)
			}
		}
	}
}
