package imports_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/imports/taskmaster"
	"github.com/pawl-dev/pawl/store/memory"
)

// fixture is a board to which versions of one source are imported.
type fixture struct {
	t     *testing.T
	board *pawl.Board
}

func newFixture(t *testing.T) *fixture { return &fixture{t, pawl.NewBoard(memory.New())} }

func (d *fixture) tasks() []pawl.Task {
	d.t.Helper()
	page, err := d.board.Select(context.Background(), pawl.Query{})
	if err != nil {
		d.t.Fatal(err)
	}
	return page.Tasks
}

// load imports tasks of Task Master, and returns what was told.
func (d *fixture) load(tasks string) string {
	d.t.Helper()
	in := imports.Input{In: strings.NewReader(`{"tasks": [` + tasks + `]}`)}
	r, err := imports.Read(&taskmaster.Format, &in)
	if err != nil {
		d.t.Fatal(err)
	}
	d.do(pawl.Import{Tasks: r.Merge(&taskmaster.Format, d.tasks())})
	var told []string
	for _, remark := range r.Changed {
		told = append(told, remark.Ref+" "+remark.What)
	}
	return strings.Join(told, "\n")
}

func (d *fixture) do(op pawl.Op) {
	d.t.Helper()
	if _, err := d.board.Do(context.Background(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: op}); err != nil {
		d.t.Fatal(err)
	}
}

func (d *fixture) task(id pawl.ID) *pawl.Task {
	d.t.Helper()
	for _, t := range d.tasks() {
		if t.ID == id {
			return &t
		}
	}
	d.t.Fatalf("no task %v", id)
	return nil
}

func ptr[T any](v T) *T { return &v }

const (
	one = `{"id":1,"title":"One","description":"Text","priority":"low","labels":["a","b"],"updatedAt":"2026-01-01T00:00:00Z"}`
	two = `{"id":2,"title":"Two","dependencies":[1],"updatedAt":"2026-01-01T00:00:00Z"}`
)

// What was changed on the board stays, whatever the source says that has not
// changed.
func TestMergeKeepsWhatChangedHere(t *testing.T) {
	d := newFixture(t)
	d.load(one + "," + two)
	d.do(pawl.Update{ID: 1, Subject: ptr("Uno"), Description: ptr("Texto"), Priority: ptr(pawl.High), AddLabels: []string{"c"}, RemoveLabels: []string{"a"}})
	d.do(pawl.Update{ID: 2, RemoveBlockedBy: []pawl.ID{1}})
	d.do(pawl.AddNote{ID: 2, Text: "mine"})
	d.do(pawl.Complete{IDs: []pawl.ID{2}})
	if told := d.load(one + "," + two); told != "" {
		t.Errorf("told %q", told)
	}
	if got := d.task(1); got.Subject != "Uno" || got.Description != "Texto" || got.Priority != pawl.High || strings.Join(got.Labels, " ") != "b c" {
		t.Errorf("%+v", got)
	}
	if got := d.task(2); got.Status != pawl.Completed || len(got.Blockers) != 0 || len(got.Notes) != 1 {
		t.Errorf("%+v", got)
	}
}

// What changed in the source comes, beside what changed here.
func TestMergeTakesWhatChangedThere(t *testing.T) {
	d := newFixture(t)
	d.load(one + "," + two)
	d.do(pawl.Update{ID: 1, Subject: ptr("Uno"), AddLabels: []string{"mine"}})
	told := d.load(`{"id":1,"title":"One","description":"More","priority":"high","labels":["b","new"],"status":"done","updatedAt":"2026-02-01T00:00:00Z"},` +
		two + `,{"id":3,"title":"Three","dependencies":[2]}`)
	got := d.task(1)
	if got.Subject != "Uno" || got.Description != "More" || got.Priority != pawl.High || got.Status != pawl.Completed || strings.Join(got.Labels, " ") != "b mine new" || told != "" {
		t.Errorf("%+v\n%s", got, told)
	}
	if got := d.task(3); len(got.BlockedBy) != 1 {
		t.Errorf("%+v", got)
	}
	if got := d.task(2); !got.Free() {
		t.Errorf("%+v", got)
	}
}

