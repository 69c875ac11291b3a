package taskjson

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// updating reports whether to rewrite the expectations in testdata: the flag is that of
// package sample, which the external tests of this package import.
func updating() bool { return flag.Lookup("update").Value.String() == "true" }

// A story is a file of sections, each after a line "-- name --".
type story struct {
	path  string
	order []string
	parts map[string]string
}

// stories reads all of testdata/<dir>; there must be some.
func stories(t *testing.T, dir string, least int) []story {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", dir, "*.txt"))
	if err != nil || len(paths) < least {
		t.Fatalf("%d stories in testdata/%s, want at least %d (%v)", len(paths), dir, least, err)
	}
	var all []story
	for _, path := range paths {
		text, err := os.ReadFile(path)
		must.Do(t, err)
		s := story{path: path, parts: map[string]string{}}
		for line := range strings.Lines(string(text)) {
			if name, ok := strings.CutPrefix(line, "-- "); ok {
				s.order = append(s.order, strings.TrimSuffix(name, " --\n"))
				continue
			}
			s.parts[s.order[len(s.order)-1]] += line
		}
		all = append(all, s)
	}
	return all
}

// check compares a section with what came out, or rewrites it.
func (s *story) check(t *testing.T, name, got string) {
	t.Helper()
	if s.parts[name] == got {
		return
	}
	if !updating() {
		t.Errorf("%s: %s is\n%s\nwant\n%s", s.path, name, got, s.parts[name])
		return
	}
	s.parts[name] = got
	if !slices.Contains(s.order, name) {
		s.order = append(s.order, name)
	}
	var b strings.Builder
	for _, part := range s.order {
		b.WriteString("-- " + part + " --\n" + s.parts[part])
	}
	must.Do(t, os.WriteFile(s.path, []byte(b.String()), 0o644))
}

// Each story holds a file and what it says: the task as history would keep it
// and the keys that were read, or the fault.
func TestDecodeStories(t *testing.T) {
	for _, s := range stories(t, "decode", 12) {
		t.Run(filepath.Base(s.path), func(t *testing.T) {
			file, err := Decode([]byte(s.parts["file"]))
			if err != nil {
				s.check(t, "fault", err.Error()+"\n")
				return
			}
			var has []string
			for _, name := range keyNames {
				if file.Has.Has(name) {
					has = append(has, name)
				}
			}
			s.check(t, "task", string(EncodeFields(&file.Task, nil))+"\nhas "+strings.Join(has, " ")+"\n")
		})
	}
}

// Each story holds a file before and after, and the fields that changed in
// between. It must hold with other line ends, with a byte order mark and
// without a final newline just as well.
func TestPatchStories(t *testing.T) {
	for _, s := range stories(t, "patch", 12) {
		t.Run(filepath.Base(s.path), func(t *testing.T) {
			before := s.parts["before"]
			after := patched(t, before, s.parts["change"])
			s.check(t, "after", after)
			for name, vary := range map[string]func(string) string{
				"CRLF":             func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
				"byte order mark":  func(s string) string { return "\uFEFF" + s },
				"no final newline": func(s string) string { return strings.TrimSuffix(s, "\n") },
			} {
				if got, want := patched(t, vary(before), s.parts["change"]), vary(after); got != want {
					t.Errorf("with %s:\n%q\nwant\n%q", name, got, want)
				}
			}
		})
	}
}

// patched applies the fields in change to a file.
func patched(t *testing.T, before, change string) string {
	t.Helper()
	file, err := Decode([]byte(before))
	must.Do(t, err)
	fields, err := DecodeFields([]byte(change))
	must.Do(t, err)
	var named map[string]any
	must.Do(t, json.Unmarshal([]byte(change), &named))
	want := file.Task.Clone()
	if fields.ID != 0 {
		want.ID = fields.ID
	}
	for name := range named {
		pawl.CopyFields(&want, fields, pawl.Field(name))
	}
	after, err := Patch([]byte(before), &want)
	must.Do(t, err)
	checkPatch(t, []byte(before), after, &want)
	return string(after)
}

