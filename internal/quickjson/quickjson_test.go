package quickjson

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
func TestEncoded(t *testing.T) {
	const seed = 20
	values := someValues{rand.New(rand.NewPCG(seed, seed)), 1}
	quickly, faulty := 0, 0
	for n := range 1200 {
		for _, v := range []any{new(pawl.Task), new(pawl.Claim), new(pawl.Result), new(pawl.ChangeSet)} {
			values.fill(reflect.ValueOf(v).Elem(), 7)
			v := reflect.ValueOf(v).Elem().Interface()
			want, wrong := pawl.Encode(v)
			got, ok := encoded(v)
			switch {
			case wrong != nil && ok:
				t.Fatalf("%+v is %s, and package json says %v", v, got, wrong)
			case wrong == nil && !ok:
				t.Fatalf("%+v is not written, but by package json: %s", v, want)
			case wrong != nil:
				faulty++
			case string(got) != string(want):
				t.Fatalf("%d: %+v is\n     %s\nwant %s", n, v, got, want)
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
