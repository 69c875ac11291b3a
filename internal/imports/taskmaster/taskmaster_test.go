package taskmaster_test

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/sample"
	"github.com/pawl-dev/pawl/internal/imports/importstest"
	"github.com/pawl-dev/pawl/internal/imports/taskmaster"
)

// TestSample: what the tool itself wrote for its own project.
func TestSample(t *testing.T) {
	r := must.Get(importstest.Place(&taskmaster.Format, "testdata", "tasks.small.json"))(t)
	var b strings.Builder
	importstest.Show(&b, r, importstest.Load(t, &taskmaster.Format, r))
	sample.Golden(t, "tasks.small.txt", b.String())
	if c := r.Counts(); c.Completed != 21 || c.Ready != 1 || c.Blocked != 11 || r.Subtasks != 27 || r.Edges != 35 {
		t.Errorf("%+v, %d subtasks, %d edges", c, r.Subtasks, r.Edges)
	}
}

// TestWild: what other files in the wild look like.
func TestWild(t *testing.T) {
	const old = `{"tasks": [
	  {"id": 1, "title": "One", "status": "review", "priority": "critical", "dependencies": [3, "2.1"]},
	  {"id": "2", "title": "Two", "status": "cancelled", "subtasks": [
	    {"id": 1, "title": "A", "dependencies": ["2"], "status": "done"},
	    {"id": "2.2", "title": "B", "dependencies": ["2.1", 1, "2"], "status": "cancelled", "x": {"y": [1]}},
	    {"title": "C", "status": "cancelled", "dependencies": ["1"]}]},
	  {"id": 3, "title": "Three", "status": "deferred", "dependencies": [9, 3], "assignee": "ada", "updatedAt": "yesterday"},
	  {"id": 4, "status": "pending", "subtasks": [{"id": 1, "title": "lost"}]},
	  {"id": 5, "title": "", "description": "Five.\nMore.", "status": "someday", "dependencies": 1},
	  7,
	  {"title": "no id"},
	  {"id": 3, "title": "Three again"},
	  {"id": 6, "title": "Six", "status": "in-progress", "dependencies": [7, {"id": 1}]},
	  {"id": 7, "title": "Seven", "dependencies": ["6"]}
	]}`
	r := must.Get(importstest.Text(&taskmaster.Format, old))(t)
	var b strings.Builder
	importstest.Show(&b, r, importstest.Load(t, &taskmaster.Format, r))
	sample.Golden(t, "wild.txt", b.String())
}

// TestTags: a list under a tag can be chosen, and one that is not there is told.
func TestTags(t *testing.T) {
	const text = `{"master": {"tasks": [{"id": 1, "title": "M"}]}, "next": {"tasks": [{"id": 1, "title": "N"}]}, "odd": 7}`
	r, err := importstest.Tagged(&taskmaster.Format, text, "next")
	if err != nil || len(r.Tasks) != 1 || r.Tasks[0].Subject != "N" {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := importstest.Tagged(&taskmaster.Format, text, "none"); pawl.KindOf(err) != pawl.NotFound || !strings.Contains(err.Error(), "master, next") {
		t.Error(err)
	}
	r, err = importstest.Text(&taskmaster.Format, text)
	if err != nil || len(r.Tasks) != 2 || len(r.LeftOut) != 1 || r.Tasks[0].Ref == r.Tasks[1].Ref {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestRefused(t *testing.T) { importstest.Refused(t, &taskmaster.Format) }

func FuzzRead(f *testing.F) {
	importstest.Fuzz(f, &taskmaster.Format, `{"tasks":[{"id":1,"title":"a","dependencies":[2],"subtasks":[{"id":1,"title":"b","dependencies":["1"]}]},{"id":2,"title":"c","dependencies":[1]}]}`,
		`{"a":{"tasks":[{"id":"1","title":"a","status":"done","subtasks":[{"id":1,"title":"b","status":"deferred"}]}]}}`)
}
