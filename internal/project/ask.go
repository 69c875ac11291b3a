package project

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/project/consent"
	"github.com/pawl-dev/pawl/internal/project/discover"
)

// An Ask is what a project's settings ask for. Anybody may have written them, and Pawl
// would read and write there for their author. So a person agrees to what they saw: this
// address, in this clone, leading to this folder. All paths are absolute, and free of
// links as far as they are there.
type Ask struct {
	Project string // the folder that the project's own board is in
	Address string // as it stands in the settings
	Board   string // where that leads: a folder, or an address in its normal form
}

// given is what a person agrees to.
func (a Ask) given() consent.Given {
	leads := fmt.Sprintf("%s leads to %s", a.Address, a.Board)
	return consent.Given{Kind: consent.Board, Thing: leads, Shown: leads}
}

// readAsk finds out where an address leads that the settings beside the tasks in
// own name.
func readAsk(own, named string) (Ask, discover.Place, error) {
	project := filepath.Dir(own)
	if address.Is(named) {
		return readDistant(project, named)
	}
	place, err := discover.Board(project, named)
	if err != nil {
		return Ask{}, place, err
	}
	ask := Ask{Address: named}
	if ask.Project, err = real(project); err == nil {
		ask.Board, err = real(place.Dir)
	}
	if err != nil {
		return Ask{}, place, pawl.Errorf(pawl.Invalid, "the board's address %s leads to no folder: %w", named, err)
	}
	place.Dir = ask.Board // no link that changes later is followed
	return ask, place, nil
}

// readDistant is readAsk for a board at an address. A project may not name a database,
// with or without trust.
func readDistant(project, text string) (Ask, discover.Place, error) {
	if address.IsDatabase(text) {
		return Ask{}, discover.Place{}, pawl.Errorf(pawl.Invalid, "the settings of a project name a database, which only your own settings may do")
	}
	board, err := address.Parse(text)
	if err != nil {
		return Ask{}, discover.Place{}, err
	}
	if project, err = real(project); err != nil {
		return Ask{}, discover.Place{}, pawl.Errorf(pawl.Invalid, "the project's folder cannot be found: %w", err)
	}
	return Ask{project, text, board.String()}, discover.Place{Exists: true}, nil
}

// own reports whether the address leads to the project's own board.
func (a Ask) own(own string) bool {
	dir, err := real(own)
	return err == nil && dir == a.Board
}

// real is a path without links. A part that does not exist yet is taken as it stands.
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
