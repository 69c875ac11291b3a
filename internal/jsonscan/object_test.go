package jsonscan_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/jsonscan"
)

// An object is what package json makes of the same values.
func TestObject(t *testing.T) {
	type inner struct {
		Name string    `json:"name"`
		At   time.Time `json:"at"`
	}
	type values struct {
		Text    string          `json:"text,omitempty"`
		Int     int64           `json:"int,omitempty"`
		Bool    bool            `json:"bool,omitempty"`
		Time    time.Time       `json:"time,omitzero"`
		Raw     json.RawMessage `json:"raw,omitempty"`
		Compact json.RawMessage `json:"compact,omitempty"`
		Texts   []string        `json:"texts,omitempty"`
		Objects []inner         `json:"objects,omitempty"`
		Object  inner           `json:"object"`
		Number  int64           `json:"number"`
		At      time.Time       `json:"at"`
		Numbers []int64         `json:"numbers,omitempty"`
		Bytes   []byte          `json:"bytes,omitempty"`
	}
	at := time.Date(2026, 1, 1, 10, 0, 0, 5e6, time.FixedZone("", 3600))
	for _, v := range []values{
		{}, {"a", -1, true, at, json.RawMessage("[1]"), json.RawMessage(" { \"<a>\" : 1 } "), []string{"a", `"`}, []inner{{}, {"b", at}}, inner{"c", at}, -7, at, []int64{1, -2}, []byte("a\xffb?")},
		{Texts: []string{""}}, {Int: -9223372036854775808},
		{Text: "a\"b\\c\n\t\x01é\u2028<&>\x7f😀"}, {Text: "\xff"}, {Text: "plain <b>"},
		{Time: at.AddDate(9000, 0, 0)}, {Object: inner{At: at.AddDate(9000, 0, 0)}}, {At: at.AddDate(9000, 0, 0)}, {Objects: []inner{{At: at.AddDate(9000, 0, 0)}, {}}}, {Compact: json.RawMessage("{")},
	} {
		var o jsonscan.Object
		fill := func(o *jsonscan.Object, v inner) {
			o.Always("name", v.Name)
			o.Value("at", v.At)
		}
		o.Text("text", v.Text)
		o.Int("int", v.Int)
		o.Bool("bool", v.Bool)
		o.Time("time", v.Time)
		o.Raw("raw", v.Raw)
		o.Compact("compact", v.Compact)
		o.List("texts", len(v.Texts), func(text []byte, i int) []byte { return jsonscan.AppendText(text, v.Texts[i]) })
		o.Objects("objects", len(v.Objects), func(o *jsonscan.Object, i int) { fill(o, v.Objects[i]) })
		o.Object("object", func(o *jsonscan.Object) { fill(o, v.Object) })
		o.Number("number", v.Number)
		o.At("at", v.At)
		o.Numbers("numbers", len(v.Numbers), func(i int) int64 { return v.Numbers[i] })
		o.Base64("bytes", v.Bytes)
		got, err := o.End()
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		if wrong := e.Encode(v); wrong != nil || err != nil {
			if wrong == nil || err == nil {
				t.Errorf("%+v: %v, and package json says %v", v, err, wrong)
			}
			continue
		}
		if string(got)+"\n" != want.String() {
			t.Errorf("%+v is\n     %s\nwant %s", v, got, &want)
		}
	}
}

// FuzzAppendText holds texts to package json's.
func FuzzAppendText(f *testing.F) {
	for _, s := range []string{"", "plain", "a\nb\t\"c\"\\\r", "\x00\b\f\x1f\x7f", "Grüße <&>", "\u2028", "a\n\u2029", "\xff", "\n\xff", "😀\n😀"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		if err := e.Encode(s); err != nil {
			t.Fatal(err)
		}
		if got := string(jsonscan.AppendText([]byte("x"), s)); got+"\n" != "x"+want.String() {
			t.Errorf("%q is %s, not %s", s, got, &want)
		}
	})
}
