package remote

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
)

// Outcomes are written as package json writes them, whatever is in them.
func TestDone(t *testing.T) {
	const seed = 20
	values := someValues{rand.New(rand.NewPCG(seed, seed)), 1}
	odds := []float64{1, 0.8, 0.5, 0.2, 0.05}
	if n := reflect.TypeFor[Done]().NumField(); n != 2 {
		t.Errorf("Done has %d fields, and Encode writes two", n)
	}
	compared := 0
	for n := range 600 {
		var all []query.Outcome
		for range n % 4 {
			var o query.Outcome
			values.odds = odds[values.IntN(len(odds))]
			values.fill(reflect.ValueOf(&o).Elem(), 7)
			if values.IntN(2) == 0 {
				o = query.Outcome{Head: query.Head{Revision: o.Head.Revision, Origin: o.Head.Origin, Now: o.Head.Now}, Result: o.Result} // as of most
			}
			all = append(all, o)
		}
		done := Done{Outcomes: all}
		if n%3 == 0 {
			done.Errors = []*pawl.Error{nil, pawl.Errorf(pawl.Conflict, "a < b")}
		}
		want, wrong := json.Marshal(done)
		got, err := done.Encode()
		if (err == nil) != (wrong == nil) {
			t.Fatalf("%+v: %v, and package json says %v", all, err, wrong)
		}
		if err != nil {
			continue
		}
		compared++
		if string(got) != string(want) {
			t.Fatalf("%+v is\n     %s\nwant %s", all, got, want)
		}
	}
	if compared < 300 {
		t.Errorf("%d were compared", compared)
	}
}

// A result may have anything that is escaped for pages, and nothing else that is.
func TestForPages(t *testing.T) {
	for _, text := range []string{"", "plain", "<", ">", "&", "\u2028", "\u2029", "\u2030 é"} {
		raw := must.Get(pawl.Encode(text))(t)
		metadata := map[string]json.RawMessage{"quoted": raw, "as it is": json.RawMessage(`"` + text + `"`)}
		done := Done{Outcomes: []query.Outcome{{Result: pawl.Result{Tasks: []pawl.Task{{ID: 1, Metadata: metadata}}}}}}
		want := must.Get(json.Marshal(done))(t)
		if got, err := done.Encode(); err != nil || string(got) != string(want) {
			t.Errorf("%q, %v\nwant %q", got, err, want)
		}
	}
}

// someValues fills values, each field with the odds.
type someValues struct {
	*rand.Rand
	odds float64
}

func (s someValues) fill(v reflect.Value, deep int) {
	if v.SetZero(); s.Float64() > s.odds || deep < 0 {
		return
	}
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.Date(2026, 11, 23, 13, 0, 0, s.IntN(3)*5_000_000, time.FixedZone("", s.IntN(2)*3600)).AddDate(s.IntN(80)/79*9000, 0, 0)))
		return
	case json.RawMessage:
		v.SetBytes([]byte([]string{`1.50`, ` { "a<b>" : "\u00e9&" } `}[s.IntN(2)]))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				s.fill(v.Field(i), deep-1)
			}
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
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		s.fill(key, 0)
		s.fill(value, deep-1)
		v.SetMapIndex(key, value)
	case reflect.String:
		v.SetString([]string{"", "plain", "two\nlines \"quoted\"", "this & that", "a > b", "Grüße <b>\u2028", "\xff"}[s.IntN(7)])
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(s.Int64N(3) - 1)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(s.Uint64N(3))
	case reflect.Float64:
		v.SetFloat(s.Float64())
	}
}
