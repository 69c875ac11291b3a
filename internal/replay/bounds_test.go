package replay_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/replay"
	"github.com/pawl-dev/pawl/store/memory"
)

// A film begins where history does.
func TestTrimmedHistory(t *testing.T) {
	board := pawl.NewBoard(memory.New(memory.WithHistory(2)))
	do(t, board, chain("a", "b"), pawl.Complete{IDs: []pawl.ID{1}}, pawl.ClaimTask{ID: 2}, pawl.Complete{IDs: []pawl.ID{2}})
	film := load(t, board, 0)
	play(t, film, map[string]int{})
	if film.From != 2 || len(film.Steps) != 2 || film.Cut != "what happened before is not kept any more" {
		t.Errorf("from %d with %d steps: %q", film.From, len(film.Steps), film.Cut)
	}
	if diff := cmp.Diff([]replay.Standing{{ID: 1, State: "completed"}, {ID: 2, State: "ready"}}, film.Start); diff != "" {
		t.Error(diff)
	}
}

// Changes of many tasks each make a film short, but for the newest one, which is
// shown whole. What was committed after the tasks were read has no part in it.
func TestFilmIsBounded(t *testing.T) {
	then, now := &pawl.Task{Subject: "then"}, &pawl.Task{Subject: "now"}
	many := func(rev pawl.Revision, n int) pawl.ChangeSet {
		set := pawl.ChangeSet{Revision: rev, At: time.Unix(int64(rev), 0), Verb: "update"}
		for id := range pawl.ID(n) {
			set.Changes = append(set.Changes, pawl.Change{ID: id + 1, Fields: []pawl.Field{pawl.FieldSubject}, Before: then, After: now})
		}
		return set
	}
	half := replay.MaxChanges / 2
	p := replay.Present{Revision: 4, Tasks: []pawl.Task{{ID: 1, Subject: "now", Status: pawl.Pending}}}
	for _, c := range []struct {
		sets  []pawl.ChangeSet
		steps int
	}{
		{[]pawl.ChangeSet{many(3, half), many(4, half), many(5, half)}, 2},
		{[]pawl.ChangeSet{many(3, half+1), many(4, half)}, 1},
		{[]pawl.ChangeSet{many(3, 1), many(4, 2*half+1)}, 1},
	} {
		film := must.Get(p.Film(backward(c.sets), replay.MaxSteps))(t)
		if cut := film.Cut != ""; len(film.Steps) != c.steps || cut != (c.steps == 1) || film.Steps[c.steps-1].Revision != 4 {
			t.Errorf("%d steps, %q", len(film.Steps), film.Cut)
		}
	}
}

// Half a history is none.
func TestHistoryCannotBeRead(t *testing.T) {
	broken := pawl.Errorf(pawl.Unavailable, "the disk is gone")
	film, err := replay.Present{Revision: 1}.Film(func(yield func(pawl.ChangeSet, error) bool) { yield(pawl.ChangeSet{}, broken) }, 10)
	if film != nil || !errors.Is(err, broken) {
		t.Errorf("%v, %v", film, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if film, err := replay.Load(ctx, pawl.NewBoard(memory.New()), "ada", 0); film != nil || !errors.Is(err, pawl.Unavailable) {
		t.Errorf("%v, %v", film, err)
	}
}
