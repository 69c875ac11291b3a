package beads_test

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/imports/beads"
	"github.com/pawl-dev/pawl/store/memory"
)

// line is an issue with the fields it must have and some more.
func line(id, more string) string {
	return `{"id":"` + id + `","title":"` + strings.ToUpper(id) + `","status":"open"` + more + "}\n"
}

func dep(from, to, kind string) string {
	return `{"issue_id":"` + from + `","depends_on_id":"` + to + `","type":"` + kind + `"}`
}

// read reads lines that a board must take, whatever is odd about them.
func read(t *testing.T, lines string) ([]pawl.ImportTask, string) {
	t.Helper()
	tasks, warnings, err := readAll(strings.NewReader(lines))
	if err != nil {
		t.Fatal(err)
	}
	board := pawl.NewBoard(memory.New())
	if _, err := board.Do(context.Background(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: pawl.Import{Tasks: tasks}}); err != nil {
		t.Fatalf("the board refuses it: %v", err)
	}
	return tasks, strings.Join(warnings, "\n")
}

// What a board would refuse, and with it everything else, is left unlinked,
// told, and still in the metadata.
func TestLinks(t *testing.T) {
	for _, test := range []struct{ name, lines, links, warning string }{
		{"an edge twice", line("a", `,"dependencies":[`+dep("a", "b", "blocks")+","+dep("", "b", "blocks")+"]") + line("b", ""), "a<b", ""},
		{"to itself", line("a", `,"dependencies":[`+dep("a", "a", "blocks")+"]"), "", "itself"},
		{"its own parent", line("a", `,"dependencies":[`+dep("a", "a", "parent-child")+"]"), "", "a is part of a"},
		{"to nothing", line("a", `,"dependencies":[`+dep("a", "x", "blocks")+"]"), "", "line 1: a waits for x"},
		{"to what was deleted", line("a", `,"dependencies":[`+dep("a", "b", "blocks")+"]") + `{"id":"b","status":"tombstone"}`, "", "line 2: b: deleted in beads"},
		{"of another issue", line("a", `,"dependencies":[`+dep("b", "a", "blocks")+"]") + line("b", ""), "", "another issue"},
		{"two parents", line("a", `,"dependencies":[`+dep("a", "b", "parent-child")+","+dep("a", "c", "parent-child")+"]") + line("b", "") + line("c", ""), "a^b", "second parents"},
		{"a cycle", line("a", `,"dependencies":[`+dep("a", "b", "blocks")+"]") + line("b", `,"dependencies":[`+dep("b", "c", "blocks")+"]") + line("c", `,"dependencies":[`+dep("c", "a", "blocks")+"]"),
			"a<b b<c", "line 3: c waits for a: dependencies that close a cycle"},
		{"a child that waits for its parent", line("a", `,"dependencies":[`+dep("a", "b", "parent-child")+","+dep("a", "b", "blocks")+"]") + line("b", ""),
			"a^b", "line 1: a waits for b: dependencies that close a cycle"},
		{"a parent that waits for its child", line("a", `,"dependencies":[`+dep("a", "b", "parent-child")+"]") + line("b", `,"dependencies":[`+dep("b", "a", "blocks")+"]"), "a^b b<a", ""},
		{"parents in a ring", line("a", `,"dependencies":[`+dep("a", "b", "parent-child")+"]") + line("b", `,"dependencies":[`+dep("b", "a", "parent-child")+"]"), "b^a", "line 1: a is part of b: parents that form a ring"},
		{"other kinds", line("a", `,"dependencies":[`+dep("a", "b", "related")+","+dep("a", "b", "discovered-from")+"]") + line("b", ""), "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			tasks, warnings := read(t, test.lines)
			var links []string
			for _, task := range tasks {
				if task.Parent.Name != "" {
					links = append(links, task.Ref+"^"+task.Parent.Name)
				}
				for _, on := range task.BlockedBy {
					links = append(links, task.Ref+"<"+on.Name)
				}
			}
			if got := strings.Join(links, " "); got != test.links {
				t.Errorf("links %q, want %q", got, test.links)
			}
			if !strings.Contains(warnings, test.warning) || (warnings == "") != (test.warning == "") {
				t.Errorf("warnings %q, want %q", warnings, test.warning)
			}
			if strings.Contains(test.lines, "dependencies") && !strings.Contains(string(tasks[0].Metadata[beads.Key]), `"dependencies":[{`) {
				t.Errorf("the metadata forgot the dependencies: %s", tasks[0].Metadata[beads.Key])
			}
		})
	}
}

