// Package joined remembers which projects of a user use a board at an address,
// because the user said so there.
package joined

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/internal/userlist"
)

// An Entry is a project with its address.
type Entry struct {
	Project string    `json:"project"` // its folder, without links
	Address string    `json:"address"`
	At      time.Time `json:"at"`
	// Pending says that joining has failed so far: the project uses no other board, but
	// its own gets no changes.
	Pending bool `json:"pending,omitempty"`
}

// A List is what one user joined, in a file of their state folder.
type List struct{ userlist.List[Entry] }

// Of returns the user's list. It fails where the user has no home.
func Of(getenv func(string) string) (*List, error) {
	dir, err := userdir.State(getenv)
	if err != nil {
		return nil, err
	}
	return &List{userlist.List[Entry]{Dir: dir, Name: "joined.json", Key: "joined", What: "the list of joined boards", Else: "Pawl cannot tell which board is meant"}}, nil
}

// Add joins a project to an address, instead of the one that it had. A pending one leaves
// a project where it is joined.
func (l *List) Add(ctx context.Context, project string, at address.Address, now time.Time, pending bool) (changed bool, err error) {
	return l.Change(ctx, func(entries []Entry) []Entry {
		if slices.ContainsFunc(entries, func(e Entry) bool {
			return e.Project == project && (e.Address == at.String() && e.Pending == pending || pending && !e.Pending)
		}) {
			return entries
		}
		entries = slices.DeleteFunc(entries, func(e Entry) bool { return e.Project == project })
		entries = append(entries, Entry{project, at.String(), now.UTC().Truncate(time.Second), pending})
		slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Project, b.Project) })
		return entries
	})
}

// Remove takes a project out of the list.
func (l *List) Remove(ctx context.Context, project string) (changed bool, err error) {
	if entries, err := l.All(); entries == nil || err != nil {
		return false, err
	}
	return l.Change(ctx, func(entries []Entry) []Entry {
		return slices.DeleteFunc(entries, func(e Entry) bool { return e.Project == project })
	})
}

// Finder returns a test of whether a folder is that of a joined project; nil: none
// is.
func Finder(entries []Entry) func(dir string) bool {
	if len(entries) == 0 {
		return nil
	}
	return func(dir string) bool { return Find(entries, dir) != nil }
}

// Find returns the entry of a project's folder, nil: it has none.
func Find(entries []Entry, dir string) *Entry {
	match := func(dir string) int {
		return slices.IndexFunc(entries, func(e Entry) bool { return e.Project == dir })
	}
	i := match(dir)
	if i < 0 {
		if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
			i = match(real)
		}
	}
	if i < 0 {
		return nil
	}
	return &entries[i]
}
