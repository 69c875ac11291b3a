package tool_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// shown is a place of docs/library.md that shows an example: its file, its name
// and its code.
var shown = regexp.MustCompile("(?s)(<!-- ([a-z_/.]+): (\\w+) -->\n```go\n)(.*?)(```\n)")

// The examples that the page shows are those that run as tests.
func TestLibraryPage(t *testing.T) {
	const page = "../docs/library.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	examples := 0
	got := shown.ReplaceAllStringFunc(string(text), func(place string) string {
		m := shown.FindStringSubmatch(place)
		code, err := example(filepath.Join("..", m[2]), m[3])
		if err != nil {
			t.Fatal(err)
		}
		examples++
		return m[1] + code + m[5]
	})
	if examples < 4 {
		t.Fatalf("%s shows %d examples", page, examples)
	}
	switch {
	case got == string(text):
	case *update:
		if err := os.WriteFile(page, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s shows other examples than those that run: go test ./tool -update", page)
	}
}

// example returns the body of an example and what it prints.
func example(file, name string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, text, parser.ParseComments)
	if err != nil {
		return "", err
	}
	for _, decl := range parsed.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Name.Name != name {
			continue
		}
		body := text[files.Position(fn.Body.Lbrace).Offset+1 : files.Position(fn.Body.Rbrace).Offset]
		var b strings.Builder
		for line := range bytes.Lines(bytes.TrimLeft(body, "\n")) {
			b.Write(bytes.TrimPrefix(line, []byte("\t")))
		}
		return b.String(), nil
	}
	return "", fmt.Errorf("%s has no %s", file, name)
}
