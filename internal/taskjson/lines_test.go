package taskjson_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/taskjson"
	"github.com/pawl-dev/pawl/store/memory"
)

// Every field of a line comes through: what Pawl does not know, metadata as it
// is spelled, times, a hold, notes, and edges of tasks that are completed.
func TestEveryField(t *testing.T) {
	const lines = `{"id":3,"subject":"a","description":"d\n","status":"completed","blockedBy":[],"blocks":[7],"owner":"ada","createdAt":"2026-01-31T12:00:00.005Z","updatedAt":"2026-01-31T12:00:00.006Z","startedAt":"2026-01-31T12:00:00.007Z","completedAt":"2026-01-31T12:00:00.008Z","color":{"b":1.50,"a":"\u00e9"}}
{"id":7,"subject":"b","description":"","status":"pending","blockedBy":[9],"blocks":[],"owner":"","activeForm":"Doing b","priority":"low","labels":["x"],"notes":[{"at":"2026-01-31T12:00:00.000Z","by":"bob","text":"n"}],"hold":{"reason":"r","by":"bob","at":"2026-01-31T12:00:00.000Z"},"metadata":{"k":[1e2]},"createdAt":"2026-01-31T12:00:00.009Z","updatedAt":"2026-01-31T12:00:00.010Z"}
{"id":9,"subject":"c","description":"","status":"pending","blockedBy":[],"blocks":[7],"owner":"","createdAt":"2026-01-31T12:00:00.011Z","updatedAt":"2026-01-31T12:00:00.012Z"}
`
	op, err := taskjson.ReadLines(strings.NewReader(lines))
	must.Do(t, err)
	board := pawl.NewBoard(memory.New())
	do(t, board, op)
	if got := export(t, board); got != lines {
		t.Errorf("got\n%s\nwant\n%s", got, lines)
	}
}

// An edge to a line of the file follows that task wherever it goes; one to
// anything else means a task of the board.
func TestRefs(t *testing.T) {
	op, err := taskjson.ReadLines(strings.NewReader("\uFEFF" + `{"id":2,"subject":"a","blockedBy":[1,5],"blocks":[6,3],"parent":8}
{"id":1,"subject":"b"}
{"id":3,"subject":"c","parent":1}`))
	must.Do(t, err)
	a, c := op.Tasks[1], op.Tasks[2]
	if a.ID != 2 || a.Ref != "2" ||
		!slices.Equal(a.BlockedBy, []pawl.Ref{pawl.RefName("1"), pawl.RefID(5)}) ||
		!slices.Equal(a.Blocks, []pawl.Ref{pawl.RefID(6), pawl.RefName("3")}) ||
		a.Parent != pawl.RefID(8) || c.Parent != pawl.RefName("1") {
		t.Errorf("got %+v, %+v", a, c)
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error)  { return 0, errors.New("no disk") }
func (broken) Write([]byte) (int, error) { return 0, errors.New("no disk") }

func TestBrokenStreams(t *testing.T) {
	if _, err := taskjson.ReadLines(broken{}); !errors.Is(err, pawl.Unavailable) {
		t.Errorf("reading: %v", err)
	}
	if err := taskjson.WriteLines(broken{}, []pawl.Task{{ID: 1}}); err == nil {
		t.Error("writing failed, and nobody was told")
	}
}

// What Write wrote is read again.
func FuzzRead(f *testing.F) {
	f.Add(`{"id":2,"subject":"a","blockedBy":[1,5],"notes":"x","color":[1, 2]}` + "\n" + `{"id": 1}`)
	f.Fuzz(func(t *testing.T, lines string) {
		op, err := taskjson.ReadLines(strings.NewReader(lines))
		if err != nil {
			if !errors.Is(err, pawl.Invalid) {
				t.Fatal(err)
			}
			return
		}
		var out bytes.Buffer
		for _, in := range op.Tasks {
			task := pawl.Task{ID: in.ID, Subject: in.Subject, Metadata: in.Metadata, Extra: in.Extra, Notes: in.Notes}
			must.Do(t, taskjson.WriteLines(&out, []pawl.Task{task}))
		}
		again, err := taskjson.ReadLines(&out)
		if err != nil || len(again.Tasks) != len(op.Tasks) {
			t.Fatalf("%d tasks, then %d: %v", len(op.Tasks), len(again.Tasks), err)
		}
	})
}