// checkPatch holds what must be true of every patch, whatever it changed.
func checkPatch(t *testing.T, before, after []byte, want *pawl.Task) {
	t.Helper()
	got, members, fault := decode(after, nil)
	if fault != nil {
		t.Fatalf("the patched text cannot be read: %v\n%s", fault, after)
	}
	if !json.Valid(trimMark(after)) {
		t.Fatalf("the patched text is not JSON:\n%s", after)
	}
	shown := readable(want)
	sameTask(t, &got.Task, shown)
	again, err := Patch(after, want)
	if err != nil || !bytes.Equal(again, after) {
		t.Fatalf("a second patch changes the text again (%v):\n%s\nwant\n%s", err, again, after)
	}
	// What did not differ is there as it was, in the same order.
	had, was, _ := decode(before, nil)
	var kept []string
	for i, m := range was {
		name := m.name(before)
		last := !slices.ContainsFunc(was[i+1:], func(o member) bool { return o.name(before) == name })
		switch {
		case m.known == unknown || m.foreign:
			if raw, ok := shown.Extra[name]; !ok || last && !bytes.Equal(raw, had.Task.Extra[name]) {
				continue
			}
		case shown.Extra[name] != nil: // an optional key that was null
			continue
		case !bytes.Equal(appendField(nil, &had.Task, m.known), appendField(nil, want, m.known)):
			continue
		}
		kept = append(kept, string(before[m.key.start:m.val.end]))
	}
	for _, m := range members {
		if len(kept) > 0 && string(after[m.key.start:m.val.end]) == kept[0] {
			kept = kept[1:]
		}
	}
	if len(kept) > 0 {
		t.Fatalf("%s did not stay in place\nbefore\n%s\nafter\n%s", kept[0], before, after)
	}
}

// readable is want as a file can say it: a field of Pawl's stands in for a value
// of another type under the same name.
func readable(want *pawl.Task) *pawl.Task {
	shown := want.Clone()
	names := extras(want)
	maps.DeleteFunc(shown.Extra, func(name string, _ json.RawMessage) bool { return !slices.Contains(names, name) })
	return &shown
}

// sameTask compares everything that a file holds.
func sameTask(t *testing.T, got, want *pawl.Task) {
	t.Helper()
	if diff := pawl.Diff(got, want); got.ID != want.ID || diff != nil {
		t.Fatalf("got %s\nwant %s\nwhich differ in %v", EncodeFields(got, nil), EncodeFields(want, nil), diff)
	}
}

func TestNothingToPatch(t *testing.T) {
	text := []byte("{\"subject\":\"a\",\n\n \"id\" : \"3\"}")
	file, err := Decode(text)
	must.Do(t, err)
	got, err := Patch(text, &file.Task)
	if err != nil || &got[0] != &text[0] || len(got) != len(text) {
		t.Errorf("got another text: %q, %v", got, err)
	}
}

var when = time.Date(2026, 1, 31, 12, 0, 0, 5e6, time.UTC)

