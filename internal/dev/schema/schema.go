// Package schema writes the JSON Schemas of the command line's answers, and checks
// answers against them. It is for tests; the program has none of it.
//
// A schema is made from the Go types: names and shapes by reflection, descriptions
// from the comments of the fields. A field without a comment has no description,
// which is a fault.
package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

// draft is the dialect of the schemas.
const draft = "https://json-schema.org/draft/2020-12/schema"

// known are the types with a schema of their own, instead of that of their Go kind.
var known = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[pawl.ID]():         {Type: "integer", Minimum: new(1.0), Maximum: new(float64(pawl.MaxID))},
	reflect.TypeFor[pawl.Revision]():   {Type: "integer", Minimum: new(0.0)},
	reflect.TypeFor[pawl.Status]():     {Enum: []any{"pending", "in_progress", "completed"}},
	reflect.TypeFor[pawl.Checked]():    {Enum: []any{"open", "failed", "passed"}},
	reflect.TypeFor[wire.Level]():      {Enum: []any{"high", "medium", "low"}},
	reflect.TypeFor[wire.Failure]():    {Enum: failures()},
	reflect.TypeFor[query.StateName](): {Enum: states()},
	reflect.TypeFor[wire.EdgeKind]():   {Enum: []any{"blocks", "child"}},
	reflect.TypeFor[query.LaneName]():  {Enum: lanes()},
	reflect.TypeFor[wire.Moment]():     {Type: "string", Format: "date-time", Pattern: `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`},

	reflect.TypeFor[json.RawMessage](): {}, // what another program wrote
}

// failures are the kinds of an error.
func failures() (words []any) {
	for k := pawl.Internal; k <= pawl.Unconfirmed; k++ {
		words = append(words, k.Error())
	}
	return words
}

// states are the words for how a task stands.
func states() (words []any) {
	for state := query.Damaged; state <= query.Missing; state++ {
		words = append(words, string(state.Name()))
	}
	return words
}

// lanes are the words for the columns of the board.
func lanes() (words []any) {
	for lane := range query.Lane(query.NumLanes) {
		words = append(words, string(lane.Name()))
	}
	return words
}

// Of makes the schema of an envelope from its kind, a sentence about its content,
// and a value of its type.
func Of(kind, says string, value any) (*jsonschema.Schema, error) {
	w := newWriter("#/$defs/")
	s := w.envelope(kind, value)
	s.Schema, s.Title, s.Description = draft, "pawl "+kind, says
	if len(w.defs) > 0 {
		s.Defs = w.defs
	}
	return s, errors.Join(w.faults...)
}

// envelope is the schema of an envelope of a kind.
func (w *writer) envelope(kind string, value any) *jsonschema.Schema {
	s := w.object(reflect.TypeOf(value))
	if envelope := s.Properties["pawl"]; envelope == nil || s.Properties["kind"] == nil {
		w.fault("%T is not an envelope", value)
	} else {
		s.Properties["pawl"] = &jsonschema.Schema{Const: new(any(wire.Version)), Description: envelope.Description}
		s.Properties["kind"] = &jsonschema.Schema{Const: new(any(kind)), Description: s.Properties["kind"].Description}
	}
	return s
}

// Text is a schema as its file has it: title and description come first.
func Text(s *jsonschema.Schema) ([]byte, error) {
	head := &jsonschema.Schema{Schema: s.Schema, Title: s.Title, Description: s.Description}
	body := *s
	body.Schema, body.Title, body.Description, body.Defs = "", "", "", nil
	var text bytes.Buffer
	parts := []*jsonschema.Schema{head, &body}
	if s.Defs != nil {
		parts = append(parts, &jsonschema.Schema{Defs: s.Defs})
	}
	for _, part := range parts {
		object, err := json.Marshal(part)
		if err != nil {
			return nil, err
		}
		text.WriteByte(',')
		text.Write(object[1 : len(object)-1])
	}
	var out bytes.Buffer
	err := json.Indent(&out, append(append([]byte{'{'}, text.Bytes()[1:]...), '}'), "", "  ")
	out.WriteByte('\n')
	return out.Bytes(), err
}

// writer makes one schema, or several that share parts.
type writer struct {
	at     string // where the parts are
	defs   map[string]*jsonschema.Schema
	types  map[string]reflect.Type             // what stands behind each of defs
	more   map[reflect.Type]*jsonschema.Schema // beside known
	named  bool                                // types that are known are parts too, and all parts begin with a capital
	faults []error
}

