package pawl

import "context"

// A GlanceQuery says what of a board is to be looked at.
type GlanceQuery struct {
	Session string // what this session holds
	IDs     []ID   // these tasks, whoever holds them
	Ready   int    // how many of the next ones, at most MaxGlance
	For     string // with Ready: also what is assigned to this name
}

// MaxGlance bounds each list of a [Glance].
const MaxGlance = 20

// A Glance is what little of a board is wanted at each step of an agent. It
// costs the same on a board of any size. What other programs did to the files
// since Pawl last looked may be missing, but not in Held and Tasks.
type Glance struct {
	Revision Revision
	Held     []Task // in progress and claimed by the session, by id
	Tasks    []Task // those that were asked for by id and are there, by id
	Ready    []Task // the next ones, best first, as Task.Brief has them
	Free     int    // how many are ready in all
}

// A Glancer is a store that can answer faster than by a view of the board.
type Glancer interface {
	Glance(ctx context.Context, q GlanceQuery) (Glance, error)
}

// Glance looks at a board in passing.
func (b *Board) Glance(ctx context.Context, q GlanceQuery) (Glance, error) {
	if g, ok := b.store.(Glancer); ok {
		return g.Glance(ctx, q)
	}
	var out Glance
	err := b.View(ctx, func(r Reader) error {
		out = Glance{Revision: r.Revision()}
		return nil
	})
	return out, err
}
