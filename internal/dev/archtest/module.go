package archtest

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// nested are the folders of the modules in this one for which the same rules hold.
var nested = []string{"proof", "server"}

// A Module is the imports of a module's source and their names in use, for all
// platforms.
type Module struct {
	Path     string              // github.com/pawl-dev/pawl
	Packages map[string]*Package // by folder; "." is the root
	Files    int
}

// A Package is the files of one folder. Imports of the module's own packages
// are written as their folders, "./store/file", and "." is the root.
type Package struct {
	Shipped map[string][]string // import → the files that have it
	Tests   map[string][]string // the same for files named *_test.go
	Sources int                 // files that are not tests
	Main    bool                // it is a command

	// ShippedNames and TestNames hold what the files use of their imports: "time.Now",
	// "./todo.Service", and of the root "pawl.Board" → the files.
	ShippedNames map[string][]string
	TestNames    map[string][]string

	files map[string]*parsedFile
}

// Load reads the module whose root is fsys. Like the go command it passes over
// testdata, folders whose name begins with a dot or an underscore, and modules
// within the module, but not over [nested].
func Load(fsys fs.FS) (*Module, error) {
	gomod, err := fs.ReadFile(fsys, "go.mod")
	if err != nil {
		return nil, err
	}
	line, _, _ := strings.Cut(string(gomod), "\n")
	name, ok := strings.CutPrefix(strings.TrimSpace(line), "module ")
	if !ok {
		return nil, errors.New("go.mod does not begin with its module's path")
	}
	m := &Module{Path: name, Packages: map[string]*Package{}}
	err = fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return m.enter(fsys, p)
		}
		if strings.HasSuffix(p, ".go") && d.Type().IsRegular() {
			return m.add(fsys, p)
		}
		return nil
	})
	return m, err
}

func (m *Module) enter(fsys fs.FS, dir string) error {
	if dir == "." {
		return nil
	}
	name := path.Base(dir)
	if name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
		return fs.SkipDir
	}
	if _, err := fs.Stat(fsys, path.Join(dir, "go.mod")); err == nil && !slices.Contains(nested, dir) {
		return fs.SkipDir
	}
	return nil
}

func (m *Module) add(fsys fs.FS, file string) error {
	src, err := fs.ReadFile(fsys, file)
	if err != nil {
		return err
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, src, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	m.Files++
	dir := path.Dir(file)
	pkg := m.Packages[dir]
	if pkg == nil {
		pkg = &Package{Shipped: map[string][]string{}, Tests: map[string][]string{}, ShippedNames: map[string][]string{}, TestNames: map[string][]string{}, files: map[string]*parsedFile{}}
		m.Packages[dir] = pkg
	}
	imports, names := pkg.Shipped, pkg.ShippedNames
	if strings.HasSuffix(file, "_test.go") {
		imports, names = pkg.Tests, pkg.TestNames
	} else {
		pkg.Sources++
		pkg.Main = parsed.Name.Name == "main"
	}
	called := map[string]string{} // the name of an import in this file → the import
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		name := path.Base(imported)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imported = m.own(imported)
		imports[imported] = append(imports[imported], file)
		called[name] = imported
		if imported == "." {
			called[name] = "pawl"
		}
	}
	pkg.files[file] = &parsedFile{parsed, dir, called}
	ast.Inspect(parsed, func(n ast.Node) bool {
		what := ""
		if call, ok := n.(*ast.CallExpr); ok && slices.ContainsFunc(call.Args[:min(len(call.Args), 2)], bareName) {
			n, what = call.Fun, OfName // such as exec.Command("git", …), which looks it up
		}
		used, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := used.X.(*ast.Ident); ok && called[x.Name] != "" {
			name := called[x.Name] + "." + used.Sel.Name + what
			if !slices.Contains(names[name], file) {
				names[name] = append(names[name], file)
			}
		}
		return true
	})
	return nil
}

// OfName follows the name of a function that is called with a constant word in its first two
// arguments.
const OfName = "(NAME)"

func bareName(x ast.Expr) bool {
	word, ok := x.(*ast.BasicLit)
	return ok && word.Kind == token.STRING && !strings.ContainsAny(word.Value, `/\ `)
}

// own rewrites the import of one of the module's packages to its folder.
func (m *Module) own(imported string) string {
	if imported == m.Path {
		return "."
	}
	if dir, ok := strings.CutPrefix(imported, m.Path+"/"); ok {
		return "./" + dir
	}
	return imported
}

// dirs returns the folders of the packages, in order.
func (m *Module) dirs() []string {
	return slices.Sorted(maps.Keys(m.Packages))
}

// reach returns the package in dir and every package of the module that it
// pulls in, each with the chain of folders that leads to it.
func (m *Module) reach(dir string) map[string][]string {
	chains := map[string][]string{dir: {dir}}
	for queue := []string{dir}; len(queue) > 0; queue = queue[1:] {
		from := queue[0]
		pkg := m.Packages[from]
		if pkg == nil {
			continue
		}
		for _, imported := range slices.Sorted(maps.Keys(pkg.Shipped)) {
			to := imported
			if to != "." {
				var own bool
				if to, own = strings.CutPrefix(imported, "./"); !own {
					continue
				}
			}
			if chains[to] == nil {
				chains[to] = append(slices.Clone(chains[from]), to)
				queue = append(queue, to)
			}
		}
	}
	return chains
}
