package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/pawl-dev/pawl/internal/dev/source"
)

// Dir is where the schemas are, from the module's root.
const Dir = "docs/schema"

// A Book is the schemas of a folder, to check answers with.
type Book map[string]*jsonschema.Resolved

// Open reads the schemas in the module. Their files allow unknown keys, because a
// later version may add some; the book forbids them, so that a key without a
// description is a fault.
func Open() (Book, error) {
	root, err := source.Root()
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(Dir), "*.json"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("there are no schemas in %s, %v", Dir, err)
	}
	book := Book{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var s jsonschema.Schema
		if err := json.Unmarshal(text, &s); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		Close(&s)
		resolved, err := s.Resolve(nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		name := filepath.Base(file)
		book[name[:len(name)-len(".json")]] = resolved
	}
	return book, nil
}

// Close forbids keys that are not described.
func Close(s *jsonschema.Schema) {
	if s.Properties != nil {
		s.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
	}
	for _, part := range s.Defs {
		Close(part)
	}
	for _, part := range s.Properties {
		Close(part)
	}
	for _, part := range slices.Concat(s.AnyOf, s.OneOf) {
		Close(part)
	}
	if s.Items != nil {
		Close(s.Items)
	}
}

// Check says what is wrong with an answer that must be one envelope of this
// kind, on a line of its own.
func (b Book) Check(kind string, answer []byte) error {
	line, ended := bytes.CutSuffix(answer, []byte("\n"))
	if !ended || bytes.ContainsRune(line, '\n') {
		return fmt.Errorf("not one line: %q", answer)
	}
	schema := b[kind]
	if schema == nil {
		return fmt.Errorf("the schema %s/%s.json does not exist", Dir, kind)
	}
	var value any
	if err := json.Unmarshal(line, &value); err != nil {
		return fmt.Errorf("not JSON: %w", err)
	}
	if err := schema.Validate(value); err != nil {
		return fmt.Errorf("no envelope of kind %s: %w\n%s", kind, err, line)
	}
	return nil
}
