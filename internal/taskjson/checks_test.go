package taskjson

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

func TestChecksAsPeopleWriteThem(t *testing.T) {
	for written, want := range map[string]pawl.Check{
		`"go test ./..."`:        {Name: "go test ./...", Run: []string{"go", "test", "./..."}},
		`"tests: go test ./..."`: {Name: "tests", Run: []string{"go", "test", "./..."}},
		`{"run": "go test './x y'", "name": " all  tests "}`:  {Name: "all tests", Run: []string{"go", "test", "./x y"}},
		`{"run": "tests: go"}`:                                {Name: "tests: go", Run: []string{"tests:", "go"}},
		`{"run": ["a b", "|", ""]}`:                           {Name: "a b |", Run: []string{"a b", "|", ""}},
		`{"run": ["/usr/bin/make"], "dir": "."}`:              {Name: "make", Run: []string{"/usr/bin/make"}},
		`{"run": ["x"], "timeout": 90, "dir": "web"}`:         {Name: "x", Run: []string{"x"}, Timeout: pawl.Duration(90 * time.Second), Dir: "web"},
		`{"run": ["x"], "timeout": 1.1}`:                      {Name: "x", Run: []string{"x"}, Timeout: pawl.Duration(1100 * time.Millisecond)},
		`{"run": ["x"], "timeout": "1h"}`:                     {Name: "x", Run: []string{"x"}, Timeout: pawl.Duration(time.Hour)},
		`{"run": ["x"], "expect": 0, "optional": false}`:      {Name: "x", Run: []string{"x"}},
		`{"run": ["x"], "env": ["B", "A"], "optional": true}`: {Name: "x", Run: []string{"x"}, Env: []string{"B", "A"}, Optional: true},
		`{"r\u0075n": ["x"], "expect": 255}`:                  {Name: "x", Run: []string{"x"}, Expect: 255},
	} {
		file, err := Decode([]byte(`{"id": 1, "checks": [` + written + `]}`))
		must.Do(t, err)
		if all := file.Task.Checks; len(all) != 1 || !all[0].Equal(&want) || file.Task.Extra != nil {
			t.Errorf("%s is read as %+v, want %+v", written, file.Task.Checks, want)
		}
	}
}

// A check that is not read exactly as it stands is not read at all, nor is any other of
// the task: a board sees that there are checks which it cannot read.
func TestChecksAreNeverHalfRead(t *testing.T) {
	good := `{"run": ["true"]}`
	for _, bad := range []string{
		`1`, `true`, `null`, `[]`, `{}`, `""`, `"a | b"`, `"'a"`, `"CI=1 make"`,
		`{"run": []}`, `{"run": [""]}`, `{"run": ""}`, `{"run": "a && b"}`, `{"run": 1}`, `{"run": null}`, `{"run": ["a", 1]}`, `{"name": "a"}`,
		`{"Run": ["a"]}`, `{"run": ["a"], "shell": true}`, `{"run": ["a"], "run": ["b"]}`, `{"run": ["a"], "r\u0075n": ["a"]}`,
		`{"run": ["a"], "name": 1}`, `{"run": ["a"], "name": "\u0007"}`, `{"run": ["a"], "name": "` + strings.Repeat("n", pawl.MaxCheckName+1) + `"}`,
		`{"run": ["a"], "dir": "/"}`, `{"run": ["a"], "dir": ".."}`, `{"run": ["a"], "dir": "a/../../b"}`, `{"run": ["a"], "dir": 1}`,
		`{"run": ["a"], "timeout": 0}`, `{"run": ["a"], "timeout": "0s"}`, `{"run": ["a"], "timeout": -5}`, `{"run": ["a"], "timeout": "90"}`, `{"run": ["a"], "timeout": 1e3}`,
		`{"run": ["a"], "timeout": 1.0001}`, `{"run": ["a"], "timeout": "5h"}`, `{"run": ["a"], "timeout": true}`, `{"run": ["a"], "timeout": null}`, `{"run": ["a"], "timeout": 99999999999999999999}`,
		`{"run": ["a"], "env": "CI"}`, `{"run": ["a"], "env": ["A=1"]}`, `{"run": ["a"], "env": {"A": "1"}}`, `{"run": ["a"], "env": [1]}`,
		`{"run": ["a"], "expect": 256}`, `{"run": ["a"], "expect": -1}`, `{"run": ["a"], "expect": "1"}`, `{"run": ["a"], "expect": 1.0}`, `{"run": ["a"], "expect": 1e1}`,
		`{"run": ["a"], "optional": "true"}`, `{"run": ["a"], "optional": 1}`, `{"run": ["a"], "optional": null}`, `{"run": ["a"], "required": false}`,
		`"true"`, `{"name": " true", "run": ["false"]}`, // two of one name
	} {
		for _, list := range []string{good + `, ` + bad, bad + `, ` + good} {
			foreignKey(t, "checks", `[`+list+`]`)
		}
	}
	for _, whole := range []string{`true`, `{}`, `"go test"`, `{"tests": "go test"}`, `[[]]`} {
		foreignKey(t, "checks", whole)
	}
	var many []string
	for i := range pawl.MaxChecks + 1 {
		many = append(many, fmt.Sprintf(`"t%d: true"`, i))
	}
	foreignKey(t, "checks", `[`+strings.Join(many, ", ")+`]`)
	file, err := Decode([]byte(`{"id": 1, "checks": [` + strings.Join(many[1:], ", ") + `]}`))
	if err != nil || len(file.Task.Checks) != pawl.MaxChecks {
		t.Errorf("%d checks are read, want %d (%v)", len(file.Task.Checks), pawl.MaxChecks, err)
	}
}

