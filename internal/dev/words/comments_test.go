package words

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// TestPlainComments reports each phrase in the comments of packages and of what
// they export: these are pages for readers, too.
func TestPlainComments(t *testing.T) {
	read := 0
	must.Do(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && path != root) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, doc := range docs(file) {
			read++
			for _, fault := range check(doc.Text()) {
				t.Errorf("%s: %s", set.Position(doc.Pos()), fault)
			}
		}
		return nil
	}))
	if read < 1000 {
		t.Errorf("only %d comments were read", read)
	}
}

// docs are the comments of a file's package, and of what it exports.
func docs(file *ast.File) []*ast.CommentGroup {
	all := []*ast.CommentGroup{file.Doc}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() {
				all = append(all, d.Doc)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() {
						all = append(all, d.Doc, s.Doc)
						all = append(all, members(s.Type)...)
					}
				case *ast.ValueSpec:
					if s.Names[0].IsExported() {
						all = append(all, d.Doc, s.Doc, s.Comment)
					}
				}
			}
		}
	}
	var each []*ast.CommentGroup
	for _, doc := range all {
		if doc != nil && !slices.Contains(each, doc) {
			each = append(each, doc)
		}
	}
	return each
}

// members are the comments of a struct's fields or an interface's methods.
func members(t ast.Expr) []*ast.CommentGroup {
	var fields *ast.FieldList
	switch t := t.(type) {
	case *ast.StructType:
		fields = t.Fields
	case *ast.InterfaceType:
		fields = t.Methods
	default:
		return nil
	}
	var all []*ast.CommentGroup
	for _, f := range fields.List {
		if len(f.Names) > 0 && f.Names[0].IsExported() {
			all = append(all, f.Doc, f.Comment)
		}
	}
	return all
}

func TestCommentsCanFail(t *testing.T) {
	file := must.Get(parser.ParseFile(token.NewFileSet(), "x.go", `// Package x is for whoever reads it.
package x

// A T is anew. (1)
type T struct {
	A int // although (2)
	b int // although (unexported)
}

// m is anew (unexported).
func (t T) m() {}

// M is anew. (3)
func (t T) M() {}
`, parser.ParseComments))(t)
	var faults []string
	for _, doc := range docs(file) {
		faults = append(faults, check(doc.Text())...)
	}
	if len(faults) != 4 {
		t.Errorf("want 4 faults, have %q", faults)
	}
}
