package taskjson

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// Damage is told with its place: line, column, and a part of the problem.
func TestFaults(t *testing.T) {
	deep := `{"id": 1, "x": ` + strings.Repeat("[", 80) + strings.Repeat("]", 80) + `}`
	for _, test := range []struct{ text, want string }{
		{"", "1:1 empty"},
		{" \n\n", "3:1 empty"},
		{"\x00\x00\x00", "1:1 NUL"},
		{"[]", "1:1 a JSON object"},
		{"\uFEFF []", "1:2 a JSON object"},
		{"12", "1:1 a JSON object"},
		{"hello", "1:1 a value"},
		{"{", `1:2 a name in double quotes`},
		{"{'id': 1}", "1:2 a name in double quotes"},
		{`{"id": 1,}`, "1:9 comma too many"},
		{`{"id": 1, "x": [1,]}`, "1:18 comma too many"},
		{`{"id": 1 "subject": "a"}`, `1:10 "," or "}"`},
		{`{"id" 1}`, `1:7 ":"`},
		{`{"id": }`, "1:8 a value"},
		{`{"id": 1, "x": [1 2]}`, `1:19 "," or "]"`},
		{"{\n  \"id\": 1,\n  \"subject\": \"a", "3:14 no end"},
		{"{\n  \"id\": 1,\n  \"subject\": \"a\n\"}", "3:14 no end on its line"},
		{"{\"id\": 1, \"subject\": \"a\tb\"}", "1:24 control character"},
		{"{\"id\": 1, \"subject\": \"é\x00\"}", "1:24 NUL byte"},
		{`{"id": 1, "subject": "é\u0000"}`, "1:24 NUL character"},
		{`{"id": 1, "x": {"y": "\u0000"}}`, "1:23 NUL character"},
		{`{"id": 1, "subject": "\x"}`, "1:23 this escape does not exist"},
		{`{"id": 1, "subject": "\u12G4"}`, "1:23 four hexadecimal"},
		{`{"id": 1, "subject": "\`, "1:23 inside an escape"},
		{"{\"id\": 1,\n\"subject\": \"\xff\"}", "2:13 UTF-8"},
		{"\xff\xfe{\x00", "1:1 UTF-16"},
		{`{"id": 1} x`, "1:11 goes on"},
		{`{"id": 1}{"id": 2}`, "1:10 goes on"},
		{`{"id": 1, "id": 1}`, `1:11 "id" stands here a second time`},
		{`{"id": 1, "\u0069d": 1}`, `1:11 "id" stands here a second time`},
		{`{"id": 1, "priority": "low", "priority": 5}`, `1:30 "priority" stands`},
		{`{"id": 1, "x": 01}`, "1:16 not a number"},
		{`{"id": 1, "x": 1.}`, "1:16 not a number"},
		{`{"id": 1, "x": -}`, "1:16 not a number"},
		{`{"id": 1, "x": 1e+}`, "1:16 not a number"},
		{`{"id": 1, "x": NaN}`, "1:16 a value"},
		{`{"id": 1, "x": nul}`, "1:16 a value"},
		{deep, "1:81 nested"},
		{`{"subject": "a"}`, `1:1 "id" is missing`},
		{`{}`, `1:1 "id" is missing`},
		{`{"id": 0}`, `1:8 "id" must be a whole number`},
		{`{"id": -1}`, `1:8 "id"`},
		{`{"id": 1.0}`, `1:8 "id"`},
		{`{"id": "x"}`, `1:8 "id"`},
		{`{"id": "012"}`, `1:8 "id"`},
		{`{"id": ""}`, `1:8 "id"`},
		{`{"id": null}`, `1:8 "id"`},
		{`{"id": 9007199254740991}`, `1:8 "id" must be a whole number from 1 to 4503599627370496`},
		{`{"id": 4503599627370497}`, `1:8 "id"`},
		{`{"id": 1, "blocks": [2, 4503599627370497]}`, `1:25 "blocks" must be a list of task ids, from 1 to 4503599627370496`},
		{`{"id": 99999999999999999999}`, `1:8 "id"`},
		{`{"id": 1, "subject": 5}`, `1:22 "subject" must be a text`},
		{`{"id": 1, "description": []}`, `1:26 "description"`},
		{`{"id": 1, "owner": {}}`, `1:20 "owner"`},
		{`{"id": 1, "status": "done"}`, `1:21 "status" must be "pending"`},
		{`{"id": 1, "status": 3}`, `1:21 "status"`},
		{`{"id": 1, "blockedBy": 3}`, `1:24 "blockedBy" must be a list`},
		{`{"id": 1, "blockedBy": {"a": 1}}`, `1:24 "blockedBy" must be a list`},
		{`{"id": 1, "blockedBy": [2, "x"]}`, `1:28 "blockedBy" must be a list`},
		{`{"id": 1, "blocks": [[2]]}`, `1:22 "blocks" must be a list`},
		{"{\n<<<<<<< HEAD\n  \"id\": 1,\n=======\n", "2:1 unresolved git conflict"},
		{"{\n  \"id\": 1,\r\n=======\r\n}", "3:1 unresolved git conflict"},
		{"{\n  \"id\": 1,\n  \"id\": 2\n>>>>>>> theirs\n}", "4:1 unresolved git conflict"},
		{"{\n||||||| base\n}", "2:1 unresolved git conflict"},
		{"{\n======== \n}", "2:1 a name"},
		{"{\"id\": 1, \"x\": \"" + strings.Repeat("y", pawl.MaxTask) + "\"}", "1:1 larger than 1 MiB"},
	} {
		_, err := Decode([]byte(test.text))
		fault, ok := errors.AsType[*Fault](err)
		if !ok {
			t.Errorf("%.60q: got %v, want a fault", test.text, err)
			continue
		}
		place, problem, _ := strings.Cut(test.want, " ")
		if got := fmt.Sprintf("%d:%d", fault.Line, fault.Column); got != place || !strings.Contains(fault.Problem, problem) {
			t.Errorf("%.60q: got %v, want %s", test.text, fault, test.want)
		}
		if _, err := Patch([]byte(test.text), full()); err == nil {
			t.Errorf("%.60q was patched", test.text)
		}
	}
}

// A text with every kind of value keeps its fault when it is cut anywhere: no
// prefix of a task's file is a task.
func TestTornFile(t *testing.T) {
	text := Encode(full())
	for n := range len(text) - 2 {
		if _, err := Decode(text[:n]); err == nil {
			t.Fatalf("the first %d bytes were read as a task", n)
		}
	}
}

func TestPatchTooLarge(t *testing.T) {
	text := []byte(`{"id": 1, "x": "` + strings.Repeat("y", pawl.MaxTask-100) + `"}`)
	file, err := Decode(text)
	must.Do(t, err)
	want := file.Task
	want.Description = strings.Repeat("z", 200)
	if _, err := Patch(text, &want); err == nil || !strings.Contains(err.Error(), "larger than 1 MiB") {
		t.Errorf("got %v", err)
	}
}
