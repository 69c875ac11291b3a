package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/view"
)

// mostFaults is how many faults of a body are told.
const mostFaults = 50

// readBody reads a body into a value of a struct, as its fields say and not
// otherwise: no key more, none twice, none missing that may not be left out,
// nothing of another type. It tells all that is wrong, each with its path.
func readBody(r *http.Request, into any) error {
	text, err := io.ReadAll(r.Body)
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return refused(http.StatusRequestEntityTooLarge, "a body has at most %d bytes", large.Limit)
	}
	if err != nil {
		return refused(http.StatusBadRequest, "the body ends too early")
	}
	return strict(text, into)
}

func strict(text []byte, into any) error {
	root, err := parse(text)
	if err != nil {
		return err
	}
	d := &decoder{}
	d.value(root, reflect.ValueOf(into).Elem(), "")
	if len(d.faults) > 0 {
		return &pawl.Error{Kind: pawl.Invalid, Message: "the body is not what this takes", Faults: d.faults}
	}
	return nil
}

// A node is a value of JSON with what a map would lose: doubled names.
type node struct {
	kind   byte // { [ " 0 t n: object, list, string, number, true or false, null
	text   string
	names  []string
	values []node // of a list, or of an object under names
}

// what says what sort of value it is.
func (n *node) what() string {
	return map[byte]string{'{': "an object", '[': "a list", '"': "a text", '0': "a number", 't': "true or false", 'n': "null"}[n.kind]
}

// parse reads one value of JSON, and nothing behind it.
func parse(text []byte) (node, error) {
	if !utf8.Valid(text) {
		return node{}, pawl.Errorf(pawl.Invalid, "the body is not valid UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	root, err := parseNode(dec, text, 0)
	if err == nil {
		if _, more := dec.Token(); more != io.EOF {
			err = errors.New("it goes on after its end")
		}
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = errors.New("it ends too early")
	}
	if err != nil {
		return root, pawl.Errorf(pawl.Invalid, "the body is not JSON: %w", err)
	}
	return root, nil
}

func parseNode(dec *json.Decoder, text []byte, depth int) (node, error) {
	if depth > pawl.MaxDepth {
		return node{}, fmt.Errorf("brackets are nested deeper than %d", pawl.MaxDepth)
	}
	before := dec.InputOffset()
	token, err := dec.Token()
	if err != nil {
		return node{}, err
	}
	n := node{}
	switch token := token.(type) {
	case json.Delim:
		n.kind = byte(token)
		for dec.More() {
			if n.kind == '{' {
				key, err := dec.Token()
				if err != nil {
					return n, err
				}
				n.names = append(n.names, key.(string))
			}
			v, err := parseNode(dec, text, depth+1)
			if err != nil {
				return n, err
			}
			n.values = append(n.values, v)
		}
		_, err = dec.Token()
	case string:
		n.kind, n.text = '"', token
		if halved(text[before:dec.InputOffset()]) {
			err = errors.New(`a \u escape stands for half a character`)
		}
	case json.Number:
		n.kind, n.text = '0', token.String()
	case bool:
		n.kind, n.text = 't', strconv.FormatBool(token)
	case nil:
		n.kind = 'n'
	}
	return n, err
}

// halved reports whether the text of a string has half of a surrogate pair,
// which would be read as another character than was sent.
func halved(text []byte) bool {
	high := false // the last escape was the first half
	for len(text) > 0 {
		size, unit := 1, uint64(0)
		if text[0] == '\\' && len(text) > 1 {
			if size = 2; text[1] == 'u' && len(text) >= 6 {
				size = 6
				unit, _ = strconv.ParseUint(string(text[2:6]), 16, 16)
			}
		}
		low := unit >= 0xdc00 && unit < 0xe000
		if high != low {
			return true
		}
		high = unit >= 0xd800 && unit < 0xdc00
		text = text[size:]
	}
	return high
}

// decoder puts nodes into values.
type decoder struct{ faults []pawl.Fault }

func (d *decoder) fault(path, problem string, args ...any) {
	if path == "" {
		path = "body"
	}
	if len(d.faults) < mostFaults {
		d.faults = append(d.faults, pawl.Fault{Path: path, Problem: fmt.Sprintf(problem, args...)})
	}
}

// A selfReader is a type with a form of its own in JSON.
type selfReader interface {
	// read says what is wrong with a node; empty: it was read.
	read(n *node) (problem string)
}

func (d *decoder) value(n node, v reflect.Value, path string) {
	if self, ok := v.Addr().Interface().(selfReader); ok {
		if problem := self.read(&n); problem != "" {
			d.fault(path, "%s", problem)
		}
		return
	}
	if v.Type() == reflect.TypeFor[opBody]() {
		d.op(n, v, path)
		return
	}
	want := map[reflect.Kind]byte{reflect.Struct: '{', reflect.Slice: '[', reflect.String: '"', reflect.Int64: '0', reflect.Bool: 't'}[v.Kind()]
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		d.value(n, v.Elem(), path)
		return
	}
	if n.kind != want {
		d.fault(path, "is %s, not %s", n.what(), (&node{kind: want}).what())
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		d.object(n, v, path)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), len(n.values), len(n.values)))
		for i := range n.values {
			d.value(n.values[i], v.Index(i), fmt.Sprintf("%s[%d]", path, i))
		}
	case reflect.String:
		if _, level := levels[view.Level(n.text)]; !level && v.Type() == reflect.TypeFor[view.Level]() {
			d.fault(path, "is %s, and none of high, medium, low", strconv.Quote(text.Clip(n.text, 40)))
		}
		v.SetString(n.text)
	case reflect.Int64:
		whole, err := strconv.ParseInt(n.text, 10, 64)
		if err != nil {
			d.fault(path, "is %s, no whole number", text.Clip(n.text, 40))
		}
		v.SetInt(whole)
	case reflect.Bool:
		v.SetBool(n.text == "true")
	}
}

