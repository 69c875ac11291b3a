package cli

import (
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/project/settings"
)

// settings are the values in force for the caller. Faults of a file are
// reported, and the rest of it counts.
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

// settingsFiles reads the files that hold for the caller. A user's folder that
// cannot be found is told, and keeps nobody from working.
func (a *app) settingsFiles() ([]*settings.File, error) {
	if _, err := a.project().Own(); err != nil && pawl.KindOf(err) != pawl.NotFound {
		return nil, err
	}
	files, err := a.project().Files(a.caller().Session)
	if err != nil {
		a.once("%s", err)
	}
	return files, nil
}

// settingsFile is where the settings of a scope are. With NotFound there can be
// none: no board, or no home.
func (a *app) settingsFile(scope settings.Scope) (string, error) {
	session := ""
	if scope == settings.Session {
		session = a.caller().Session
	}
	return a.project().File(scope, session)
}

// problem tells of something in a settings file, once.
func (a *app) problem(p settings.Problem) { a.once("%s", p) }

// archiveAfter is for how long lists show completed tasks; zero: for ever.
func (a *app) archiveAfter() (time.Duration, error) {
	s, err := a.settings()
	if err != nil {
		return 0, err
	}
	return settings.Of[time.Duration](s, "archive.after"), nil
}

// lease is how long a claim of the caller's holds unless the command says it.
func (a *app) lease() (pawl.Duration, error) {
	if a.caller().Person {
		return 0, nil
	}
	s, err := a.settings()
	if err != nil {
		return 0, err
	}
	return pawl.Duration(settings.Of[time.Duration](s, "lease")), nil
}
