package jsonscan

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"reflect"
	"strconv"
	"time"
)

// Append appends the value that a pointer leads to as package json writes it, without the
// escapes for web pages and several times as fast. Maps, and values with a method MarshalJSON,
// are left to package json.
func Append(text []byte, v any) ([]byte, error) {
	w := writing{text: text}
	at := reflect.ValueOf(v).Elem()
	writerOf(at.Type())(&w, at)
	return w.text, w.err
}

type writing struct {
	text []byte
	err  error // the first
}

// A writer writes the values of one type.
type writer func(*writing, reflect.Value)

func writerOf(t reflect.Type) writer {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return (*writing).time
	case t == reflect.TypeFor[json.RawMessage]():
		return (*writing).raw
	case t.NumMethod() > 0 && t.Implements(reflect.TypeFor[json.Marshaler]()):
		return (*writing).plainly
	case t.Kind() != reflect.Pointer && t.Implements(reflect.TypeFor[encoding.TextMarshaler]()):
		return (*writing).word
	}
	switch t.Kind() {
	case reflect.String:
		return func(w *writing, v reflect.Value) { w.text = AppendText(w.text, v.String()) }
	case reflect.Int, reflect.Int64:
		return func(w *writing, v reflect.Value) { w.text = strconv.AppendInt(w.text, v.Int(), 10) }
	case reflect.Bool:
		return func(w *writing, v reflect.Value) { w.text = strconv.AppendBool(w.text, v.Bool()) }
	case reflect.Struct:
		return (*writing).object
	case reflect.Pointer:
		element := writerOf(t.Elem())
		return func(w *writing, v reflect.Value) {
			if v.IsNil() {
				w.text = append(w.text, "null"...)
				return
			}
			element(w, v.Elem())
		}
	case reflect.Slice:
		if t.Elem().Kind() != reflect.Uint8 {
			element := writerOf(t.Elem())
			return func(w *writing, v reflect.Value) { w.list(v, element) }
		}
		return (*writing).bytes
	}
	return (*writing).plainly
}

func (w *writing) object(v reflect.Value) {
	w.text = append(w.text, '{')
	begin := len(w.text)
	for i, fields := 0, fieldsOf(v.Type()); i < len(fields); i++ {
		f := &fields[i]
		at := v.Field(f.index[0])
		if len(f.index) > 1 {
			at = v.FieldByIndex(f.index)
		}
		if f.omits != nil && f.omits(at) {
			continue
		}
		if len(w.text) > begin {
			w.text = append(w.text, ',')
		}
		w.text = append(append(append(w.text, '"'), f.name...), '"', ':') // names need no escapes
		f.write(w, at)
	}
	w.text = append(w.text, '}')
}

func (w *writing) list(v reflect.Value, element writer) {
	if v.IsNil() {
		w.text = append(w.text, "null"...)
		return
	}
	w.text = append(w.text, '[')
	for i := range v.Len() {
		if i > 0 {
			w.text = append(w.text, ',')
		}
		element(w, v.Index(i))
	}
	w.text = append(w.text, ']')
}

func (w *writing) bytes(v reflect.Value) {
	if v.IsNil() {
		w.text = append(w.text, "null"...)
		return
	}
	w.text = append(base64.StdEncoding.AppendEncode(append(w.text, '"'), v.Bytes()), '"')
}

// time writes a time. One that has no form in JSON is an error, as there.
func (w *writing) time(v reflect.Value) {
	text, err := v.Addr().Interface().(*time.Time).AppendText(append(w.text, '"'))
	w.failed(err)
	w.text = append(text, '"')
}

func (w *writing) raw(v reflect.Value) {
	if v.IsNil() {
		w.text = append(w.text, "null"...)
		return
	}
	b := bytes.NewBuffer(w.text)
	w.failed(json.Compact(b, v.Bytes()))
	w.text = b.Bytes()
}

func (w *writing) word(v reflect.Value) {
	text, err := v.Addr().Interface().(encoding.TextMarshaler).MarshalText()
	w.failed(err)
	w.text = AppendText(w.text, string(text))
}

// plainly leaves a value to package json.
func (w *writing) plainly(v reflect.Value) {
	b := bytes.NewBuffer(w.text)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v.Interface()); err != nil {
		w.failed(err)
		return
	}
	w.text = bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func (w *writing) failed(err error) {
	if w.err == nil {
		w.err = err
	}
}

// omitsOf says which values of a field the options of its tag leave out; nil: none.
func omitsOf(t reflect.Type, empty, zero bool) func(reflect.Value) bool {
	switch {
	case zero && t == reflect.TypeFor[time.Time]():
		return func(v reflect.Value) bool { return v.Addr().Interface().(*time.Time).IsZero() }
	case !zero && empty && (t.Kind() == reflect.Slice || t.Kind() == reflect.Map || t.Kind() == reflect.String):
		return func(v reflect.Value) bool { return v.Len() == 0 }
	case zero, empty && t.Kind() != reflect.Struct && t.Kind() != reflect.Array:
		return reflect.Value.IsZero
	}
	return nil
}
