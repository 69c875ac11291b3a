package schema

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/pawl-dev/pawl/internal/dev/source"
)

const module = "github.com/pawl-dev/pawl"

// comment is the comment on a type of this module, or on one of its fields, in
// one line; empty when there is none.
func comment(pkg, name, field string) (string, error) {
	comments, err := commentsOf(strings.TrimPrefix(pkg, module))
	if err != nil {
		return "", err
	}
	if field != "" {
		name += "." + field
	}
	text, there := comments[name]
	if !there {
		return "", fmt.Errorf("%s has no %s", pkg, name)
	}
	return text, nil
}

var (
	reading sync.Mutex
	read    = map[string]map[string]string{}
)

// commentsOf reads the comments of the types in a package: Type, and Type.Field.
func commentsOf(dir string) (map[string]string, error) {
	reading.Lock()
	defer reading.Unlock()
	if comments := read[dir]; comments != nil {
		return comments, nil
	}
	root, err := source.Root()
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*.go"))
	if err != nil {
		return nil, err
	}
	comments := map[string]string{}
	for _, file := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		collect(tree, comments)
	}
	read[dir] = comments
	return comments, nil
}

func collect(tree *ast.File, comments map[string]string) {
	for _, decl := range tree.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.TYPE {
			continue
		}
		for _, spec := range gen.Specs {
			spec := spec.(*ast.TypeSpec)
			doc := spec.Doc
			if doc == nil {
				doc = gen.Doc
			}
			comments[spec.Name.Name] = text(spec.Name.Name, doc)
			body, ok := spec.Type.(*ast.StructType)
			if !ok {
				continue
			}
			for _, f := range body.Fields.List {
				for _, name := range f.Names {
					comments[spec.Name.Name+"."+name.Name] = text("", f.Doc, f.Comment)
				}
			}
		}
	}
}

// text is the first paragraph of comments in one line; of a type's comment, the
// first sentence after "NAME is".
func text(name string, groups ...*ast.CommentGroup) string {
	for _, group := range groups {
		if group == nil {
			continue
		}
		first, _, _ := strings.Cut(group.Text(), "\n\n")
		line := strings.Join(strings.Fields(first), " ")
		if name != "" {
			for _, article := range []string{"", "A ", "An "} {
				line = strings.TrimPrefix(line, article+name+" is ")
			}
			line, _, _ = strings.Cut(links.ReplaceAllString(line, "$1"), ". ")
		}
		return strings.TrimSuffix(strings.TrimSuffix(line, "."), ":")
	}
	return ""
}

// links are the brackets of doc links.
var links = regexp.MustCompile(`\[([A-Za-z.]+)\]`)
