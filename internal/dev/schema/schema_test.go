package schema

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/wire"
)

// sampleJSON is an envelope with something of everything.
type sampleJSON struct {
	wire.Envelope
	ID     pawl.ID        `json:"id"`               // a number
	At     wire.Moment    `json:"at,omitempty"`     // a time
	Parts  []partJSON     `json:"parts"`            // a list
	First  *partJSON      `json:"first"`            // may be null
	Count  *int           `json:"count,omitempty"`  // may be left out
	Labels map[string]int `json:"labels,omitempty"` // by name
}

// partJSON is a part of a sample.
type partJSON struct {
	Name  string     `json:"name"`            // what it is called
	Parts []partJSON `json:"parts,omitempty"` // parts have parts
}

func sample(t *testing.T) Book {
	t.Helper()
	s := must.Get(Of("sample", "A sample", sampleJSON{}))(t)
	text := must.Get(Text(s))(t)
	for _, part := range []string{`"title": "pawl sample"`, `"description": "a part of a sample"`, `"description": "what it is called"`, `"const": "sample"`} {
		if !strings.Contains(string(text), part) {
			t.Errorf("the schema does not say %s:\n%s", part, text)
		}
	}
	var read jsonschema.Schema
	must.Do(t, json.Unmarshal(text, &read))
	Close(&read)
	resolved := must.Get(read.Resolve(nil))(t)
	return Book{"sample": resolved}
}

func TestCheck(t *testing.T) {
	book := sample(t)
	for _, good := range []string{
		`{"pawl":1,"kind":"sample","id":1,"parts":[],"first":null}`,
		`{"pawl":1,"kind":"sample","id":4503599627370496,"at":"2026-11-21T10:00:00.000Z","parts":[{"name":"a","parts":[{"name":"b"}]}],"first":{"name":""},"count":0,"labels":{"x":1}}`,
	} {
		if err := book.Check("sample", []byte(good+"\n")); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for what, bad := range map[string]string{
		"another kind":        `{"pawl":1,"kind":"other","id":1,"parts":[],"first":null}` + "\n",
		"another version":     `{"pawl":2,"kind":"sample","id":1,"parts":[],"first":null}` + "\n",
		"an unknown key":      `{"pawl":1,"kind":"sample","id":1,"parts":[],"first":null,"more":1}` + "\n",
		"one further down":    `{"pawl":1,"kind":"sample","id":1,"parts":[{"name":"a","more":1}],"first":null}` + "\n",
		"one behind a null":   `{"pawl":1,"kind":"sample","id":1,"parts":[],"first":{"name":"a","more":1}}` + "\n",
		"a missing key":       `{"pawl":1,"kind":"sample","parts":[],"first":null}` + "\n",
		"a list that is null": `{"pawl":1,"kind":"sample","id":1,"parts":null,"first":null}` + "\n",
		"an id of zero":       `{"pawl":1,"kind":"sample","id":0,"parts":[],"first":null}` + "\n",
		"a time of its own":   `{"pawl":1,"kind":"sample","id":1,"at":"yesterday","parts":[],"first":null}` + "\n",
		"no end of line":      `{"pawl":1,"kind":"sample","id":1,"parts":[],"first":null}`,
		"two lines":           `{"pawl":1,"kind":"sample","id":1,` + "\n" + `"parts":[],"first":null}` + "\n",
		"nothing":             "",
	} {
		if err := book.Check("sample", []byte(bad)); err == nil {
			t.Errorf("%s is let through", what)
		}
	}
	if err := book.Check("stranger", []byte("{}\n")); err == nil {
		t.Error("a kind without a schema is let through")
	}
}

// silentJSON has a field without a comment.
type silentJSON struct {
	wire.Envelope
	Field string `json:"field"`
}

// namelessJSON has a field without a name in JSON.
type namelessJSON struct {
	wire.Envelope
	Field string // something
}

// funcJSON has a field that cannot be JSON.
type funcJSON struct {
	wire.Envelope
	Field func() `json:"field"` // something
}

func TestFaultsOfTypes(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{silentJSON{}, "schema.silentJSON.Field has no comment"},
		{namelessJSON{}, "Field has no name"},
		{funcJSON{}, "func() has no schema"},
		{partJSON{}, "is not an envelope"},
	} {
		if _, err := Of("x", "X", c.value); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%T: %v, want %q", c.value, err, c.want)
		}
	}
}
