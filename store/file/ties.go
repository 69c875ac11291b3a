package file

import (
	"slices"

	"github.com/pawl-dev/pawl"
)

// journalTies are how a copied task stands among the others, as the other board had it. Its
// files alone do not tell: which task was removed by hand, or which edge a person ended in
// one file of two, is in the index only. Nor may it depend on the order in which the tasks
// come, or take a look at all of them for each part.
type journalTies struct {
	ID        pawl.ID       `json:"id"`
	BlockedBy []pawl.ID     `json:"blockedBy,omitempty"`
	Blocks    []pawl.ID     `json:"blocks,omitempty"`
	Blockers  []pawl.ID     `json:"blockers,omitempty"`
	Children  []pawl.ID     `json:"children,omitempty"`
	Open      int           `json:"open,omitempty"` // of the children
	Urgency   pawl.Priority `json:"urgency,omitzero"`
	Height    int           `json:"height,omitempty"`
}

// tiesOf are those of a task of any store. Some do not count a missing task among the
// blockers.
func tiesOf(t *pawl.Task) journalTies {
	blockers := inOrder(t.Blockers)
	for _, id := range t.BlockedBy {
		blockers = with(blockers, id)
	}
	return journalTies{t.ID, t.BlockedBy, t.Blocks, blockers, inOrder(t.Children), t.OpenChildren, t.Urgency, t.Height}
}

// of reports whether e stands so already.
func (ties *journalTies) of(e *entry) bool {
	return slices.Equal(ties.BlockedBy, e.blockedBy) && slices.Equal(ties.Blocks, e.blocks) && slices.Equal(ties.Blockers, e.blockers) &&
		slices.Equal(ties.Children, e.children) && ties.Open == e.open && ties.Urgency == e.urgency && ties.Height == e.height
}

func (ties *journalTies) restore(e *entry) {
	e.blockedBy, e.blocks, e.blockers = ties.BlockedBy, ties.Blocks, ties.Blockers
	e.children, e.open, e.urgency, e.height = ties.Children, ties.Open, ties.Urgency, ties.Height
}
