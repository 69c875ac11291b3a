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
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/project/discover"
	"github.com/pawl-dev/pawl/internal/rewrite"
	"github.com/pawl-dev/pawl/internal/userdir"
)

// An Ask is what a project's settings ask for. All paths are absolute, and free
// of links as far as they are there.
type Ask struct {
	Project string // the folder that the project's own board is in
	Address string // as it stands in the settings
	Board   string // where that leads
}

// Read finds out where an address leads that the settings beside the tasks in
// own name.
func Read(own, address string) (Ask, discover.Place, error) {
	project := filepath.Dir(own)
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
	At time.Time
}

// A List is what one user trusts, in a file of their state folder:
//
//	{"trusted": [{"project": "/src/a", "address": "../plan", "board": "/src/plan/.tasks", "at": "…"}]}
type List struct{ file rewrite.File }

// maxList is more than anybody has clones.
const maxList = 1 << 20

// Of returns the user's list. It fails where the user has no home.
func Of(getenv func(string) string) (*List, error) {
	dir, err := userdir.State(getenv)
	if err != nil {
		return nil, err
	}
	return &List{rewrite.File{Dir: dir, Name: "trust.json", Lock: ".lock", Temp: ".trust.json.new", Mode: 0o600, Limit: maxList}}, nil
}

// Path is where the list is kept.
func (l *List) Path() string { return l.file.Path() }

// Has reports whether exactly this is trusted.
func (l *List) Has(ask Ask) (bool, error) {
	entries, err := l.All()
	return slices.ContainsFunc(entries, func(e Entry) bool { return e.Ask == ask }), err
}

// All returns everything that is trusted, by project.
func (l *List) All() ([]Entry, error) {
	file, err := os.Open(l.Path())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, l.unreadable(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, l.unreadable(err)
	}
	if err := l.believe(info); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(file, maxList+1))
	if err != nil {
		return nil, l.unreadable(err)
	}
	return l.decode(text)
}

// believe refuses a list that others could have written.
func (l *List) believe(info fs.FileInfo) error {
	if userdir.Private(info) {
		return nil
	}
	e := pawl.Errorf(pawl.Invalid, "other users can write %s, so Pawl trusts nothing in it", l.Path())
	e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "check it, then run chmod 600 on it"}
	return e
}

func (l *List) unreadable(err error) error {
	return pawl.Errorf(pawl.Unavailable, "cannot read the list of trusted boards: %w", err)
}

// Add trusts an ask, instead of what that project asked for before. It reports
// whether that is new.
func (l *List) Add(ctx context.Context, ask Ask, now time.Time) (bool, error) {
	if err := userdir.Make(l.file.Dir); err != nil {
		return false, err
	}
	return l.change(ctx, func(entries []Entry) []Entry {
		if slices.ContainsFunc(entries, func(e Entry) bool { return e.Ask == ask }) {
			return entries
		}
		entries = slices.DeleteFunc(entries, func(e Entry) bool { return e.Project == ask.Project })
		return append(entries, Entry{ask, now.UTC().Truncate(time.Second)})
	})
}

// Revoke takes back what a project is trusted with, and returns it.
func (l *List) Revoke(ctx context.Context, project string) ([]Entry, error) {
	if dir, err := real(project); err == nil {
		project = dir
	}
	if _, err := os.Stat(l.file.Dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var gone []Entry
	_, err := l.change(ctx, func(entries []Entry) []Entry {
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

func (l *List) change(ctx context.Context, fn func([]Entry) []Entry) (bool, error) {
	if info, err := os.Stat(l.Path()); err == nil {
		if err := l.believe(info); err != nil {
			return false, err
		}
	}
	return l.file.Change(ctx, func(old []byte) ([]byte, error) {
		entries, err := l.decode(old)
		if err != nil {
			return nil, err
		}
		before := len(entries)
		if entries = fn(entries); old == nil && len(entries) == before {
			return nil, nil
		}
		slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Project, b.Project) })
		return encode(entries)
	})
}

// entryJSON is an entry in the file.
type entryJSON struct {
	Project string    `json:"project"`
	Address string    `json:"address"`
	Board   string    `json:"board"`
	At      time.Time `json:"at"`
}

type listJSON struct {
	Trusted []entryJSON `json:"trusted"`
}

func encode(entries []Entry) ([]byte, error) {
	list := listJSON{Trusted: []entryJSON{}}
	for _, e := range entries {
		list.Trusted = append(list.Trusted, entryJSON{e.Project, e.Address, e.Board, e.At})
	}
	text, err := json.MarshalIndent(list, "", "  ")
	return append(text, '\n'), err
}

func (l *List) decode(text []byte) ([]Entry, error) {
	if text == nil {
		return nil, nil
	}
	var list listJSON
	if err := json.Unmarshal(text, &list); err != nil {
		e := pawl.Errorf(pawl.Internal, "%s cannot be read, so nothing is trusted: %w", l.Path(), err)
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "repair it in an editor, or move it away and run pawl trust again"}
		return nil, e
	}
	var entries []Entry
	for _, e := range list.Trusted {
		entries = append(entries, Entry{Ask{e.Project, e.Address, e.Board}, e.At})
	}
	return entries, nil
}
