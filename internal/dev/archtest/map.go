package archtest

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A Map is the table of packages in ARCHITECTURE.md. Its rows stand in layers, the
// lowest first.
type Map struct {
	Layers []string // the names of the layers
	Rows   []Row
}

// A Row is about one package, or about a few that are alike: "internal/agent/..." is
// those in and below a folder that have no row of their own.
type Row struct {
	Dirs  []string // as the first cell names them
	Layer int      // index into Layers
}

var (
	layerRow = regexp.MustCompile(`^\| \*\*(.+?)\*\* \|`)
	codeSpan = regexp.MustCompile("`([^`]+)`")
)

// ReadMap reads the table below the heading "## The map".
func ReadMap(text string) (*Map, error) {
	m := &Map{}
	in := false
	for i, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "## ") {
			in = line == "## The map"
		}
		if !in || !strings.HasPrefix(line, "| ") {
			continue
		}
		if layer := layerRow.FindStringSubmatch(line); layer != nil {
			m.Layers = append(m.Layers, layer[1])
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		var dirs []string
		for _, span := range codeSpan.FindAllStringSubmatch(cells[0], -1) {
			dirs = append(dirs, span[1])
		}
		if len(dirs) == 0 {
			continue // the table's head
		}
		if len(cells) != 2 || len(m.Layers) == 0 {
			return nil, fmt.Errorf("line %d: a row has a folder and what it is, and stands below a layer", i+1)
		}
		m.Rows = append(m.Rows, Row{Dirs: dirs, Layer: len(m.Layers) - 1})
	}
	if len(m.Rows) == 0 {
		return nil, fmt.Errorf("the heading The map has no table below it")
	}
	return m, nil
}

// Check returns where the map and the module differ, one sentence each: packages
// that have no row, and imports of a package in a higher layer.
func (a *Map) Check(m *Module, t *Table) []string {
	var faults []string
	report := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	layer := map[string]int{}
	packages := make([][]string, len(a.Rows))
	for i, row := range a.Rows {
		packages[i] = a.packages(row, m)
		for _, dir := range packages[i] {
			if _, twice := layer[dir]; twice {
				report("%s is in the map twice", dir)
			}
			if m.Packages[dir] == nil {
				report("%s is in the map, but is not a package", dir)
			}
			layer[dir] = row.Layer
		}
	}
	for _, dir := range m.dirs() {
		if _, ok := layer[dir]; !ok && m.Packages[dir].Sources > 0 {
			report("%s is not in the map: give it a row in ARCHITECTURE.md", dir)
		}
	}
	for i, row := range a.Rows {
		for _, imported := range m.imports(packages[i], t) {
			if at, ok := layer[imported]; ok && at > row.Layer {
				report("%s (%s) imports %s, which is in a higher layer (%s)", row.Dirs[0], a.Layers[row.Layer], imported, a.Layers[at])
			}
		}
	}
	return faults
}

// packages returns the folders of the packages that a row is about.
func (a *Map) packages(row Row, m *Module) []string {
	var dirs []string
	for _, pattern := range row.Dirs {
		if !strings.HasSuffix(pattern, "/...") {
			dirs = append(dirs, pattern)
			continue
		}
		for _, dir := range m.dirs() {
			if matchDir(pattern, dir) && !slices.ContainsFunc(a.Rows, func(r Row) bool { return slices.Contains(r.Dirs, dir) }) {
				dirs = append(dirs, dir)
			}
		}
	}
	return dirs
}

// Imports has a line for each name of a row: what its packages import, the standard library apart.
func (a *Map) Imports(m *Module, t *Table) string {
	var b strings.Builder
	for _, row := range a.Rows {
		for _, dir := range row.Dirs {
			fmt.Fprintf(&b, "%s: %s\n", dir, strings.Join(m.imports(a.packages(Row{Dirs: []string{dir}}, m), t), " "))
		}
	}
	return b.String()
}

// imports returns what the shipped files in some folders import besides one another
// and the standard library: folders of the module, then libraries as t names them.
func (m *Module) imports(dirs []string, t *Table) []string {
	own, libraries := map[string]bool{}, map[string]bool{}
	for _, dir := range dirs {
		if m.Packages[dir] == nil {
			continue
		}
		for imported := range m.Packages[dir].Shipped {
			if matchImport("std", imported) {
				continue
			}
			if !matchImport("third", imported) {
				imported = strings.TrimPrefix(imported, "./")
				own[imported] = !slices.Contains(dirs, imported)
			} else if home := t.home(imported); home != nil {
				libraries[home.Library] = true
			} else {
				libraries[imported] = true
			}
		}
	}
	maps.DeleteFunc(own, func(_ string, other bool) bool { return !other })
	return append(slices.Sorted(maps.Keys(own)), slices.Sorted(maps.Keys(libraries))...)
}
