package archtest

import "slices"

// A Ban lists names of imports that some packages must not use.
type Ban struct {
	Name  string
	Why   string
	Of    []string            // the packages that it is about
	Not   []string            // of these, those that it is not about
	Names []string            // "pawl.Reader", "time.Now"
	Still map[string][]string // package → the names that it still uses; exact, so that it can only shrink
}

func (t *Table) checkBans(m *Module, report func(string, ...any)) {
	for _, b := range t.Bans {
		if b.Why == "" {
			report("ban %q does not say why", b.Name)
		}
		for _, dir := range m.dirs() {
			if !matchAny(b.Of, dir) || matchAny(b.Not, dir) {
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
