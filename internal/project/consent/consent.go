// Package consent answers one question: did a person agree to this here? It keeps all
// that a user has agreed to, in one file of their state folder:
//
//	{"consents": [{"kind": "check", "clone": "3f2a…", "in": "/src/a", "board": ".tasks", "folder": ".",
//	  "thing": "9c41…", "shown": "go test ./...", "at": "…", "by": "ada"}]}
//
// Anybody may have written what a clone asks for: its commands, its addresses. So an agreement
// holds for one clone ([clone.ID]), and not for a repository that later stands at its path;
// for one board, because a package in node_modules has a board of its own; for the folder that
// it works on; and for exactly the thing that a person saw. The text shown, the paths of
// clones and the names are for people. A look-up writes nothing.
package consent

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/clone"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/userdir"
)

// A Kind is what a person agrees to.
type Kind string

// The kinds.
const (
	Board Kind = "board" // the project's settings lead to a board elsewhere
	Join  Kind = "join"  // the project uses a board at an address
	// Joining says that a join has failed so far: the project uses no other board, and its own
	// gets no changes.
	Joining Kind = "joining"
	Share   Kind = "share" // the board is sent to a git remote
	Check   Kind = "check" // a command runs, and shows whether a task is done
	Setup   Kind = "setup" // a command runs in each new work tree of pawl run
	Copy    Kind = "copy"  // a path is copied into each new work tree of pawl run
)

// one reports whether a board has one of the kind at most: the next replaces it.
func (k Kind) one() bool { return k == Board || k == Join || k == Joining || k == Share }

// A Place is where a consent holds.
type Place struct {
	clone clone.Clone
	in    string // the clone, for people
	from  string // the project's folder, for people
	// Board is its path in the clone, the whole path of one elsewhere, or an address; empty:
	// it is asked which board the project uses.
	Board  string
	Folder string // that it works on, in the clone
}

// At is the place of a board, a folder or an address, for somebody who works in the
// project in a folder. Outside of git a board's own folder tells projects apart that
// were at the same path, and the project's while it has none or the board is elsewhere.
func At(project, board string) Place {
	c := clone.Of(project)
	p := Place{clone: c, in: c.Folder(), from: clone.Real(project), Board: board, Folder: c.Name(project)}
	if board == "" || address.Is(board) {
		return p
	}
	p.Board = c.Name(board)
	if own := clone.Of(board); !c.Git && !own.Git && !filepath.IsAbs(p.Board) && own.ID() != "" {
		p.clone = own
	}
	return p
}

// ID is which clone the place is in; empty: nothing marks it, and nothing is agreed to.
func (p Place) ID() clone.ID { return p.clone.ID() }

// Mark is ID, and marks the clone.
func (p Place) Mark() (clone.ID, error) { return p.clone.Mark() }

// An Entry is one consent.
type Entry struct {
	Kind   Kind      `json:"kind"`
	Clone  clone.ID  `json:"clone"`
	Kin    string    `json:"kin,omitempty"` // [clone.Clone.Kin]: decides nothing
	In     string    `json:"in"`
	From   string    `json:"from,omitempty"` // the project's folder, for people: a linked work tree can be elsewhere
	Board  string    `json:"board"`
	Folder string    `json:"folder"`
	Thing  string    `json:"thing"` // compared as a whole
	Shown  string    `json:"shown"`
	At     time.Time `json:"at"`
	By     string    `json:"by"`
}

// Where is the folder of the project, for people.
func (e *Entry) Where() string { return filepath.Join(e.In, filepath.FromSlash(e.Folder)) }

// Sum names the command or path exactly; empty: it is another thing.
func (e *Entry) Sum() string {
	if e.Kind == Check || e.Kind == Setup || e.Kind == Copy {
		return e.Thing
	}
	return ""
}

func (e *Entry) is(p *Place, id clone.ID, kind Kind) bool {
	return id != "" && e.Clone == id && e.Kind == kind && e.Board == p.Board && e.Folder == p.Folder
}

// A List is what one user has agreed to.
type List struct {
	userdir.List[Entry]
	user string
}

// Of returns the user's list. It fails where the user has no home: nothing is agreed to.
func Of(getenv func(string) string) (*List, error) {
	dir, err := userdir.State(getenv)
	if err != nil {
		return nil, err
	}
	l := &List{List: userdir.List[Entry]{Dir: dir, Name: "consent.json", Key: "consents", What: "what you have agreed to", Else: "Pawl trusts nothing in it"}}
	for _, name := range []string{"USER", "LOGNAME", "USERNAME"} {
		if l.user == "" {
			l.user = getenv(name)
		}
	}
	return l, nil
}

// In returns what a person has agreed to at a place, of some kinds.
func (l *List) In(p Place, kinds ...Kind) ([]Entry, error) {
	all, err := l.of(kinds)
	if len(all) == 0 || err != nil {
		return nil, err
	}
	id := p.ID()
	return slices.DeleteFunc(all, func(e Entry) bool {
		return !slices.ContainsFunc(kinds, func(kind Kind) bool { return e.is(&p, id, kind) })
	}), nil
}

// Has reports whether a person has agreed to a thing at a place.
func (l *List) Has(p Place, kind Kind, thing string) (bool, error) {
	all, err := l.In(p, kind)
	return slices.ContainsFunc(all, func(e Entry) bool { return e.Thing == thing }), err
}

