package checks

import (
	"cmp"
	"path/filepath"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/clone"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/project/consent"
	"github.com/pawl-dev/pawl/internal/project/settings"
)

// In opens the service of the clone that a project is in. Trust and memory are those of the
// clone; checks run in the caller's work tree. A work tree that only claims to be of the
// clone has its own.
func In(p *project.Project, getenv func(string) string) (*Service, error) {
	s, err := in(p, getenv)
	if err != nil {
		return nil, err
	}
	work, err := p.Work()
	if err != nil || work == s.Root {
		return s, err
	}
	at := s.At(work, inTree(s.Root, s.Folder, work))
	if clone.Of(work).Root != "" {
		at.place = consent.At(work, cmp.Or(s.Folder, s.Board))
		at.Board, err = at.place.Board, at.within(s)
	}
	return at, err
}

// within has the checks count that are trusted at home, where the board's project is: naming
// its board from another folder avoids none.
func (s *Service) within(home *Service) error {
	trusted, err := home.consents()
	if len(trusted) > 0 {
		s.home, s.Refuse = home, true
	}
	return err
}

func in(p *project.Project, getenv func(string) string) (*Service, error) {
	root, err := p.Root()
	if err != nil {
		return nil, err
	}
	board, err := p.Board()
	if err != nil {
		return nil, err
	}
	files, err := p.Files("")
	if err != nil {
		return nil, err
	}
	all := settings.Merge(files...)
	o := Options{
		Root: root, Folder: board.Dir, Getenv: getenv,
		Rules: settings.Of[[]pawl.CheckRule](all, "checks"), Refuse: settings.Of[string](all, "checks.untrusted") == "refuse",
		Users: settings.Of[[]pawl.CheckRule](all, "checks.trusted"),
		runs:  readForRuns(all),
	}
	if board.Address != (address.Address{}) {
		o.Board, o.Folder = board.Address.String(), ""
	}
	for _, f := range files {
		for _, problem := range f.Problems {
			if f.Scope == settings.Project && problem.Error && (problem.Key == "" || problem.Key == "checks") {
				o.Broken = problem.String()
			}
		}
	}
	s := Open(o)
	if o.Folder == "" {
		return s, nil
	}
	// The board can be of another project, also in this clone.
	if o.Root, err = project.Root(filepath.Dir(board.Dir)); err != nil || o.Root == root {
		return s, nil
	}
	return s, s.within(Open(o))
}
