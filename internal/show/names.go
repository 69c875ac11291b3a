package show

import (
	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// taskName is how a sentence calls a task of which little more is known than its id.
func taskName(s query.Subjects, id pawl.ID) string { return Name(&pawl.Task{ID: id, Subject: s[id]}) }
