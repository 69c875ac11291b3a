package archtest

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// hang is the shortest limit that a test may set. Only a hang reaches it, even on a
// busy machine.
const hang = time.Minute

// checkWaits reports tests that depend on how fast the machine is. A test waits for a
// condition: with no limit, or with one of a minute at least. A function that uses
// testing/synctest may do all of it: the clock of a bubble takes no time.
func (t *Table) checkWaits(m *Module, report func(string, ...any)) {
	found := map[string]bool{}
	for _, dir := range m.dirs() {
		for _, file := range slices.Sorted(maps.Keys(m.Packages[dir].files)) {
			f := m.Packages[dir].files[file]
			// A benchmark measures; a command for developers, too, or it waits for a person.
			if strings.HasSuffix(file, "_bench_test.go") || !strings.HasSuffix(file, "_test.go") && (!t.isTestCode(dir) || m.Packages[dir].Main) {
				continue
			}
			for _, decl := range f.Decls {
				place := file + ": " + named(decl)
				for _, what := range f.waits(m, decl) {
					if found[place] = true; t.Waits[place] == "" {
						report("clock: %s %s: a test that depends on the clock is slow, and fails on a busy machine; wait for what happens, with a limit that only a hang reaches, or use testing/synctest", place, what)
					}
				}
			}
		}
	}
	for _, place := range slices.Sorted(maps.Keys(t.Waits)) {
		if !found[place] {
			report("clock: %s does not depend on the clock: remove it from Waits", place)
		}
	}
}

// A parsedFile is a file of a package, with the names of its imports.
type parsedFile struct {
	*ast.File
	dir    string
	called map[string]string
}

// named is the name of a function, and of the first of several variables.
func named(decl ast.Decl) string {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		return d.Name.Name
	case *ast.GenDecl:
		for _, s := range d.Specs {
			if v, ok := s.(*ast.ValueSpec); ok {
				return v.Names[0].Name
			}
		}
	}
	return ""
}

// waits says how a declaration depends on the clock.
func (f *parsedFile) waits(m *Module, decl ast.Decl) (all []string) {
	w := &waiting{parsedFile: f, module: m, set: map[string]ast.Expr{}, pauses: map[ast.Node]bool{}, asked: map[ast.Node]bool{}}
	ast.Inspect(decl, w.learn)
	ast.Inspect(decl, func(n ast.Node) bool {
		if x, ok := n.(*ast.Ident); ok && f.called[x.Name] == "testing/synctest" {
			w.bubble = true
		}
		if what := w.look(n); what != "" {
			all = append(all, what)
		}
		return true
	})
	if w.bubble {
		return nil
	}
	return all
}

type waiting struct {
	*parsedFile
	module *Module
	set    map[string]ast.Expr // variable and constant → what it was set to last
	pauses map[ast.Node]bool   // calls between two looks at a condition
	bubble bool                // it uses a clock that takes no time
	asked  map[ast.Node]bool   // only happens where a flag asks for it
}

// learn notes what variables are, and which calls are a pause between two looks of a loop:
// what ends each turn, and a case of a select that does nothing.
func (w *waiting) learn(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, to := range n.Lhs {
			if name, ok := to.(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) {
				w.set[name.Name] = n.Rhs[i]
			}
		}
	case *ast.ValueSpec:
		for i := range n.Values {
			w.set[n.Names[i].Name] = n.Values[i]
		}
	case *ast.BinaryExpr:
		only := n.X // *long && took > limit, or !*long || took < limit
		if not, ok := only.(*ast.UnaryExpr); ok {
			only = not.X
		}
		if _, flag := only.(*ast.StarExpr); flag && (n.Op == token.LAND || n.Op == token.LOR) {
			ast.Inspect(n.Y, func(n ast.Node) bool { w.asked[n] = true; return true })
		}
	case *ast.ForStmt:
		if _, counts := n.Post.(*ast.IncDecStmt); counts {
			return true // so many turns are a limit
		}
		w.pause(n.Post)
		for i, s := range n.Body.List {
			if i == len(n.Body.List)-1 {
				w.pause(s)
			}
			sel, ok := s.(*ast.SelectStmt)
			for i := 0; ok && i < len(sel.Body.List); i++ {
				if c := sel.Body.List[i].(*ast.CommClause); len(c.Body) == 0 && len(sel.Body.List) > 1 {
					w.pause(c.Comm)
				}
			}
		}
	}
	return true
}

