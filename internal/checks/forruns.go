package checks

import (
	"context"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/project/consent"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/internal/show"
)

// ForRuns is what pawl run does in each new work tree before an agent begins: what the
// settings run.setup and run.copy say.
type ForRuns struct {
	Setup   pawl.Check // a command; without words: none
	Copy    []string   // paths in the project, with slashes, whose files an agent can read then
	Waiting []Wanted   // what the project asks for beside that, and a person has not trusted here
}

// forRuns is what the settings say, and who does.
type forRuns struct {
	setup  settings.Argv
	copies settings.PathList
	// ours says that the project's file asks for it, and not the user's.
	ourSetup, ourCopies bool
}

func readForRuns(all *settings.Settings) forRuns {
	setup, copies := all.Get("run.setup"), all.Get("run.copy")
	return forRuns{
		settings.Of[settings.Argv](all, "run.setup"), settings.Of[settings.PathList](all, "run.copy"),
		setup.Origin.Scope == settings.Project, copies.Origin.Scope == settings.Project,
	}
}

// Part says that what is wanted is not a check, but something that pawl run does in each new
// work tree.
type Part string

// The parts.
const (
	SetupPart Part = "setup" // a command is run
	CopyPart  Part = "copy"  // its only word is a path that is copied
)

// Sum is what trust holds for. Trust in a check, which runs with few variables, is none in
// a set-up, and a path is not a command.
func (w *Wanted) Sum() string {
	if w.Part == "" {
		return w.Check.Sum()
	}
	return string(w.Part) + "-" + w.Check.Sum()
}

// Command is what people read of it.
func (w *Wanted) Command() string {
	if w.Part == CopyPart {
		return "copy " + show.Command(&w.Check)
	}
	return show.Command(&w.Check)
}

func (w *Wanted) kind() consent.Kind {
	switch w.Part {
	case SetupPart:
		return consent.Setup
	case CopyPart:
		return consent.Copy
	}
	return consent.Check
}

// shown is what a person has seen of it, in short.
func (w *Wanted) shown() string {
	if w.Dir != "" {
		return w.Command() + " in " + w.Dir
	}
	return w.Command()
}

// setupWanted is the set-up. It has the time of a check, in which an install of packages ends.
func setupWanted(argv []string) Wanted {
	return Wanted{Check: pawl.Check{Name: "set-up of pawl run", Run: argv}, Project: true, Part: SetupPart}
}

func copyWanted(path string) Wanted {
	return Wanted{Check: pawl.Check{Name: "copy for pawl run", Run: []string{path}}, Project: true, Part: CopyPart}
}

// RunParts are all that the project asks pawl run for, trusted or not.
func (s *Service) RunParts() []Wanted {
	var all []Wanted
	if s.runs.ourSetup && len(s.runs.setup) > 0 {
		all = append(all, setupWanted(s.runs.setup))
	}
	if s.runs.ourCopies {
		for _, path := range s.runs.copies {
			all = append(all, copyWanted(path))
		}
	}
	return all
}

// TrustsRun returns what pawl run may do in each new work tree: what the user's settings
// say, and what the project's do as far as a person has trusted it here.
func (s *Service) TrustsRun() (ForRuns, error) {
	trusted, err := s.trusted()
	if err != nil {
		return ForRuns{}, err
	}
	var is ForRuns
	if !s.runs.ourSetup && len(s.runs.setup) > 0 {
		is.Setup = setupWanted(s.runs.setup).Check
	}
	if !s.runs.ourCopies {
		is.Copy = slices.Clone(s.runs.copies)
	}
	for _, w := range s.RunParts() {
		switch {
		case !trusted.has(w.Sum()):
			is.Waiting = append(is.Waiting, w)
		case w.Part == CopyPart:
			is.Copy = append(is.Copy, w.Run[0])
		default:
			is.Setup = w.Check
		}
	}
	return is, nil
}

// TrustParts lets pawl run do in this clone what the project asks it for.
func (s *Service) TrustParts(ctx context.Context, parts []Wanted) error {
	return s.agree(ctx, slices.DeleteFunc(slices.Clone(parts), func(w Wanted) bool { return w.Part == "" }))
}

func (s *Service) untrustedParts(trusted sums) []Wanted {
	return slices.DeleteFunc(s.RunParts(), func(w Wanted) bool { return trusted.has(w.Sum()) })
}
