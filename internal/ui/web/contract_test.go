package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/schema"
	"github.com/pawl-dev/pawl/internal/dev/source"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/query/querytest"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/todo"
)

// described are the schemas of docs/openapi.json as it is in the module, by name.
var described = sync.OnceValues(func() (map[string]json.RawMessage, error) {
	root, err := source.Root()
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(root, "docs", "openapi.json"))
	if err != nil {
		return nil, err
	}
	var file struct {
		Components struct{ Schemas map[string]json.RawMessage }
	}
	err = json.Unmarshal(text, &file)
	return file.Components.Schemas, err
})

var (
	contracts sync.Map // by name, of *jsonschema.Resolved
	referred  = regexp.MustCompile(`"` + schemasAt + `(\w+)"`)
)

// contract is a schema with what it refers to, each closed, so that a key that
// nobody described is a fault.
func contract(name string) (*jsonschema.Resolved, error) {
	if known, ok := contracts.Load(name); ok {
		return known.(*jsonschema.Resolved), nil
	}
	schemas, err := described()
	if err != nil {
		return nil, err
	}
	defs := map[string]json.RawMessage{}
	for next := []string{name}; len(next) > 0; next = next[1:] {
		text, there := schemas[next[0]]
		if !there {
			return nil, fmt.Errorf("docs/openapi.json has no schema %s", next[0])
		}
		if defs[next[0]] != nil {
			continue
		}
		defs[next[0]] = json.RawMessage(strings.ReplaceAll(string(text), schemasAt, "#/$defs/"))
		for _, found := range referred.FindAllSubmatch(text, -1) {
			next = append(next, string(found[1]))
		}
	}
	whole, err := json.Marshal(map[string]any{"$defs": defs, "$ref": "#/$defs/" + name})
	if err != nil {
		return nil, err
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(whole, &s); err != nil {
		return nil, err
	}
	schema.Close(&s)
	resolved, err := s.Resolve(nil)
	if err == nil {
		contracts.Store(name, resolved)
	}
	return resolved, err
}

// keeps holds a text of JSON to a schema of the contract.
func keeps(t testing.TB, name string, text []byte) {
	t.Helper()
	is := must.Get(contract(name))(t)
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if err := is.Validate(value); err != nil {
		t.Errorf("no %s: %v\n%s", name, err, text)
	}
}

// keepsContract holds an answer, and what it was asked with, to the contract.
func (s *site) keepsContract(r *http.Request, asked string, w *httptest.ResponseRecorder) {
	s.t.Helper()
	if w.Header().Get("Content-Type") != "application/json" {
		s.t.Errorf("%s %s answers with %q", r.Method, r.URL.Path, w.Header().Get("Content-Type"))
	}
	if w.Code != http.StatusOK {
		keeps(s.t, "Error", w.Body.Bytes())
		return
	}
	_, pattern := s.mux.Handler(r)
	for _, route := range routes {
		if route.method+" "+route.path == pattern {
			keeps(s.t, component(route.gives), w.Body.Bytes())
			if route.body != nil {
				keeps(s.t, component(route.body), []byte(asked))
			}
		}
	}
}

// component is what a type is called in the contract.
func component(value any) string {
	name := strings.TrimSuffix(fmt.Sprintf("%T", value), "JSON")
	name = name[strings.LastIndexByte(name, '.')+1:]
	return strings.ToUpper(name[:1]) + name[1:]
}

// TestEveryRouteAndOpKeepsTheContract asks each route, and has each op carried
// out, once at least.
func TestEveryRouteAndOpKeepsTheContract(t *testing.T) {
	s := newSite(t, pawl.NewBoard(memory.New()))
	ops := map[string]string{
		"create":   chain,
		"update":   `{"op":"update","id":4,"subject":"Write the docs","description":"**all**","priority":"low","addLabels":["docs"],"addBlockedBy":[3],"parent":0,"activeForm":""}`,
		"claim":    `{"op":"claim"}`,
		"release":  `{"op":"release","ids":[1],"hold":"the key is missing","force":true}`,
		"lift":     `{"op":"lift","ids":[1]}`,
		"start":    `{"op":"start","ids":[1]}`,
		"complete": `{"op":"complete","ids":[1]}`,
		"reopen":   `{"op":"reopen","ids":[1]}`,
		"assign":   `{"op":"assign","ids":[2],"owner":"bob"}`,
		"hold":     `{"op":"hold","ids":[2],"reason":"later"}`,
		"note":     `{"op":"note","id":3,"text":"see *there*"}`,
		"delete":   `{"op":"delete","ids":[4]}`,
		"undo":     `{"op":"undo"}`,
	}
	order := []string{"create", "update", "claim", "release", "lift", "start", "complete", "reopen", "assign", "hold", "note", "delete", "undo"}
	for _, name := range order {
		if answer := s.do(ops[name]); !answer.Changed || answer.Said == "" {
			t.Errorf("%s: %+v", name, answer)
		}
	}
	for _, k := range opKinds {
		if ops[k.name] == "" {
			t.Errorf("the op %s has no example", k.name)
		}
	}
	s.do(`{"op":"claim","id":1}`)
	s.board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "bob", Session: "s", Agent: "helper"}, Op: pawl.ClaimTask{ID: 4, Force: true, Lease: pawl.Duration(pawl.MaxLease)}})
	lists, todos, _ := withLists(t, s.Options)
	s.Options = lists
	write(t, todos, todo.Key{Session: "s1"}, project, `[{"content":"Parse","status":"in_progress","priority":"high","subtasks":[{"content":"Read","status":"completed"}]}]`)
	write(t, todos, todo.Key{Session: "s2"}, project, `[{"content":"Lex","status":"completed"}]`)
	must.Get(todos.Pause(t.Context(), todo.Key{Session: "s1"}, project, "asked a question"))(t)
	code := must.Get(s.Code())(t)
	_, ran := runSite(t)
	s.Runs = ran
	asked := map[string]bool{"POST /api/v1/ops": true, "GET /api/v1/events": true} // the stream: TestEventsKeepTheContract
	for _, r := range []struct{ method, path, body string }{
		{"POST", "token", `{"code":"` + code + `"}`}, {"POST", "codes", ""}, {"POST", "keys", ""}, {"GET", "about", ""},
		{"GET", "lanes", ""}, {"GET", "lanes?owner=@me&priority=medium&text=set&done=0", ""},
		{"GET", "graph?all=true&alone=true", ""}, {"GET", "graph?around=1&depth=1", ""}, {"GET", "graph?label=core", ""},
		{"GET", "tasks/1", ""}, {"GET", "tasks/3?asDone=1", ""}, {"GET", "log", ""}, {"GET", "log?task=4", ""}, {"GET", "replay", ""},
		{"GET", "lists", ""}, {"GET", "sessions", ""}, {"GET", "todos?session=s1", ""}, {"GET", "proof?nonce=1", ""},
		{"GET", "run", ""}, {"POST", "run", `{"ask":"approve","task":"1-5"}`}, {"GET", "tasks/1/attempts", ""}, {"GET", "tasks/1/diff", ""},
	} {
		w := s.send(r.method, r.path, r.body)
		if w.Code != http.StatusOK {
			t.Errorf("%s %s: %d %s", r.method, r.path, w.Code, w.Body)
		}
		_, pattern := s.mux.Handler(httptest.NewRequest(r.method, "http://127.0.0.1:7350/api/v1/"+r.path, nil))
		asked[pattern] = true
	}
	for _, r := range routes {
		if strings.HasPrefix(r.path, "/api/") && !asked[r.method+" "+r.path] {
			t.Errorf("%s %s has no example", r.method, r.path)
		}
	}
}