// Texts over the limits of a task are all there: cut in two, or whole in the
// metadata.
func TestOddTexts(t *testing.T) {
	long := strings.Repeat("ä ", pawl.MaxDescription/2)
	title := "A\\u0007 title\\n" + strings.Repeat("x", 600)
	labels := `["ok","two\nlines","` + strings.Repeat("y", 200) + `","ok"]`
	tasks, warnings := read(t, `{"id":"a","title":"`+title+`","description":"`+long+`","notes":"n\u0000","labels":`+labels+
		`,"created_at":"soon","updated_at":"2026-01-31T12:00:00.1239+02:00","comments":[{"id":1,"author":"bob\n","text":"`+strings.Repeat("z", 20000)+`","created_at":"2026-01-31T12:00:00Z"}]}`)
	task := tasks[0]
	var kept map[string]json.RawMessage
	must.Do(t, json.Unmarshal(task.Metadata[beads.Key], &kept))
	if got := string(kept["title"]); got != `"`+title+`"` {
		t.Errorf("the title is kept as %s", got)
	}
	if !strings.HasPrefix(task.Subject, "A title xxx") || !strings.HasSuffix(task.Subject, "x…") {
		t.Errorf("the subject is %q", task.Subject)
	}
	var texts strings.Builder
	texts.WriteString(task.Description)
	for _, n := range task.Notes {
		texts.WriteString(n.Text)
	}
	if want := long + "n\uFFFD" + strings.Repeat("z", 20000); texts.String() != want {
		t.Errorf("of %d bytes of text there are %d", len(want), texts.Len())
	}
	if n := task.Notes[len(task.Notes)-1]; n.By != "bob" || n.At.Format("15:04") != "12:00" {
		t.Errorf("the comment became %q by %q at %v", n.Text[:10], n.By, n.At)
	}
	if string(kept["labels"]) != labels || len(task.Labels) != 3 || task.Labels[1] != "two lines" {
		t.Errorf("labels %q, kept %s", task.Labels, kept["labels"])
	}
	if string(kept["created_at"]) != `"soon"` || !task.CreatedAt.IsZero() || task.UpdatedAt.Format("15:04:05.000") != "10:00:00.123" {
		t.Errorf("times %v, %v, kept %s", task.CreatedAt, task.UpdatedAt, kept["created_at"])
	}
	for _, want := range []string{"title", "description", "labels", "a time"} {
		if !strings.Contains(warnings, want) {
			t.Errorf("no warning about the %s: %s", want, warnings)
		}
	}
}

func TestStates(t *testing.T) {
	tasks, _ := read(t, line("a", `,"closed_at":"2026-01-31T12:00:00Z"`)+
		strings.Replace(line("b", `,"updated_at":"2026-01-31T12:00:00Z"`), "open", "closed", 1)+
		strings.Replace(line("c", `,"defer_until":"2027-01-01"`), "open", "deferred", 1)+
		strings.Replace(line("d", ""), "open", "blocked", 1)+
		strings.Replace(line("e", ""), "open", "pinned", 1)+
		strings.Replace(line("f", `,"started_at":"2026-01-31T12:00:00Z"`), "open", "in_progress", 1)+
		`{"_type":"memory","key":"k"}`)
	a, b, c, d, e, f := tasks[0], tasks[1], tasks[2], tasks[3], tasks[4], tasks[5]
	if !a.CompletedAt.IsZero() || !strings.Contains(string(a.Metadata[beads.Key]), "closed_at") {
		t.Errorf("an open task was closed once: %+v", a)
	}
	if b.Status != pawl.Completed || !b.CompletedAt.Equal(b.UpdatedAt) || b.CompletedAt.IsZero() {
		t.Errorf("closed without a time: %+v", b)
	}
	if c.Status != pawl.Pending || c.Hold == nil || !strings.Contains(c.Hold.Reason, "2027-01-01") {
		t.Errorf("deferred: %+v", c)
	}
	if d.Status != pawl.Pending || d.Hold == nil || e.Hold == nil {
		t.Errorf("blocked: %+v, pinned: %+v", d, e)
	}
	if f.Status != pawl.Pending || !f.StartedAt.IsZero() { // nobody is at it
		t.Errorf("in progress: %+v", f)
	}
}

func TestPriorities(t *testing.T) {
	tasks, _ := read(t, "\uFEFF"+line("a", `,"priority":0`)+line("b", `,"priority":1`)+line("c", `,"priority":2`)+
		line("d", `,"priority":3`)+line("e", `,"priority":4`)+line("f", `,"priority":null`)+line("g", ""))
	for i, want := range []pawl.Priority{pawl.High, pawl.High, pawl.Medium, pawl.Low, pawl.Low, pawl.Medium, pawl.Medium} {
		if got := tasks[i].Priority; got != want {
			t.Errorf("%s is %v, want %v", tasks[i].Ref, got, want)
		}
	}
}

