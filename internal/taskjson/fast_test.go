package taskjson

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
)

// What is written quickly is what package json writes, whatever is in it: of all
// fields, and of any of them.
func TestEncodeFast(t *testing.T) {
	const seed = 20
	values := someValues{rand.New(rand.NewPCG(seed, seed)), 1}
	quickly, faulty := 0, 0
	for n := range 1200 {
		for _, got := range []func() (any, []byte, error){
			func() (any, []byte, error) { return filledBy(values, EncodeFast[pawl.Task]) },
			func() (any, []byte, error) { return filledBy(values, EncodeFast[pawl.Claim]) },
			func() (any, []byte, error) { return filledBy(values, EncodeFast[pawl.Result]) },
			func() (any, []byte, error) { return filledBy(values, EncodeFast[pawl.ChangeSet]) },
		} {
			v, got, err := got()
			want, wrong := pawl.Encode(v)
			switch {
			case (wrong == nil) != (err == nil) || string(got) != string(want):
				t.Fatalf("%d: %+v is\n     %s %v\nwant %s %v", n, v, got, err, want, wrong)
			case wrong != nil:
				faulty++
			default:
				quickly++
			}
		}
		values.odds = []float64{1, 0.9, 0.5, 0.2, 0.05, 0}[n%6]
	}
	if quickly < 2000 || faulty < 100 {
		t.Errorf("%d values were compared, and %d with a fault", quickly, faulty)
	}
}

func filledBy[T any](values someValues, encode func(T) ([]byte, error)) (any, []byte, error) {
	var v T
	values.fill(reflect.ValueOf(&v).Elem(), 7)
	text, err := encode(v)
	return v, text, err
}

// What is trimmed on the way is what is trimmed before.
func TestTrimmed(t *testing.T) {
	const seed = 21
	values := someValues{rand.New(rand.NewPCG(seed, seed)), 1}
	for n := range 600 {
		var set, trimmed pawl.ChangeSet
		values.fill(reflect.ValueOf(&set).Elem(), 7)
		for i := range set.Changes {
			c := &set.Changes[i]
			c.Fields = [][]pawl.Field{nil, {}, {pawl.FieldBlockedBy, pawl.FieldUpdatedAt}, {pawl.FieldClaim, pawl.FieldNotes, pawl.FieldExtra}}[values.IntN(4)]
			trimmed.Changes = append(trimmed.Changes, c.Trim())
		}
		changes := trimmed.Changes
		trimmed = set
		trimmed.Changes = changes
		want, wrong := pawl.Encode(trimmed)
		got, err := EncodeTrimmed(set)
		if (wrong == nil) != (err == nil) || string(got) != string(want) {
			t.Fatalf("%d: %+v is %v\n     %s\nwant %v\n     %s", n, set, err, got, wrong, want)
		}
		values.odds = []float64{1, 0.9, 0.5, 0.2}[n%4]
	}
}

// What is read quickly is what package json reads, of whole tasks and of broken ones.
func TestDecodeTask(t *testing.T) {
	const seed = 22
	values := someValues{rand.New(rand.NewPCG(seed, seed)), 1}
	const others = "x\"{}[],:0 A\\\xff"
	quickly, odd := 0, 0
	for n := range 1500 {
		var task pawl.Task
		values.fill(reflect.ValueOf(&task).Elem(), 5)
		text, err := pawl.Encode(task)
		if err != nil {
			continue
		}
		switch values.IntN(4) {
		case 0: // a byte is another one
			text[values.IntN(len(text))] = others[values.IntN(len(others))]
		case 1: // keys come twice
			text = append(append(text[:len(text)-1:len(text)-1], ','), text[1:]...)
		}
		if sameAsJSON(t, text) {
			quickly++
		} else {
			odd++
		}
		values.odds = []float64{1, 0.9, 0.5, 0.2, 0.05, 0}[n%6]
	}
	if quickly < 500 || odd < 100 {
		t.Errorf("%d tasks were read quickly, and %d left to package json", quickly, odd)
	}
}

