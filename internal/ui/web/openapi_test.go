package web

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/schema"
	"github.com/pawl-dev/pawl/internal/dev/source"
	"github.com/pawl-dev/pawl/internal/wire"
)

var update = flag.Bool("update", false, "write docs/openapi.json, docs/api.md and the page's contract.ts anew")

// schemasAt is where the OpenAPI file has its schemas.
const schemasAt = "#/components/schemas/"

// An openAPI is the file docs/openapi.json, as far as ours has something to say.
type openAPI struct {
	OpenAPI    string                          `json:"openapi"`
	Info       map[string]string               `json:"info"`
	Servers    []map[string]string             `json:"servers"`
	Security   []map[string][]string           `json:"security"`
	Paths      map[string]map[string]operation `json:"paths"`
	Components components                      `json:"components"`
}

type components struct {
	SecuritySchemes map[string]map[string]string  `json:"securitySchemes"`
	Responses       map[string]response           `json:"responses"`
	Schemas         map[string]*jsonschema.Schema `json:"schemas"`
}

type operation struct {
	OperationID string                 `json:"operationId"`
	Summary     string                 `json:"summary"`
	Security    *[]map[string][]string `json:"security,omitempty"`
	Parameters  []parameter            `json:"parameters,omitempty"`
	RequestBody *body                  `json:"requestBody,omitempty"`
	Responses   map[string]response    `json:"responses"`
}

type parameter struct {
	Name        string             `json:"name"`
	In          string             `json:"in"`
	Description string             `json:"description"`
	Required    bool               `json:"required,omitempty"`
	Schema      *jsonschema.Schema `json:"schema"`
}

type body struct {
	Required bool             `json:"required"`
	Content  map[string]media `json:"content"`
}

type response struct {
	Ref         string           `json:"$ref,omitempty"`
	Description string           `json:"description,omitempty"`
	Content     map[string]media `json:"content,omitempty"`
}

type media struct {
	Schema *jsonschema.Schema `json:"schema"`
}

// newOpenAPI makes the file of the table of routes and the types that it names.
func newOpenAPI() (*openAPI, error) {
	c := schema.NewComponents(schemasAt)
	c.Know(reflect.TypeFor[refJSON](), &jsonschema.Schema{AnyOf: []*jsonschema.Schema{idSchema(), {Type: "string"}}})
	c.Know(reflect.TypeFor[parentID](), &jsonschema.Schema{Type: "integer", Minimum: new(0.0), Maximum: new(float64(pawl.MaxID))})
	c.Know(reflect.TypeFor[opJSON](), &jsonschema.Schema{Ref: schemasAt + "Op"})
	c.Know(reflect.TypeFor[asCheck](), &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "string"}, c.Object(newCheckJSON{})}})
	c.Know(reflect.TypeFor[CheckState](), &jsonschema.Schema{Type: "string", Enum: []any{"passed", "failed", "stale", "open"}})
	c.Know(reflect.TypeFor[RunAsk](), &jsonschema.Schema{Type: "string", Enum: []any{"approve", "retry", "stop"}})
	addOps(c)
	file := &openAPI{
		OpenAPI: "3.1.1",
		Info: map[string]string{
			"title": "Pawl", "version": fmt.Sprint(wire.Version), "summary": "The board of a project: tasks, who waits for whom, and what happened",
			"description": "What pawl serve answers to its page and to programs. docs/api.md tells it to people.",
		},
		Servers:  []map[string]string{{"url": "http://127.0.0.1:7350", "description": "pawl serve, unless it was given another address"}},
		Security: []map[string][]string{{"token": {}}},
		Paths:    map[string]map[string]operation{},
	}
	file.Components.SecuritySchemes = map[string]map[string]string{
		"token": {"type": "http", "scheme": "bearer", "description": "the token of pawl serve, which a code gets and a file of the user's keeps"},
	}
	failed := c.Envelope("error", "Why a request failed; any may", wire.ErrorJSON{})
	file.Components.Responses = map[string]response{"failed": {"", "It was refused, or failed; nothing was changed", content(failed)}}
	for _, r := range routes {
		if !strings.HasPrefix(r.path, "/api/") {
			continue // the page
		}
		if file.Paths[r.path] == nil {
			file.Paths[r.path] = map[string]operation{}
		}
		file.Paths[r.path][strings.ToLower(r.method)] = newOperation(c, r)
	}
	addEvents(c)
	var err error
	file.Components.Schemas, err = c.All()
	return file, err
}

