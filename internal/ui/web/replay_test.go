package web_test

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/replay"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/ui/web"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

// filmed is a board with a film of its history.
type filmed struct {
	query.Board
	board *pawl.Board
}

func (f filmed) Film(ctx context.Context, name string) (*replay.Film, error) {
	return replay.Load(ctx, f.board, name, replay.MaxSteps)
}

// The page gets all of history in one answer, as the one at it sees the board.
func TestReplay(t *testing.T) {
	board := pawl.NewBoard(memory.New())
	for _, op := range []pawl.Op{
		pawl.Create{Tasks: []pawl.NewTask{
			{Ref: "a", Subject: "Set up"},
			{Subject: "Write", BlockedBy: []pawl.Ref{pawl.RefName("a")}, Owner: "ada"},
			{Subject: "Sing", Owner: "bob"},
		}},
		pawl.Complete{IDs: []pawl.ID{1}},
		pawl.Delete{IDs: []pawl.ID{1}},
	} {
		if _, err := board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: op}); err != nil {
			t.Fatal(err)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := web.New(web.Options{
		AccessToken: "secret",
		Live: show.Live{By: pawl.Actor{Name: "ada"}, Open: func(context.Context, bool) (query.Board, string, error) {
			return filmed{query.Local(board), board}, "", nil
		}},
	})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- server.Serve(ctx, l) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()

	req, err := http.NewRequestWithContext(ctx, "GET", "http://"+l.Addr().String()+"/api/v1/replay", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer secret")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var film replay.Film
	if err := json.NewDecoder(res.Body).Decode(&film); err != nil || res.StatusCode != http.StatusOK || film.Kind != "replay" {
		t.Fatalf("%s, %v, %+v", res.Status, err, film)
	}
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
