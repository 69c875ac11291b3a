package cli

import (
	"bytes"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/schema"
	sources "github.com/pawl-dev/pawl/internal/dev/source"
)

var update = flag.Bool("update", false, "write the generated files anew")

// TestSchemas holds docs/schema to the types, and every field of them to its
// comment. With -update it writes the files.
func TestSchemas(t *testing.T) {
	root := must.Get(sources.Root())(t)
	dir := filepath.Join(root, filepath.FromSlash(schema.Dir))
	stale := must.Get(filepath.Glob(filepath.Join(dir, "*")))(t)
	for _, k := range kinds {
		s, err := schema.Of(k.name, k.says, k.of)
		if err != nil {
			t.Errorf("%s: %v", k.name, err)
			continue
		}
		text := must.Get(schema.Text(s))(t)
		file := filepath.Join(dir, k.name+".json")
		generated(t, file, text)
		stale = slices.DeleteFunc(stale, func(f string) bool { return f == file })
	}
	for _, file := range stale {
		t.Errorf("%s belongs to no kind", file)
	}
}

// generated holds a file to what it is made from.
func generated(t *testing.T, file string, want []byte) {
	t.Helper()
	have, err := os.ReadFile(file)
	if err == nil && bytes.Equal(bytes.ReplaceAll(have, []byte("\r\n"), []byte("\n")), want) {
		return
	}
	if !*update {
		t.Errorf("%s is stale; update it with: go test ./internal/ui/cli -update", file)
		return
	}
	must.Do(t, os.WriteFile(file, want, 0o644))
}

// TestKinds sees to it that whatever begins an envelope is in the list, that
// nothing else is, and that each verb says which kind it answers with.
func TestKinds(t *testing.T) {
	begun := map[string]bool{}
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d source files, %v", len(files), err)
	}
	for _, file := range files {
		tree := must.Get(parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution))(t)
		ast.Inspect(tree, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if f, ok := call.Fun.(*ast.SelectorExpr); !ok || f.Sel.Name != "NewEnvelope" {
				return true
			}
			literal, ok := call.Args[0].(*ast.BasicLit)
			if !ok {
				t.Errorf("%s: the kind of an envelope is not said outright", file)
				return true
			}
			name := must.Get(strconv.Unquote(literal.Value))(t)
			begun[name] = true
			return true
		})
	}
	listed := map[string]bool{}
	for _, k := range kinds {
		if listed[k.name] = true; !begun[k.name] {
			t.Errorf("no code answers with kind %q", k.name)
		}
	}
	for name := range begun {
		if !listed[name] {
			t.Errorf("kind %q is missing in verbs_kinds.go", name)
		}
	}
	for v := range all {
		if v.kind != "" && !listed[v.kind] {
			t.Errorf("pawl %s answers with kind %q, which is no kind", v.name, v.kind)
		}
	}
}
