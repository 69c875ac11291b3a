package query

import (
	"context"
	"errors"
	"time"

	"github.com/pawl-dev/pawl"
)

func headOf(r pawl.Reader) Head {
	return Head{Revision: r.Revision(), Origin: r.Origin(), LastID: r.LastID(), Epoch: r.Epoch(), Now: r.Now()}
}

// GlanceQuery asks for what an agent's hook needs at each step. It costs the same
// on a board of any size; its answer has no Now, and may lag behind edits by
// other programs as [pawl.Glance] says.
type GlanceQuery struct{ pawl.GlanceQuery }

// Glance is the answer to a [GlanceQuery].
type Glance struct {
	pawl.Glance
	Old time.Time `json:"old,omitzero"` // as in [Head]
}

// Age marks it as one that was taken earlier.
func (g *Glance) Age(taken time.Time) { g.Old = taken }

// Aged is as in [Head].
func (g *Glance) Aged() time.Time { return g.Old }

func (q GlanceQuery) read(r pawl.Reader, _ Asker) (Answer, error) {
	return nil, pawl.Errorf(pawl.Invalid, "a glance shows the board as it is, not a what-if")
}

func (q GlanceQuery) glance(ctx context.Context, b *pawl.Board) (Answer, error) {
	g, err := b.Glance(ctx, q.GlanceQuery)
	if err != nil {
		return nil, err
	}
	return &Glance{Glance: g}, nil
}

// TaskQuery asks for tasks in full, by what a person calls them: an id, or the
// name that a task has elsewhere. At most [MostNames].
type TaskQuery struct {
	Names  []string `json:"names,omitempty"`
	Around bool     `json:"around,omitempty"` // Details.Unblocks is wanted
	// History asks for so many of the newest changes of each, at most MostSets,
	// among the newest Back of the board; zero: for none, among all.
	History int           `json:"history,omitempty"`
	Back    pawl.Revision `json:"back,omitempty"`
}

// MostNames bounds how many tasks a question names.
const MostNames = 500

// Details is the answer to a [TaskQuery]: one for each name, in its order.
type Details struct {
	Head    `json:"head"`
	Tasks   []Found   `json:"tasks"`
	Waiting []pawl.ID `json:"waiting,omitempty"` // which of the tasks in their Blocks are open
	// Unblocks says of each ready task, these and those around them, how many open
	// tasks wait for it, through others too.
	Unblocks map[pawl.ID]int `json:"unblocks,omitempty"`
}

// Found is a task in full, or why it is not.
type Found struct {
	Detail   *Detail     `json:"detail,omitempty"`
	Unblocks int         `json:"unblocks,omitempty"` // how many open tasks wait for it, through others too; MostUnblocked stands for more
	Past     *Past       `json:"past,omitempty"`     // with TaskQuery.History
	Fault    *pawl.Error `json:"fault,omitempty"`
}

func (q TaskQuery) read(r pawl.Reader, who Asker) (Answer, error) {
	ids, faults, err := resolve(r, q.Names)
	if err != nil {
		return nil, err
	}
	a := &Details{Head: headOf(r), Tasks: make([]Found, len(ids))}
	var whole, around []pawl.Task
	for i, id := range ids {
		f := &a.Tasks[i]
		if f.Fault = faults[i]; f.Fault != nil {
			continue
		}
		if f.Detail, err = loadDetail(r, id); err != nil {
			if e, is := errors.AsType[*pawl.Error](err); is && e.Kind == pawl.NotFound {
				f.Fault = e
				continue
			}
			return nil, err
		}
		whole = append(whole, f.Detail.Task)
		around = append(around, f.Detail.around()...)
		if f.Unblocks, _, err = unblocks(r, &f.Detail.Task); err != nil {
			return nil, err
		}
	}
	if q.Around {
		facts, err := loadFacts(r, who.By.Name, around)
		if err != nil {
			return nil, err
		}
		a.Unblocks = facts.Unblocks
	}
	a.Waiting, err = waitingFor(r, whole)
	return a, err
}

// ResolveQuery asks which tasks are meant by what a person wrote: 12, #12, or the
// name that a task has elsewhere. At most [MostNames].
type ResolveQuery struct {
	Names []string `json:"names,omitempty"`
}

// Resolved is the answer to a [ResolveQuery]. A number is not checked: such a task
// may not exist.
type Resolved struct {
	Head   `json:"head"`
	IDs    []pawl.ID     `json:"ids"`    // one for each name; zero where Faults says why
	Faults []*pawl.Error `json:"faults"` // one for each name; nil: none
	Last   pawl.ID       `json:"last"`   // the highest id that the board ever gave
}

func (q ResolveQuery) read(r pawl.Reader, _ Asker) (Answer, error) {
	ids, faults, err := resolve(r, q.Names)
	if err != nil {
		return nil, err
	}
	return &Resolved{headOf(r), ids, faults, r.LastID()}, nil
}

func resolve(r pawl.Reader, names []string) (ids []pawl.ID, faults []*pawl.Error, err error) {
	if len(names) > MostNames {
		return nil, nil, pawl.Errorf(pawl.Invalid, "%d names at once are too many: send at most %d", len(names), MostNames)
	}
	return pawl.Resolve(r, names...)
}

// clip is as much of a name as an error repeats.
func clip(name string) string {
	if runes := []rune(name); len(runes) > 80 {
		return string(runes[:80]) + "…"
	}
	return name
}

func (q LanesQuery) read(r pawl.Reader, who Asker) (Answer, error) {
	l, err := loadLanes(r, who, q)
	if err != nil {
		return nil, err
	}
	return l, nil
}

// AgentsQuery asks who has which open tasks.
type AgentsQuery struct{}

// Agents is the answer to an [AgentsQuery], by name.
type Agents struct {
	Head   `json:"head"`
	Agents []Agent `json:"agents"`
}

func (q AgentsQuery) read(r pawl.Reader, _ Asker) (Answer, error) {
	agents, err := loadAgents(r)
	if err != nil {
		return nil, err
	}
	return &Agents{headOf(r), agents}, nil
}
