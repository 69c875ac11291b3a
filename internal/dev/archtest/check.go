// Package archtest tests which packages import which. [Table.Check] compares the
// rules in rules.go, each with its reason, and [Map.Check] the table in
// ARCHITECTURE.md with the source of all platforms at once.
//
// It reads imports and the names that are used of them, and no types. It does not
// see that a package reads the clock or the environment.
package archtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Rule says what some packages may import.
//
// Packages are named by folder: "store/file", "." for the root,
// "internal/ui/..." for a folder and all below it, "..." for all. Imports are
// named the same way with "./" before the module's own ("./store/..."); "std"
// is the whole standard library and "third" everything from other modules.
type Rule struct {
	Name   string
	Why    string
	Of     []string // the packages that it is about
	Except []string // but not these
	Deep   bool     // also what these packages pull in from the module
	Allow  []string // when set, nothing else may be imported
	Deny   []string // must not be imported
	Apart  string   // packages below this folder must not import one another
}

// A Home names the one package that may import a library.
type Home struct {
	Library string // and all packages below it
	Package string // Anywhere, or the only folder that may; AnyOne: whichever comes first
}

// Special values of [Home.Package], for libraries without one named home.
const (
	Anywhere  = "*"     // small and everywhere at home
	AnyOne    = "one"   // one package, whichever it is
	TestsOnly = "tests" // no shipped code
)

// A Table is all rules for a module.
type Table struct {
	Later    []string // packages of a later part, which rules may name already
	MinFiles int      // fewer files than this: the source was not found
	Rules    []Rule
	Homes    []Home
	TestCode []string // packages that serve tests and developers; nothing shipped may import them
	Bans     []Ban
	Waits    map[string]string // "file: function" of tests that depend on the clock, and why they must
}

// Check returns each break of the table in m, one sentence each, in order.
func (t *Table) Check(m *Module) []string {
	var faults []string
	report := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if m.Files < t.MinFiles {
		report("only %d files were found, at least %d expected: is this the whole source?", m.Files, t.MinFiles)
	}
	t.checkTable(m, report)
	for _, rule := range t.Rules {
		rule.check(m, report)
	}
	t.checkHomes(m, report)
	t.checkTestCode(m, report)
	t.checkBans(m, report)
	t.checkWaits(m, report)
	return faults
}

// checkTable looks at the table itself: rules that name no package guard nothing.
func (t *Table) checkTable(m *Module, report func(string, ...any)) {
	for _, dir := range t.Later {
		if m.Packages[dir] != nil {
			report("package %s has come: remove it from Later", dir)
		}
	}
	for _, r := range t.Rules {
		if r.Why == "" {
			report("rule %q does not say why", r.Name)
		}
	}
	known := slices.Concat(m.dirs(), t.Later)
	for _, pattern := range t.named() {
		if !slices.ContainsFunc(known, func(dir string) bool { return matchDir(pattern, dir) }) {
			report("the rules name %s, which is not a package", pattern)
		}
	}
}

// named returns the folders, and patterns of folders, that the rules are about or deny.
func (t *Table) named() []string {
	named := slices.Clone(t.TestCode)
	for _, r := range t.Rules {
		named = slices.Concat(named, r.Of, r.Except)
		for _, denied := range r.Deny {
			if own, ok := strings.CutPrefix(denied, "./"); ok {
				named = append(named, own)
			}
		}
	}
	for _, b := range t.Bans {
		named = append(slices.Concat(named, b.Of, b.Not), slices.Collect(maps.Keys(b.Still))...)
	}
	for _, h := range t.Homes {
		if h.Package != Anywhere && h.Package != AnyOne && h.Package != TestsOnly {
			named = append(named, h.Package)
		}
	}
	return named
}

func (r *Rule) check(m *Module, report func(string, ...any)) {
	about := func(dir string) bool {
		return matchAny(r.Of, dir) && !matchAny(r.Except, dir)
	}
	for _, dir := range m.dirs() {
		if !about(dir) {
			continue
		}
		chains := map[string][]string{dir: {dir}}
		if r.Deep {
			chains = m.reach(dir)
		}
		for _, at := range slices.Sorted(maps.Keys(chains)) {
			pkg := m.Packages[at]
			if pkg == nil {
				continue // a folder without Go files, which the compiler reports
			}
			if at != dir && about(at) {
				continue // has its own turn
			}
			for _, imported := range slices.Sorted(maps.Keys(pkg.Shipped)) {
				if r.permits(dir, imported) {
					continue
				}
				report("%s: %s imports %s (%s): %s", r.Name, strings.Join(chains[at], " → "), imported,
					pkg.Shipped[imported][0], r.Why)
			}
		}
	}
}