// TestEventsKeepTheContract holds what the stream says to its schemas.
func TestEventsKeepTheContract(t *testing.T) {
	s := newSite(t, pawl.NewBoard(memory.New()))
	s.do(chain)
	s.do(`{"op":"complete","ids":[1]}`)
	s.do(`{"op":"undo"}`)
	told := 0
	for news, err := range querytest.Loop(query.Local(s.board)).Watch(t.Context(), query.Asker{}, query.From{Names: true}) {
		must.Do(t, err)
		if news.Set == nil {
			continue
		}
		f := must.Get(frameOf(&news))(t)
		keeps(t, "News", dataOf(f))
		if told++; told == 3 {
			break
		}
	}
	keeps(t, "Place", dataOf(helloFrame(3)))
	keeps(t, "Place", dataOf(goneFrame(3)))
	if told != 3 {
		t.Errorf("%d changes were told", told)
	}
}

// dataOf is what an event says.
func dataOf(f frame) []byte {
	_, data, _ := strings.Cut(string(f.text), "data: ")
	return []byte(data)
}

// TestContractIsOpenAPI holds the file to what OpenAPI asks for.
func TestContractIsOpenAPI(t *testing.T) {
	file := must.Get(newOpenAPI())(t)
	schemas, err := described()
	if err != nil || len(schemas) < 40 {
		t.Fatalf("%d schemas, %v", len(schemas), err)
	}
	for name := range schemas {
		if _, err := contract(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	ids := map[string]bool{}
	for path, methods := range file.Paths {
		for method, op := range methods {
			if op.OperationID == "" || ids[op.OperationID] || op.Summary == "" {
				t.Errorf("%s %s: its operationId %q is missing or another's, or it has no summary", method, path, op.OperationID)
			}
			ids[op.OperationID] = true
			inPath := 0
			for _, p := range op.Parameters {
				if p.In == "path" {
					inPath++
				}
				if p.Description == "" || p.In == "path" && !(p.Required && strings.Contains(path, "{"+p.Name+"}")) {
					t.Errorf("%s %s: parameter %+v", method, path, p)
				}
			}
			if inPath != strings.Count(path, "{") {
				t.Errorf("%s %s declares %d parameters of its path", method, path, inPath)
			}
			if op.Responses["200"].Description == "" || op.Responses["default"].Ref == "" {
				t.Errorf("%s %s: responses %+v", method, path, op.Responses)
			}
		}
	}
	for name, s := range file.Components.Schemas {
		if s.Description == "" {
			t.Errorf("schema %s says nothing of itself", name)
		}
	}
	if op := file.Components.Schemas["Op"]; len(op.OneOf) != len(opKinds) {
		t.Errorf("Op is one of %d", len(op.OneOf))
	}
}
