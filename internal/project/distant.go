package project

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/project/consent"
	"github.com/pawl-dev/pawl/internal/project/discover"
	"github.com/pawl-dev/pawl/internal/project/settings"
)

// At is a board at an address.
func At(at address.Address, source Source) Board {
	return Board{Place: discover.Place{Exists: true}, Address: at, Source: source}
}

// Distant reports whether the board is at an address, on a server or in a database.
func (b *Board) Distant() bool { return b.Address != address.Address{} }

// Served reports whether the board is on a server of Pawl's, which asks for a token.
func (b *Board) Served() bool { return b.Distant() && !b.Address.InDatabase() }

// InDatabase reports whether the board is in a database, which only pawl-server opens.
func (b *Board) InDatabase() bool { return b.Address.InDatabase() }

// Where is the folder of the board, or its address.
func (b *Board) Where() string {
	if b.Distant() {
		return b.Address.String()
	}
	return b.Dir
}

// NeedsServer refuses a board in a database where its server is needed.
func NeedsServer(at address.Address) error {
	return pawl.Errorf(pawl.Invalid, "only pawl-server opens a database, and this board is in one: %s", at).
		Say("serve it with pawl-server --store ADDRESS, and use its address: pawl join https://HOST/boards/NAME")
}

// at reads the address of a board. Only who runs the command may name a database, or
// the user's own settings: nothing that comes with a project.
func at(text string, source Source) (Board, error) {
	read := address.Parse
	switch source {
	case Environment:
		read = address.FromEnvironment
	case Settings, Joined:
		if address.IsDatabase(text) {
			return Board{Source: source}, noDatabase()
		}
	}
	found, err := read(text)
	if err != nil {
		return Board{Source: source}, err
	}
	return At(found, source), nil
}

// noDatabase refuses the address of a database where it may be of others.
func noDatabase() error {
	return pawl.Errorf(pawl.Invalid, "a project does not name a database: its board is in a folder, or on a server at https://…").
		Say("say it with --board or PAWL_BOARD, or in your own settings: pawl config set board ADDRESS --user")
}

// distant is at, with what is wrong in the settings that hold beside the project's own
// board.
func (p *Project) distant(text string, source Source, own Board) (Board, error) {
	board, err := at(text, source)
	if err == nil && own.Exists {
		board.Warnings = p.wrong(own)
	}
	return board, err
}

// joins returns a function that reports whether the project in a folder has joined a board,
// and notes which; nil: none of the user's has, which costs one look.
func (p *Project) joins() (func(dir string) bool, error) {
	list, err := consent.Of(p.from.Getenv)
	if pawl.KindOf(err) == pawl.NotFound { // without a home nothing is joined
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	find, err := list.Joins()
	if find == nil {
		return nil, err
	}
	return func(dir string) bool {
		joined, stray := find(dir)
		if p.joined = joined; stray != nil {
			p.stray = stray
		}
		return joined != nil
	}, nil
}

// users is the board that the user's settings name for projects without one; no
// source: none.
func (p *Project) users(own Board) (Board, error) {
	path, err := settings.UserFile(p.from.Getenv)
	if err != nil {
		return own, nil
	}
	file := p.read(settings.User, path)
	value, said := file.Get("board")
	if !said {
		for _, problem := range file.Problems {
			if problem.Error && (problem.Key == "board" || problem.Key == "") { // else it would be used
				own.Warnings = append(own.Warnings, problem.String())
			}
		}
		return own, nil
	}
	if name := value.String(); address.Is(name) {
		return at(name, User)
	}
	place, err := discover.Board(filepath.Dir(path), value.String())
	if err == nil && !place.Exists {
		err = pawl.Errorf(pawl.Unavailable, "the board that your settings name, %s, does not exist", place.Dir)
	}
	return Board{Place: place, Source: User}, err
}

// Join makes this project use the board of a server from now on.
func (p *Project) Join(ctx context.Context, at address.Address, now time.Time) (changed bool, err error) {
	return p.join(ctx, at, now, "")
}

// Tried remembers that joining has failed: see [Board.Pending]. Shown are the arguments of the
// join, for the hint that finishes it.
func (p *Project) Tried(ctx context.Context, at address.Address, shown string, now time.Time) error {
	_, err := p.join(ctx, at, now, shown)
	return err
}

func (p *Project) join(ctx context.Context, at address.Address, now time.Time, tried string) (changed bool, err error) {
	if at.InDatabase() {
		return false, NeedsServer(at)
	}
	root, err := p.Root()
	if err != nil {
		return false, err
	}
	list, err := consent.Of(p.from.Getenv)
	if err != nil {
		return false, err
	}
	p.Again()
	given := consent.Given{Kind: consent.Join, Thing: at.String(), Shown: at.String()}
	if tried != "" {
		given.Kind, given.Shown = consent.Joining, tried
		if is, err := list.In(consent.At(root, ""), consent.Join); err != nil || len(is) > 0 {
			return false, err // it stays where it is joined
		}
	}
	return list.Add(ctx, consent.At(root, ""), now, given)
}

// Unjoined refuses changes to the board in a folder whose project somebody has begun to join
// to an address, and has not joined; nil: nobody has.
func Unjoined(getenv func(string) string, dir string) error {
	p := Open(From{Getenv: getenv})
	find, err := p.joins()
	if find == nil || !find(filepath.Dir(dir)) || p.joined.Kind != consent.Joining {
		return err
	}
	return pawl.Errorf(pawl.Conflict, "the project's own board is read-only until %s is joined", p.joined.Thing).
		Say("ask a person to finish it with pawl join " + p.joined.Shown + ", or to give it up with pawl join --leave")
}

// Told reports whether the caller names the board, by a flag or PAWL_BOARD.
func (p *Project) Told() bool {
	name, _ := p.named()
	return name != ""
}

// Uses returns the user's other uses of the board at an address: folders of projects that
// exist, and the file of the user's settings.
func Uses(getenv func(string) string, at address.Address) ([]string, error) {
	var all []string
	list, err := consent.Of(getenv)
	if err != nil {
		return nil, err
	}
	entries, err := list.All()
	if err != nil {
		return nil, err
	}
	for i := range entries {
		e := &entries[i]
		uses := e.Kind == consent.Join && e.Thing == at.String() || e.Kind == consent.Board && strings.HasSuffix(e.Thing, " leads to "+at.String())
		if _, err := os.Stat(e.Where()); err == nil && uses && !slices.Contains(all, e.Where()) {
			all = append(all, e.Where())
		}
	}
	if path, err := settings.UserFile(getenv); err == nil {
		if value, said := settings.Read(settings.User, path).Get("board"); said {
			if other, err := address.Parse(value.String()); err == nil && other == at {
				all = append(all, path)
			}
		}
	}
	return all, nil
}
