package checks

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// What a task required in its past is found by reading its history once; then only what is
// newer is read. Where what was kept is cut off, is gone, or does not fit to the history
// or to what is trusted, all is read again. The answer is the same each time.
func TestPastIsReadOnce(t *testing.T) {
	s := newStage(t)
	ctx := t.Context()
	s.do(pawl.Create{Tasks: []pawl.NewTask{{Subject: "One", Checks: []pawl.Check{unit}}}})
	must.Do(t, s.Trust(ctx, []pawl.Check{unit}, nil))
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
		tasks := must.Get(r.Read(ctx, []pawl.ID{1}))(t)
		read = nil
		must.Do(t, s.recollect(ctx, r, tasks))
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
	whole := must.Get(os.ReadFile(found[0]))(t)
	for _, n := range []int{0, 1, len(whole) / 2, len(whole) - 1} {
		must.Do(t, os.WriteFile(found[0], whole[:n], 0o600))
		lost("cut off", all+1)
	}
	must.Do(t, os.Remove(found[0]))
	lost("gone", all+1)
	lost("there again", 1)
	shift = time.Hour // a board that was made again gives the same revisions again
	lost("another history", 1, all+1)
	must.Do(t, s.Trust(ctx, []pawl.Check{vet}, nil))
	lost("more is trusted", all+1)
}

// The next write records an edit of a task's file. Of an edit of more than 100 files it records
// the ids only. Pawl asks for a check that either took away until a person agrees.
func TestEditTakesNoTrustedCheck(t *testing.T) {
	drop := func(t *pawl.Task) { t.Checks = nil }
	user := []pawl.CheckRule{{Check: unit}}
	for name, c := range map[string]struct {
		trusted []pawl.Check // before the task is there; nil: unit
		users   []pawl.CheckRule
		rules   []pawl.CheckRule
		between func(s *stage)
		edit    func(t *pawl.Task)
		bulk    bool
		want    []string
	}{
		"directly":          {edit: drop},
		"createdAt changed": {edit: func(t *pawl.Task) { drop(t); t.CreatedAt = t.CreatedAt.Add(-time.Hour) }},
		"createdAt dropped": {edit: func(t *pawl.Task) { drop(t); t.CreatedAt = time.Time{} }},
		"optional":          {edit: func(t *pawl.Task) { t.Checks[0].Optional = true }},
		"a note in between": {edit: drop, between: func(s *stage) { s.do(pawl.AddNote{ID: 1, Text: "x"}) }},
		"trusted after a note": {edit: drop, trusted: []pawl.Check{}, between: func(s *stage) {
			s.do(pawl.AddNote{ID: 1, Text: "x"})
			s.Service.now = func() time.Time { return time.Now().Add(time.Hour) }
			must.Do(t, s.Trust(t.Context(), []pawl.Check{unit}, nil))
		}},
		"trusted by the user's settings": {edit: drop, trusted: []pawl.Check{}, users: user},
		"the user's, recorded": {edit: drop, trusted: []pawl.Check{}, users: user, between: func(s *stage) {
			s.do(pawl.Update{ID: 1, RemoveChecks: []string{"unit"}})
		}},
		"one of very many": {edit: drop, bulk: true},
		"a label": {
			edit: func(t *pawl.Task) { t.Labels = nil }, trusted: []pawl.Check{vet},
			rules: []pawl.CheckRule{{Check: vet, Labels: []string{"go"}}}, want: []string{"vet"},
		},
		"nothing":             {edit: func(*pawl.Task) {}, want: []string{}},
		"what is not trusted": {edit: drop, trusted: []pawl.Check{vet}, want: []string{}},
		"trusted when it went": {edit: drop, trusted: []pawl.Check{}, want: []string{}, between: func(s *stage) {
			s.do(pawl.Update{ID: 1, RemoveChecks: []string{"unit"}})
			s.do(pawl.AddNote{ID: 1, Text: "x"})
			s.Service.now = func() time.Time { return time.Now().Add(time.Hour) }
			must.Do(t, s.Trust(t.Context(), []pawl.Check{unit}, nil))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			ctx := t.Context()
			s.Rules, s.Users = c.rules, c.users
			if c.trusted == nil {
				c.trusted = []pawl.Check{unit}
			}
			if c.want == nil {
				c.want = []string{"unit"}
			}
			must.Do(t, s.Trust(ctx, c.trusted, nil))
			s.do(pawl.Create{Tasks: []pawl.NewTask{{Subject: "task", Labels: []string{"go"}, Checks: []pawl.Check{unit}}}})
			if c.between != nil {
				c.between(s)
			}
			edited := *s.task(1)
			c.edit(&edited)
			r := s.request()
			past := r.Past
			r.Past = func(ctx context.Context, id pawl.ID, after pawl.Revision) ([]pawl.ChangeSet, error) {
				sets, err := past(ctx, id, after)
				if c.bulk {
					set := pawl.ChangeSet{Revision: 1000, At: time.Now(), Verb: pawl.ExternalName, Bulk: true, Changes: []pawl.Change{{ID: 1, CreatedAt: edited.CreatedAt}}}
					sets = append([]pawl.ChangeSet{set}, sets...)
				}
				return sets, err
			}
			s.misses(r, edited, c.want...)
			if err := s.Trust(ctx, nil, []pawl.Task{edited}); err != nil { // a person agrees
				t.Fatal(err)
			}
			s.misses(r, edited)
		})
	}
}

