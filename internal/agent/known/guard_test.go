package known_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/agenttest"
	"github.com/pawl-dev/pawl/internal/agent/known"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// TestTable says what is missing of an agent that has a folder.
func TestTable(t *testing.T) {
	folders := must.Get(os.ReadDir(".."))(t)
	seen := map[string]bool{"known": true, "agenttest": true}
	for _, a := range known.Agents {
		if seen[a.Name] {
			t.Errorf("%s is twice in known.Agents", a.Name)
		}
		seen[a.Name] = true
		if _, err := os.Stat(folder(a)); err != nil {
			t.Errorf("%s has no folder of its name", a.Name)
		}
		complete(t, a)
	}
	for _, f := range folders {
		if f.IsDir() && !seen[f.Name()] {
			t.Errorf("internal/agent/%s is not in known.Agents: add &%s.Agent there", f.Name(), f.Name())
		}
	}
}

func complete(t *testing.T, a *agent.Agent) {
	lacks := func(is bool, what string) {
		if !is {
			t.Errorf("%s: %s", a.Name, what)
		}
	}
	lacks(a.Title != "", "Title is empty: how do people call it?")
	lacks(a.Hooks != nil || a.Config != nil || len(a.Marks) > 0 || len(a.Clients) > 0, "nothing is known of it: no Hooks, Config, Marks or Clients")
	lacks(a.Session == "" || len(a.Marks) > 0, "Session without Marks is never read")
	if h := a.Hooks; h != nil {
		lacks(h.Decode != nil && h.Encode != nil, "Hooks need Decode and Encode")
		agenttest.Files(t, folder(a))
		lacks(a.Config != nil, "it has hooks, and no Config puts them into its settings")
	}
	if c := a.Config; c != nil {
		lacks(c.Home != nil && c.Files != nil && c.Steps != nil, "Config needs Home, Files and Steps")
	}
}

// elsewhere are the files that may name an agent, and why.
var elsewhere = map[string]string{
	"internal/ui/cli/acp.go":            "help: examples",
	"internal/ui/cli/doctor.go":         "help: an example",
	"internal/ui/cli/help_page.go":      "help: whose variables are read",
	"internal/ui/cli/hook.go":           "help: an example",
	"internal/imports/claude/claude.go": "the tasks of a program are a format of import like others",
	"internal/ui/cli/mcp.go":            "help: examples; a set of tools has a name that is also an agent's",
	"internal/ui/cli/setup.go":          "help: an example",
}

// ordinary are names that are words of other things as well, so that they show
// nothing.
var ordinary = map[string]bool{"cursor": true, "amp": true}

// TestNamedNowhereElse finds texts in the code of other packages that name an
// agent: what is done for one program belongs into its folder.
func TestNamedNowhereElse(t *testing.T) {
	var names []string
	for _, a := range known.Agents {
		if !ordinary[a.Name] {
			names = append(names, a.Name)
		}
	}
	named := regexp.MustCompile(`(?i)(?:\b|_)(?:` + strings.Join(names, "|") + `)(?:\b|_)`)
	root := filepath.Join("..", "..", "..")
	used, files := map[string]bool{}, 0
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))
		if e.IsDir() {
			switch {
			case name == "integrations", name == "internal/agent", name == "internal/dev", name == "proof", e.Name() == "testdata", e.Name() == "node_modules", len(e.Name()) > 2 && e.Name()[0] == '.':
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		files++
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, imported := range file.Imports {
			imported.Path.Value = "" // a library may have such a name
		}
		ast.Inspect(file, func(n ast.Node) bool {
			lit, is := n.(*ast.BasicLit)
			if !is || lit.Kind != token.STRING || !named.MatchString(lit.Value) {
				return true
			}
			if elsewhere[name] == "" {
				t.Errorf("%s:%d: %s names an agent: what is done for one program belongs into internal/agent", name, set.Position(lit.Pos()).Line, lit.Value)
			}
			used[name] = true
			return true
		})
		return nil
	})
	if err != nil || files < 300 {
		t.Fatalf("%d files were read: %v", files, err)
	}
	for name := range elsewhere {
		if !used[name] {
			t.Errorf("%s may name an agent, and names none", name)
		}
	}
}
