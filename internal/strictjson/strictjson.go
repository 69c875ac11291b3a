// Package strictjson reads JSON as the fields of a struct say, and not
// otherwise: no unknown key, none twice, none missing that may not be left out,
// no other type. It reports every fault at once, each with its path, such as
// ops[0].tasks[2].subject.
package strictjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/internal/text"
)

// A Fault is one thing wrong with a text.
type Fault struct {
	Path    string // empty: the whole
	Problem string
}

// mostFaults is how many faults are reported.
const mostFaults = 50

// Read reads input, one value of JSON nested at most depth deep, into the struct
// that into points to. An error says that the text is not such a value. form
// says how the types are read that have a form of their own; nil: none has.
func Read(input []byte, depth int, into any, form func(reflect.Type) Form) ([]Fault, error) {
	root, err := Parse(input, depth)
	if err != nil {
		return nil, err
	}
	d := &Decoder{form: form}
	d.Value(root, reflect.ValueOf(into).Elem(), "")
	return d.faults, nil
}

// A Form reads a node into a value of the type that the form is for.
type Form func(d *Decoder, n Node, v reflect.Value, path string)

// A Decoder puts nodes into values.
type Decoder struct {
	form   func(reflect.Type) Form
	faults []Fault
}

// Fault notes what is wrong at path.
func (d *Decoder) Fault(path, problem string, args ...any) {
	if !d.full() {
		d.faults = append(d.faults, Fault{path, fmt.Sprintf(problem, args...)})
	}
}

// full reports whether no further fault is reported, so that the rest of the text
// need not be read.
func (d *Decoder) full() bool { return len(d.faults) == mostFaults }

// Value reads n into v as its type says.
func (d *Decoder) Value(n Node, v reflect.Value, path string) {
	if d.full() {
		return
	}
	if d.form != nil {
		if form := d.form(v.Type()); form != nil {
			form(d, n, v, path)
			return
		}
	}
	switch v.Type() {
	case reflect.TypeFor[json.RawMessage]():
		var compact bytes.Buffer
		json.Compact(&compact, n.raw) // it was parsed
		v.SetBytes(compact.Bytes())
		return
	case reflect.TypeFor[time.Time]():
		d.time(n, v, path)
		return
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		d.Value(n, v.Elem(), path)
		return
	}
	want, known := kindOf(v.Kind())
	if !known {
		panic("strictjson: no form for " + v.Type().String())
	}
	if n.Kind != want {
		d.Fault(path, "is %s, not %s", n.What(), Node{Kind: want}.What())
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		d.Object(n, v, path)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), len(n.Values), len(n.Values)))
		for i := 0; i < len(n.Values) && !d.full(); i++ {
			d.Value(n.Values[i], v.Index(i), path+"["+strconv.Itoa(i)+"]")
		}
	case reflect.Map:
		d.mapping(n, v, path)
	case reflect.String:
		v.SetString(n.Own())
	case reflect.Int, reflect.Int64:
		whole, err := strconv.ParseInt(n.Text, 10, v.Type().Bits())
		if err != nil {
			d.Fault(path, "is %s, not a whole number", clip(n.Text))
		}
		v.SetInt(whole)
	case reflect.Bool:
		v.SetBool(n.Text == "true")
	}
}

// kindOf is the sort of node that a value without a form is read from.
func kindOf(kind reflect.Kind) (want byte, known bool) {
	switch kind {
	case reflect.Struct, reflect.Map:
		return '{', true
	case reflect.Slice:
		return '[', true
	case reflect.String:
		return '"', true
	case reflect.Int, reflect.Int64:
		return '0', true
	case reflect.Bool:
		return 't', true
	}
	return 0, false
}

// Duration reads a number of nanoseconds from a text such as "15m".
func (d *Decoder) Duration(n Node, v reflect.Value, path string) {
	length, err := time.ParseDuration(n.Text)
	if n.Kind != '"' || err != nil {
		d.Fault(path, "is %s, not a duration such as \"15m\"", n.quote())
	}
	v.SetInt(int64(length))
}

func (d *Decoder) time(n Node, v reflect.Value, path string) {
	at, err := time.Parse(time.RFC3339Nano, n.Text)
	if n.Kind != '"' || err != nil {
		d.Fault(path, "is %s, not a time such as \"2026-11-21T10:00:00Z\"", n.quote())
	}
	v.Set(reflect.ValueOf(at.UTC()))
}

// mapping reads an object whose keys are free.
func (d *Decoder) mapping(n Node, v reflect.Value, path string) {
	v.Set(reflect.MakeMap(v.Type()))
	for i, name := range n.Names {
		at := under(path, clip(name))
		key := reflect.ValueOf(strings.Clone(name)).Convert(v.Type().Key())
		if v.MapIndex(key).IsValid() {
			d.Fault(at, "is given twice")
			continue
		}
		value := reflect.New(v.Type().Elem()).Elem()
		d.Value(n.Values[i], value, at)
		v.SetMapIndex(key, value)
	}
}

// Object reads an object into a struct. It passes over the keys in besides.
func (d *Decoder) Object(n Node, v reflect.Value, path string, besides ...string) {
	if n.Kind != '{' {
		d.Fault(path, "is %s, not an object", n.What())
		return
	}
	p := planOf(v.Type())
	for _, name := range p.needed {
		if !slices.Contains(n.Names, name) {
			d.Fault(under(path, name), "is missing")
		}
	}
	earlier := n.Twice()
	for i, name := range n.Names {
		if d.full() {
			return
		}
		field, is := p.fields[name]
		switch {
		case earlier(i):
			d.Fault(under(path, clip(name)), "is given twice")
		case is:
			d.Value(n.Values[i], v.FieldByIndex(field), under(path, name))
		case !slices.Contains(besides, name):
			problem := "is not a key here"
			if near := text.Nearest(name, slices.Concat(besides, p.names)); near != "" {
				problem += ": did you mean " + near + "?"
			}
			d.Fault(under(path, clip(name)), "%s", problem)
		}
	}
}

// A plan is what a struct says of an object.
type plan struct {
	names  []string // of its fields, in their order
	needed []string // those that may not be left out
	fields map[string][]int
}

// plans are those that were made, by type: to make one takes as long as to read a request.
var plans sync.Map

func planOf(t reflect.Type) *plan {
	if known, ok := plans.Load(t); ok {
		return known.(*plan)
	}
	p := &plan{fields: map[string][]int{}}
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || !f.IsExported() || name == "-" {
			continue
		}
		p.names, p.fields[name] = append(p.names, name), f.Index
		if options == "" { // neither omitempty nor omitzero
			p.needed = append(p.needed, name)
		}
	}
	plans.Store(t, p)
	return p
}

// under is the path of a key.
func under(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// clip shortens what a message quotes.
func clip(s string) string { return text.Clip(s, 40) }
