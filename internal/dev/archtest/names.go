package archtest

import (
	"maps"
	"slices"
)

// A Ban names what some packages must not use of their imports.
type Ban struct {
	Name  string
	Why   string
	Of    []string            // the packages that it is about
	Names []string            // "pawl.Reader", "time.Now"
	Still map[string][]string // package → the names that it still uses; exact, so that it can only shrink
}

func (t *Table) checkBans(m *Module, report func(string, ...any)) {
	for _, b := range t.Bans {
		if b.Why == "" {
			report("ban %q does not say why", b.Name)
		}
		for _, dir := range m.dirs() {
			if !slices.ContainsFunc(b.Of, func(p string) bool { return matchDir(p, dir) }) {
				continue
			}
			for _, name := range b.Names {
				files, still := m.Packages[dir].ShippedNames[name], slices.Contains(b.Still[dir], name)
				if len(files) > 0 && !still {
					report("%s: %s uses %s (%s): %s", b.Name, dir, name, files[0], b.Why)
				}
				if len(files) == 0 && still {
					report("%s: %s no longer uses %s: remove it from Still", b.Name, dir, name)
				}
			}
		}
	}
}

// checkSleeps reports tests that wait for the clock. A file that imports
// testing/synctest may sleep: the clock of a bubble takes no time.
func (t *Table) checkSleeps(m *Module, report func(string, ...any)) {
	found := map[string]bool{}
	for _, dir := range m.dirs() {
		pkg := m.Packages[dir]
		files := pkg.TestNames["time.Sleep"]
		if t.isTestCode(dir) && !pkg.Main { // a command of its own may measure, or wait for a person
			files = slices.Concat(files, pkg.ShippedNames["time.Sleep"])
		}
		for _, file := range files {
			if slices.Contains(pkg.Tests["testing/synctest"], file) {
				continue
			}
			found[file] = true
			if t.Sleeps[file] == "" {
				report("clock: %s calls time.Sleep: a test that waits for the clock is slow, and fails on a busy machine; wait for what happens, or use testing/synctest", file)
			}
		}
	}
	for _, file := range slices.Sorted(maps.Keys(t.Sleeps)) {
		if !found[file] {
			report("clock: %s no longer calls time.Sleep: remove it from Sleeps", file)
		}
	}
}
