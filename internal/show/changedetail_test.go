package show

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/sample"
	"github.com/pawl-dev/pawl/query"
)

func TestChangeDetail(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	bare := pawl.Task{ID: 2, Subject: "Write\x1b code", Status: pawl.Pending, CreatedAt: at}
	full := pawl.Task{
		ID: 2, Subject: "Write the code", Description: "one\ntwo\nthree\nfour", Status: pawl.InProgress, BlockedBy: []pawl.ID{3}, Blocks: []pawl.ID{4, 5},
		Owner: "ada", ActiveForm: "Writing", Priority: pawl.High, Parent: 7, Labels: []string{"a", "b"}, Notes: []pawl.Note{{By: "bob", Text: "first\nline", At: at}},
		Hold: &pawl.Hold{Reason: "tired"}, Metadata: map[string]json.RawMessage{"ref": json.RawMessage(`"bv-1"`), "n": json.RawMessage(`1`)},
		Extra: map[string]json.RawMessage{"theirs": json.RawMessage(`[1]`)}, CreatedAt: at, UpdatedAt: at.Add(time.Hour), StartedAt: at, CompletedAt: at.Add(time.Minute),
		Claim: pawl.Claim{Session: "s1", Token: 17, Lease: pawl.Duration(15 * time.Minute), Until: at.Add(time.Hour)}, Expired: 1,
	}
	edited := full.Clone()
	edited.Description = "one\n2\ntwo and a half\nthree\nfour"
	edited.Notes = append(edited.Notes, pawl.Note{By: "ada", Text: "second", At: at})
	edited.Metadata["n"] = json.RawMessage(`2`)
	many := edited.Clone()
	many.Blocks = []pawl.ID{4, 6, 7, 8, 9, 10, 11, 12}
	long := bare
	long.Description = strings.Repeat("line\n", 30)

	change := func(before, after *pawl.Task) pawl.Change {
		c := pawl.Change{ID: 2, CreatedAt: at, Before: before, After: after}
		if before != nil && after != nil {
			c.Fields = pawl.Diff(before, after)
		}
		return c
	}
	var got strings.Builder
	tell := func(c *pawl.Change, clock Clock) {
		for _, line := range ChangeDetail(c, query.Subjects{2: bare.Subject}, clock) {
			if strings.ContainsAny(line, "\x1b\n\r") || strings.TrimRight(line, " ") != line {
				t.Errorf("not fit for a terminal: %q", line)
			}
			fmt.Fprintln(&got, line)
		}
		fmt.Fprintln(&got)
	}
	for _, c := range []pawl.Change{
		change(nil, &bare), change(nil, &full), change(&bare, &full), change(&full, &bare), change(&full, &edited), change(&edited, &full), change(&edited, &many),
		change(&bare, &long), change(&full, nil), {ID: 9},
	} {
		tell(&c, Clock{})
	}
	sample.Golden(t, "changedetail.txt", got.String())
	file := got.String()
	got.Reset()
	edit := change(&bare, &full)
	tell(&edit, Clock{Now: at, Zone: time.UTC})
	sample.Golden(t, "changedetail-person.txt", got.String())
	for _, f := range pawl.Diff(&bare, &full) {
		if f != pawl.FieldUpdatedAt && strings.ContainsAny(fieldName(f, true), "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") {
			t.Errorf("a person is told of %s", f)
		}
	}
	// Every field of a task is told of.
	for _, f := range pawl.Diff(&bare, &full) {
		if f != pawl.FieldUpdatedAt && !strings.Contains(file, "\n  "+string(f)) {
			t.Errorf("%s is not told of", f)
		}
	}
}

// Each field has a value in words, and none is told of as one of a newer version.
func TestFieldLines(t *testing.T) {
	at := time.UnixMilli(1)
	whole := pawl.Task{
		Subject: "s", Description: "d", Status: pawl.Pending, BlockedBy: []pawl.ID{2}, Blocks: []pawl.ID{3}, Owner: "ada", ActiveForm: "a",
		Priority: pawl.High, Parent: 5, Was: []pawl.ID{6}, Labels: []string{"l"}, Notes: []pawl.Note{{Text: "n"}}, Hold: &pawl.Hold{Reason: "r"},
		Checks: []pawl.Check{{Name: "c", Run: []string{"c"}}}, Accept: []pawl.Criterion{{Text: "c"}}, Evidence: []pawl.Evidence{{Check: "c"}},
		Metadata:  map[string]json.RawMessage{"k": json.RawMessage("1")},
		CreatedAt: at, UpdatedAt: at, StartedAt: at, CompletedAt: at, Extra: map[string]json.RawMessage{"k": json.RawMessage("1")},
	}
	task := reflect.ValueOf(whole)
	for i := 1; task.Type().Field(i).Name != "Blockers"; i++ {
		if task.Field(i).IsZero() {
			t.Errorf("set %s here", task.Type().Field(i).Name)
		}
	}
	for _, f := range pawl.Diff(&pawl.Task{}, &whole) {
		lines := strings.Join(fieldLines(f, &pawl.Task{}, &whole, Clock{}), "\n")
		if f != pawl.FieldUpdatedAt && (lines == "" || strings.Contains(lines, "?")) {
			t.Errorf("%s is told as %q", f, lines)
		}
	}
}