// sameAsJSON holds what is read to package json, and says whether it was read quickly.
func sameAsJSON(t *testing.T, text []byte) bool {
	t.Helper()
	var want, quick pawl.Task
	wrong := json.Unmarshal(text, &want)
	got, err := DecodeTask(text)
	if (err == nil) != (wrong == nil) || err == nil && !reflect.DeepEqual(got, want) {
		t.Fatalf("%q is %v\n     %+v\nwant %v\n     %+v", text, err, got, wrong, want)
	}
	return decodedFast(text, &quick)
}

func FuzzDecodeTask(f *testing.F) {
	for _, text := range []string{
		`{"id":1,"subject":"a","status":"pending","blockedBy":[2,3],"labels":["x"],"createdAt":"2026-11-23T13:00:00.005Z"}`,
		`{"id":1,"claim":{"session":"s","token":1790000000000,"until":"2026-11-23T13:00:00Z","lease":"15m0s"},"priority":"high","notes":[{"by":"ada","text":"t"}]}`,
		`{"id":1,"metadata":{"ref":"a","n":1.50},"hold":{"reason":"r"},"checks":[{"name":"n","run":["go"],"timeout":"1m0s"}],"evidence":[{"check":"n","sum":"s"}]}`,
		`{"Subject":"a","subject":"b"}`, `{"claim":{},"claim":{"token":1}}`, `{"id":-1}`, `{"id":null}`, `{"priority":"other","status":"x"}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) { sameAsJSON(t, text) })
}

// someValues fills values, each field with the odds.
type someValues struct {
	*rand.Rand
	odds float64
}

func (s someValues) fill(v reflect.Value, deep int) {
	v.SetZero()
	if s.Float64() > s.odds || deep < 0 {
		return
	}
	switch v.Interface().(type) {
	case time.Time:
		at := time.Date(2026, 11, 23, 13, 0, 0, s.IntN(3)*5_000_000, time.UTC)
		if s.IntN(40) == 0 {
			at = []time.Time{at.In(time.FixedZone("", 3600)), at.AddDate(9000, 0, 0), time.Unix(0, 0)}[s.IntN(3)]
		}
		v.Set(reflect.ValueOf(at))
		return
	case json.RawMessage:
		texts := []string{`1.50`, ` { "a<b>" : [ 1 , "\u00e9&" ] } `, `null`, "\"\u2028\"", `{`}
		n := len(texts) - 1
		if s.IntN(40) == 0 {
			n++
		}
		v.SetBytes([]byte(texts[s.IntN(n)]))
		return
	case pawl.Priority:
		v.SetInt(s.Int64N(3) - 1)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			s.fill(v.Field(i), deep-1)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		s.fill(v.Elem(), deep)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), s.IntN(3), 3))
		for i := range v.Len() {
			s.fill(v.Index(i), deep-1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range s.IntN(3) {
			value := reflect.New(v.Type().Elem()).Elem()
			s.fill(value, deep-1)
			v.SetMapIndex(reflect.ValueOf(s.text()), value)
		}
	case reflect.String:
		v.SetString(s.text())
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Uint8:
		v.SetUint(s.Uint64N(256))
	default:
		v.SetInt(int64(s.Uint64()) >> s.IntN(64))
	}
}

func (s someValues) text() string {
	return []string{"", "plain", "two\nlines\t\"quoted\" \\", "Grüße <b>&</b>", "\u2028", "\x01", "\xff", "in_progress"}[s.IntN(8)]
}

func BenchmarkEncodeFast(b *testing.B) {
	var task pawl.Task
	values := someValues{rand.New(rand.NewPCG(3, 3)), 0.6}
	for task.Claim == (pawl.Claim{}) || len(task.Notes) == 0 {
		values.fill(reflect.ValueOf(&task).Elem(), 4)
	}
	set := pawl.ChangeSet{Revision: 9, Verb: "update"}
	for range 100 {
		set.Changes = append(set.Changes, pawl.Change{ID: 2, Fields: []pawl.Field{pawl.FieldBlockedBy, pawl.FieldUpdatedAt}, Before: &task, After: &task})
	}
	b.Run("task", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			EncodeFast(task)
		}
	})
	b.Run("set", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			EncodeTrimmed(set)
		}
	})
}
