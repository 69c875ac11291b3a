package hook

import (
	"encoding/json"
	"reflect"
	"testing"
)

// What was recorded of Claude Code, Codex and Qwen Code is read quickly, and as
// package json reads it.
func TestScanOfRecorded(t *testing.T) {
	lines, quick := 0, 0
	for _, file := range lineFiles(t) {
		for _, l := range readLines(t, file) {
			if l.Agent != "claude" && l.Agent != "codex" && l.Agent != "qwen" {
				continue
			}
			var scanned, want claudeInput
			took := scanClaude([]byte(l.Stdin), &scanned)
			if err := json.Unmarshal([]byte(l.Stdin), &want); err != nil {
				if took {
					t.Errorf("%s: %.300s was scanned, and package json says %v", file, l.Stdin, err)
				}
				continue // made to be refused
			}
			lines++
			if !took {
				continue
			}
			quick++
			if !reflect.DeepEqual(scanned, want) {
				t.Errorf("%s: of %.300s a scan has\n     %.500v\nwant %.500v", file, l.Stdin, scanned, want)
			}
		}
	}
	if lines < 100 || quick < lines*9/10 {
		t.Errorf("of %d lines %d are scanned", lines, quick)
	}
}

// A scan knows each field that package json does, under its name.
func TestScanKnowsAll(t *testing.T) {
	fill := func(v any, read func([]byte) error, names int) {
		want := reflect.ValueOf(v).Elem()
		object := map[string]any{}
		fillFields(want, object)
		text, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		slow := reflect.New(want.Type())
		if err := json.Unmarshal(text, slow.Interface()); err != nil || len(object) != names {
			t.Fatalf("%s: %v, %d keys, want %d", text, err, len(object), names)
		}
		if err := read(text); err != nil || !reflect.DeepEqual(slow.Elem().Interface(), want.Interface()) {
			t.Errorf("of %s\nthere is %+v\nwant     %+v, %v", text, want, slow.Elem(), err)
		}
		for i := range want.NumField() {
			if want.Field(i).IsZero() {
				t.Errorf("%T: nothing was read into %s", v, want.Type().Field(i).Name)
			}
		}
	}
	var claude claudeInput
	fill(&claude, func(text []byte) error {
		if !scanClaude(text, &claude) {
			t.Errorf("%s is not scanned", text)
		}
		return nil
	}, len(claudeNames))
	var qwen qwenInput
	fill(&qwen, qwen.read, len(claudeNames)+5)
	var out outcome
	fill(&out, out.read, 3)
}

// fillFields gives each field of a struct a value, by its key.
func fillFields(v reflect.Value, object map[string]any) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if field.Anonymous {
			fillFields(v.Field(i), object)
			continue
		}
		key := field.Tag.Get("json")
		switch field.Type {
		case reflect.TypeFor[string]():
			object[key] = "text of " + key
		case reflect.TypeFor[bool](), reflect.TypeFor[*bool]():
			object[key] = true
		case reflect.TypeFor[float64]():
			object[key] = 1.5
		case reflect.TypeFor[json.RawMessage]():
			object[key] = map[string]any{"a": []int{1}}
		default:
			object[key] = []any{map[string]any{"id": "1", "status": "running"}}
		}
	}
}

// What only package json understands is read all the same.
func TestScanGivesUp(t *testing.T) {
	for text, want := range map[string]claudeInput{
		`{"SESSION_ID": "s", "Cwd": "/src"}`:                    {Session: "s", Dir: "/src"},
		`{"session_id": null, "prompt": "\ud83d\ude00 \u00e9"}`: {Prompt: "😀 é"},
		`{"session_id": "a", "session_\u0069d": "b"}`:           {Session: "b"},
	} {
		var got claudeInput
		if err := got.read([]byte(text)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("of %s there is %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{`{"session_id": 1}`, `{"session_id": "a"`, `[]`, ``} {
		if err := new(claudeInput).read([]byte(text)); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}
