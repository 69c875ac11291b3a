package replay

import (
	"fmt"
	"iter"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

// reel is history wound back, from now to where the film begins.
type reel struct {
	board board  // as it was at the beginning
	takes []take // newest first
	from  pawl.Revision
	cut   string
	told  undos
}

// take is a step, and what it did to the tasks.
type take struct {
	step    Step
	changes []change
}

// wind takes back one change set after the other, newest first, from a board at
// rev: at most limit of them that are steps.
func (r *reel) wind(rev pawl.Revision, sets iter.Seq2[pawl.ChangeSet, error], limit int) error {
	r.from = rev
	total := 0
	for set, err := range sets {
		switch {
		case pawl.KindOf(err) == pawl.Gone:
			r.cut = "what happened before is not kept any more"
			return nil
		case err != nil:
			return err
		case set.Revision > rev: // committed since
			continue
		case set.Bulk:
			r.from = set.Revision
			r.cut = fmt.Sprintf("%s were changed at once outside Pawl, and what became of each was not kept",
				text.Count(len(set.Changes), "task", "tasks"))
			return nil
		case query.Renewal(&set):
			r.from = set.Revision - 1
			continue
		}
		total += len(set.Changes)
		if len(r.takes) == limit || len(r.takes) > 0 && total > MaxChanges {
			r.from = set.Revision
			r.cut = fmt.Sprintf("older changes than the newest %d are left out", len(r.takes))
			return nil
		}
		r.takes = append(r.takes, r.back(&set))
		r.from = set.Revision - 1
	}
	return nil
}

// back takes one set back.
func (r *reel) back(set *pawl.ChangeSet) take {
	t := take{
		step: Step{
			Revision: set.Revision, At: wire.Time(set.At), By: set.By.Name, Verb: set.Verb,
			Line: r.told.line(set, r.names(set)), Changes: []Standing{},
		},
		changes: make([]change, len(set.Changes)),
	}
	for i := range set.Changes {
		t.changes[i] = changeOf(&set.Changes[i])
		r.board.undo(t.changes[i])
	}
	return t
}

// names are what the tasks of a set were called once it was committed.
func (r *reel) names(set *pawl.ChangeSet) query.Subjects {
	names := query.Subjects{}
	learn := func(id pawl.ID) {
		if f := r.board.tasks[id]; f != nil {
			names[id] = f.subject
		}
	}
	for i := range set.Changes {
		learn(set.Changes[i].ID)
	}
	for _, id := range set.Ready {
		learn(id)
	}
	return names
}
