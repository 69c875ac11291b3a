package jsonscan

import (
	"bytes"
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Unmarshal is json.Unmarshal, several times as fast for a struct that [Scan.Struct] reads.
func Unmarshal[T any](text []byte, v *T) error {
	if All(text, func(s *Scan) { s.Others = true; s.Struct(v) }) {
		return nil
	}
	*v = *new(T)
	return json.Unmarshal(text, v)
}

// Struct reads an object into the struct that a pointer leads to, by the tags that
// package json reads. Lists, maps and pointers have to be nil. It gives up at any other key; with Others only at one that is a field in other
// letters, which package json would take for that.
func (s *Scan) Struct(v any) { s.fill(reflect.ValueOf(v).Elem()) }

func (s *Scan) fill(v reflect.Value) {
	fields, next := fieldsOf(v.Type()), 0 // a program writes its keys in one order
	s.Object(func(key []byte) {
		for range fields {
			f := &fields[next]
			if next++; next == len(fields) {
				next = 0
			}
			if string(key) != f.name {
				continue
			}
			s.read(v.FieldByIndex(f.index).Addr().Interface())
			return
		}
		if !s.Others || slices.ContainsFunc(fields, func(f field) bool { return strings.EqualFold(string(key), f.name) }) {
			s.GiveUp()
		}
		s.Raw()
	})
}

// A field is the way to one of a struct, or of one embedded in it.
type field struct {
	name  string
	index []int
	write writer
	omits func(reflect.Value) bool // nil: it is always written
}

var known sync.Map // fields by the type of their struct

func fieldsOf(t reflect.Type) []field {
	if fields, ok := known.Load(t); ok {
		return fields.([]field)
	}
	var fields, embedded []field
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			for _, inner := range fieldsOf(f.Type) {
				inner.index = append([]int{i}, inner.index...)
				embedded = append(embedded, inner)
			}
			continue
		}
		if name, options, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			omits := omitsOf(f.Type, strings.Contains(options, "omitempty"), strings.Contains(options, "omitzero"))
			fields = append(fields, field{name, f.Index, writerOf(f.Type), omits})
		}
	}
	for _, inner := range embedded {
		if !slices.ContainsFunc(fields, func(f field) bool { return f.name == inner.name }) {
			fields = append(fields, inner)
		}
	}
	slices.SortFunc(fields, func(a, b field) int { return slices.Compare(a.index, b.index) })
	known.Store(t, fields)
	return fields
}

// reflected reads a value of another type than those that read knows.
func (s *Scan) reflected(v reflect.Value) {
	if u, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		if u.UnmarshalText([]byte(s.Text())) != nil {
			s.GiveUp()
		}
		return
	}
	switch u, decodes := v.Addr().Interface().(json.Unmarshaler); v.Kind() {
	case reflect.String: // even of a type that decodes numbers too
		v.SetString(s.Text())
	case reflect.Int64:
		v.SetInt(s.Int())
	case reflect.Uint32, reflect.Uint64:
		n := s.Uint()
		s.Once(!v.OverflowUint(n))
		v.SetUint(n)
	case reflect.Pointer:
		s.Once(v.IsNil())
		v.Set(reflect.New(v.Type().Elem()))
		s.read(v.Interface())
	case reflect.Map: // of values that are kept as they are
		if s.Once(v.IsNil()); v.Type() != reflect.TypeFor[map[string]json.RawMessage]() {
			s.GiveUp()
			return
		}
		all := map[string]json.RawMessage{}
		s.Object(func(key []byte) { all[string(key)] = bytes.Clone(s.Raw()) })
		v.Set(reflect.ValueOf(all))
	case reflect.Slice:
		s.Once(v.IsNil())
		v.Set(reflect.MakeSlice(v.Type(), 0, 8))
		s.Array(func() {
			v.Grow(1)
			v.SetLen(v.Len() + 1)
			s.read(v.Index(v.Len() - 1).Addr().Interface())
		})
	case reflect.Struct:
		if !decodes {
			s.fill(v)
		} else if raw := s.Raw(); string(raw) == "null" || u.UnmarshalJSON(raw) != nil {
			s.GiveUp()
		}
	default:
		s.GiveUp()
	}
}