// foreignKey holds that a value is kept as one that Pawl does not read, and stays when
// something else changes.
func foreignKey(t *testing.T, name, value string) {
	t.Helper()
	text := []byte(`{"id": 1, "` + name + `": ` + value + `}`)
	file, err := Decode(text)
	must.Do(t, err)
	got := &file.Task
	if len(got.Checks)+len(got.Accept)+len(got.Evidence) > 0 || file.Has.Has(name) || string(got.Extra[name]) != string(compact([]byte(value), span{0, len(value)})) {
		t.Errorf("%s is read as %s", text, EncodeFields(got, nil))
	}
	want := got.Clone()
	want.Owner = "ada"
	after, err := Patch(text, &want)
	if err != nil || !strings.Contains(string(after), value) {
		t.Errorf("%s became %s (%v)", text, after, err)
	}
}

func TestCriteriaAndEvidenceAreNeverHalfRead(t *testing.T) {
	for _, bad := range []string{
		`1`, `null`, `[]`, `{}`, `""`, `" "`, `{"text": ""}`, `{"by": "ada"}`, `{"text": "b", "done": true}`, `{"text": "b", "text": "c"}`, `{"text": 1}`,
		`{"text": "b", "at": "soon"}`, `{"text": "b", "at": null}`, `{"text": "b", "by": 1}`, `"  a"`, `"` + strings.Repeat("x", pawl.MaxSubject+1) + `"`,
	} {
		foreignKey(t, "accept", `["a", `+bad+`]`)
		foreignKey(t, "accept", `[`+bad+`, "a"]`)
	}
	foreignKey(t, "accept", `"a"`)
	foreignKey(t, "accept", `[`+strings.Repeat(`"a", `, pawl.MaxCriteria)+`"b"]`)

	run := func(more string) string {
		return `{"check": "t", "sum": "` + strings.Repeat("a", 64) + `", "tree": "none"` + more + `}`
	}
	for _, bad := range []string{
		`1`, `null`, `"t"`, `{}`, run(``), run(`, "log": "x"`), run(`, "tree": "none"`), run(`, "passed": 1`), run(`, "dirty": "no"`), run(`, "exit": "1"`), run(`, "exit": 1.5`),
		run(`, "exit": -2`), run(`, "exit": -1, "passed": true`), run(`, "ms": -1`), run(`, "output": "secret"`), run(`, "at": "soon"`), run(`, "commit": "HEAD"`), run(`, "by": null`),
		`{"check": "t", "sum": "b", "tree": "none"}`, `{"check": "t", "sum": "` + strings.Repeat("b", 64) + `"}`, `{"sum": "` + strings.Repeat("b", 64) + `", "tree": "none"}`,
	} {
		foreignKey(t, "evidence", `[`+run(``)+`, `+bad+`]`)
		foreignKey(t, "evidence", `[`+bad+`, `+run(``)+`]`)
	}
	foreignKey(t, "evidence", `{}`)
	if file, err := Decode([]byte(`{"id": 1, "evidence": [` + run(`, "exit": 2, "ms": 7`) + `]}`)); err != nil || len(file.Task.Evidence) != 1 || file.Task.Evidence[0].Exit != 2 {
		t.Errorf("read as %+v (%v)", file.Task.Evidence, err)
	}
}

