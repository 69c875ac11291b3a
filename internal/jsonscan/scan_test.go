package jsonscan_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/jsonscan"
)

// sample has a field for each thing that a scan reads.
type sample struct {
	Text  string          `json:"text"`
	Word  string          `json:"word"`
	Texts []string        `json:"texts"`
	Int   int64           `json:"int"`
	Uint  uint64          `json:"uint"`
	Float float64         `json:"float"`
	Bool  bool            `json:"bool"`
	Time  time.Time       `json:"time"`
	Raw   json.RawMessage `json:"raw"`

	embedded
	Small uint32                     `json:"small"`
	Inner *embedded                  `json:"inner"`
	List  []embedded                 `json:"list"`
	Map   map[string]json.RawMessage `json:"map"`
	Level level                      `json:"level"`
	None  func()                     `json:"-"`
}

type embedded struct {
	Text string `json:"text"` // hidden by that of sample
	Deep named  `json:"deep"`
}

type named string

type level int

func (l *level) UnmarshalText(text []byte) error {
	if string(text) != "high" {
		return errors.New("no level")
	}
	*l = 3
	return nil
}

func scan(text []byte) (v sample, quick bool) {
	quick = jsonscan.All(text, func(s *jsonscan.Scan) {
		s.Usual = []string{"pending"}
		s.Others = true
		s.Struct(&v)
	})
	return v, quick
}

const whole = `{"text": "a \"b\"\u00e9\n", "word":"pending", "texts": ["x", "\ud83d\ude00", ""], "int": 12, "uint":18446744073709551615,
 "float": -2.5e+3, "bool":true, "time":"2026-01-01T00:00:00.5+01:00", "raw": {"a": [1, -0.5E2, null, {}, []], "\u0062": "\\"}, "more": [{"text": 1}] }`

// taken are texts that a scan reads to the end, and refused ones that it leaves
// to package json, for which most of them are no JSON.
var (
	taken = []string{
		whole, `{}`, ` { } `, `{"text":""}`, `{"word":"other"}`, `{"word":"\u0070ending"}`, `{"raw":null}`, `{"raw":"漢"}`, `{"texts":[]}`, `{"text":"a","text":"b"}`,
		`{"int":0}`, `{"int":999999999999999}`, `{"float":0}`, `{"x":{"Text":1}}`, `{"Texte":1}`, `{"text":"\ud83d"}`,
		`{"small":4294967295,"deep":"d","inner":{"text":"t","deep":"x","more":1},"list":[{"deep":"a"},{},{"text":"b"}],"map":{"a":[1],"b":null},"level":"high"}`, `{"list":[],"map":{},"inner":{}}`, `{"None":1,"":2,"-":3}`,
	}
	refused = []string{
		`{"small":4294967296}`, `{"inner":{},"inner":{}}`, `{"inner":null}`, `{"inner":{"Deep":"a"}}`, `{"list":[{"deep":1}]}`, `{"list":[],"list":[]}`, `{"map":{},"map":{}}`, `{"map":[]}`, `{"level":"low"}`, `{"level":3}`,
		``, `{`, `[]`, `null`, `{"text":null}`, `{"text":1}`, `{"Text":"a"}`, `{"TEXT":"a"}`, `{"\u0074ext":"a"}`, `{"texts":["a"],"texts":["b"]}`, "{\"text\":\"\xff\"}",
		"{\"text\":\"a\nb\"}", `{"text":"\x"}`, `{"text":"\u12g4"}`, `{"text":"\u12"}`, `{"text":"\`, `{"text":"a}`, `{"int":01}`, `{"int":-1}`, `{"int":1.0}`, `{"int":1e2}`,
		`{"int":9999999999999999}`, `{"int":}`, `{"uint":18446744073709551616}`, `{"uint":+1}`, `{"float":1e999}`, `{"float":.5}`, `{"float":+5}`, `{"float":01}`,
		`{"bool":yes}`, `{"bool":1}`, `{"time":"2026-01-01"}`, `{"time":""}`, `{"raw":}`, `{"raw":01}`, `{"raw":[1,]}`, `{"raw":{"a"}}`, `{"raw":{"a":1,}}`, `{"raw":tru}`,
		`{"raw":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`, `{"x":1}}`, `{"x":1,}`, `{"x" 1}`, `{"x":"\y"}`, `{"ſtext":1,"text":2}`,
	}
)

// check wants of a scan what package json says, or that it gives up.
func check(t *testing.T, text []byte) bool {
	t.Helper()
	v, quick := scan(text)
	if !quick {
		return false
	}
	var want sample
	if err := json.Unmarshal(text, &want); err != nil {
		t.Errorf("%q was read, and package json says %v", text, err)
	}
	if !v.Time.Equal(want.Time) {
		t.Errorf("%q: the time is %v, want %v", text, v.Time, want.Time)
	}
	v.Time, want.Time = time.Time{}, time.Time{}
	if !reflect.DeepEqual(v, want) {
		t.Errorf("of %q a scan has\n     %+v\nwant %+v", text, v, want)
	}
	return true
}

func TestScan(t *testing.T) {
	for _, text := range taken {
		if !check(t, []byte(text)) {
			t.Errorf("%q is left to package json", text)
		}
	}
	for _, text := range refused {
		if check(t, []byte(text)) {
			t.Errorf("%q was read", text)
		}
	}
}

// A text that ends early, anywhere, is not text.
func TestCut(t *testing.T) {
	for i := range whole {
		if _, quick := scan([]byte(whole[:i])); quick {
			t.Errorf("%q was read", whole[:i])
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, text := range append(taken, refused...) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		kept := bytes.Clone(text)
		check(t, text)
		if !bytes.Equal(kept, text) {
			t.Error("it changed the text")
		}
	})
}

func BenchmarkScan(b *testing.B) {
	text := []byte(`{"text":"a","raw":"` + strings.Repeat(`\tif cents < 0 { return \"owed\" }\n`, 2<<10) + `"}`)
	b.SetBytes(int64(len(text)))
	b.Run("scan", func(b *testing.B) {
		for b.Loop() {
			scan(text)
		}
	})
	b.Run("json", func(b *testing.B) {
		for b.Loop() {
			var v sample
			if json.Unmarshal(text, &v) != nil {
				b.Fatal("unread")
			}
		}
	})
}
