package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// followCommand runs the command of the hint that stands last on stderr, as it
// stands, and expects an exit code:
//
//	follows 0
func followCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: follows CODE")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	found := aHint.FindAllStringSubmatch(ts.ReadFile("stderr"), -1)
	if found == nil {
		ts.Fatalf("no hint has a command")
	}
	line := found[len(found)-1][1]
	ts.Logf("> %s", line)
	if got := exitCode(ts.Exec("sh", "-c", line)); got != want {
		ts.Fatalf("%s: exit code %d, want %d", line, got, want)
	}
}

var aHint = regexp.MustCompile(`(?m)^pawl: (?:hint|undo|redo): (?:.*: )?(pawl .*)$`)

// Every command that a hint of the source proposes is run by a story: the part of
// it that stands in the source is a line of testdata/hints.txt, with the story that
// follows it, or "prose" for one that has no command. A new hint fails here until it
// has a line. Do not add to those that no story follows yet.
func TestHintsAreFollowed(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/hints.txt"))(t)
	listed := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if hint, where, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); ok {
			listed[hint] = where
		}
	}
	hints := hintsOf(t)
	if len(hints) < 30 {
		t.Fatalf("only %d hints are found: the source is read wrongly", len(hints))
	}
	for hint, at := range hints {
		if listed[hint] == "" {
			t.Errorf("%s: the hint %q is followed by no story: run it with follows in one, and add it to testdata/hints.txt", at, hint)
		}
	}
	for hint, where := range listed {
		if hints[hint] == "" {
			t.Errorf("testdata/hints.txt: no source has the hint %q", hint)
		}
		if where == "prose" || strings.HasPrefix(where, "waits: ") || strings.HasPrefix(where, "not followed by a story yet: ") {
			continue
		}
		var story []byte
		err := fs.ErrNotExist
		for _, dir := range []string{"script", "server", "administrator"} {
			if err != nil {
				story, err = os.ReadFile("testdata/" + dir + "/" + where + ".txtar")
			}
		}
		told := strings.Contains(strings.ReplaceAll(string(story), `\?`, "?"), "hint: "+hint) // one without a command
		if err != nil || !told && !strings.Contains(string(story), "\nfollows ") {
			t.Errorf("testdata/hints.txt: the story %s neither follows nor shows the hint %q (%v)", where, hint, err)
		}
	}
}

// hintsOf finds the texts of hints in the source, with the first place of each, and
// the steps that the rules hint at.
func hintsOf(t *testing.T) map[string]string {
	hints := map[string]string{}
	must.Do(t, filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && slices.Contains([]string{"testdata", "node_modules", "tools", "dist", ".git", "dev", "proof"}, entry.Name()) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		note := func(e ast.Expr) {
			if hint := textOf(e); hint != "" && hints[hint] == "" {
				hints[hint] = set.Position(e.Pos()).String()
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				if nameOf(n.Type) == "Hint" {
					for _, e := range n.Elts {
						if kv, ok := e.(*ast.KeyValueExpr); ok && (nameOf(kv.Key) == "Text" || nameOf(kv.Key) == "Step" && nameOf(kv.Value) != "HintSay") {
							note(kv.Value)
						}
					}
				}
			case *ast.AssignStmt:
				if s, ok := n.Lhs[0].(*ast.SelectorExpr); ok && s.Sel.Name == "Text" && nameOf(s.X) == "Hint" {
					note(n.Rhs[0])
				}
			case *ast.CallExpr:
				if s, ok := n.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"Next", "Say"}, s.Sel.Name) && len(n.Args) > 0 {
					note(n.Args[0])
				}
			}
			return true
		})
		return nil
	}))
	return hints
}

func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// textOf is the constant part of an expression: the first text in it, or the name
// of a step.
func textOf(e ast.Expr) (text string) {
	if name := nameOf(e); strings.HasPrefix(name, "Hint") {
		return name
	}
	ast.Inspect(e, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && text == "" {
			text, _ = strconv.Unquote(lit.Value)
			text = strings.TrimSpace(text)
		}
		return text == ""
	})
	return text
}