// of are all entries that can be of some kinds, of all clones.
func (l *List) of(kinds []Kind) ([]Entry, error) {
	words := make([]string, len(kinds))
	for i := range kinds {
		words[i] = string(kinds[i])
	}
	return l.With(words...)
}

// Joins returns a function that finds what the project in a folder has joined. Stray is what
// another clone has joined: one that was at the same path, or that this one is a copy of.
// A board that a project has only tried to join is found, too. Nil: there is none.
func (l *List) Joins() (func(project string) (joined, stray *Entry), error) {
	all, err := l.of([]Kind{Join, Joining})
	if len(all) == 0 || err != nil {
		return nil, err
	}
	return func(project string) (joined, stray *Entry) {
		p := At(project, "")
		id, kin := p.ID(), p.clone.Kin()
		for i := range all {
			switch e := &all[i]; {
			case e.is(&p, id, Join) || e.is(&p, id, Joining):
				return e, nil
			case e.Kind == Join && e.Folder == p.Folder && (e.In == p.in || kin != "" && e.Kin == kin):
				stray = e
			}
		}
		return nil, stray
	}, nil
}

// maxShown bounds what is kept for people of one consent, in characters.
const maxShown = 300

// A Given is what a person agrees to.
type Given struct {
	Kind         Kind
	Thing, Shown string
}

// Add notes that the user agrees to things at a place, and reports whether that is new.
// It marks the clone.
func (l *List) Add(ctx context.Context, p Place, now time.Time, things ...Given) (bool, error) {
	id, err := p.Mark()
	if err != nil {
		return false, err
	}
	kin := p.clone.Kin()
	return l.Change(ctx, func(entries []Entry) []Entry {
		for _, g := range things {
			same := func(e Entry) bool { return e.is(&p, id, g.Kind) }
			g.Shown = text.Clip(g.Shown, maxShown)
			if slices.ContainsFunc(entries, func(e Entry) bool {
				return same(e) && e.Thing == g.Thing && (e.Shown == g.Shown || g.Kind != Joining)
			}) {
				continue
			}
			if g.Kind.one() {
				entries = slices.DeleteFunc(entries, func(e Entry) bool {
					return same(e) || g.Kind == Join && e.is(&p, id, Joining)
				})
			}
			entries = append(entries, Entry{
				g.Kind, id, kin, p.in, p.from, p.Board, p.Folder, g.Thing, g.Shown, now.UTC().Truncate(time.Second), l.user,
			})
		}
		return bounded(entries)
	})
}

// maxList bounds the list, in bytes: each command of a user who has agreed to something
// reads it.
const maxList = 256 << 10

// bounded makes a list that is too long fit: it drops what clones had whose folders are
// gone, and then what is oldest.
func bounded(entries []Entry) []Entry {
	size := func(e Entry) int {
		line, _ := json.MarshalIndent(e, "    ", "  ") // texts and times cannot fail
		return len(line) + len(",\n    ")
	}
	all := 0
	for _, e := range entries {
		all += size(e)
	}
	gone := map[string]bool{}
	for _, unused := range []func(Entry) bool{
		func(e Entry) bool {
			if _, looked := gone[e.In]; !looked {
				_, err := os.Lstat(e.In)
				gone[e.In] = errors.Is(err, fs.ErrNotExist)
			}
			return gone[e.In]
		},
		func(Entry) bool { return true },
	} {
		entries = slices.DeleteFunc(entries, func(e Entry) bool {
			drop := all > maxList && unused(e)
			if drop {
				all -= size(e)
			}
			return drop
		})
	}
	return entries
}

// Forget takes back what fits, and returns it.
func (l *List) Forget(ctx context.Context, fits func(*Entry) bool) (gone []Entry, err error) {
	if all, err := l.All(); err != nil || !slices.ContainsFunc(all, func(e Entry) bool { return fits(&e) }) {
		return nil, err
	}
	_, err = l.Change(ctx, func(entries []Entry) []Entry {
		gone = nil
		return slices.DeleteFunc(entries, func(e Entry) bool {
			if fits(&e) {
				gone = append(gone, e)
				return true
			}
			return false
		})
	})
	return gone, err
}

// Of reports whether an entry is of a place's clone, or of one that was in its folder.
func (p Place) Of(e *Entry) bool {
	id := p.ID()
	return e.In == p.in || id != "" && e.Clone == id
}

// Below reports whether an entry is of a clone that is or was in a folder, or below it.
func Below(dir string, e *Entry) bool {
	dir = clone.Real(dir)
	return slices.ContainsFunc([]string{e.In, e.From}, func(path string) bool {
		rel, err := filepath.Rel(dir, path)
		return err == nil && filepath.IsLocal(rel)
	})
}

// Holds reports whether the entry's clone is still there: else it has no effect.
func (e *Entry) Holds() bool {
	at := filepath.Join(e.In, filepath.FromSlash(e.Board)) // outside of git the board's folder can decide
	return clone.Of(e.In).ID() == e.Clone || e.From != "" && clone.Of(e.From).ID() == e.Clone || !filepath.IsAbs(e.Board) && clone.Of(at).ID() == e.Clone
}

// Here takes back what a person has agreed to at a place, of some kinds, and returns it.
func (l *List) Here(ctx context.Context, p Place, kinds ...Kind) ([]Entry, error) {
	id := p.ID()
	return l.Forget(ctx, func(e *Entry) bool {
		return slices.ContainsFunc(kinds, func(kind Kind) bool { return e.is(&p, id, kind) })
	})
}