// What changed in both places stays as it is here, and that is told.
func TestMergeTellsConflicts(t *testing.T) {
	d := newFixture(t)
	d.load(one + "," + two)
	d.do(pawl.Update{ID: 1, Subject: ptr("Uno")})
	d.do(pawl.ClaimTask{ID: 1})
	told := d.load(`{"id":1,"title":"Eins","description":"Text","priority":"low","labels":["a","b"],"status":"done"},` + two)
	got := d.task(1)
	if got.Subject != "Uno" || got.Status != pawl.InProgress || got.Owner != "ada" || told != "taskmaster:master:1 kept as changed here: subject, status" {
		t.Errorf("%+v\n%s", got, told)
	}
}

// A task that was completed here is reopened only when the source reopened it.
func TestMergeReopens(t *testing.T) {
	d := newFixture(t)
	d.load(`{"id":1,"title":"One","status":"done"}`)
	if told := d.load(`{"id":1,"title":"One","status":"pending"}`); !d.task(1).Open() || !strings.Contains(told, "reopened: no longer done there") {
		t.Errorf("%+v %s", d.task(1), told)
	}
	d.do(pawl.Complete{IDs: []pawl.ID{1}})
	if told := d.load(`{"id":1,"title":"One","status":"pending"}`); d.task(1).Open() || told != "" {
		t.Errorf("%+v %s", d.task(1), told)
	}
	// An open child that is new reopens its parent: a board refuses it else.
	told := d.load(`{"id":1,"title":"One","status":"pending","subtasks":[{"id":1,"title":"Child"}]}`)
	if !d.task(1).Open() || !strings.Contains(told, "reopened: has open subtasks now") {
		t.Errorf("%+v %s", d.task(1), told)
	}
}

// What is absent from the source is not removed.
func TestMergeRemovesNothing(t *testing.T) {
	d := newFixture(t)
	d.load(one + "," + two)
	d.load(`{"id":2,"title":"Two","updatedAt":"2026-03-01T00:00:00Z"}`)
	if got := d.tasks(); len(got) != 2 || len(got[1].Blockers) != 1 {
		t.Errorf("%+v", got)
	}
}

// A task that was imported before sums were kept: the newer side counts, and
// what is completed stays so.
func TestMergeWithoutBase(t *testing.T) {
	d := newFixture(t)
	ref := map[string]json.RawMessage{pawl.RefKey: json.RawMessage(`"taskmaster:master:1"`)}
	d.do(pawl.Import{Tasks: []pawl.ImportTask{{NewTask: pawl.NewTask{Subject: "Old", Metadata: ref}, Status: pawl.Completed}}})
	told := d.load(`{"id":1,"title":"New"}`)
	if got := d.task(1); got.Subject != "New" || got.Open() || !strings.Contains(told, "kept as changed here: completed") {
		t.Errorf("%+v %s", got, told)
	}
}

// A new dependency of the source that closes a cycle with one that was made here
// is left out, and the rest comes.
func TestMergeCycle(t *testing.T) {
	d := newFixture(t)
	d.load(`{"id":1,"title":"One"},{"id":2,"title":"Two"},{"id":3,"title":"Three"}`)
	d.do(pawl.Update{ID: 1, AddBlockedBy: []pawl.ID{2}})
	told := d.load(`{"id":1,"title":"One"},{"id":2,"title":"Two","dependencies":[1]},{"id":3,"title":"Third","dependencies":[1]}`)
	if got := d.task(2); len(got.Blockers) != 0 || !strings.Contains(told, "would close a cycle") {
		t.Errorf("%+v %s", got, told)
	}
	if got := d.task(3); got.Subject != "Third" || len(got.Blockers) != 1 {
		t.Errorf("%+v", got)
	}
}
