package todo

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// Of a list with faults as much is kept as is any.
func TestSalvage(t *testing.T) {
	long := strings.Repeat("ä", MaxContent+1)
	var many []string
	for i := range MaxItems + 5 {
		many = append(many, fmt.Sprintf(`"todo %d"`, i))
	}
	for _, c := range []struct {
		list string
		n    int // -1: nothing can be kept
		last string
	}{
		{`[{"content": "A"}, {"content": "B"}]`, 2, "B"},
		{`[{"content": "A"}, {"content": " "}, {"content": "C", "status": "completed"}]`, 2, "C"},
		{`[{"content": "A"}, {"content": "` + long + `"}]`, 2, long[:len(long)-len("ä")]},
		{`{"todos": [` + strings.Join(many, ",") + `]}`, MaxItems, fmt.Sprintf("todo %d", MaxItems-1)},
		{`[{"content": "A"}, 7, null, {"content": "B"}]`, 2, "B"},
		{`[{"id": "1", "content": "A"}, {"id": "1", "content": "B"}]`, 2, "B"},
		{`[{"content": "A\u0000"}, {"content": "B"}]`, 1, "B"},
		{`[{"content": ""}]`, -1, ""},
		{`7`, -1, ""},
		{``, -1, ""},
		{`[]`, 0, ""},
	} {
		d, err := Salvage(json.RawMessage(c.list), false)
		switch {
		case c.n < 0:
			if _, want := Decode(json.RawMessage(c.list), false); err == nil || err.Error() != want.Error() {
				t.Errorf("%.60s: %v, want %v", c.list, err, want)
			}
		case err != nil || len(d.Items) != c.n || c.n > 0 && d.Items[c.n-1].Content != c.last:
			t.Errorf("%.60s: %d todos, %v", c.list, len(d.Items), err)
		}
	}
}

// What was salvaged can be written.
func FuzzSalvage(f *testing.F) {
	f.Add([]byte(`[{"content": "A", "subtasks": [{"content": ""}, "b"]}, {"content": " "}]`), false)
	f.Add([]byte(`[{"id": "1", "content": "A", "status": "no"}, {"id": "1"}]`), true)
	f.Fuzz(func(t *testing.T, text []byte, merge bool) {
		d, err := Salvage(text, merge)
		if err != nil || merge {
			return
		}
		for i := range d.Items {
			if utf8.RuneCountInString(d.Items[i].Content) > MaxContent {
				t.Fatal("too long")
			}
		}
		l := List{}
		if _, err := l.write(d, Writing{}, time.Now()); err != nil {
			t.Fatalf("%v of %+v", err, d)
		}
	})
}
