package merge

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

func TestMentions(t *testing.T) {
	for text, want := range map[string]string{
		"#12":                              "#15",
		"see #12.":                         "see #15.",
		"(#12), `#12`; #12:":               "(#15), `#15`; #15:",
		"#12,#12 #12/#12 #12-#13":          "#15,#15 #15/#12 #15-#13",
		"**#12** and \"#12\"\n#12\t#12":    "**#15** and \"#15\"\n#15\t#15",
		"nach #12… dann#12":                "nach #15… dann#12",
		"abc#12 x_#12 ##12 ä#12":           "abc#12 x_#12 ##12 ä#12",
		"#12a #123 #012 #12_ #12# #1.2":    "#12a #123 #012 #12_ #12# #1.2",
		"#12.5 #12,5":                      "#12.5 #12,5",
		"http://x.y/#12 http://x.y/a(#12)": "http://x.y/#12 http://x.y/a(#12)",
		"a/#12 ?a=#12 &#12;":               "a/#12 ?a=#12 &#12;",
		"#99999999999999999999 # #":        "#99999999999999999999 # #",
		"":                                 "",
	} {
		got := renumber(text, func(id pawl.ID) string {
			if id == 12 {
				return "15"
			}
			return ""
		})
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// What was written before the boards parted stays to the letter, even where the
// task moved since.
func TestOldTextsStay(t *testing.T) {
	base := board(pawl.Task{ID: 1, Subject: "about #2", Description: "and #2"})
	o := board(pawl.Task{ID: 1, Subject: "about #2", Description: "and then #2", ActiveForm: "Doing #2", Hold: &pawl.Hold{Reason: "until #2"}}, pawl.Task{ID: 2, Subject: "young", CreatedAt: at(50)})
	th := board(pawl.Task{ID: 1, Subject: "about #2", Description: "and #2"}, pawl.Task{ID: 2, Subject: "old", CreatedAt: at(40)})
	tasks, _, _ := bothWays(t, []Board{base}, o, th)
	want(t, "texts", tasks[1].Subject+", "+tasks[1].Description+", "+tasks[1].ActiveForm+", "+tasks[1].Hold.Reason, "about #2, and then #3, Doing #3, until #3")
}

func TestValues(t *testing.T) {
	for _, c := range []struct{ b, o, t, want string }{
		{`1`, `2`, `1`, `2`},
		{`1`, `2`, `3`, `3`},
		{``, `2`, `3`, `3`},
		{`1`, ``, `1`, ``},
		{`1`, ``, `3`, `3`},
		{`{"a":1,"b":1}`, `{"a":2,"b":1}`, `{"a":1,"b":3,"c":4}`, `{"a":2,"b":3,"c":4}`},
		{`{"a":1,"b":1}`, `{"b":1}`, `{"a":1,"b":2}`, `{"b":2}`},
		{`{"a":{"x":1}}`, `{"a":{"x":1,"y":2}}`, `{"a":{"x":3}}`, `{"a":{"x":3,"y":2}}`},
		{`[{"name":"t","run":"a"}]`, `[{"name":"t","run":"b"}]`, `[{"name":"t","run":"a","ok":true},{"name":"u"}]`, `[{"ok":true,"run":"b","name":"t"},{"name":"u"}]`},
		{`[{"id":1},{"id":2}]`, `[{"id":1}]`, `[{"id":1},{"id":2},{"id":3}]`, `[{"id":1},{"id":3}]`},
		{`["a","b"]`, `["a","b","c"]`, `["b","d"]`, `["b","d","c"]`},
		{`[{"at":1}]`, `[{"at":1},{"at":2}]`, `[{"at":1},{"at":3}]`, `[{"at":1},{"at":3},{"at":2}]`},
		{`[1,2]`, `[1,3]`, `[4,2]`, `[4,2]`},
		{`[]`, `{"a":1}`, `"x"`, `{"a":1}`},
		{`"<"`, `{"<&>":"a"}`, `{"b":"<"}`, `{"<&>":"a","b":"<"}`},
	} {
		raw := func(s string) json.RawMessage {
			if s == "" {
				return nil
			}
			return json.RawMessage(s)
		}
		var told [2]int
		got := values{lost: func(string, bool, json.RawMessage) { told[0]++ }}.value("k", raw(c.b), raw(c.o), raw(c.t))
		again := values{lost: func(string, bool, json.RawMessage) { told[1]++ }}.value("k", raw(c.b), raw(c.t), raw(c.o))
		if string(got) != string(again) || told[0] != told[1] {
			t.Errorf("%v: not symmetric: %s and %s", c, got, again)
		}
		if canonical(got) != canonical(raw(c.want)) {
			t.Errorf("%v: got %s", c, got)
		}
	}
}

func canonical(raw json.RawMessage) string {
	var v any
	_ = json.Unmarshal(raw, &v)
	return fmt.Sprintf("%v", v)
}

// Fields that no version knows yet are merged, and what yields is told.
func TestFieldsOfLaterVersions(t *testing.T) {
	task := func(extra, meta string) Board {
		task := pawl.Task{ID: 1, Subject: "a"}
		must.Do(t, json.Unmarshal([]byte(extra), &task.Extra))
		must.Do(t, json.Unmarshal([]byte(meta), &task.Metadata))
		return board(task)
	}
	base := task(`{"suites":[{"name":"test","run":"go test"}],"wishes":["a"]}`, `{"x":1,"y":{"z":1}}`)
	o := task(`{"suites":[{"name":"test","run":"go test ./..."},{"name":"vet"}],"wishes":["a","b"]}`, `{"x":2,"y":{"z":2}}`)
	th := task(`{"suites":[{"name":"test","run":"go test","last":"ok"}],"wishes":["a","c"],"proofs":{"log":"x"}}`, `{"x":1,"y":{"z":3},"w":true}`)
	tasks, r, _ := bothWays(t, []Board{base}, o, th)
	want(t, "extra", canonical(mustJSON(t, tasks[1].Extra)), canonical(json.RawMessage(
		`{"wishes":["a","c","b"],"suites":[{"last":"ok","name":"test","run":"go test ./..."},{"name":"vet"}],"proofs":{"log":"x"}}`)))
	want(t, "metadata", canonical(mustJSON(t, tasks[1].Metadata)), canonical(json.RawMessage(`{"w":true,"x":2,"y":{"z":3}}`)))
	want(t, "noted", r.Noted, []Noted{{ID: 1, Field: pawl.FieldMetadata, Side: Ours, Key: "y.z", Value: "2"}})
}

func mustJSON(t *testing.T, v any) json.RawMessage {
	text, err := json.Marshal(v)
	must.Do(t, err)
	return text
}

// A text that yields becomes a note, and is told.
func TestTextsThatYield(t *testing.T) {
	base := board(pawl.Task{ID: 1, Subject: "a", Description: "d"})
	o := board(pawl.Task{ID: 1, Subject: "Fix the cart", Description: "d", UpdatedAt: at(5)})
	th := board(pawl.Task{ID: 1, Subject: "Cart", Description: "d2", UpdatedAt: at(6), Hold: &pawl.Hold{Reason: "later"}})
	tasks, r, _ := bothWays(t, []Board{base}, o, th)
	want(t, "subject", tasks[1].Subject, "Fix the cart")
	want(t, "notes", tasks[1].Notes, []pawl.Note{{At: at(6), By: "pawl", Text: "Another branch named this task: Cart"}})
	want(t, "noted", r.Noted, []Noted{{ID: 1, Field: pawl.FieldSubject, Side: Theirs, Note: true, Value: "Cart"}})
	// Completed on one side, put on hold on the other: done, and the reason is kept.
	done := board(pawl.Task{ID: 1, Subject: "a", Description: "d", Status: pawl.Completed})
	tasks, r, _ = bothWays(t, []Board{base}, done, th)
	want(t, "hold", tasks[1].Hold == nil && strings.Contains(tasks[1].Notes[0].Text, "later"), true)
	want(t, "noted", r.Noted[0].Side, Theirs)
}
