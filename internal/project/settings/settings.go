// Package settings has the [Table] of all settings, and reads and writes the
// files that set them.
//
// A file is called pawl.jsonc and holds JSON with comments and trailing commas.
// Keys may be written as they are or nested:
//
//	{
//	  // builds take long here
//	  "lease": "45m",
//	  "ui": {"showTodoPanel": false},
//	  "archive.after": "60d"
//	}
//
// The project's file comes first, then the user's, then that of one session;
// the later one wins. A value that cannot be read is ignored and becomes a
// [Problem] with its place, so that a broken file is not fatal.
package settings

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/pawl-dev/pawl/internal/userdir"
)

// Name is what a settings file is called.
const Name = "pawl.jsonc"

// Scope is for whom a value is set. Later ones win.
type Scope uint8

// The scopes.
const (
	Default Scope = iota
	Project       // everybody who works on the project: it is versioned with it
	User          // one person, in all projects
	Session       // one session of one agent or terminal
)

func (s Scope) String() string { return [...]string{"default", "project", "user", "session"}[s] }

// ProjectFile is the file of a project, beside its tasks.
func ProjectFile(board string) string { return filepath.Join(board, Name) }

// UserFile is the file of the user.
func UserFile(getenv func(string) string) (string, error) {
	dir, err := userdir.Config(getenv)
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, Name), nil
}

// SessionFile is the file of a session.
func SessionFile(getenv func(string) string, session string) (string, error) {
	dir, err := userdir.State(getenv)
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "sessions", userdir.Escape(session), Name), nil
}

// Settings are the values in force.
type Settings struct {
	values   []Value // as in Table
	problems []Problem
}

// Merge puts files together, which come in the order of their scopes.
func Merge(files ...*File) *Settings {
	s := &Settings{values: make([]Value, len(Table))}
	shared := slices.ContainsFunc(files, func(f *File) bool { return f.Shared })
	for i := range Table {
		row := &Table[i]
		standard := row.Default
		if shared && row.Shared != "" {
			standard = row.Shared
		}
		value, _ := row.parse(standard) // of board it is none
		s.values[i] = Value{row, value, Origin{}}
		for _, f := range files {
			v, said := f.values[row.Key]
			if said && !(row.Near && s.values[i].Origin.Scope == Project) {
				s.values[i] = v
			}
		}
	}
	for _, f := range files {
		s.problems = append(s.problems, f.Problems...)
	}
	return s
}

// All returns the values of all settings, in the order of the table.
func (s *Settings) All() []Value { return s.values }

// Problems are those of all files.
func (s *Settings) Problems() []Problem { return s.problems }

// Of returns the value of a setting, whose type must be T: bool, int,
// time.Duration, string for a choice or a folder, or one of this package.
func Of[T any](s *Settings, key string) T {
	value, ok := s.Get(key).Is.(T)
	if !ok {
		panic(fmt.Sprintf("settings: %s is no %T", key, value))
	}
	return value
}

// Get returns the value of a key of the table.
func (s *Settings) Get(key string) Value {
	for _, v := range s.values {
		if v.Setting.Key == key {
			return v
		}
	}
	panic("settings: unknown key " + key)
}