func newWriter(at string) *writer {
	return &writer{at: at, defs: map[string]*jsonschema.Schema{}, types: map[string]reflect.Type{}, more: map[reflect.Type]*jsonschema.Schema{}}
}

func (w *writer) fault(format string, args ...any) {
	w.faults = append(w.faults, fmt.Errorf(format, args...))
}

// of is the schema of a value inside an envelope.
func (w *writer) of(t reflect.Type) *jsonschema.Schema {
	if s := known[t]; s != nil && w.named && t.PkgPath() != "encoding/json" {
		return w.part(t, func() *jsonschema.Schema { return s.CloneSchemas() })
	} else if s != nil {
		return s.CloneSchemas()
	}
	if s := w.more[t]; s != nil {
		return s.CloneSchemas()
	}
	switch t.Kind() {
	case reflect.Bool:
		return &jsonschema.Schema{Type: "boolean"}
	case reflect.String:
		return &jsonschema.Schema{Type: "string"}
	case reflect.Int, reflect.Int64, reflect.Int32:
		return &jsonschema.Schema{Type: "integer"}
	case reflect.Float64:
		return &jsonschema.Schema{Type: "number"}
	case reflect.Interface:
		return &jsonschema.Schema{}
	case reflect.Pointer:
		return w.of(t.Elem())
	case reflect.Slice:
		return &jsonschema.Schema{Type: "array", Items: w.of(t.Elem())}
	case reflect.Array:
		return &jsonschema.Schema{Type: "array", Items: w.of(t.Elem()), MinItems: new(t.Len()), MaxItems: new(t.Len())}
	case reflect.Map:
		return &jsonschema.Schema{Type: "object", AdditionalProperties: w.of(t.Elem())}
	case reflect.Struct:
		return w.ref(t)
	}
	w.fault("%v has no schema", t)
	return &jsonschema.Schema{}
}

// ref is where the schema of a named struct stands in the file.
func (w *writer) ref(t reflect.Type) *jsonschema.Schema {
	return w.part(t, func() *jsonschema.Schema { return w.object(t) })
}

// part is where the schema of a named type stands, which is made when it is not
// there yet.
func (w *writer) part(t reflect.Type, schema func() *jsonschema.Schema) *jsonschema.Schema {
	name := w.nameOf(t)
	if other, there := w.types[name]; there && other != t {
		w.fault("%v and %v are both called %s", other, t, name)
	}
	if w.types[name] == nil {
		w.types[name] = t // first, so that a type may hold itself
		s := schema()
		s.Description = w.comment(t, "")
		w.defs[name] = s
	}
	return &jsonschema.Schema{Ref: w.at + name}
}

// nameOf is what a type is called in the file.
func (w *writer) nameOf(t reflect.Type) string {
	name := strings.TrimSuffix(t.Name(), "JSON")
	if w.named {
		return strings.ToUpper(name[:1]) + name[1:]
	}
	return strings.ToLower(name[:1]) + name[1:]
}

func (w *writer) object(t reflect.Type) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	w.fields(s, t)
	return s
}

// fields adds the fields of t to s; those of an embedded struct stand beside its
// own, as they do in JSON.
func (w *writer) fields(s *jsonschema.Schema, t reflect.Type) {
	for f := range t.Fields() {
		tag := strings.Split(f.Tag.Get("json"), ",")
		name := tag[0]
		switch {
		case name == "-" || !f.IsExported() && !f.Anonymous:
			continue
		case f.Anonymous && name == "":
			w.fields(s, f.Type)
			continue
		case name == "":
			w.fault("%v.%s has no name in JSON", t, f.Name)
			continue
		}
		field := w.of(f.Type)
		field.Description = w.comment(t, f.Name)
		optional := slices.Contains(tag, "omitempty") || slices.Contains(tag, "omitzero")
		if f.Type.Kind() == reflect.Pointer && !optional {
			field = orNull(field)
		}
		if !optional {
			s.Required = append(s.Required, name)
		}
		s.Properties[name] = field
		s.PropertyOrder = append(s.PropertyOrder, name)
	}
}

func orNull(s *jsonschema.Schema) *jsonschema.Schema {
	description := s.Description
	s.Description = ""
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, {Type: "null"}}, Description: description}
}

// comment is what the source says about a type, or about one of its fields.
func (w *writer) comment(t reflect.Type, field string) string {
	text, err := comment(t.PkgPath(), t.Name(), field)
	if err != nil {
		w.faults = append(w.faults, err)
	}
	if text == "" {
		w.fault("%s.%s has no comment, which would be its description", path.Base(t.PkgPath())+"."+t.Name(), field)
	}
	return text
}
