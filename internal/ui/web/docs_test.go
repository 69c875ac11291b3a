package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/source"
	"github.com/pawl-dev/pawl/store/memory"
)

// TestAPIPage holds docs/api.md to the server: what its commands print; and the reference to
// the routes.
func TestAPIPage(t *testing.T) {
	root := must.Get(source.Root())(t)
	text := must.Get(os.ReadFile(filepath.Join(root, "docs", "api.md")))(t)
	page := string(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
	generated(t, "docs/api.md", []byte(runCommands(t, page)))
	generated(t, "internal/ui/web/testdata/reference.md", []byte(reference(t)))
}

// runCommands asks what the page's commands ask, one after the other on one
// board, and puts the answers below them.
func runCommands(t *testing.T, page string) string {
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	s := newSite(t, pawl.NewBoard(memory.New(memory.WithClock(func() time.Time { return now }))))
	var out strings.Builder
	ran, inside := 0, false
	for line := range strings.Lines(page) {
		switch {
		case line == "```console\n":
			inside = true
		case line == "```\n":
			inside = false
		case inside && !strings.HasPrefix(line, "$ "):
			continue // what was printed when the page was made
		}
		out.WriteString(line)
		if command, is := strings.CutPrefix(line, "$ curl "); is && inside {
			out.WriteString(s.curl(command))
			ran++
		}
	}
	if ran < 5 {
		t.Errorf("the page has %d commands", ran)
	}
	return out.String()
}

var word = regexp.MustCompile(`'[^']*'|"[^"]*"|\S+`)

// curl asks what a command asks, and returns what it prints.
func (s *site) curl(command string) string {
	s.t.Helper()
	var body, url, key string
	headers := http.Header{}
	words := word.FindAllString(strings.ReplaceAll(command, "$TOKEN", s.AccessToken), -1)
	for i := range words {
		words[i] = strings.Trim(words[i], `'"`)
	}
	for i := 0; i < len(words); i++ {
		switch {
		case words[i] == "-s":
		case words[i] == "-H":
			i++
			name, value, _ := strings.Cut(words[i], ": ")
			headers.Set(name, value)
		case words[i] == "-d":
			i++
			body = words[i]
		case words[i] == "|":
			key = strings.TrimPrefix(words[i+2], ".")
			i += 2
		case strings.HasPrefix(words[i], "http://127.0.0.1:7350/api/v1/"):
			url = strings.TrimPrefix(words[i], "http://127.0.0.1:7350/api/v1/")
		default:
			s.t.Fatalf("the page has a command with %q", words[i])
		}
	}
	method := "GET"
	if body != "" {
		method = "POST"
	}
	if headers.Get("Authorization") != "Bearer "+s.AccessToken || (body != "") != (headers.Get("Content-Type") == "application/json") {
		s.t.Errorf("this would be refused: %s", command)
	}
	return printed(s.t, s.send(method, url, body), key)
}

// printed is an answer, or a key of it, as jq prints it.
func printed(t *testing.T, w *httptest.ResponseRecorder, key string) string {
	t.Helper()
	if key == "" {
		var out bytes.Buffer
		must.Do(t, json.Indent(&out, bytes.TrimSpace(w.Body.Bytes()), "", "  "))
		return out.String() + "\n"
	}
	var answer map[string]json.RawMessage
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || answer[key] == nil {
		t.Fatalf("no %s in %s", key, w.Body)
	}
	return string(answer[key]) + "\n"
}

// reference tells of each route and each op.
func reference(t *testing.T) string {
	file := must.Get(newOpenAPI())(t)
	schemas := file.Components.Schemas
	var b strings.Builder
	b.WriteString("# Reference of the API of pawl serve\n\nMade by `go test ./internal/ui/web -update`.\n")
	for _, r := range routes {
		if !strings.HasPrefix(r.path, "/api/") {
			continue
		}
		fmt.Fprintf(&b, "\n## %s %s\n\n%s.", r.method, r.path, r.says)
		if r.open {
			b.WriteString(" Needs no token.")
		}
		b.WriteString("\n")
		if len(r.query) > 0 {
			b.WriteString("\n| asked with | | |\n|---|---|---|\n")
		}
		for _, p := range r.query {
			of := p.of
			if p.many {
				of += ", several"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", p.name, of, p.says)
		}
		if r.body != nil {
			keys(&b, "body", schemas[component(r.body)])
		}
		if r.gives != nil {
			keys(&b, "answer, kind `"+r.kind+"`", schemas[component(r.gives)])
		}
	}
	b.WriteString("\n## Ops\n")
	for _, k := range opKinds {
		fmt.Fprintf(&b, "\n### %s\n\n%s.\n", k.name, k.says)
		keys(&b, "key", schemas[component(k.body)])
	}
	return b.String()
}

// keys is a table of the keys of an object.
func keys(b *strings.Builder, head string, s *jsonschema.Schema) {
	fmt.Fprintf(b, "\n| %s | | |\n|---|---|---|\n", head)
	for _, key := range keysOf(s) {
		if key == "pawl" || key == "kind" || key == "op" {
			continue
		}
		field := s.Properties[key]
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", key, strings.ReplaceAll(tsType(field), "|", `\|`), strings.ReplaceAll(field.Description, "|", `\|`))
	}
}
