package schema

import (
	"errors"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"
)

// Components are the schemas of an API, which share parts: each struct once under
// its name, and each type with a schema of its own.
type Components struct{ w *writer }

// NewComponents begins the schemas at a place of a file: #/components/schemas/.
func NewComponents(at string) *Components {
	w := newWriter(at)
	w.named = true
	return &Components{w}
}

// Know gives a type a schema of its own, instead of that of its Go kind.
func (c *Components) Know(t reflect.Type, s *jsonschema.Schema) { c.w.more[t] = s }

// Envelope adds an envelope and its content, and returns a reference to it.
func (c *Components) Envelope(kind, says string, value any) *jsonschema.Schema {
	t := reflect.TypeOf(value)
	ref := c.w.ref(t)
	s := c.w.envelope(kind, value)
	s.Description = says
	c.w.defs[c.w.nameOf(t)] = s
	return ref
}

// Object adds a struct that is not an envelope, and returns a reference to it.
func (c *Components) Object(value any) *jsonschema.Schema { return c.w.ref(reflect.TypeOf(value)) }

// Add adds a schema under a name, and returns a reference to it.
func (c *Components) Add(name string, s *jsonschema.Schema) *jsonschema.Schema {
	if c.w.defs[name] != nil {
		c.w.fault("two schemas are called %s", name)
	}
	c.w.defs[name] = s
	return &jsonschema.Schema{Ref: c.w.at + name}
}

// Variant adds a struct that is one of several: its field key says which, by a
// word. It returns a reference to it.
func (c *Components) Variant(value any, key, word, says string) *jsonschema.Schema {
	ref := c.Object(value)
	s := c.w.defs[c.w.nameOf(reflect.TypeOf(value))]
	s.Description = says
	s.Properties[key] = &jsonschema.Schema{Const: new(any(word)), Description: s.Properties[key].Description}
	return ref
}

// All returns the schemas by name, and the faults of the types that they were made
// from.
func (c *Components) All() (map[string]*jsonschema.Schema, error) {
	return c.w.defs, errors.Join(c.w.faults...)
}
