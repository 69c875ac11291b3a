package jsonscan_test

import (
	"bytes"
	"encoding/json"
	"net/netip"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/jsonscan"
)

// What is written is what package json makes of the same values.
func TestAppend(t *testing.T) {
	type inner struct {
		Name string    `json:"name"`
		At   time.Time `json:"at"`
	}
	type Others struct {
		False bool  `json:"false"`
		Whole int   `json:"whole,omitempty"`
		Own   inner `json:"own,omitzero"`
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
		Map     map[string]any  `json:"map,omitempty"`
		Word    netip.Addr      `json:"word"`
		Others
		Pointer *inner          `json:"pointer"`
		List    []int           `json:"list"`
		Base64  []byte          `json:"base64"`
		Null    json.RawMessage `json:"null"`
		Float   float64         `json:"float"`
		Hidden  string          `json:"-"`
	}
	at := time.Date(2026, 1, 1, 10, 0, 0, 5e6, time.FixedZone("", 3600))
	for _, v := range []values{
		{}, {"a", -1, true, at, json.RawMessage("[1]"), json.RawMessage(" { \"<a>\" : 1 } "), []string{"a", `"`}, []inner{{}, {"b", at}}, inner{"c", at}, -7, at, []int64{1, -2}, []byte("a\xffb?"),
			map[string]any{"b": "<", "a": 1}, netip.MustParseAddr("::1"), Others{true, 3, inner{Name: "o"}}, &inner{"p", at}, []int{}, []byte{}, json.RawMessage("null"), 1.5, "h"},
		{Texts: []string{""}}, {Int: -9223372036854775808},
		{Text: "a\"b\\c\n\t\x01é\u2028<&>\x7f😀"}, {Text: "\xff"}, {Text: "plain <b>"},
		{Time: at.AddDate(9000, 0, 0)}, {Object: inner{At: at.AddDate(9000, 0, 0)}}, {At: at.AddDate(9000, 0, 0)}, {Objects: []inner{{At: at.AddDate(9000, 0, 0)}, {}}}, {Compact: json.RawMessage("{")},
	} {
		got, err := jsonscan.Append(nil, &v)
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
		must.Do(t, e.Encode(s))
		if got := string(jsonscan.AppendText([]byte("x"), s)); got+"\n" != "x"+want.String() {
			t.Errorf("%q is %s, not %s", s, got, &want)
		}
	})
}
