package todofile

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"time"
)

// filled gives each field of a value something, also in what it has inside.
func filled(v reflect.Value) {
	switch at := time.Date(2026, 1, 1, 10, 0, 0, 5e6, time.UTC); v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(at))
		return
	case json.RawMessage:
		v.SetBytes([]byte(`{ "command": "a && b <c>", "n": [1, 2.50] }`))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("a “b” \"c\" <d> & é\n\u2028")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int64:
		v.SetInt(12)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		filled(v.Index(0)) // and the other one is empty
	case reflect.Struct:
		for i := range v.NumField() {
			filled(v.Field(i))
		}
	default:
		panic("fill a " + v.Kind().String() + " too")
	}
}

// What a list is made of is written as package json would, all of its fields.
func TestFill(t *testing.T) {
	check := func(v any) {
		t.Helper()
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		wrong := e.Encode(v)
		w := &writer{}
		w.object(v)
		got := w.b.Bytes()
		if (wrong == nil) != (w.err == nil) || wrong == nil && string(got)+"\n" != want.String() {
			t.Errorf("it is written as\n     %s\nwant %s%v, %v", got, &want, w.err, wrong)
		}
	}
	var item diskItem
	var past diskPast
	var before diskBefore
	before.Items = []diskItem{}
	for range 2 {
		check(&item)
		check(&past)
		check(&before)
		for _, v := range []any{&item, &past, &before} {
			filled(reflect.ValueOf(v).Elem())
		}
	}
	item.ToolCalls[0].Parameters = json.RawMessage(`{`)
	check(&item)
	item.ToolCalls[0].Parameters = nil
	item.StartedAt = item.StartedAt.AddDate(9000, 0, 0)
	check(&item)
}
