package say

import (
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

// merged tells the change set of a merge by its tasks, not by their numbers, because a
// number may mean another task now:
//
//	merged another branch: added #12 Rotate the key, #12 Retry hooks is now #15
func merged(word string, about []pawl.Change, names naming) string {
	before, after := map[identity]pawl.ID{}, map[identity]pawl.ID{}
	for _, c := range about {
		if c.Before != nil {
			before[identityOf(c.Before)] = c.ID
		}
		if c.After != nil {
			after[identityOf(c.After)] = c.ID
		}
	}
	var added, changed, removed, moved []pawl.ID
	for _, c := range about {
		if c.After != nil {
			switch from, was := before[identityOf(c.After)]; {
			case !was:
				added = append(added, c.ID)
			case from == c.ID:
				changed = append(changed, c.ID)
			default:
				moved = append(moved, c.ID)
			}
		}
		if c.Before != nil && after[identityOf(c.Before)] == 0 {
			removed = append(removed, c.ID)
		}
	}
	var parts []string
	for _, kind := range []struct {
		word string
		ids  []pawl.ID
	}{{"added", added}, {"changed", changed}, {"removed", removed}} {
		if len(kind.ids) > 0 {
			parts = append(parts, kind.word+" "+nameAll(kind.ids, names))
		}
	}
	parts = append(parts, renumbered(moved, about, before, names)...)
	if parts == nil {
		return word + ", which changed nothing"
	}
	return word + ": " + strings.Join(parts, ", ")
}

// renumbered says which tasks have another number.
func renumbered(moved []pawl.ID, about []pawl.Change, before map[identity]pawl.ID, names naming) (parts []string) {
	for i, id := range moved {
		if names.few && i == 1 || i == mostNamed && len(moved) > mostNamed+1 {
			return append(parts, fmt.Sprintf("%d more have other numbers", len(moved)-i))
		}
		for _, c := range about {
			if c.ID == id {
				was := pawl.Task{ID: before[identityOf(c.After)], Subject: names.Subjects[id]}
				parts = append(parts, fmt.Sprintf("%s is now %v", Name(&was), id))
			}
		}
	}
	return parts
}

// identity is what a task keeps when its number changes.
type identity struct {
	first pawl.ID
	made  time.Time
}

func identityOf(t *pawl.Task) identity {
	first := t.ID
	if len(t.Was) > 0 {
		first = t.Was[0]
	}
	return identity{first, t.CreatedAt.UTC()}
}