// object reads the fields of a struct.
func (d *decoder) object(n node, v reflect.Value, path string) {
	var known []string
	fields := map[string]int{}
	for i := range v.NumField() {
		tag := strings.Split(v.Type().Field(i).Tag.Get("json"), ",")
		known, fields[tag[0]] = append(known, tag[0]), i
		if !slices.Contains(n.names, tag[0]) && len(tag) == 1 { // neither omitempty nor omitzero
			d.fault(under(path, tag[0]), "is missing")
		}
	}
	seen := map[string]bool{}
	for i, name := range n.names {
		at := under(path, text.Clip(name, 40))
		field, is := fields[name]
		switch {
		case seen[name]:
			d.fault(at, "stands there a second time")
		case is:
			d.value(n.values[i], v.Field(field), at)
		default:
			problem := "is no key here"
			if near := text.Nearest(name, known); near != "" {
				problem += ": did you mean " + near + "?"
			}
			d.fault(at, "%s", problem)
		}
		seen[name] = true
	}
}

// op reads one of the ops, which its key op names.
func (d *decoder) op(n node, v reflect.Value, path string) {
	if n.kind != '{' {
		d.fault(path, "is %s, not an object", n.what())
		return
	}
	at := slices.Index(n.names, "op")
	if at < 0 || n.values[at].kind != '"' {
		d.fault(under(path, "op"), "says which op it is: one of %s", strings.Join(opNames(), ", "))
		return
	}
	kind := slices.IndexFunc(opKinds, func(k opKind) bool { return k.name == n.values[at].text })
	if kind < 0 {
		problem := "is " + strconv.Quote(text.Clip(n.values[at].text, 40)) + ", and no op: they are " + strings.Join(opNames(), ", ")
		d.fault(under(path, "op"), "%s", problem)
		return
	}
	body := reflect.New(reflect.TypeOf(opKinds[kind].body)).Elem()
	d.object(n, body, path)
	v.Set(body)
}

func under(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
