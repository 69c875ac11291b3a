package agenttest

import (
	"encoding/json"
	"reflect"
	"testing"
)

// ReadsAll checks that a reader of an object into a struct knows each field that
// package json does, under its name. There are so many names.
func ReadsAll(t *testing.T, v any, read func([]byte) error, names int) {
	t.Helper()
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
