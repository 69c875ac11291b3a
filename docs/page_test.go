package docs_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// A page is Markdown in which a comment before a block of code says where the
// block comes from:
//
//	<!-- program example_test.go Example -->        an example as a program
//	<!-- output example_test.go Example -->         what it prints
//	<!-- func store/memory/memory_test.go TestX --> a function
//	<!-- shell docs/files_test.go Example_files --> commands, and what they print after that program has run
type page struct {
	parts []part
}

// A part is lines, and perhaps the block behind them.
type part struct {
	before string // with the comment
	block  *block
}

type block struct {
	kind, file, name string // empty: nobody says where it comes from
	fence            string // ```go
	text             string
}

var (
	opening = regexp.MustCompile("^```")
	origin  = regexp.MustCompile(`^<!-- (program|output|func|shell) (\S+) (\S+) -->$`)
)

func readPage(text string) (*page, error) {
	p := &page{}
	var now part
	from := []string{"", "", "", ""}
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, "\r\n")
		switch {
		case now.block != nil && bare == "```":
			p.parts = append(p.parts, now)
			now = part{}
			from = []string{"", "", "", ""}
		case now.block != nil:
			now.block.text += line
		case opening.MatchString(bare):
			now.block = &block{kind: from[1], file: from[2], name: from[3], fence: bare}
		case from[0] != "":
			return nil, fmt.Errorf("no block follows %s", from[0])
		default:
			now.before += line
			if found := origin.FindStringSubmatch(bare); found != nil {
				from = found
			}
		}
	}
	if now.block != nil {
		return nil, fmt.Errorf("the block %s is not closed", now.block.fence)
	}
	p.parts = append(p.parts, now)
	return p, nil
}

func (p *page) String() string {
	var b strings.Builder
	for _, part := range p.parts {
		b.WriteString(part.before)
		if part.block != nil {
			b.WriteString(part.block.fence + "\n" + part.block.text + "```\n")
		}
	}
	return b.String()
}

// blocks are those of a kind.
func (p *page) blocks(kind string) []*block {
	var found []*block
	for _, part := range p.parts {
		if part.block != nil && part.block.kind == kind {
			found = append(found, part.block)
		}
	}
	return found
}

// source is what the block's text is made from; the output of a command is not
// known here.
func (b *block) source() (string, error) {
	fset := token.NewFileSet()
	name := filepath.Join(root, filepath.FromSlash(b.file))
	src, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	file, err := parser.ParseFile(fset, name, src, parser.ParseComments)
	if err != nil {
		return "", err
	}
	if b.kind == "func" {
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Name.Name == b.name {
				return string(src[fset.Position(fn.Pos()).Offset:fset.Position(fn.End()).Offset]) + "\n", nil
			}
		}
		return "", fmt.Errorf("%s has no function %s", b.file, b.name)
	}
	for _, example := range doc.Examples(file) {
		switch {
		case "Example"+example.Name != b.name:
		case b.kind == "output":
			return example.Output, nil
		case example.Play == nil:
			return "", fmt.Errorf("%s in %s is no program by itself", b.name, b.file)
		default:
			var program bytes.Buffer
			err := format.Node(&program, fset, example.Play)
			return strings.TrimRight(program.String(), "\n") + "\n", err
		}
	}
	return "", fmt.Errorf("%s has no %s", b.file, b.name)
}
