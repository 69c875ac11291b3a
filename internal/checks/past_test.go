package checks

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
)

// What a task required in its past is found by reading its history once; then only what is
// newer is read. Where what was kept is cut off, is gone, or does not fit to the history
// or to what is trusted, all is read again. The answer is the same each time.
func TestPastIsReadOnce(t *testing.T) {
	s := newStage(t)
	ctx := t.Context()
	s.do(pawl.Create{Tasks: []pawl.NewTask{{Subject: "One", Checks: []pawl.Check{unit}}}})
	if err := s.Trust(ctx, []pawl.Check{unit}, nil); err != nil {
		t.Fatal(err)
	}
	text := func(words string) *string { return &words }
	for i := range fewSets + 10 {
		s.do(pawl.Update{ID: 1, Subject: text("One" + string(rune('a'+i%20)))})
	}
	s.do(pawl.Update{ID: 1, RemoveChecks: []string{"unit"}})

	var read []int // how many change sets were read, call by call
	shift := time.Duration(0)
	r := s.request()
	past := r.Past
	r.Past = func(ctx context.Context, id pawl.ID, after pawl.Revision) ([]pawl.ChangeSet, error) {
		sets, err := past(ctx, id, after)
		sets = slices.Clone(sets)
		for i := range sets {
			sets[i].At = sets[i].At.Add(shift)
		}
		read = append(read, len(sets))
		return sets, err
	}
	lost := func(what string, want ...int) {
		t.Helper()
		if err := os.Remove(s.hadList().Path()); err != nil && !os.IsNotExist(err) { // only the history says it
			t.Fatal(err)
		}
		tasks, err := r.Read(ctx, []pawl.ID{1})
		if err != nil {
			t.Fatal(err)
		}
		read = nil
		if err := s.recollect(ctx, r, tasks); err != nil {
			t.Fatal(err)
		}
		if names, err := s.Lost(&tasks[0]); err != nil || !slices.Equal(names, []string{"unit"}) {
			t.Errorf("%s: lost %q, %v", what, names, err)
		}
		if !slices.Equal(read, want) {
			t.Errorf("%s: read %v change sets, want %v", what, read, want)
		}
	}
	const all = fewSets + 12
	lost("the first time", all)
	lost("again", 1)
	s.do(pawl.Update{ID: 1, Subject: text("Two")})
	lost("one more change", 2)

	found, err := filepath.Glob(filepath.Join(s.dir(), "past", "*.json"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%q, %v", found, err)
	}
	whole, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, len(whole) / 2, len(whole) - 1} {
		if err := os.WriteFile(found[0], whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		lost("cut off", all+1)
	}
	if err := os.Remove(found[0]); err != nil {
		t.Fatal(err)
	}
	lost("gone", all+1)
	lost("there again", 1)
	shift = time.Hour // a board that was made again gives the same revisions again
	lost("another history", 1, all+1)
	if err := s.Trust(ctx, []pawl.Check{vet}, nil); err != nil {
		t.Fatal(err)
	}
	lost("more is trusted", all+1)
}
