// Package project answers which project a caller works on: its folder, its
// board and why that one, the settings in force, and whether a person trusts
// another board that the settings name.
//
//	From ─→ Open ─→ Project ─┬ Root      the folder that sessions are remembered under
//	                         ├ Own       the board whose settings hold
//	                         ├ Board     the board to use, which the settings may lead to
//	                         └ Settings  merged, with what is wrong in their files
//
// Every interface opens one Project per command, or per server, and asks it.
// Nothing is looked up before it is asked for, and nothing twice.
//
// The parts have folders of their own: discover walks the file system, consent keeps
// what a person has agreed to, settings has the table of all settings.
// Opening the board that was found is the caller's task.
package project

import (
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/clone"
	"github.com/pawl-dev/pawl/internal/project/consent"
	"github.com/pawl-dev/pawl/internal/project/discover"
)

// Name is what a board's folder is called.
const Name = discover.Name

// From is what a project is found from.
type From struct {
	Dir     string // the caller's folder; empty when it is gone
	Getenv  func(string) string
	Address string // the board that a flag names, a folder or an address; empty: none
}

// Source is why a board is the one in use.
type Source uint8

// The sources, the strongest last, but that User counts only where Folder does not
// exist.
const (
	Folder      Source = iota // the nearest one, or where the first write makes one
	User                      // the user's settings name it for projects without a board
	Settings                  // the project's settings name it, and a person trusts it
	Joined                    // the user has joined this project to it
	Environment               // PAWL_BOARD names it
	Flag                      // a flag names it
)

// Board is where a board is, or where the first write would make one: in a folder,
// or at an address.
type Board struct {
	discover.Place
	// Address is where a server or a database keeps the board; zero: it is in the folder
	// Dir. A board at an address has no folder, and exists as far as can be told
	// without asking.
	Address address.Address
	Source  Source
	// Untrusted is the other board that the project's settings name, where no
	// person trusts it. It is not used.
	Untrusted string
	// Pending is the address that a user has begun to join this project to, and has not
	// joined: the board is the project's own, and read-only. Empty: none.
	Pending string
	// Stray is the address that another clone has joined: one that was in this folder, or that
	// this one is a copy of. It is not used.
	Stray string
	// Warnings say, a sentence each, why a board that the settings name was not
	// found or not followed.
	Warnings []string
}

// A Project is what one caller works on. It is not safe for concurrent use.
type Project struct {
	from  From
	own   *Board
	board *Board
	root  string

	joined, stray *consent.Entry      // what it has joined, and what another clone has, once own is found
	files         map[string]readFile // by path
	lasts         bool
}

// Open returns the project of a caller. It looks at nothing yet.
func Open(from From) *Project { return &Project{from: from, files: map[string]readFile{}} }

// Last is for a process that runs on: from now on a settings file that has
// changed is read again.
func (p *Project) Last() { p.lasts = true }

// Again forgets where the board is, for a process that waits for one to be made.
func (p *Project) Again() { p.own, p.board = nil, nil }

// InFolder is the board in a folder, for a caller that knows it.
func InFolder(dir string) Board { return Board{Place: discover.Place{Dir: dir, Exists: true}} }

// named is the board that the caller names, as it was written; empty: none.
func (p *Project) named() (string, Source) {
	if p.from.Address != "" {
		return p.from.Address, Flag
	}
	if name := p.from.Getenv("PAWL_BOARD"); name != "" {
		return name, Environment
	}
	return "", Folder
}

// Own returns the board whose settings hold: the one that the caller names,
// else the project's own. It is in a folder: with a board at an address, the settings of the
// caller's project hold.
func (p *Project) Own() (Board, error) {
	if p.own == nil {
		name, source := p.named()
		if address.Is(name) {
			name, source = "", Folder
		}
		var joined func(dir string) bool
		if name == "" {
			var err error
			if joined, err = p.joins(); err != nil {
				if closed, is := errors.AsType[*pawl.Error](err); is && errors.Is(err, fs.ErrPermission) {
					closed.Hint.Text += ", or name the board: --board .tasks"
				}
				return Board{}, err
			}
		}
		place, err := discover.BoardOf(p.from.Dir, name, joined)
		if err != nil {
			return Board{}, err
		}
		if !place.Exists && !place.Joined {
			place.Exists = sharedAt(place.Dir) // opening it restores its files
		}
		p.own = &Board{Place: place, Source: source}
		if p.stray != nil && !place.Joined {
			p.own.Stray = p.stray.Thing
		}
	}
	return *p.own, nil
}

// Board returns the board to use: the caller's, else the one that the project's
// user has joined the project to, else the one that the project's settings name and
// a person trusts, else the project's own, else the one that the user's settings name
// for projects without a board. A trusted one that does not exist is Unavailable, with its
// place: making a new one there would start a second plan when a disk is only not mounted.
func (p *Project) Board() (Board, error) {
	if p.board == nil {
		board, err := p.find()
		if err != nil {
			return board, err
		}
		p.board = &board
	}
	return *p.board, nil
}

func (p *Project) find() (Board, error) {
	own, err := p.Own()
	if name, source := p.named(); address.Is(name) {
		return p.distant(name, source, own)
	}
	switch {
	case err != nil || own.Source != Folder:
		return own, err
	case own.Joined && p.joined.Kind == consent.Join:
		return p.distant(p.joined.Thing, Joined, own)
	case own.Joined:
		own.Joined, own.Pending = false, p.joined.Thing
		return own, nil
	}
	return p.unjoined(own)
}

// unjoined is the board of a project that nobody has joined to an address.
func (p *Project) unjoined(own Board) (Board, error) {
	if own.Exists {
		return p.follow(own)
	}
	board, err := p.users(own)
	board.Stray = own.Stray
	return board, err
}

// ForInit returns where init makes a board: in the folder that is named, else
// where the first write would.
func (p *Project) ForInit(named string) (Board, error) {
	if named == "" {
		board, err := p.Board()
		if board.Source == User {
			return p.Own() // which the user's board is for only as long as it does not exist
		}
		return board, err
	}
	place, err := discover.ForInit(p.from.Dir, named)
	return Board{Place: place, Source: Flag}, err
}

// Root returns the folder of the project, whatever board it uses: see [Root].
func (p *Project) Root() (string, error) {
	if p.root == "" {
		place, err := p.place()
		if err != nil {
			return "", err
		}
		p.root = rootOf(place)
	}
	return p.root, nil
}

// Work returns the folder of the project in the caller's work tree, without symbolic links.
// It is Root, unless linked work trees share a board. Checks run there: they are about the
// files that the caller has changed.
func (p *Project) Work() (string, error) {
	place, err := p.place()
	return clone.Real(place.Work), err
}

// place is where the project's own board is or would be, whatever the caller names.
func (p *Project) place() (discover.Place, error) {
	if own, err := p.Own(); err == nil && own.Source == Folder {
		return own.Place, nil
	}
	return discover.Board(p.from.Dir, "")
}

// Root returns the folder of the project that somebody in dir works on: the one
// that its own board is in or would be, without symbolic links. Sessions are remembered under
// it.
func Root(dir string) (string, error) {
	place, err := discover.Board(dir, "")
	if err != nil {
		return "", err
	}
	return rootOf(place), nil
}

func rootOf(place discover.Place) string { return clone.Real(filepath.Dir(place.Dir)) }

// A Commit is one that was made in a work tree.
type Commit = discover.Commit

// LastCommit returns the newest commit that was made in the work tree of dir
// after a time.
func LastCommit(dir string, after time.Time) (Commit, bool) { return discover.LastCommit(dir, after) }
