package query_test

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// All that crosses a wire has names in lower camel case.
func TestNamesOnTheWire(t *testing.T) {
	seen := map[reflect.Type]bool{}
	marshaler := reflect.TypeFor[json.Marshaler]()
	name := regexp.MustCompile(`^[a-z][A-Za-z0-9]*$`)
	var look func(reflect.Type)
	look = func(typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			look(typ.Elem())
			return
		case reflect.Struct:
		default:
			return
		}
		if seen[typ] || typ.Implements(marshaler) || reflect.PointerTo(typ).Implements(marshaler) && !typ.Implements(marshaler) {
			return
		}
		seen[typ] = true
		for i := range typ.NumField() {
			f := typ.Field(i)
			tag, has := f.Tag.Lookup("json")
			tag, _, _ = strings.Cut(tag, ",")
			switch {
			case tag == "-" || f.PkgPath != "":
				continue
			case f.Anonymous && !has:
			case !name.MatchString(tag):
				t.Errorf("%v.%s is called %q", typ, f.Name, tag)
			}
			look(f.Type)
		}
	}
	for _, kind := range query.Kinds() {
		look(reflect.TypeOf(kind.Question))
		look(reflect.TypeOf(kind.Answer))
	}
	for _, one := range []any{query.Asker{}, query.From{}, query.News{}, query.Outcome{}, pawl.Request{}, pawl.Error{}, pawl.Query{}} {
		look(reflect.TypeOf(one))
	}
	if len(seen) < 50 {
		t.Errorf("only %d types were looked at", len(seen))
	}
}