// pause notes that a statement with a call, or that receives from what a call returns, is a
// pause.
func (w *waiting) pause(s ast.Stmt) {
	if x, ok := s.(*ast.ExprStmt); ok {
		got := x.X
		if receive, ok := got.(*ast.UnaryExpr); ok {
			got = receive.X
		}
		w.pauses[got] = true
	}
}

// look says how a node depends on the clock; empty: it does not.
func (w *waiting) look(n ast.Node) string {
	switch n := n.(type) {
	case *ast.CallExpr:
		return w.lookCall(n)
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Patience" && w.short(n.Value) {
			return "sets a limit of less than a minute"
		}
	case *ast.AssignStmt:
		for i, to := range n.Lhs {
			if s, ok := to.(*ast.SelectorExpr); ok && (s.Sel.Name == "Patience" || s.Sel.Name == "Timeout") && len(n.Lhs) == len(n.Rhs) && w.short(n.Rhs[i]) {
				return "sets a limit of less than a minute"
			}
		}
	case *ast.BinaryExpr:
		if w.asked[n] || n.Op != token.LSS && n.Op != token.GTR && n.Op != token.LEQ && n.Op != token.GEQ {
			return ""
		}
		for _, side := range [][2]ast.Expr{{n.X, n.Y}, {n.Y, n.X}} {
			d, known := w.least(side[1])
			if w.measured(side[0]) && !(known && d >= hang) {
				return "compares a measured time"
			}
			if known && w.isTime(side[1]) && 0 < d && d < hang {
				return "compares a time with less than a minute"
			}
		}
	}
	return ""
}

func (w *waiting) lookCall(n *ast.CallExpr) string {
	s, ok := n.Fun.(*ast.SelectorExpr)
	if !ok || w.pauses[n] || len(n.Args) == 0 {
		return ""
	}
	of := ""
	if x, ok := s.X.(*ast.Ident); ok {
		of = w.called[x.Name]
	}
	name, limit := s.Sel.Name, n.Args[0]
	switch {
	case of == "time" && name == "Sleep":
		return "calls time.Sleep"
	case of == "time" && (name == "After" || name == "NewTimer" || name == "AfterFunc"):
	case strings.HasPrefix(name, "WithTimeout"): // of package context, or an option
		limit = n.Args[min(1, len(n.Args)-1)]
	case strings.HasPrefix(name, "WithDeadline"):
		return w.until(n.Args[min(1, len(n.Args)-1)])
	case (name == "After" || name == "Before") && w.calls(s.X, "Now"), strings.HasPrefix(name, "Set") && strings.HasSuffix(name, "Deadline"):
		return w.until(limit)
	default:
		return ""
	}
	if d, known := w.least(limit); known && d >= hang {
		return ""
	}
	return "waits for a time: " + name
}

// until says whether a moment comes within a minute.
func (w *waiting) until(end ast.Expr) string {
	if name, ok := end.(*ast.Ident); ok && w.set[name.Name] != nil {
		end = w.set[name.Name]
	}
	if call, ok := end.(*ast.CallExpr); ok {
		if s, ok := call.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Add" && w.calls(s.X, "Now") {
			if d, known := w.least(call.Args[0]); known && d >= hang {
				return ""
			}
		}
	}
	return "waits until a moment"
}

// calls reports whether an expression is a call of one of these functions of package time.
func (w *waiting) calls(x ast.Expr, names ...string) bool {
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return false
	}
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !slices.Contains(names, s.Sel.Name) {
		return false
	}
	of, ok := s.X.(*ast.Ident)
	return ok && w.called[of.Name] == "time"
}

