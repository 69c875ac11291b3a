// Package spoil shows whether a store shares memory with its callers.
package spoil

import "reflect"

// All writes over everything that v refers to, which a copy has to have copied, and behind
// the ends of lists: what an append to a shared list would do.
func All(v any) { value(reflect.ValueOf(v)) }

func value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			value(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			value(v.Index(i))
		}
		if v.Len() < v.Cap() && v.Type().Elem().Kind() != reflect.Uint8 {
			reflect.Append(v, reflect.Zero(v.Type().Elem()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				value(v.Field(i))
			}
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			value(v.MapIndex(key))
			v.SetMapIndex(key, reflect.Value{})
			v.SetMapIndex(reflect.ValueOf("spoilt").Convert(key.Type()), reflect.Zero(v.Type().Elem()))
		}
	}
	switch {
	case !v.CanSet():
	case v.Kind() == reflect.String:
		v.SetString("spoilt")
	case v.CanInt():
		v.SetInt(99)
	case v.Kind() == reflect.Uint8:
		v.SetUint('!')
	}
}
