package cli

import (
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/project/settings"
)

// settings are the values in force for the caller. What is wrong with a file is
// told, and what is right in it counts.
func (a *app) settings() (*settings.Settings, error) {
	files, err := a.settingsFiles()
	if err != nil {
		return nil, err
	}
	s := settings.Merge(files...)
	for _, p := range s.Problems() {
		a.problem(p)
	}
	return s, nil
}

// settingsFiles reads the files that there can be, each scope's before that of
// the next.
func (a *app) settingsFiles() ([]*settings.File, error) {
	var files []*settings.File
	for _, scope := range []settings.Scope{settings.Project, settings.User, settings.Session} {
		path, err := a.settingsFile(scope)
		switch {
		case err == nil && scope == settings.Project:
			files = append(files, a.projectSettings(path))
		case err == nil:
			files = append(files, settings.Read(scope, path))
		case scope == settings.Project && pawl.KindOf(err) != pawl.NotFound:
			return nil, err
		case pawl.KindOf(err) != pawl.NotFound: // no board and no home is how it is
			a.once("%s", err)
		}
	}
	return files, nil
}

// settingsFile is where the settings of a scope are. With NotFound there can be
// none: no board, or no home.
func (a *app) settingsFile(scope settings.Scope) (string, error) {
	switch scope {
	case settings.Project:
		if _, err := a.place(); err != nil {
			return "", err
		}
		if !a.own.Exists {
			e := pawl.Errorf(pawl.NotFound, "there is no board here, and so no project's settings")
			e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "pawl init"}
			return "", e
		}
		return settings.ProjectFile(a.own.Dir), nil
	case settings.User:
		return settings.UserFile(a.env.Getenv)
	default:
		return settings.SessionFile(a.env.Getenv, a.caller().Session)
	}
}

// projectSettings reads the project's file once.
func (a *app) projectSettings(path string) *settings.File {
	if a.project == nil || a.project.Path != path {
		a.project = settings.Read(settings.Project, path)
	}
	return a.project
}

// problem tells of something in a settings file, once.
func (a *app) problem(p settings.Problem) { a.once("%s", p) }

// lease is how long a claim of the caller's holds unless the command says it.
func (a *app) lease() (time.Duration, error) {
	if a.caller().Person {
		return 0, nil
	}
	s, err := a.settings()
	if err != nil {
		return 0, err
	}
	return settings.Of[time.Duration](s, "lease"), nil
}