// addOps adds the ops, and Op, which is one of them.
func addOps(c *schema.Components) {
	op := &jsonschema.Schema{Description: "one op; its key op says which"}
	mapping := map[string]string{}
	for _, k := range opKinds {
		ref := c.Variant(k.body, "op", k.name, k.says)
		op.OneOf = append(op.OneOf, ref)
		mapping[k.name] = ref.Ref
	}
	op.Extra = map[string]any{"discriminator": map[string]any{"propertyName": "op", "mapping": mapping}}
	c.Add("Op", op)
}

// addEvents adds what the stream sends.
func addEvents(c *schema.Components) {
	c.Envelope("change", "The data of the event change: what happened", newsJSON{})
	c.Add("Place", &jsonschema.Schema{
		Type: "object", Description: "the data of the events hello and gone: what happens after this revision follows", Required: []string{"revision"},
		Properties: map[string]*jsonschema.Schema{"revision": {Ref: schemasAt + "Revision"}},
	})
}

func newOperation(c *schema.Components, r *route) operation {
	op := operation{OperationID: strings.ToLower(r.method) + operationName(r.path), Summary: r.says, Responses: map[string]response{}}
	if r.open {
		op.Security = &[]map[string][]string{}
	}
	for part := range strings.SplitSeq(r.path, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			name = strings.TrimSuffix(name, "}")
			op.Parameters = append(op.Parameters, parameter{name, "path", "the number of a task", true, idSchema()})
		}
	}
	for _, p := range r.query {
		s := p.schema()
		if p.many {
			s = &jsonschema.Schema{Type: "array", Items: s, MaxItems: new(pawl.MaxRequests)}
		}
		op.Parameters = append(op.Parameters, parameter{p.name, "query", p.says, false, s})
	}
	if r.body != nil {
		op.RequestBody = &body{true, content(c.Object(r.body))}
	}
	if r.gives != nil {
		op.Responses["200"] = response{Description: r.says, Content: content(c.Envelope(r.kind, r.says, r.gives))}
	} else {
		stream := &jsonschema.Schema{Type: "string", Description: "events hello (Place), change (News), gone (Place) and todos ({}), each with its data as JSON in one line"}
		op.Responses["200"] = response{Description: r.says, Content: map[string]media{"text/event-stream": {stream}}}
	}
	op.Responses["default"] = response{Ref: "#/components/responses/failed"}
	return op
}

func operationName(path string) string {
	var name string
	for part := range strings.SplitSeq(strings.TrimPrefix(path, "/api/v1/"), "/") {
		if !strings.HasPrefix(part, "{") {
			name += strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return name
}

func content(s *jsonschema.Schema) map[string]media { return map[string]media{"application/json": {s}} }

func idSchema() *jsonschema.Schema { return &jsonschema.Schema{Ref: schemasAt + "ID"} }

// schema is that of one value of a parameter.
func (p param) schema() *jsonschema.Schema {
	switch p.of {
	case ofFlag:
		return &jsonschema.Schema{Type: "boolean"}
	case ofCount:
		return &jsonschema.Schema{Type: "integer", Minimum: new(0.0)}
	case ofID:
		return idSchema()
	case ofRevision:
		return &jsonschema.Schema{Ref: schemasAt + "Revision"}
	case ofLevel:
		return &jsonschema.Schema{Ref: schemasAt + "Level"}
	}
	return &jsonschema.Schema{Type: "string", MaxLength: new(maxText)}
}

// generated holds a file of the module to what it is made from.
func generated(t *testing.T, name string, want []byte) {
	t.Helper()
	root := must.Get(source.Root())(t)
	file := filepath.Join(root, filepath.FromSlash(name))
	have, err := os.ReadFile(file)
	if err == nil && bytes.Equal(bytes.ReplaceAll(have, []byte("\r\n"), []byte("\n")), want) {
		return
	}
	if !*update {
		t.Errorf("%s is stale; update it with: go test ./internal/ui/web -update", name)
		return
	}
	must.Do(t, os.WriteFile(file, want, 0o644))
}

// TestOpenAPI holds docs/openapi.json to the routes and the types.
func TestOpenAPI(t *testing.T) {
	file := must.Get(newOpenAPI())(t)
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	must.Do(t, enc.Encode(file))
	generated(t, "docs/openapi.json", text.Bytes())
	generated(t, "internal/ui/web/page/src/contract.ts", typescript(file.Components.Schemas))
}