func (r *Rule) permits(dir, imported string) bool {
	matches := func(p string) bool { return matchImport(p, imported) }
	if slices.ContainsFunc(r.Deny, matches) {
		return false
	}
	if r.Allow != nil && !slices.ContainsFunc(r.Allow, matches) {
		return false
	}
	if r.Apart != "" {
		other, below := strings.CutPrefix(imported, "./"+r.Apart+"/")
		own := strings.TrimPrefix(dir, r.Apart+"/")
		return !below || first(other) == first(own)
	}
	return true
}

// checkHomes holds each library to its home, and asks for one for a library
// that has none.
func (t *Table) checkHomes(m *Module, report func(string, ...any)) {
	users := map[string][]string{} // home's library → packages
	for _, dir := range m.dirs() {
		pkg := m.Packages[dir]
		for _, imported := range slices.Sorted(maps.Keys(pkg.Shipped)) {
			if !matchImport("third", imported) || imported == "C" {
				continue
			}
			home := t.home(imported)
			file := pkg.Shipped[imported][0]
			switch {
			case home == nil:
				report("library: %s imports %s (%s), which has no home: give it one in the table, or do without", dir, imported, file)
				continue
			case home.Package == TestsOnly && !t.isTestCode(dir):
				report("library: %s imports %s (%s), which is for tests", dir, imported, file)
			case home.Package != Anywhere && home.Package != AnyOne && home.Package != TestsOnly && home.Package != dir:
				report("library: %s imports %s (%s), which is at home in %s only", dir, imported, file, home.Package)
			}
			if !slices.Contains(users[home.Library], dir) {
				users[home.Library] = append(users[home.Library], dir)
			}
		}
	}
	for _, h := range t.Homes {
		if dirs := users[h.Library]; h.Package == AnyOne && len(dirs) > 1 {
			report("library: %s is imported from %s: one package is its home", h.Library, strings.Join(dirs, " and "))
		}
	}
}

func (t *Table) home(imported string) *Home {
	for i, h := range t.Homes {
		if imported == h.Library || strings.HasPrefix(imported, h.Library+"/") {
			return &t.Homes[i]
		}
	}
	return nil
}

// checkTestCode keeps testing, and the packages that serve tests, out of what
// is shipped.
func (t *Table) checkTestCode(m *Module, report func(string, ...any)) {
	for _, dir := range m.dirs() {
		if t.isTestCode(dir) {
			continue
		}
		pkg := m.Packages[dir]
		for _, imported := range slices.Sorted(maps.Keys(pkg.Shipped)) {
			own, _ := strings.CutPrefix(imported, "./")
			if matchImport("testing/...", imported) || t.isTestCode(own) {
				report("test code: %s imports %s (%s): what is shipped carries no test machinery and none of its flags",
					dir, imported, pkg.Shipped[imported][0])
			}
		}
	}
}

func (t *Table) isTestCode(dir string) bool { return matchAny(t.TestCode, dir) }

func matchAny(patterns []string, dir string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matchDir(p, dir) })
}

func matchDir(pattern, dir string) bool {
	if pattern == "..." {
		return true
	}
	if below, ok := strings.CutSuffix(pattern, "/..."); ok {
		return strings.HasPrefix(dir, below+"/") || dir == below
	}
	return pattern == dir
}

func matchImport(pattern, imported string) bool {
	own := imported == "." || strings.HasPrefix(imported, "./")
	// Only paths that begin with a domain come from outside the standard library.
	third := !own && strings.Contains(first(imported), ".") || imported == "C"
	switch pattern {
	case "std":
		return !own && !third
	case "third":
		return third
	}
	return matchDir(pattern, imported)
}

func first(path string) string {
	head, _, _ := strings.Cut(path, "/")
	return head
}
