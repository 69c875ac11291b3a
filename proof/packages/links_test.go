package main

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// TestLinks: each link, read as its editor reads it, starts pawl mcp, and
// docs/install.md has it.
func TestLinks(t *testing.T) {
	page := must.Get(os.ReadFile("../../docs/install.md"))(t)
	links := editorLinks()
	if len(links) != 3 {
		t.Fatalf("there are %d links", len(links))
	}
	for _, l := range links {
		var s struct {
			Command string
			Args    []string
		}
		if err := json.Unmarshal(configOf(t, l.URL), &s); err != nil {
			t.Fatalf("%s: %v", l.Editor, err)
		}
		if s.Command != "pawl" || !slices.Equal(s.Args, []string{"mcp"}) {
			t.Errorf("%s starts %s %q", l.Editor, s.Command, s.Args)
		}
		if !strings.Contains(string(page), "("+l.URL+")") {
			t.Errorf("docs/install.md lacks the link for %s: go -C proof run ./packages -links", l.Editor)
		}
	}
}

// configOf is the configuration in a link.
func configOf(t *testing.T, link string) []byte {
	t.Helper()
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "https" {
		t.Fatalf("%s: %v", link, err)
	}
	if config := u.Query().Get("config"); config != "" && u.Query().Get("name") == "pawl" { // Cursor
		text, err := base64.StdEncoding.DecodeString(config)
		if err != nil {
			t.Fatalf("%s: %v", link, err)
		}
		return text
	}
	inner, query, _ := strings.Cut(u.Query().Get("url"), "?") // VS Code
	if inner != "vscode:mcp/install" && inner != "vscode-insiders:mcp/install" {
		t.Fatalf("%s leads to %q", link, inner)
	}
	text, err := url.QueryUnescape(query)
	if err != nil || !strings.Contains(text, `"name":"pawl"`) {
		t.Fatalf("%s installs %s, %v", link, text, err)
	}
	return []byte(text)
}
