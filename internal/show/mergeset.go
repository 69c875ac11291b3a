package show

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// met is the change set of a merge or a sync by its tasks, not by their numbers, because
// a number may mean another task now.
type met struct {
	added, changed, removed, moved []pawl.ID
	before                         map[identity]pawl.ID
}

func meeting(about []pawl.Change) met {
	m, after := met{before: map[identity]pawl.ID{}}, map[identity]pawl.ID{}
	for _, c := range about {
		if c.Before != nil {
			m.before[identityOf(c.Before)] = c.ID
		}
		if c.After != nil {
			after[identityOf(c.After)] = c.ID
		}
	}
	for _, c := range about {
		if c.After != nil {
			switch from, was := m.before[identityOf(c.After)]; {
			case !was:
				m.added = append(m.added, c.ID)
			case from == c.ID:
				m.changed = append(m.changed, c.ID)
			default:
				m.moved = append(m.moved, c.ID)
			}
		}
		if c.Before != nil && after[identityOf(c.Before)] == 0 {
			m.removed = append(m.removed, c.ID)
		}
	}
	return m
}

// merged tells the change set of a merge:
//
//	merged another branch: added #12 Rotate the key, #12 Retry hooks is now #15
func merged(about []pawl.Change, names naming) string {
	m := meeting(about)
	parts := m.words(names, "added", "changed", "removed")
	parts = append(parts, renumbered(m.moved, about, m.before, names)...)
	if parts == nil {
		return "merged another branch, which changed nothing"
	}
	return "merged another branch: " + strings.Join(parts, ", ")
}

func (m met) words(names naming, added, changed, removed string) (parts []string) {
	for _, kind := range []struct {
		word string
		ids  []pawl.ID
	}{{added, m.added}, {changed, m.changed}, {removed, m.removed}} {
		if len(kind.ids) > 0 {
			parts = append(parts, kind.word+" "+nameAll(kind.ids, names))
		}
	}
	return parts
}

// synced tells the change set of a sync, with those who did in other clones what it
// brought:
//
//	synced: bob on mac-mini claimed #12 Cart, bob completed #9 Linting, new #7 Rotate the key
func synced(about []pawl.Change, names naming) string {
	m := meeting(about)
	by := map[string][]pawl.ID{} // bob on mac-mini claimed
	var deeds []string
	for _, c := range about {
		deed := deedThere(&c)
		i := slices.Index(m.changed, c.ID)
		if deed == "" || i < 0 {
			continue
		}
		m.changed = slices.Delete(m.changed, i, i+1)
		if by[deed] == nil {
			deeds = append(deeds, deed)
		}
		by[deed] = append(by[deed], c.ID)
	}
	var parts []string
	for i, deed := range deeds {
		if names.few && i == 1 {
			parts = append(parts, fmt.Sprintf("%d more changed", len(deeds)-i))
			break
		}
		parts = append(parts, deed+" "+nameAll(by[deed], names))
	}
	parts = append(parts, m.words(names, "new", "changed", "removed")...)
	parts = append(parts, renumbered(m.moved, about, m.before, names)...)
	if parts == nil {
		return "synced, which changed nothing"
	}
	return "synced: " + strings.Join(parts, ", ")
}

// deedThere is who did what to a task in another clone; empty: that is not known. A
// change has the values only that are other than before.
func deedThere(c *pawl.Change) string {
	if c.Before == nil || c.After == nil {
		return ""
	}
	clone := c.After.Claim.Clone
	did := ""
	switch {
	case c.After.Status == pawl.Completed && slices.Contains(c.Fields, pawl.FieldStatus):
		did, clone = "completed", c.Before.Claim.Clone
	case c.LosesClaim():
		did = "was first to claim"
	case c.After.Claim.Live() && (slices.Contains(c.Fields, pawl.FieldStatus) || slices.Contains(c.Fields, pawl.FieldOwner)):
		did = "claimed"
	default:
		return ""
	}
	who := text.Line(text.Clip(c.After.Owner, mostNameThere))
	switch {
	case who != "":
		return on(who, clone, nil) + " " + did
	case clone != "":
		return cloneOf(clone, nil) + " " + did
	}
	return did
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
