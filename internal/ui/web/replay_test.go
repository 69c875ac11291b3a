package web

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/replay"
	"github.com/pawl-dev/pawl/store/memory"
)

// The page gets all of history in one answer, as the one at it sees the board.
func TestReplay(t *testing.T) {
	s := newSite(t, pawl.NewBoard(memory.New()))
	s.do(`{"op":"create","tasks":[{"ref":"a","subject":"Set up"},{"subject":"Write","blockedBy":["a"],"owner":"ada"},{"subject":"Sing","owner":"bob"}]}`)
	s.do(`{"op":"complete","ids":[1]}`)
	s.do(`{"op":"delete","ids":[1]}`)
	film := get[replay.Film](s, "replay")
	type step struct {
		Line    string
		Changes []replay.Standing
	}
	var got []step
	for _, s := range film.Steps {
		got = append(got, step{s.Line, s.Changes})
	}
	want := []step{
		{"ada added #1 Set up, #2 Write, #3 Sing", []replay.Standing{{ID: 1, State: "ready"}, {ID: 2, State: "blocked", Owner: "ada"}, {ID: 3, State: "assigned", Owner: "bob"}}},
		{"ada completed #1 Set up; ready now: #2 Write", []replay.Standing{{ID: 1, State: "completed"}, {ID: 2, State: "ready", Owner: "ada"}}},
		{"ada removed #1 Set up", []replay.Standing{{ID: 1, Gone: true}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]replay.Named{{ID: 1, Subject: "Set up"}, {ID: 2, Subject: "Write"}, {ID: 3, Subject: "Sing"}}, film.Tasks); diff != "" {
		t.Error(diff)
	}
}
