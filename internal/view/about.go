package view

import "github.com/pawl-dev/pawl"

// About returns the tasks that a request was about, without those that only
// changed along with them.
func About(set *pawl.ChangeSet) []pawl.ID {
	var ids []pawl.ID
	for _, c := range subjectOf(set) {
		ids = append(ids, c.ID)
	}
	return ids
}
