package replay_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/replay"
	"github.com/pawl-dev/pawl/store/file"
	"github.com/pawl-dev/pawl/store/storetest"
)

// A folder of task files that others than Pawl write to.
type folder string

func (f folder) name(id pawl.ID) string {
	return filepath.Join(string(f), fmt.Sprintf("task_%d.json", id))
}

func (f folder) write(t *testing.T, id pawl.ID, text string) {
	t.Helper()
	must.Do(t, os.WriteFile(f.name(id), []byte(text), 0o644))
}

// edit sets keys of a task's file, and takes those out that become nil.
func (f folder) edit(t *testing.T, id pawl.ID, keys map[string]any) {
	t.Helper()
	text, err := os.ReadFile(f.name(id))
	if err != nil {
		t.Fatal(err)
	}
	var task map[string]any
	must.Do(t, json.Unmarshal(text, &task))
	maps.Copy(task, keys)
	maps.DeleteFunc(task, func(_ string, v any) bool { return v == nil })
	if text, err = json.Marshal(task); err != nil {
		t.Fatal(err)
	}
	f.write(t, id, string(text))
}

func (f folder) remove(t *testing.T, id pawl.ID) {
	t.Helper()
	must.Do(t, os.Remove(f.name(id)))
}

// open returns a board in a new folder.
func open(t *testing.T, opts ...file.Option) (*pawl.Board, folder) {
	t.Helper()
	f := folder(t.TempDir())
	store := must.Get(file.Open(string(f), opts...))(t)
	t.Cleanup(func() { store.Close() })
	return pawl.NewBoard(store), f
}

func do(t *testing.T, board *pawl.Board, ops ...pawl.Op) {
	t.Helper()
	for _, op := range ops {
		if _, err := board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: op}); err != nil {
			t.Fatal(err)
		}
	}
}

// record has the store take external edits into history.
func record(t *testing.T, board *pawl.Board) {
	t.Helper()
	if _, _, err := board.ChangedSince(t.Context(), 0); err != nil && pawl.KindOf(err) != pawl.Gone {
		t.Fatal(err)
	}
}

// Strangers' edits are history, too, and what follows from them in other tasks.
func TestFilmWithStrangers(t *testing.T) {
	came := map[string]int{}
	for seed := range uint64(8) {
		ok := t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			p := player{Rand: rand.New(rand.NewPCG(seed, 11)), clock: storetest.NewClock()}
			board, f := open(t, file.WithClock(p.clock.Now))
			p.board = board
			p.external = func() { f.disturb(t, p) }
			p.story(t, came)
		})
		if !ok {
			break
		}
	}
	often(t, came, 10, "ready", "blocked", "held", "in_progress", "completed", "assigned", "gone", "compared", "external", "cut")
}

// disturb does to one of the files what programs do that know nothing of Pawl.
func (f folder) disturb(t *testing.T, p player) {
	t.Helper()
	id := p.id()
	if _, err := os.Stat(f.name(id)); err != nil {
		f.write(t, id, fmt.Sprintf(`{"id": %d, "subject": "Theirs", "status": "pending", "blockedBy": [%d]}`, id, p.id()))
		return
	}
	switch p.IntN(6) {
	case 0:
		f.remove(t, id)
	case 1:
		f.edit(t, id, map[string]any{"blockedBy": []pawl.ID{}})
	case 2:
		f.edit(t, id, map[string]any{"parent": p.id(), "subject": "Theirs"})
	case 3:
		f.edit(t, id, map[string]any{"owner": p.of("ada", "bob", "eve"), "status": "in_progress"})
	case 4:
		f.edit(t, id, map[string]any{"hold": nil, "status": "pending", "owner": nil})
	default:
		f.edit(t, id, map[string]any{"status": "completed"})
	}
}

// What history does not tell is told apart: a file that cannot be read, and
// edits that nobody has recorded yet.
func TestNowIsNotHistory(t *testing.T) {
	board, f := open(t)
	do(t, board,
		pawl.Create{Tasks: []pawl.NewTask{{Ref: "a", Subject: "a"}, {Subject: "b", BlockedBy: []pawl.Ref{pawl.RefName("a")}}, {Subject: "c"}}},
		pawl.Complete{IDs: []pawl.ID{1}})
	f.write(t, 2, "<<<<<<< HEAD")
	f.remove(t, 3)
	film := load(t, board, 0)
	if diff := cmp.Diff([]replay.Standing{{ID: 2, State: "damaged"}, {ID: 3, Gone: true}}, film.Now); diff != "" {
		t.Error(diff)
	}
	last := film.Steps[len(film.Steps)-1]
	if diff := cmp.Diff([]replay.Standing{{ID: 1, State: "completed"}, {ID: 2, State: "ready"}}, last.Changes); diff != "" {
		t.Error(diff)
	}
	play(t, film, map[string]int{})
}

// Of many edits at once only the ids are kept, so the film begins behind them;
// likewise where history was trimmed, and where it would become too long.
func TestFilmBegins(t *testing.T) {
	for _, c := range []struct {
		name  string
		limit int
		past  func(t *testing.T, board *pawl.Board, f folder)
		cut   string
		start []replay.Standing
	}{
		{"bulk", 0, func(t *testing.T, board *pawl.Board, f folder) {
			do(t, board, chain("a", "b"))
			for id := range pawl.ID(101) {
				f.write(t, id+3, fmt.Sprintf(`{"id": %d, "subject": "theirs", "status": "completed"}`, id+3))
			}
			record(t, board)
			do(t, board, pawl.Delete{IDs: ids(3, 104)})
		}, "101 tasks were changed at once outside Pawl, and what became of each was not kept", nil},
		{"limit", 3, func(t *testing.T, board *pawl.Board, _ folder) {
			do(t, board, chain("a", "b"), pawl.AddNote{ID: 2, Text: "old"}, pawl.AddNote{ID: 2, Text: "new"})
		}, "older changes than the newest 3 are left out", []replay.Standing{{ID: 1, State: "ready"}, {ID: 2, State: "blocked"}}},
		{"all", 0, func(t *testing.T, board *pawl.Board, _ folder) { do(t, board, chain("a", "b")) }, "", []replay.Standing{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			board, f := open(t)
			c.past(t, board, f)
			do(t, board, pawl.Complete{IDs: []pawl.ID{1}}, pawl.ClaimTask{ID: 2})
			film := load(t, board, c.limit)
			play(t, film, map[string]int{})
			if film.Cut != c.cut {
				t.Errorf("it begins at revision %d because %q, want %q", film.From, film.Cut, c.cut)
			}
			if c.start != nil {
				if diff := cmp.Diff(c.start, film.Start); diff != "" {
					t.Error(diff)
				}
			}
			last := film.Steps[len(film.Steps)-2:]
			if diff := cmp.Diff([]replay.Standing{{ID: 1, State: "completed"}, {ID: 2, State: "ready"}}, last[0].Changes); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func chain(subjects ...string) (op pawl.Create) {
	for i, s := range subjects {
		n := pawl.NewTask{Ref: s, Subject: s}
		if i > 0 {
			n.BlockedBy = []pawl.Ref{pawl.RefName(subjects[i-1])}
		}
		op.Tasks = append(op.Tasks, n)
	}
	return op
}

func ids(from, before pawl.ID) (ids []pawl.ID) {
	for id := from; id < before; id++ {
		ids = append(ids, id)
	}
	return ids
}
