package query

import (
	"slices"

	"github.com/pawl-dev/pawl"
)

const (
	// MostChoices bounds the labels and the statuses of a query: each is compared with
	// each task.
	MostChoices = 100
	// MostText bounds, in bytes, what is searched for in subjects, descriptions and notes.
	MostText = 8_000
)

// A chooser is a question with queries in it.
type chooser interface{ queries() []pawl.Query }

func (q TasksQuery) queries() []pawl.Query  { return []pawl.Query{q.Query} }
func (q PagesQuery) queries() []pawl.Query  { return q.Queries }
func (q LanesQuery) queries() []pawl.Query  { return []pawl.Query{q.Tasks} }
func (q GraphQuery) queries() []pawl.Query  { return []pawl.Query{q.Tasks} }
func (q FacetsQuery) queries() []pawl.Query { return []pawl.Query{q.Tasks} }

// refuse says why a question would cost more than its size suggests, or be
// answered wrongly. It may come from anywhere.
func refuse(who Asker, q Question) error {
	if n := len(who.AsDone); n > pawl.MaxRequests {
		return pawl.Errorf(pawl.Invalid, "%d tasks as if completed are too many: name at most %d", n, pawl.MaxRequests)
	}
	if c, ok := q.(chooser); ok {
		for _, query := range c.queries() {
			if err := refuseQuery(query); err != nil {
				return err
			}
		}
	}
	return nil
}

func refuseQuery(q pawl.Query) error {
	switch {
	case len(q.Labels) > MostChoices, len(q.Status) > MostChoices:
		return pawl.Errorf(pawl.Invalid, "%d labels and %d statuses are too many to choose by: name at most %d of each", len(q.Labels), len(q.Status), MostChoices)
	case !slices.IsSorted(q.IDs), !slices.IsSorted(q.Refs):
		return pawl.Errorf(pawl.Invalid, "the ids and the refs of a query must be sorted")
	}
	return refuseText(q.Text)
}

func refuseExport(who Asker, q pawl.Query) error {
	if len(who.AsDone) > 0 {
		return pawl.Errorf(pawl.Invalid, "an export is of the board as it is, not of a what-if")
	}
	return refuseQuery(q)
}

func refuseWatch(who Asker, from From) error {
	switch {
	case len(who.AsDone) > 0:
		return pawl.Errorf(pawl.Invalid, "a watch is of the board as it is, not of a what-if")
	}
	return nil
}

func refuseText(text string) error {
	if len(text) > MostText {
		return pawl.Errorf(pawl.Invalid, "a text of %d bytes is too long to search for: at most %d", len(text), MostText)
	}
	return nil
}