// full is a task with every field set.
func full() *pawl.Task {
	return &pawl.Task{
		ID: 12, Subject: "Refactor <auth> & \"more\" — ü", Description: "a\nb\t\\\x01", Status: pawl.InProgress,
		BlockedBy: []pawl.ID{8, 11}, Blocks: []pawl.ID{13}, Owner: "ada", ActiveForm: "Refactoring",
		Priority: pawl.High, Parent: 3, Was: []pawl.ID{7, 9}, Labels: []string{"x", "y z"},
		Notes: []pawl.Note{{At: when, By: "ada", Text: "one"}, {Text: "two"}},
		Hold:  &pawl.Hold{Reason: "wait", By: "bob", At: when},
		Checks: []pawl.Check{
			{Name: "tests", Run: []string{"go", "test", "./..."}},
			{Name: "page", Run: []string{"sh", "-c", "a \"b\"", ""}, Dir: "web/app", Timeout: pawl.Duration(90 * time.Second), Env: []string{"CI", "HOME_2"}, Expect: 3, Optional: true},
		},
		Accept: []pawl.Criterion{{Text: "Reads <well>"}, {Text: "Is fast", By: "bob", At: when}, {Text: "Is small", At: when}},
		Evidence: []pawl.Evidence{
			{Check: "tests", Sum: strings.Repeat("0a", 32), At: when, By: "ada", Commit: strings.Repeat("c", 40), Tree: strings.Repeat("d", 40), Dirty: true, Passed: true, Millis: 1200, Output: "sha256:" + strings.Repeat("e", 64)},
			{Check: "page", Sum: strings.Repeat("1b", 32), Tree: pawl.NoTree, Exit: pawl.NoExit},
		},
		Metadata: map[string]json.RawMessage{
			"ref": json.RawMessage(`"bv-1"`), "deep": json.RawMessage(`{"b":[1,2.50,{"c":[]}],"a":{}}`),
		},
		CreatedAt: when, UpdatedAt: when.Add(time.Millisecond), StartedAt: when.Add(time.Hour), CompletedAt: when.Add(2 * time.Hour),
		Extra: map[string]json.RawMessage{"zeta": json.RawMessage(`1e2`), "color": json.RawMessage(`"\u00e9"`)},
	}
}

func TestEncode(t *testing.T) {
	want, err := os.ReadFile("testdata/full.json")
	must.Do(t, err)
	if got := Encode(full()); !bytes.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	const bare = `{
  "id": 1,
  "subject": "",
  "description": "",
  "status": "pending",
  "blockedBy": [],
  "blocks": [],
  "owner": ""
}
`
	if got := string(Encode(&pawl.Task{ID: 1})); got != bare {
		t.Errorf("got\n%s\nwant\n%s", got, bare)
	}
	for _, text := range [][]byte{Encode(full()), EncodeLine(full())} {
		file, err := Decode(text)
		must.Do(t, err)
		sameTask(t, &file.Task, full())
		for _, name := range keyNames {
			if !file.Has.Has(name) && name != "merging" { // which Join writes
				t.Errorf("the file has no %s", name)
			}
		}
	}
	if line := EncodeLine(full()); bytes.ContainsAny(line, "\n") || bytes.Contains(line, []byte(": 12")) {
		t.Errorf("not compact: %s", line)
	}
}

// No task makes a file that cannot be read, whatever a caller put into it.
func TestEncodeIsAlwaysReadable(t *testing.T) {
	deep := func(n int) json.RawMessage {
		return json.RawMessage(strings.Repeat("[", n) + strings.Repeat("]", n))
	}
	for name, task := range map[string]pawl.Task{
		"NUL and bad UTF-8": {ID: 1, Subject: "a\x00b\xff", Owner: "\xc3"},
		"bad raw values":    {ID: 1, Metadata: map[string]json.RawMessage{"a": json.RawMessage("{"), "b": nil, "c": json.RawMessage("1 2")}},
		"deep raw values": {ID: 1, Extra: map[string]json.RawMessage{"a": deep(pawl.MaxDepth + 1), "b": deep(pawl.MaxDepth + 2)},
			Metadata: map[string]json.RawMessage{"a": deep(pawl.MaxDepth), "b": deep(pawl.MaxDepth + 1)}},
		"extra under our names": {ID: 1, Priority: pawl.Low, Extra: map[string]json.RawMessage{
			"id": json.RawMessage("7"), "priority": json.RawMessage("2"), "labels": json.RawMessage(`"x"`), "parent": json.RawMessage("5")}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, text := range [][]byte{Encode(&task), EncodeLine(&task)} {
				file, err := Decode(text)
				if err != nil {
					t.Fatalf("%v\n%s", err, text)
				}
				if !json.Valid(text) {
					t.Errorf("not JSON: %s", text)
				}
				if _, err := DecodeFields(EncodeFields(&file.Task, nil)); err != nil {
					t.Errorf("history cannot be read: %v", err)
				}
				if got := slices.Sorted(maps.Keys(file.Task.Extra)); name == "extra under our names" && !slices.Equal(got, []string{"labels"}) {
					t.Errorf("extra is %v, want labels only", got)
				}
				if m := file.Task.Metadata; name == "deep raw values" && (m["a"][0] != '[' || m["b"][0] != '"' || file.Task.Extra["a"][0] != '[') {
					t.Errorf("a value of a depth that is allowed was not kept: %s", text)
				}
			}
		})
	}
}

