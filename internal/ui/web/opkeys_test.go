package web

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// notHere are the ops that the API does not take.
var notHere = []string{pawl.VerbImport, pawl.VerbRenew, pawl.VerbCheck, pawl.VerbAll}

// Each key of each op is either described, and read, or refused by its name. A new
// op or key is neither until somebody decides.
func TestOpKeys(t *testing.T) {
	kinds := map[string]reflect.Type{}
	for _, k := range opKinds {
		kinds[k.name] = reflect.TypeOf(k.body)
	}
	described, refused := 0, 0
	for _, zero := range pawl.Ops() {
		text := must.Get(pawl.Encode(zero))(t)
		var named struct{ Op string }
		must.Do(t, json.Unmarshal(text, &named))
		kind := kinds[named.Op]
		if slices.Contains(notHere, named.Op) != (kind == nil) {
			t.Errorf("%s: is described %v, is taken %v", named.Op, kind != nil, kind == nil)
		}
		if kind == nil {
			if faults := faultsOf(strings.ReplaceAll(string(text), "null", "[]")); !slices.Equal(faults, []string{"ops[0].op"}) {
				t.Errorf("%s is taken: %v", named.Op, faults)
			}
			continue
		}
		try := func(path string, op pawl.Op, known bool) {
			t.Helper()
			text := must.Get(pawl.Encode(op))(t)
			faults := faultsOf(string(text))
			if known {
				described++
			} else {
				refused++
			}
			switch {
			case known && len(faults) > 0:
				t.Errorf("%s is described, and refused: %v in %s", path, faults, text)
			case !known && !slices.Equal(faults, []string{path}):
				t.Errorf("%s is not described, and refused as %v: %s", path, faults, text)
			}
		}
		typ := reflect.TypeOf(zero)
		for i := range typ.NumField() {
			key := keyOf(typ.Field(i))
			op := reflect.New(typ).Elem()
			for j := range typ.NumField() {
				if j == i || !strings.Contains(typ.Field(j).Tag.Get("json"), ",omit") {
					op.Field(j).Set(sample(typ.Field(j).Type))
				}
			}
			try("ops[0]."+key, op.Interface().(pawl.Op), hasKey(kind, key))
		}
		if _, ok := zero.(pawl.Create); ok {
			typ := reflect.TypeFor[pawl.NewTask]()
			for i := range typ.NumField() {
				task := pawl.NewTask{Subject: "x"}
				reflect.ValueOf(&task).Elem().Field(i).Set(sample(typ.Field(i).Type))
				key := keyOf(typ.Field(i))
				try("ops[0].tasks[0]."+key, pawl.Create{Tasks: []pawl.NewTask{task}}, hasKey(reflect.TypeFor[newTaskJSON](), key))
			}
		}
	}
	if described < 40 || refused < 12 {
		t.Errorf("%d keys are described, %d refused", described, refused)
	}
}

// faultsOf reads an op as the API does, and returns the paths of what is refused.
func faultsOf(op string) (faults []string) {
	var into opsJSON
	err := strict([]byte(`{"ops":[`+op+`]}`), &into)
	if e, ok := errors.AsType[*pawl.Error](err); ok {
		for _, f := range e.Faults {
			faults = append(faults, f.Path)
		}
	}
	return faults
}

func keyOf(f reflect.StructField) string {
	key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return key
}

func hasKey(typ reflect.Type, key string) bool {
	for i := range typ.NumField() {
		if keyOf(typ.Field(i)) == key {
			return true
		}
	}
	return false
}

// sample is some value of a type, but not its zero.
func sample(typ reflect.Type) reflect.Value {
	v := reflect.New(typ).Elem()
	switch typ {
	case reflect.TypeFor[json.RawMessage]():
		v.SetBytes([]byte("1"))
		return v
	case reflect.TypeFor[pawl.Ref]():
		return reflect.ValueOf(pawl.RefID(1))
	case reflect.TypeFor[pawl.Priority]():
		return reflect.ValueOf(pawl.High)
	case reflect.TypeFor[pawl.NewTask]():
		return reflect.ValueOf(pawl.NewTask{Subject: "x"})
	}
	switch typ.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(typ.Elem()))
		v.Elem().Set(sample(typ.Elem()))
	case reflect.Slice:
		v.Set(reflect.Append(v, sample(typ.Elem())))
	case reflect.Map:
		v.Set(reflect.MakeMap(typ))
		v.SetMapIndex(sample(typ.Key()), sample(typ.Elem()))
	case reflect.Struct:
		for i := range typ.NumField() {
			v.Field(i).Set(sample(typ.Field(i).Type))
		}
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	default:
		v.SetInt(1)
	}
	return v
}