// A line that cannot be an issue is told, with its number, and stops no other.
func TestUnreadableLines(t *testing.T) {
	bad := []struct{ line, problem string }{
		{`[]`, "not an issue"},
		{`{"id":"a"`, "not JSON"},
		{`{"id":"a" "b"}`, "not JSON"},
		{`{"id":"a","title":"A"} {}`, "not JSON"},
		{`{"title":"A"}`, "no id"},
		{`{"id":{},"title":"A"}`, "no id"},
		{`{"id":"b"}`, "no title"},
		{`{"id":"c","title":"\u0007"}`, "no title"},
		{`{"id":"good","title":"again"}`, "the same id twice"},
		{`{"id":"i","title":"` + "\xff" + `"}`, "UTF-8"},
		{`{"id":"j","title":"J","x":` + strings.Repeat("[", 10000) + strings.Repeat("]", 10000) + `}`, "nested"},
		{`{"id":"k","title":"K","design":"` + strings.Repeat("x", 1<<20) + `"}`, "longer than 1 MiB"},
		{`{"_type":"memory","key":"k"}`, "no issue"},
		{`{"id":"l","title":"L","issue_type":"agent"}`, "rows of agents"},
		{`{"id":"m","title":"M","issue_type":"task","labels":["gt:rig"]}`, "rows of rigs"},
		{`{"id":"n","title":"N","status":"tombstone"}`, "deleted in beads"},
		{`{"id":"o","title":"O","x":"` + strings.Repeat("x", pawl.MaxMetadata) + `"}`, "too large for a task's metadata"},
	}
	lines := line("good", "")
	for _, b := range bad {
		lines += b.line + "\n"
	}
	tasks, told := read(t, lines+line("last", ""))
	for i, b := range bad {
		at := "line " + strconv.Itoa(i+2) + ":"
		if !slices.ContainsFunc(strings.Split(told, "\n"), func(l string) bool { return strings.HasPrefix(l, at) && strings.Contains(l, b.problem) }) {
			t.Errorf("%s %.60s: not told %q", at, b.line, b.problem)
		}
	}
	if n := len(strings.Split(told, "\n")); n != len(bad) || len(tasks) != 3 { // good, o without x, last
		t.Errorf("%d tasks, %d remarks:\n%s", len(tasks), n, told)
	}
}

// Values of another type are kept and stop nothing.
func TestOddValues(t *testing.T) {
	tasks, _ := read(t, `{"id":7,"title":"A","priority":"P1","labels":"x","dependencies":{},"comments":7,"description":[1],"created_at":1e400}`)
	kept := string(tasks[0].Metadata[beads.Key])
	for _, want := range []string{`"priority":"P1"`, `"comments":7`, `"description":[1]`, `"created_at":1e400`} {
		if !strings.Contains(kept, want) {
			t.Errorf("%s is not kept: %s", want, kept)
		}
	}
	if tasks[0].Ref != "7" || !slices.Equal(tasks[0].Labels, []string{"x"}) {
		t.Errorf("%+v", tasks[0])
	}
}

// What a board refuses in JSON is not kept as it is, and stops nothing.
func TestRefusedValues(t *testing.T) {
	deep := strings.Repeat(`{"x":`, 62) + "1" + strings.Repeat("}", 62)
	tasks, _ := read(t, line("a", `,"k\u0000":"a\u0000b\ud800c\ud83d\ude00\\\\u0000\udc00"`)+line("b", `,"x":{"y":1,"y":2},"x":3`)+line("c", `,"deep":`+deep)+line("d", `,"n":[1e400,-0,123456789012345678901234567890]`))
	if got := string(tasks[0].Metadata[beads.Key]); !strings.Contains(got, `"k\ufffd":"a\ufffdb\ufffdc\ud83d\ude00\\\\u0000\ufffd"`) {
		t.Error(got)
	}
	if len(tasks) != 4 {
		t.Error(len(tasks))
	}
}

// A task that waits for an open gate is not ready, and the gate itself makes no task.
func TestGate(t *testing.T) {
	gate := func(status string) string {
		return line("a", `,"dependencies":[`+dep("a", "g", "blocks")+"]") + `{"id":"g","title":"G","issue_type":"gate","status":"` + status + `"}` + "\n"
	}
	if tasks, _ := read(t, gate("open")); tasks[0].Hold == nil || !strings.Contains(tasks[0].Hold.Reason, "gate g") {
		t.Errorf("%+v", tasks[0])
	}
	if tasks, _ := read(t, gate("closed")); tasks[0].Hold != nil {
		t.Errorf("%+v", tasks[0])
	}
}

// Whatever the lines are, they are refused or a board takes them.
func FuzzRead(f *testing.F) {
	f.Add(line("a", `,"dependencies":[`+dep("a", "b", "blocks")+"]") + line("b", ""))
	f.Add(line("a", `,"dependencies":[`+dep("a", "b", "parent-child")+"]") + line("b", `,"dependencies":[`+dep("b", "a", "blocks")+"]"))
	f.Add(line("a", `,"labels":["x"],"comments":[{"author":"a","text":"b"}],"notes":"c"`))
	f.Fuzz(func(t *testing.T, lines string) {
		if tasks, _, err := readAll(strings.NewReader(lines)); err == nil && len(tasks) > 0 {
			read(t, lines)
		}
	})
}
