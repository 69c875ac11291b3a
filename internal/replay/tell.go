package replay

import (
	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
)

// undos remembers what it takes to tell an undo: what it took back, which comes
// later where history is wound back.
type undos struct {
	wanted map[pawl.Revision]bool // was taken back
	kept   map[pawl.Revision]told // undos, and what they took back
}

// told is a change set, and what its tasks were called.
type told struct {
	set   *pawl.ChangeSet
	names query.Subjects
}

// line tells a set; nothing yet of an undo.
func (u *undos) line(set *pawl.ChangeSet, names query.Subjects) string {
	if set.Undoes != 0 {
		u.wanted[set.Undoes] = true
	}
	if set.Undoes != 0 || u.wanted[set.Revision] {
		kept := *set
		u.kept[set.Revision] = told{&kept, names}
	}
	if set.Undoes != 0 {
		return ""
	}
	return telling(names, nil).Line(set)
}

// tell tells the undos among takes, which are newest first, from the oldest on:
// what one took back is known then, however long a chain of undos is.
func (u *undos) tell(takes []take) {
	took := map[pawl.Revision]*query.Undid{}
	for i := len(takes) - 1; i >= 0; i-- {
		step := &takes[i].step
		undo, kept := u.kept[step.Revision]
		if !kept || undo.set.Undoes == 0 {
			continue
		}
		of, known := u.kept[undo.set.Undoes]
		switch {
		case !known: // it is older than the film
		case of.set.Undoes == 0:
			took[step.Revision] = &query.Undid{Set: of.set}
		case took[of.set.Revision] != nil:
			before := took[of.set.Revision]
			took[step.Revision] = &query.Undid{Set: before.Set, Again: !before.Again}
		}
		step.Line = telling(undo.names, took[step.Revision]).Line(undo.set)
	}
}

func telling(names query.Subjects, undid *query.Undid) show.Telling {
	return show.Telling{Names: names, Most: mostNamed, Words: true, Undid: undid}
}
