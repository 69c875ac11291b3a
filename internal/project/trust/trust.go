// Package trust remembers which boards a person lets a project name.
//
// Anybody may have written a project's settings. If they name a board in another
// folder, Pawl would read and write there for their author. So Pawl does that only
// in a clone where a person has agreed, to what they saw: this address, in this
// clone, leading to this folder. A changed address, a link that now leads
// elsewhere and a copy of the clone must be trusted again. Then it does not matter
// who may write the settings file.
package trust

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	at "github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/project/discover"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/internal/userlist"
)

// An Ask is what a project's settings ask for. All paths are absolute, and free
// of links as far as they are there.
type Ask struct {
	Project string `json:"project"` // the folder that the project's own board is in
	Address string `json:"address"` // as it stands in the settings
	Board   string `json:"board"`   // where that leads: a folder, or an address as it is written at best
}

// Read finds out where an address leads that the settings beside the tasks in
// own name.
func Read(own, address string) (Ask, discover.Place, error) {
	project := filepath.Dir(own)
	if at.Is(address) {
		return readDistant(project, address)
	}
	place, err := discover.Board(project, address)
	if err != nil {
		return Ask{}, place, err
	}
	ask := Ask{Address: address}
	if ask.Project, err = real(project); err == nil {
		ask.Board, err = real(place.Dir)
	}
	if err != nil {
		return Ask{}, place, pawl.Errorf(pawl.Invalid, "the board's address %s leads to no folder: %w", address, err)
	}
	place.Dir = ask.Board // no link that changes later is followed
	return ask, place, nil
}

// readDistant is Read of a board that a server keeps. A project may not name a database,
// with or without trust.
func readDistant(project, text string) (Ask, discover.Place, error) {
	if at.IsDatabase(text) {
		return Ask{}, discover.Place{}, pawl.Errorf(pawl.Invalid, "the settings of a project name a database, which only your own settings may do")
	}
	board, err := at.Parse(text)
	if err != nil {
		return Ask{}, discover.Place{}, err
	}
	if project, err = real(project); err != nil {
		return Ask{}, discover.Place{}, pawl.Errorf(pawl.Invalid, "the project's folder cannot be found: %w", err)
	}
	return Ask{project, text, board.String()}, discover.Place{Exists: true}, nil
}

// Own reports whether the address leads to the project's own board.
func (a Ask) Own(own string) bool {
	dir, err := real(own)
	return err == nil && dir == a.Board
}

// real is a path without links. What is not there yet is taken as it stands.
func real(path string) (string, error) {
	dir, err := filepath.EvalSymlinks(path)
	if err == nil || !errors.Is(err, fs.ErrNotExist) || path == filepath.Dir(path) {
		return dir, err
	}
	if _, err := os.Lstat(path); err == nil {
		return "", fmt.Errorf("%s is a symbolic link to a missing file", path)
	}
	parent, err := real(filepath.Dir(path))
	return filepath.Join(parent, filepath.Base(path)), err
}

// Entry is an ask that a person has said yes to.
type Entry struct {
	Ask
	At time.Time `json:"at"`
}

// A List is what one user trusts, in a file of their state folder:
//
//	{"trusted": [{"project": "/src/a", "address": "../plan", "board": "/src/plan/.tasks", "at": "…"}]}
type List struct{ userlist.List[Entry] }

// Of returns the user's list. It fails where the user has no home.
func Of(getenv func(string) string) (*List, error) {
	dir, err := userdir.State(getenv)
	if err != nil {
		return nil, err
	}
	return &List{userlist.List[Entry]{Dir: dir, Name: "trust.json", Key: "trusted", What: "the list of trusted boards", Else: "Pawl trusts nothing in it"}}, nil
}

// Has reports whether exactly this is trusted.
func (l *List) Has(ask Ask) (bool, error) {
	entries, err := l.All()
	return slices.ContainsFunc(entries, func(e Entry) bool { return e.Ask == ask }), err
}

// Add trusts an ask, instead of what that project asked for before. It reports
// whether that is new.
func (l *List) Add(ctx context.Context, ask Ask, now time.Time) (bool, error) {
	return l.Change(ctx, func(entries []Entry) []Entry {
		if slices.ContainsFunc(entries, func(e Entry) bool { return e.Ask == ask }) {
			return entries
		}
		entries = slices.DeleteFunc(entries, func(e Entry) bool { return e.Project == ask.Project })
		entries = append(entries, Entry{ask, now.UTC().Truncate(time.Second)})
		slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Project, b.Project) })
		return entries
	})
}

// Revoke takes back what a project is trusted with, and returns it.
func (l *List) Revoke(ctx context.Context, project string) ([]Entry, error) {
	if dir, err := real(project); err == nil {
		project = dir
	}
	if _, err := os.Stat(l.Dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var gone []Entry
	_, err := l.Change(ctx, func(entries []Entry) []Entry {
		gone = nil
		return slices.DeleteFunc(entries, func(e Entry) bool {
			if e.Project == project {
				gone = append(gone, e)
			}
			return e.Project == project
		})
	})
	return gone, err
}