func TestFields(t *testing.T) {
	task := full()
	task.Claim = pawl.Claim{Session: "s", Agent: "sub", Token: 1 << 60, Lease: pawl.Duration(15*time.Minute + 1), Until: when}
	task.Expired = 2
	task.Children = []pawl.ID{1} // derived: not kept
	line := EncodeFields(task, nil)
	if bytes.ContainsAny(line, "\n") || !json.Valid(line) {
		t.Errorf("not one line of JSON: %s", line)
	}
	got, err := DecodeFields(line)
	must.Do(t, err)
	sameTask(t, got, task)

	some := EncodeFields(task, []pawl.Field{pawl.FieldOwner, pawl.FieldClaim, pawl.FieldExtra})
	const want = `{"id":12,"owner":"ada","extra":{"color":"\u00e9","zeta":1e2},"claim":{"session":"s","agent":"sub","token":1152921504606846976,"lease":"15m0.000000001s","until":"2026-01-31T12:00:00.005Z"}}`
	if string(some) != want {
		t.Errorf("got  %s\nwant %s", some, want)
	}
	if none := EncodeFields(task, []pawl.Field{}); string(none) != `{"id":12}` {
		t.Errorf("no fields: %s", none)
	}
	for _, bad := range []string{``, `[]`, `{"claim":3}`, `{"claim":{"lease":"x"}}`, `{"claim":{"color":1}}`, `{"expired":"2"}`, `{"color":1}`, `{"priority":2}`, `{"extra":[]}`} {
		if _, err := DecodeFields([]byte(bad)); err == nil {
			t.Errorf("%s was read", bad)
		}
	}
}

func TestKeys(t *testing.T) {
	for k, name := range map[key]string{keyID: "id", keyBlockedBy: "blockedBy", keyBlocks: "blocks", keyOwner: "owner", keyMerging: "merging", unknown - 2: "completedAt"} {
		if keyNames[k] != name {
			t.Errorf("key %d is %q, not %q", k, keyNames[k], name)
		}
	}
	if unknown > 32 {
		t.Errorf("there are %d keys, and Keys has no room for them", unknown)
	}
	// Each value that Pawl writes it reads, of whatever type it is.
	for k := range unknown - 1 {
		if _, is := k.in(new(pawl.Task)).(*[]pawl.Note); !is && !foreign(k, json.RawMessage(`true`)) {
			t.Errorf("true is read as %s", keyNames[k])
		}
		written := appendField(nil, full(), k)
		if len(written) == 0 {
			t.Errorf("%s of a task with all fields is not written", keyNames[k])
		} else if foreign(k, written) {
			t.Errorf("%s is written as %s, which is not read", keyNames[k], written)
		}
	}
}

// An import has what a task has: a new field is to be set in toImport.
func TestToImport(t *testing.T) {
	in := reflect.ValueOf(toImport(full(), nil))
	for i, task := 0, reflect.TypeFor[pawl.Task](); i < task.NumField(); i++ {
		if v := in.FieldByName(task.Field(i).Name); v.IsValid() && v.IsZero() {
			t.Errorf("%s is not set", task.Field(i).Name)
		}
	}
}
