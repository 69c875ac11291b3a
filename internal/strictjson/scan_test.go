package strictjson

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

// FuzzScan holds the quick reading to what package json reads: the same of what is JSON,
// and nothing of what is not.
func FuzzScan(f *testing.F) {
	for _, text := range []string{
		`{}`, `[]`, ` { "a" : [ 1 , -2.5e+3, 0, 1E9, "x", true, false, null, {}, [] ] , "a":{"b":"c"} } `, "\t\"text\"\r\n", `0`, `-0.0`, `null`,
		`{"a":"\u00e9\ud83d\ude00\n\"\\\/"}`, `{"\u0061":1}`, `"\ud83d"`, "\"\xff\"", `{"a":1}x`, `{"a":1} `, "{\"a\":1}\x00", "\x00", ``, ` `,
		`{"a" 1}`, `{"a",1}`, `{a:1}`, `{1:1}`, `[1,]`, `[,1]`, `{"a":1,}`, `{,}`, `[1 2]`, `[1:2]`, `01`, `1.`, `.5`, `+1`, `-`, `1e`, `1e+`, `tru`, `truex`, `nul`,
		`"a`, `"\`, `"\x"`, `"\u12"`, "\"\n\"", "\"\x7f\"", `]`, `}`, `[}`, `{]`, `[[[[[[[[[1]]]]]]]]]`, `{"a":{"a":{"a":{"a":{"a":{"a":{"a":1}}}}}}}`, `{"a":`, `{"a"`, `[1`, `:1`, `,1`,
		`{"requests":[{"by":{"session":"s1"},"op":{"op":"claim","lease":"1h0m0s"},"opId":"0198c1c0"}]}`,
	} {
		f.Add([]byte(text))
	}
	const depth, values = 6, 40
	f.Fuzz(func(t *testing.T, text []byte) {
		quick, ok := scan(text, depth, values)
		slow, err := parseSlowly(text, depth)
		switch {
		case ok && err != nil:
			t.Fatalf("%q was read, and it %v", text, err)
		case ok && !reflect.DeepEqual(quick, slow):
			t.Fatalf("%q was read as\n%+v, not\n%+v", text, quick, slow)
		case !ok && err == nil && json.Valid(text) && strings.Count(string(text), ",")+strings.Count(string(text), "[")+strings.Count(string(text), "{") < values:
			t.Fatalf("%q was not read", text)
		}
	})
}

// What is kept of a text does not keep the rest of it.
func TestNothingKeepsTheText(t *testing.T) {
	var into struct {
		Name string            `json:"name"`
		Of   map[string]string `json:"of"`
	}
	text := []byte(`{"name":"ada","of":{"key":"value"}}`)
	root, ok := scan(text, 8, 8)
	if !ok {
		t.Fatal("it was not read")
	}
	d := &Decoder{}
	d.Value(root, reflect.ValueOf(&into).Elem(), "")
	kept := map[string]string{"name": into.Name}
	for key, value := range into.Of {
		kept["key"], kept["value"] = key, value
	}
	parts := map[string]string{"name": root.Values[0].Text, "key": root.Values[1].Names[0], "value": root.Values[1].Values[0].Text}
	for what, part := range parts {
		if kept[what] != part || unsafe.StringData(kept[what]) == unsafe.StringData(part) {
			t.Errorf("%s: %q, of %q", what, kept[what], part)
		}
	}
}