// measured reports whether an expression is a time that was measured.
func (w *waiting) measured(x ast.Expr) bool {
	if name, ok := x.(*ast.Ident); ok && w.set[name.Name] != nil {
		x = w.set[name.Name]
	}
	is := false
	ast.Inspect(x, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && w.calls(call, "Since", "Until") {
			is = true
		}
		return !is
	})
	return is
}

func (w *waiting) short(x ast.Expr) bool {
	d, known := w.least(x)
	return known && d < hang
}

var units = map[string]time.Duration{
	"Nanosecond": time.Nanosecond, "Microsecond": time.Microsecond, "Millisecond": time.Millisecond,
	"Second": time.Second, "Minute": time.Minute, "Hour": time.Hour,
}

// isTime reports whether an expression is made of units of time, by whatever names.
func (w *waiting) isTime(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return w.isTime(x.X)
	case *ast.BinaryExpr:
		return w.isTime(x.X) || w.isTime(x.Y)
	case *ast.SelectorExpr:
		of, ok := x.X.(*ast.Ident)
		return ok && w.called[of.Name] == "time" && units[x.Sel.Name] > 0
	case *ast.Ident:
		value, in := w.value(x.Name)
		return value != nil && in.isTime(value)
	}
	return false
}

// value is what a name stands for in a declaration or in the package.
func (w *waiting) value(name string) (ast.Expr, *waiting) {
	if x, own := w.set[name]; own {
		in := *w
		in.set = maps.Clone(w.set)
		in.set[name] = nil // which may be set to something of its own value
		return x, &in
	}
	return w.module.constant(w.dir, name)
}

// constant is a constant or variable of a package, and where its value is to be read.
func (m *Module) constant(dir, name string) (ast.Expr, *waiting) {
	pkg := m.Packages[dir]
	if pkg == nil {
		return nil, nil
	}
	for _, f := range pkg.files {
		for _, decl := range f.Decls {
			d, ok := decl.(*ast.GenDecl)
			if !ok || d.Tok != token.CONST && d.Tok != token.VAR {
				continue
			}
			for _, s := range d.Specs {
				v := s.(*ast.ValueSpec)
				if i := slices.IndexFunc(v.Names, func(n *ast.Ident) bool { return n.Name == name }); i >= 0 && i < len(v.Values) {
					return v.Values[i], &waiting{parsedFile: f, module: m}
				}
			}
		}
	}
	return nil, nil
}

// least is what an expression is at least, if that is known: of a sum the parts that are.
func (w *waiting) least(x ast.Expr) (d time.Duration, known bool) {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return w.least(x.X)
	case *ast.BasicLit:
		n, err := strconv.ParseFloat(strings.ReplaceAll(x.Value, "_", ""), 64)
		return time.Duration(n), err == nil
	case *ast.Ident:
		if value, in := w.value(x.Name); value != nil {
			return in.least(value)
		}
	case *ast.SelectorExpr:
		of, ok := x.X.(*ast.Ident)
		if !ok {
			return 0, false
		}
		switch from := w.called[of.Name]; {
		case from == "time":
			return units[x.Sel.Name], units[x.Sel.Name] > 0
		case from == "pawl":
			from = "."
			fallthrough
		default:
			if value, in := w.module.constant(strings.TrimPrefix(from, "./"), x.Sel.Name); value != nil {
				return in.least(value)
			}
		}
	case *ast.CallExpr: // a conversion
		if s, ok := x.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Duration" && len(x.Args) == 1 {
			return w.least(x.Args[0])
		}
	case *ast.BinaryExpr:
		a, one := w.least(x.X)
		b, other := w.least(x.Y)
		switch {
		case x.Op == token.ADD:
			return a + b, one || other
		case !one || !other:
		case x.Op == token.MUL:
			return a * b, true
		case x.Op == token.QUO && b != 0:
			return a / b, true
		case x.Op == token.SUB:
			return a - b, true
		}
	}
	return 0, false
}
