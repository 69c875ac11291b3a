package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// typescript writes the schemas as the types that the page is checked with.
func typescript(schemas map[string]*jsonschema.Schema) []byte {
	var b bytes.Buffer
	b.WriteString("// The shapes of the API, made of docs/openapi.json's types by: go test ./internal/ui/web -update\n")
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		s := schemas[name]
		fmt.Fprintf(&b, "\n/** %s */\n", s.Description)
		if len(s.Properties) == 0 {
			fmt.Fprintf(&b, "export type %s = %s;\n", name, tsType(s))
			continue
		}
		fmt.Fprintf(&b, "export interface %s {\n", name)
		for _, key := range keysOf(s) {
			field, may := s.Properties[key], "?"
			if slices.Contains(s.Required, key) {
				may = ""
			}
			fmt.Fprintf(&b, "  /** %s */\n  %s%s: %s;\n", field.Description, key, may, tsType(field))
		}
		b.WriteString("}\n")
	}
	return b.Bytes()
}

// keysOf are the keys of an object, in the order of the fields.
func keysOf(s *jsonschema.Schema) []string {
	keys := slices.Clone(s.PropertyOrder)
	for _, key := range slices.Sorted(maps.Keys(s.Properties)) {
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// tsType is a schema as a type.
func tsType(s *jsonschema.Schema) string {
	union := func(n int, one func(int) string) string {
		words := make([]string, n)
		for i := range words {
			words[i] = one(i)
		}
		return strings.Join(words, " | ")
	}
	switch {
	case s.Ref != "":
		return s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]
	case s.Const != nil:
		return tsValue(*s.Const)
	case len(s.Enum) > 0:
		return union(len(s.Enum), func(i int) string { return tsValue(s.Enum[i]) })
	case len(s.OneOf) > 0:
		return union(len(s.OneOf), func(i int) string { return tsType(s.OneOf[i]) })
	case len(s.AnyOf) > 0:
		return union(len(s.AnyOf), func(i int) string { return tsType(s.AnyOf[i]) })
	}
	switch s.Type {
	case "string", "boolean", "null":
		return s.Type
	case "integer", "number":
		return "number"
	case "array":
		return tsArray(s)
	case "object":
		return "Record<string, " + tsType(s.AdditionalProperties) + ">"
	}
	return "unknown"
}

// tsArray is a list, or so many values.
func tsArray(s *jsonschema.Schema) string {
	item := tsType(s.Items)
	if s.MinItems != nil && s.MaxItems != nil && *s.MinItems == *s.MaxItems {
		return "[" + strings.Join(slices.Repeat([]string{item}, *s.MinItems), ", ") + "]"
	}
	if strings.Contains(item, " ") {
		item = "(" + item + ")"
	}
	return item + "[]"
}

func tsValue(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // words and numbers only
	}
	return string(text)
}
