package checks

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/todo"
)

func (s *stage) runList(l *todo.List) (Ran, todo.Checked, error) {
	return s.RunList(context.Background(), s.request(), l)
}

// The check of a todo list runs once a person trusts exactly it, and where it has passed on
// exactly these files not again. What it printed when it failed is known here afterwards.
func TestRunList(t *testing.T) {
	s := newStage(t)
	check := unit.Clone()
	list := &todo.List{Key: todo.Key{Session: "s1"}, Check: &check}
	_, _, err := s.runList(list)
	s.unmet(err, "unit: go test ./... is not trusted in this clone, so no check ran")
	s.trust(unit)
	other := unit.Clone()
	other.Run = append(other.Run, "-exec=evil")
	_, _, err = s.runList(&todo.List{Check: &other})
	s.unmet(err, "is not trusted in this clone")
	s.wants()

	s.plays["unit"] = fails
	ran, checked, err := s.runList(list)
	if err != nil || ran.Passed || checked.Passed || checked.Exit != 1 || checked.Sum != unit.Sum() || checked.At.IsZero() {
		t.Errorf("%+v, %+v, %v", ran, checked, err)
	}
	list.Checked = &checked
	if trusted, tail, err := s.LastOf(list); err != nil || !trusted || tail != fails().Tail {
		t.Errorf("%v, %q, %v", trusted, tail, err)
	}
	// Another list has another run.
	if trusted, tail, err := s.LastOf(&todo.List{Key: todo.Key{Session: "s1", Agent: "a"}, Check: &check, Checked: &checked}); err != nil || !trusted || tail != "" {
		t.Errorf("%v, %q, %v", trusted, tail, err)
	}
	delete(s.plays, "unit")
	for range 2 {
		if ran, checked, err = s.runList(list); err != nil || !ran.Passed || !checked.Passed || ran.Tasks == nil {
			t.Errorf("%+v, %+v, %v", ran, checked, err)
		}
	}
	if !ran.Again {
		t.Errorf("%+v", ran)
	}
	s.wants("unit", "unit")
	s.now.Dirty = true
	if ran, _, err = s.runList(list); err != nil || ran.Again {
		t.Errorf("%+v, %v", ran, err)
	}
	s.wants("unit")
}

// Files that change while it runs show nothing, nor does a check that nobody can read; and
// a check runs no check.
func TestRunListShowsNothing(t *testing.T) {
	s := newStage(t)
	s.trust(unit)
	check := unit.Clone()
	list := &todo.List{Check: &check}
	play := s.Service.run
	s.Service.run = nil
	s.Getenv = func(name string) string { return map[string]string{"PAWL_CHECK": "1"}[name] }
	if _, _, err := s.runList(list); pawl.KindOf(err) != pawl.Invalid {
		t.Error(err)
	}
	s.Service.run, s.Getenv = play, func(string) string { return "" }
	files := s.files
	s.files = func(ctx context.Context) (Files, error) {
		is, err := files(ctx)
		s.now.Tree = strings.Repeat("b", 40)
		return is, err
	}
	_, _, err := s.runList(list)
	s.unmet(err, "files of the project changed while the checks ran")
	if _, ok := s.kept(listKey(list.Key), unit.Sum()); ok {
		t.Error("the run is kept")
	}
	s.wants("unit")
	_, _, err = s.runList(&todo.List{BadCheck: []byte(`{}`)})
	s.unmet(err, "cannot be read")
	if _, _, err = s.runList(&todo.List{}); pawl.KindOf(err) != pawl.NotFound {
		t.Error(err)
	}
	s.wants()
}

// What a person trusts, an agent does not take away from a list.
func TestMaySet(t *testing.T) {
	s := newStage(t)
	check := unit.Clone()
	list := &todo.List{Check: &check}
	must.Do(t, s.MaySet(list, false))
	s.trust(unit)
	must.Do(t, s.MaySet(list, true))
	if err := s.MaySet(list, false); pawl.KindOf(err) != pawl.Invalid {
		t.Error(err)
	}
}

// What waits for trust is shown once, with the lists and the tasks that ask it.
func TestWantedOfLists(t *testing.T) {
	s := newStage(t)
	id := s.make(unit)
	tasks := must.Get(s.Open(context.Background(), s.board, ada))(t)
	first, second := unit.Clone(), vet.Clone()
	lists := []todo.List{
		{Key: todo.Key{Session: "s1"}, Check: &first}, {Key: todo.Key{Session: "s2"}, Check: &second},
		{Key: todo.Key{Session: "s3"}, Check: &second}, {BadCheck: []byte(`{}`)}, {},
	}
	wanted, err := s.Wanted(tasks, lists)
	if err != nil || len(wanted) != 2 || !slices.Equal(wanted[0].Tasks, []pawl.ID{id}) || len(wanted[0].Lists) != 1 || len(wanted[1].Lists) != 2 {
		t.Errorf("%+v, %v", wanted, err)
	}
	s.trust(vet)
	if wanted, err = s.Wanted(tasks, lists); err != nil || len(wanted) != 1 || wanted[0].Name != "unit" {
		t.Errorf("%+v, %v", wanted, err)
	}
}
