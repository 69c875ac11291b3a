package boards

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/gitmerge"
	"github.com/pawl-dev/pawl/internal/gitshare"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/store/file"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todofile"
)

// MergerOf returns the merger of a store's board, which renumbers todo lists, too.
func MergerOf(dir string, store *file.Store) *gitmerge.Merger {
	return gitmerge.New(dir, store, func(ctx context.Context, moved []merge.Moved) {
		_ = follow(ctx, dir, moved) // the merge stands without it
	})
}

// follow lets todos that were promoted to tasks of a board name these by their new
// numbers.
func follow(ctx context.Context, dir string, moved []merge.Moved) error {
	state, err := userdir.State(os.Getenv)
	if err != nil || len(moved) == 0 {
		return err
	}
	at := filepath.Join(state, "todos")
	if _, err := os.Stat(at); err != nil {
		return nil
	}
	store, err := todofile.Open(at)
	if err != nil {
		return err
	}
	to := map[pawl.ID]pawl.ID{}
	for _, m := range moved {
		to[m.From] = m.ID
	}
	root := filepath.Dir(dir)
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real // as lists have it
	}
	_, err = todo.New(store, time.Now).Renumber(ctx, func(project string) bool { return project == root }, to)
	return err
}

// ShareOptions are those for the board in a folder, which may have been opened.
func ShareOptions(dir string, store *file.Store) gitshare.Options {
	return gitshare.Options{
		Getenv: os.Getenv, Store: store, Spawn: Spawn, Mode: func() string { return shareSetting(dir, "sync") },
		Offline: func() bool { return shareSetting(dir, "claims.offline") == "allow" },
		Open:    func() (*file.Store, error) { return file.Open(dir, Knowing(dir)) },
		Moved: func(store *file.Store, by pawl.Actor, moved []merge.Moved) {
			MergerOf(dir, store).Synced(by, moved)
		},
		Follow: func(ctx context.Context, moved []merge.Moved) {
			_ = follow(ctx, dir, moved) // the sync stands without it
		},
	}
}

// shareSetting is the value of a setting that decides how a board is shared.
func shareSetting(dir, key string) string {
	files := []*settings.File{settings.Read(settings.Project, settings.ProjectFile(dir))}
	if path, err := settings.UserFile(os.Getenv); err == nil {
		files = append(files, settings.Read(settings.User, path))
	}
	return settings.Of[string](settings.Merge(files...), key)
}