// misses checks which checks a task needed and needs no longer.
func (s *stage) misses(r Request, of pawl.Task, want ...string) {
	s.Helper()
	must.Do(s, s.recollect(context.Background(), r, []pawl.Task{of}))
	if lost, err := s.Lost(&of); err != nil || !slices.Equal(lost, want) {
		s.Errorf("lost %q, %v, want %q", lost, err, want)
	}
}

// A person who agrees to a task as they see it is not asked again: by an edit of the file
// that nothing has recorded yet, and by a removal at a terminal.
func TestAgreedIsNotAskedAgain(t *testing.T) {
	s := newStage(t)
	ctx := t.Context()
	must.Do(t, s.Trust(ctx, []pawl.Check{unit}, nil))
	s.do(pawl.Create{Tasks: []pawl.NewTask{{Subject: "edited", Checks: []pawl.Check{unit}}, {Subject: "task", Checks: []pawl.Check{unit}}}})
	edited := *s.task(1)
	edited.Checks = []pawl.Check{vet}
	must.Do(t, s.Trust(ctx, []pawl.Check{vet}, []pawl.Task{edited}))
	s.misses(s.request(), edited)
	edited.Checks = nil // what they agreed to is needed
	s.misses(s.request(), edited, "vet")

	s.do(pawl.Update{ID: 2, RemoveChecks: []string{"unit"}})
	for !s.task(2).UpdatedAt.After(s.task(2).CreatedAt) { // else it has no past
		s.do(pawl.AddNote{ID: 2, Text: "later"})
	}
	must.Do(t, s.Trust(ctx, nil, []pawl.Task{*s.task(2)}))
	s.misses(s.request(), *s.task(2))
	// What is trusted only after an agreement was not agreed to.
	s.do(pawl.Create{Tasks: []pawl.NewTask{{Subject: "later", Checks: []pawl.Check{unit, {Name: "own", Run: []string{"own"}}}}}})
	must.Do(t, s.Trust(ctx, nil, []pawl.Task{*s.task(3)}))
	s.Service.now = func() time.Time { return time.Now().Add(time.Hour) }
	must.Do(t, s.Trust(ctx, []pawl.Check{{Name: "own", Run: []string{"own"}}}, nil))
	edited = *s.task(3)
	edited.Checks = nil
	s.misses(s.request(), edited, "own", "unit")
}

// A merge gives a task another number: its past goes with it, and is not that of the task
// which has the number now.
func TestPastOfAnotherNumber(t *testing.T) {
	s := newStage(t)
	ctx := t.Context()
	must.Do(t, s.Trust(ctx, []pawl.Check{unit}, nil))
	at := time.Now().Add(time.Minute)
	ours := pawl.Task{ID: 2, Subject: "ours", Status: pawl.Pending, Checks: []pawl.Check{unit}, CreatedAt: at}
	theirs := pawl.Task{ID: 2, Subject: "theirs", Status: pawl.Pending, CreatedAt: at.Add(-time.Second)}
	moved := pawl.Task{ID: 3, Subject: "ours", Status: pawl.Pending, Was: []pawl.ID{2}, CreatedAt: at} // an edit took the check before
	made := pawl.ChangeSet{Revision: 1, At: at, Verb: "create", Changes: []pawl.Change{{ID: 2, CreatedAt: at, After: &ours}}}
	merge := pawl.ChangeSet{Revision: 2, At: at.Add(time.Second), Verb: pawl.VerbMerge, Changes: []pawl.Change{
		{ID: 2, CreatedAt: theirs.CreatedAt, Fields: pawl.Diff(&ours, &theirs), Before: &ours, After: &theirs},
		{ID: 3, CreatedAt: at, After: &moved},
	}}
	sets := []pawl.ChangeSet{made}
	r := s.request()
	r.Past = func(_ context.Context, id pawl.ID, _ pawl.Revision) ([]pawl.ChangeSet, error) {
		if id == 3 {
			return []pawl.ChangeSet{merge}, nil
		}
		return sets, nil
	}
	merging := theirs // git has put both into one file
	merging.Merging = []pawl.Task{ours}
	if err := s.recollect(ctx, r, []pawl.Task{merging}); pawl.KindOf(err) != pawl.Conflict {
		t.Errorf("not merged: %v", err)
	}
	merging.Merging = nil // an edit proves nothing about another task
	s.misses(r, merging, "unit")
	sets = []pawl.ChangeSet{merge, made}
	theirs.CreatedAt = theirs.CreatedAt.Add(time.Millisecond) // of which nothing is remembered
	s.misses(r, theirs)
	s.misses(r, moved, "unit")
}
