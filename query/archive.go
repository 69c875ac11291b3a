package query

import (
	"time"

	"github.com/pawl-dev/pawl"
)

// Archiving. A task is archived when it was completed longer ago than [Asker.Archive],
// by what its file says. Nothing is written for that: the file stays where it is, since
// programs that count ids on their own look for the highest one there, and a task
// that is reopened is back at once. Lists, lanes and counts leave archived tasks out.
// Queries that name a task, search for a text, ask for unproven tasks, walk the graph
// or read history return them.

// unarchived narrows q to what lists show, and reports whether that leaves anything
// out.
func (who Asker) unarchived(r pawl.Reader, q *pawl.Query) bool {
	if who.Archive <= 0 || len(q.IDs) > 0 || len(q.Refs) > 0 || q.Text != "" || q.Damaged || q.Unshown {
		return false
	}
	q.DoneSince = r.Now().Add(-who.Archive)
	return true
}

// archived narrows q to what lists leave out.
func (who Asker) archived(r pawl.Reader, q *pawl.Query) {
	q.DoneBefore = r.Now().Add(-who.Archive)
	if who.Archive <= 0 {
		q.DoneBefore = time.Unix(0, 1) // nothing is archived
	}
}

// isArchived reports whether lists leave the task out.
func (who Asker) isArchived(r pawl.Reader, t *pawl.Task) bool {
	done := t.DoneAt()
	return who.Archive > 0 && !done.IsZero() && done.Before(r.Now().Add(-who.Archive))
}

// counted returns how many completed tasks a query chooses, those that are archived
// apart.
func (who Asker) counted(r pawl.Reader, q pawl.Query) (shown, archived int, err error) {
	q.Order, q.After, q.Limit, q.Brief = pawl.ByID, nil, 1, true
	all, err := r.Select(q)
	if err != nil || !who.unarchived(r, &q) || all.Total == 0 {
		return all.Total, 0, err
	}
	recent, err := r.Select(q)
	return recent.Total, all.Total - recent.Total, err
}
