// Package sessions shows the sessions of coding agents on a board at an address as one view.
package sessions

import (
	"cmp"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/todo"
)

// A View is the sessions of a board, each under a key that no other one has.
type View struct {
	all  []shown // the one that did something last first
	keys map[todo.Key]int
}

type shown struct {
	*remote.Session
	origin todo.Origin
}

// NewView returns a view of sessions. Those that here chooses are of this machine and
// have their own keys; the others get
//
//	0f0d7052-3a9c@ada.mac-mini   session @ name . machine
func NewView(all []*remote.Session, here func(*remote.Session) bool) *View {
	v := &View{keys: make(map[todo.Key]int, len(all))}
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b *remote.Session) int { // so that each gets the same key every time
		return cmp.Or(cmp.Compare(a.Session, b.Session), cmp.Compare(a.Agent, b.Agent), cmp.Compare(a.Home, b.Home), b.Seen.Compare(a.Seen), cmp.Compare(a.ID, b.ID))
	})
	for i, s := range all {
		if n := len(v.all); i > 0 && n > 0 && s.Session == all[i-1].Session && s.Agent == all[i-1].Agent && s.Home == all[i-1].Home {
			continue // the same one under a token that this machine had before
		}
		key := todo.Key{Session: s.Session, Agent: s.Agent}
		here := here(s)
		if !here {
			key.Session += "@" + s.Name
			if s.Machine != "" {
				key.Session += "." + s.Machine
			}
			key = key.Normal()
			if _, taken := v.keys[key]; taken {
				key.Session += "~" + s.Home[:min(4, len(s.Home))]
			}
			for _, taken := v.keys[key]; taken; _, taken = v.keys[key] {
				key.Session += "~"
			}
		}
		if _, taken := v.keys[key]; taken {
			continue
		}
		v.keys[key] = 0
		v.all = append(v.all, shown{s, todo.Origin{
			Key: key, Name: s.Name, Machine: s.Machine, Program: s.Program, Folder: s.Folder, Session: s.Session, Seen: s.Seen, Here: here,
		}})
	}
	slices.SortStableFunc(v.all, func(a, b shown) int { return b.last().Compare(a.last()) })
	for i := range v.all {
		v.keys[v.all[i].origin.Key] = i
	}
	return v
}

// last is when something of a session changed.
func (s *shown) last() time.Time {
	if s.Head != nil && s.Head.UpdatedAt.After(s.Seen) {
		return s.Head.UpdatedAt
	}
	return s.Seen
}

// Heads returns the heads of the lists of other machines.
func (v *View) Heads() []todo.Head {
	var heads []todo.Head
	for i := range v.all {
		if s := &v.all[i]; !s.origin.Here && s.Head != nil {
			heads = append(heads, s.head())
		}
	}
	return heads
}

func (s *shown) head() todo.Head {
	origin := s.origin
	return todo.Head{
		Key: origin.Key, StartedAt: s.Head.StartedAt, UpdatedAt: s.Head.UpdatedAt, FinishedAt: s.Head.FinishedAt,
		Pending: s.Head.Pending, InProgress: s.Head.InProgress, Completed: s.Head.Completed, Past: s.Head.Past,
		Title: s.Head.Title, Paused: s.Head.Paused, Origin: &origin,
	}
}

// Find returns the session of another machine that a key names.
func (v *View) Find(key todo.Key) (*remote.Session, *todo.Origin) {
	i, ok := v.keys[key.Normal()]
	if !ok || v.all[i].origin.Here {
		return nil, nil
	}
	origin := v.all[i].origin
	return v.all[i].Session, &origin
}

// Present returns the sessions that were seen after a time, of this machine too.
func (v *View) Present(after time.Time) []todo.Origin {
	var present []todo.Origin
	for i := range v.all {
		if s := &v.all[i]; !s.Ended && s.Seen.After(after) {
			present = append(present, s.origin)
		}
	}
	return present
}

// ListOf returns the list of a session as it is shown under a key.
func ListOf(l *remote.List, key todo.Key, origin *todo.Origin) todo.List {
	list := todo.List{Key: key, Origin: origin}
	if l != nil {
		list.StartedAt, list.UpdatedAt, list.FinishedAt = l.StartedAt, l.UpdatedAt, l.FinishedAt
		list.Items, list.Pause, list.Past = l.Items, l.Pause, l.Past
	}
	return list.Clone()
}

// HeadOf returns the head of a list; nil: it has nothing.
func HeadOf(l *remote.List) *remote.ListHead {
	if l == nil {
		return nil
	}
	list := ListOf(l, todo.Key{}, nil)
	if list.Blank() {
		return nil
	}
	h := list.Head()
	return &remote.ListHead{
		StartedAt: h.StartedAt, UpdatedAt: h.UpdatedAt, FinishedAt: h.FinishedAt, Pending: h.Pending, InProgress: h.InProgress,
		Completed: h.Completed, Past: h.Past, Title: h.Title, Paused: h.Paused,
	}
}