// What history keeps is read as it was written, and a task whose checks nobody could read
// again is one whose checks cannot be read, not one without.
func TestChecksInHistory(t *testing.T) {
	task := full()
	line := EncodeFields(task, []pawl.Field{pawl.FieldChecks, pawl.FieldAccept, pawl.FieldEvidence})
	got, err := DecodeFields(line)
	must.Do(t, err)
	sameTask(t, got, &pawl.Task{ID: task.ID, Checks: task.Checks, Accept: task.Accept, Evidence: task.Evidence})
	if _, err := DecodeFields([]byte(`{"checks":[{"name":"a","run":["b"],"shell":true}]}`)); err == nil {
		t.Error("a check was read that says more than Pawl knows")
	}
	odd := pawl.Task{ID: 1, Checks: []pawl.Check{{Name: "a"}}}
	file, err := Decode(Encode(&odd))
	if _, kept := file.Task.Extra["checks"]; err != nil || !kept {
		t.Errorf("a check without a command is gone: %+v (%v)", file.Task, err)
	}
}

// The order of the elements counts, and each is spelled as it was.
func TestChecksKeepTheirSpelling(t *testing.T) {
	text := []byte("{\"id\":1,\"checks\":[ \"b: true\" , {\"run\" : \"a\"}]}")
	file, err := Decode(text)
	must.Do(t, err)
	want := file.Task.Clone()
	slices.Reverse(want.Checks)
	after, err := Patch(text, &want)
	must.Do(t, err)
	checkPatch(t, text, after, &want)
	if !strings.Contains(string(after), `[ {"run" : "a"} , "b: true"]`) {
		t.Errorf("became %s", after)
	}
}

// The example of docs/format.md is what Pawl reads and writes.
func TestDocumentedChecks(t *testing.T) {
	page, err := os.ReadFile("../../docs/format.md")
	must.Do(t, err)
	_, example, _ := strings.Cut(string(page), "### Checks\n\n```json\n")
	example, _, ok := strings.Cut(example, "```")
	file, err := Decode([]byte("{\n  \"id\": 1,\n" + example + "}\n"))
	if !ok || err != nil {
		t.Fatalf("the page has no example that can be read: %v", err)
	}
	task := &file.Task
	if len(task.Checks) != 1 || len(task.Accept) != 2 || len(task.Evidence) != 1 || task.Extra != nil {
		t.Fatalf("read as %s", EncodeFields(task, nil))
	}
	if want := task.Checks[0].Sum(); task.Evidence[0].Sum != want {
		t.Errorf("the evidence is of another check, whose sum is %s, want %s", task.Evidence[0].Sum, want)
	}
	if !strings.HasSuffix(string(Encode(task)), example+"}\n") {
		t.Errorf("written as\n%s", Encode(task))
	}
}

// Of checks and criteria that are kept as they stand it is told which element does not fit.
func TestUnread(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`{"id": 1, "checks": [], "accept": null, "evidence": 7}`, ""},
		{`{"id": 1, "checks": 7}`, `1:21 "checks" must be a list of checks`},
		{"{\"id\": 1, \"checks\": [\n  {\"name\": \"a\", \"run\": [\"a\"]},\n  {\"name\": \"a\", \"run\": [\"b\"]}]}", `3:3 "checks" must be a list of checks`},
		{`{"id": 1, "accept": ["a", 7], "checks": [{}]}`, `1:27 "accept" must be a list of criteria; 1:42 "checks" must be a list of checks`},
		{`{"id": 1, "checks": 7`, ""},
	} {
		var got []string
		for _, f := range Unread([]byte(test.text)) {
			got = append(got, fmt.Sprintf("%d:%d %s", f.Line, f.Column, f.Problem))
		}
		if strings.Join(got, "; ") != test.want {
			t.Errorf("%s: %q, want %q", test.text, got, test.want)
		}
	}
}
