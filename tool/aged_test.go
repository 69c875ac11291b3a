package tool

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

// away is a board whose server does not answer: all it says was said earlier.
type away struct {
	query.Board
	given time.Time
}

func (b away) Ask(ctx context.Context, who query.Asker, q query.Question) (query.Answer, error) {
	answer, err := b.Board.Ask(ctx, who, q)
	if head, ok := answer.(interface{ Age(time.Time) }); ok && !b.given.IsZero() {
		head.Age(b.given)
	}
	return answer, err
}

// A model is told that what it reads is old, and only then.
func TestOldAnswers(t *testing.T) {
	now := time.Date(2026, 11, 23, 14, 2, 0, 0, time.UTC)
	board := query.Local(pawl.NewBoard(memory.New()))
	by := Caller{Actor: pawl.Actor{Name: "claude", Session: "s1"}}
	if _, err := board.Do(t.Context(), pawl.Request{By: by.Actor, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "Cart"}}}}, 0); err != nil {
		t.Fatal(err)
	}
	for _, given := range []time.Time{{}, now.Add(-4 * time.Minute)} {
		tools := New(Options{
			Board: func(context.Context, Caller, bool) (query.Board, string, error) { return away{board, given}, "", nil },
			Now:   func() time.Time { return now },
		})
		for _, call := range []struct{ name, args string }{{"task_list", "{}"}, {"task_get", `{"ids": [1]}`}} {
			for _, one := range tools {
				if one.Name != call.name {
					continue
				}
				said := one.Call(t.Context(), by, json.RawMessage(call.args)).LLMContent
				if !strings.Contains(said, "Cart") || strings.Contains(said, "This was so 4 min ago: the board's server does not answer now") == given.IsZero() {
					t.Errorf("%s, given %v: %s", call.name, given, said)
				}
			}
		}
	}
}
