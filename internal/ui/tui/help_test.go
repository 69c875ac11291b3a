package tui

import (
	"go/ast"
	goparser "go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/show/term"
)

// Every key is explained, and scrolling shows all that there is to read.
func TestHelp(t *testing.T) {
	fly(t, func(p *pilot) {
		p.size(60, 15)
		p.press("?")
		p.sees("Help", "Pawl keeps this project's tasks")
		seen := p.text()
		for range 80 {
			p.press("j")
			seen += p.text()
		}
		for _, g := range keyGroups() {
			for _, k := range g.keys {
				if line := keyNames(k.key, true); !strings.Contains(seen, line) || !strings.Contains(seen, k.words()) {
					t.Errorf("%s %s is not to be read", line, k.words())
				}
			}
		}
		p.press("esc")
		p.seesNot("Help")
	}, board...)
}

// The description of a key fits its column.
func TestHelpFits(t *testing.T) {
	for _, unicode := range []bool{true, false} {
		for _, g := range keyGroups() {
			for _, k := range g.keys {
				if n := term.Width(keyNames(k.key, unicode)); n >= helpKeys {
					t.Errorf("%s is %d wide", keyNames(k.key, unicode), n)
				}
				if n := 2 + helpKeys + term.Width(k.words()); n >= helpColumn {
					t.Errorf("%s: %d columns", k.words(), n)
				}
			}
		}
	}
}

// No key is missing from the help.
func TestHelpNamesAllKeys(t *testing.T) {
	named := map[string]bool{}
	for _, name := range identifiers(t, "help.go") {
		named[name] = true
	}
	found := 0
	for _, name := range identifiers(t, "keys.go") {
		if strings.HasPrefix(name, "key") && name != "key" {
			found++
			if !named[name] {
				t.Errorf("help.go does not explain %s", name)
			}
		}
	}
	if found < 30 {
		t.Errorf("only %d keys were found", found)
	}
}

// identifiers are the names in a file of this package.
func identifiers(t *testing.T, file string) (names []string) {
	t.Helper()
	f := must.Get(goparser.ParseFile(token.NewFileSet(), file, nil, 0))(t)
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			names = append(names, id.Name)
		}
		return true
	})
	return names
}

func TestHelpFrames(t *testing.T) {
	fly(t, func(p *pilot) {
		p.press("?")
		p.frames("dialogs/help")
	}, board...)
}
