package project

import (
	"os"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/clone"
	"github.com/pawl-dev/pawl/internal/project/settings"
)

// Settings returns the values in force in a session; an empty one has none of
// its own. Faults of a file are among their problems. They are usable even with
// an error, which says why a file was not found.
func (p *Project) Settings(session string) (*settings.Settings, error) {
	files, err := p.Files(session)
	return settings.Merge(files...), err
}

// Files reads the files that hold in a session, in the order of their scopes.
// The error says why one of them was not found. Without a board or a home there
// are fewer, and that is not an error.
func (p *Project) Files(session string) (files []*settings.File, failed error) {
	for _, scope := range []settings.Scope{settings.Project, settings.User, settings.Session} {
		if scope == settings.Session && session == "" {
			continue
		}
		path, err := p.File(scope, session)
		switch {
		case err == nil:
			file := p.read(scope, path)
			if scope == settings.Project && p.shared() {
				with := *file
				with.Shared, file = true, &with
			}
			files = append(files, file)
		case pawl.KindOf(err) != pawl.NotFound && failed == nil:
			failed = err
		}
	}
	return files, failed
}

// shared reports whether the board in use is shared with other clones.
func (p *Project) shared() bool {
	board, err := p.Board()
	return err == nil && board.Exists && sharedAt(board.Dir)
}

func sharedAt(dir string) bool { return clone.PlaceOf(dir).Shared() }

// File returns the path of a scope's settings file. With NotFound there can be
// none: no board exists, or the user has no home.
func (p *Project) File(scope settings.Scope, session string) (string, error) {
	switch scope {
	case settings.Project:
		own, err := p.Own()
		if err == nil && !own.Exists {
			e := pawl.Errorf(pawl.NotFound, "no board exists here, so the project has no settings")
			e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "pawl init"}
			err = e
		}
		return settings.ProjectFile(own.Dir), err
	case settings.User:
		return settings.UserFile(p.from.Getenv)
	default:
		return settings.SessionFile(p.from.Getenv, session)
	}
}

// A readFile is what was read, and how the file looked then.
type readFile struct {
	*settings.File
	size int64
	at   time.Time
}

// maxFiles bounds what is remembered: each session can have a file.
const maxFiles = 64

// read reads a settings file once, or in a process that runs on when it has
// changed.
func (p *Project) read(scope settings.Scope, path string) *settings.File {
	size, at := int64(-1), time.Time{} // it does not exist
	if p.lasts {
		if info, err := os.Stat(path); err == nil {
			size, at = info.Size(), info.ModTime()
		}
	}
	known, ok := p.files[path]
	if !ok || known.size != size || !known.at.Equal(at) {
		if len(p.files) >= maxFiles {
			clear(p.files)
		}
		known = readFile{settings.Read(scope, path), size, at}
		p.files[path] = known
	}
	return known.File
}
