package setup

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
)

// Found are the setups for the user and for a project that are in the files and
// not in the record: the files came with a clone, or with a home that is kept
// elsewhere, or the project's folder was moved.
func (d *Planner) Found(root string) (found []Setup) {
	record, err := d.Record()
	if err != nil {
		return nil
	}
	for _, a := range append(Agents(), &agentsMD) {
		var all []Setup
		if a != &agentsMD {
			all = append(all, d.ForUser(a.Name))
		}
		if a.Config.NoProject == "" && root != d.Home {
			if a.Config.Private || !record.Has(d.ForHere(a.Name, root)) { // else the files are those
				all = append(all, d.ForProject(a.Name, root))
			}
			if a.Config.Private { // those of the others are the project's files
				all = append(all, d.ForHere(a.Name, root))
			}
		}
		for _, s := range all {
			if !record.Has(s) && d.most(a, s) {
				found = append(found, s)
			}
		}
	}
	return found
}

// most reports whether most of the pieces are in the files that tell what they
// are, by what they call or by our marks around them. A hook or two are
// somebody's own.
func (d *Planner) most(a *agent.Agent, s Setup) bool {
	is, of := 0, 0
	for _, f := range a.Config.Files(d.place(a, s)) {
		var text []byte
		if real, err := resolve(f.Path, s.root(f.Path)); err == nil {
			text, _, _ = read(real)
		}
		for _, p := range f.Pieces {
			if !tells(p, s.Agent) {
				continue
			}
			of++
			state, err := editorOf(p).look(text, p)
			if err == nil && (state == same || state == akin || p.Mark != "" && strings.Contains(string(text), p.Mark)) {
				is++
			}
		}
	}
	return is > 0 && 2*is >= of
}

// tells reports whether nobody but setup writes such a piece for an agent.
func tells(p Piece, name string) bool {
	switch p.Kind {
	case agent.KindLine, agent.KindSection:
		return false
	case agent.KindBlock:
		return true
	case agent.KindWhole:
		return p.Mark != ""
	}
	return strings.Contains(string(p.Value), " hook --agent "+name)
}

// brought reports whether a setup is in the files that came from elsewhere.
func (w *draft) brought(a *agent.Agent, s Setup) bool {
	if i := slices.IndexFunc(w.record.Setups, s.Same); i >= 0 {
		return w.record.Setups[i].Brought
	}
	return w.planner.most(a, s)
}
