package settings

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/rewrite"
	"github.com/pawl-dev/pawl/internal/userdir"
)

// Set puts a value, as a person types it, into the file of a scope. It reports
// whether the file changed.
func Set(ctx context.Context, scope Scope, path string, s *Setting, text string) (bool, error) {
	value, err := s.Parse(text)
	if err != nil {
		return false, err
	}
	if !s.Allows(scope) {
		return false, pawl.Errorf(pawl.Invalid, "%s can be set for the %s, not for the %s", s.Key, scopes(s.Only), scope).
			Say("pawl config set " + s.Key + " " + text + " --scope " + s.Only[0].String())
	}
	if err := s.Place(value, scope); err != nil {
		return false, err
	}
	return change(ctx, scope, path, func(old []byte) ([]byte, error) {
		if v, said := readText(scope, path, old).Get(s.Key); said && reflect.DeepEqual(v.Is, value) {
			return old, nil
		}
		text, err := put(old, path, s, value)
		if err != nil {
			return nil, err
		}
		if v, _ := readText(scope, path, text).Get(s.Key); !reflect.DeepEqual(v.Is, value) {
			return nil, pawl.Errorf(pawl.Internal, "%s cannot be edited so that it says %s: do that by hand", path, s.Key)
		}
		return text, nil
	})
}

// Unset takes a setting out of the file of a scope. It reports whether the file
// changed.
func Unset(ctx context.Context, scope Scope, path string, s *Setting) (bool, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return change(ctx, scope, path, func(old []byte) ([]byte, error) {
		if old == nil {
			return nil, nil
		}
		return drop(old, path, s)
	})
}

func readText(scope Scope, path string, text []byte) *File {
	f := &File{Scope: scope, Path: path}
	if text != nil {
		f.parse(text)
	}
	return f
}

// change rewrites the file of a scope. In a project the lock and the folder for
// what is unfinished are those that its tasks are written under; among the
// user's files they are our own.
func change(ctx context.Context, scope Scope, path string, fn func([]byte) ([]byte, error)) (bool, error) {
	file := rewrite.File{
		Dir: filepath.Dir(path), Name: filepath.Base(path), Lock: ".lock", Temp: "." + Name + ".new", Mode: 0o600, Limit: maxFile,
	}
	if scope == Project {
		file.Temp, file.Mode = ".pawl/tmp/"+Name, 0o644
		return file.Change(ctx, fn)
	}
	if err := userdir.Make(file.Dir); err != nil {
		return false, err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil { // kept among versioned dot files
		file.Dir, file.Name = filepath.Dir(real), filepath.Base(real)
	}
	return file.Change(ctx, fn)
}
