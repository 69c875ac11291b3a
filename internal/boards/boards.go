// Package boards opens boards in folders, and keeps them in step with git and a remote,
// for a command, a hook, or a long-running process.
package boards

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/git"
	"github.com/pawl-dev/pawl/internal/gitshare"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/internal/replay"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/file"
	"github.com/pawl-dev/pawl/store/file/notify"
)

// Local is a board that this process opened, with its store.
type Local struct {
	query.Board
	board   *pawl.Board
	store   pawl.Store
	sharing *gitshare.Sharing // of a process that runs on; may be nil
	back    bool              // it was gone, and opening it has brought it back
	again   string            // of a process that runs on: the folder in which the board may be gone since
	own     string            // the folder of a project's own board, which changes nothing while a join has not succeeded; empty: it is not that
}

// Relay confirms the claims of processes without a network, until ctx ends.
func (l Local) Relay(ctx context.Context) {
	if l.sharing != nil {
		l.sharing.Relay(ctx)
	}
}

// Do carries out a request, if it may.
func (l Local) Do(ctx context.Context, request pawl.Request, want query.Want) (query.Outcome, error) {
	outcomes, err := l.DoAll(ctx, want, request)
	return outcomes[0], pawl.ErrorAt(err, 0)
}

// DoAll carries out requests, if it may.
func (l Local) DoAll(ctx context.Context, want query.Want, requests ...pawl.Request) ([]query.Outcome, error) {
	if l.own != "" {
		if err := project.Unjoined(os.Getenv, l.own); err != nil {
			return make([]query.Outcome, len(requests)), err
		}
	}
	if err := l.restored(); err != nil {
		return make([]query.Outcome, len(requests)), err
	}
	return l.Board.DoAll(ctx, want, requests...)
}

// Ask answers a question.
func (l Local) Ask(ctx context.Context, who query.Asker, q query.Question) (query.Answer, error) {
	if err := l.restored(); err != nil {
		return nil, err
	}
	return l.Board.Ask(ctx, who, q)
}

// restored brings the board of a process that runs on back, as opening it does.
func (l Local) restored() error {
	if l.again == "" {
		return nil
	}
	_, err := restore(l.again, false)
	return err
}

// UnlessJoining makes the own board of a project refuse changes while a join of the project
// has not succeeded, even one that was tried after the board was opened.
func UnlessJoining(b project.Board, board query.Board, err error) (query.Board, error) {
	l, is := board.(Local)
	if !is || err != nil || b.Source != project.Folder {
		return board, err
	}
	l.own = b.Dir
	return l, nil
}

// Back reports whether the board was gone and was restored.
func (l Local) Back() bool { return l.back }

// Film makes the film of the board's history.
func (l Local) Film(ctx context.Context, name string) (*replay.Film, error) {
	return replay.Load(ctx, l.board, name, replay.MaxSteps)
}

// Expire records the leases that have ended.
func (l Local) Expire(ctx context.Context) error { return l.board.Expire(ctx) }

// Asked makes the [query.Board] of a board; tests replace it to encode every call.
var Asked = query.Local

func Of(store pawl.Store, options ...query.Option) query.Board {
	return newLocal(store, options...)
}

func newLocal(store pawl.Store, options ...query.Option) Local {
	board := pawl.NewBoard(store)
	return Local{Board: Asked(board, options...), board: board, store: store}
}

// Open opens the board in a folder. Before each change it merges what git has
// brought together.
func Open(dir string) (query.Board, error) {
	store, back, err := Folder(dir, false)
	if err != nil {
		return nil, err
	}
	l := newLocal(store, append(sharers(dir, store, false), query.Merging(MergerOf(dir, store)))...)
	l.back = back
	return l, nil
}

// Folder opens the store of the board in a folder. It first restores a shared board that is
// gone: else a change would begin another board at #1.
func Folder(dir string, quick bool, options ...file.Option) (*file.Store, bool, error) {
	back, err := restore(dir, quick)
	if err != nil {
		return nil, false, err
	}
	store, err := file.Open(dir, append(options, Knowing(dir))...)
	return store, back, err
}

// restore brings the board in a folder back, and reports whether it was gone.
func restore(dir string, quick bool) (bool, error) {
	o := ShareOptions(dir, nil)
	o.Hook = quick
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute) // for a sync that is under way
	defer cancel()
	return gitshare.Restore(ctx, dir, o)
}

func Watched(dir string, warn func(string), options ...query.Option) (query.Board, error) {
	store, back, err := Folder(dir, false, file.WithWatcher(notify.Watch), file.WithWarnings(warn))
	if err != nil {
		return nil, err
	}
	s := gitshare.Follow(dir, ShareOptions(dir, store))
	l := newLocal(store, append(options, query.Sharing(s), query.Syncing(s), query.Merging(MergerOf(dir, store)))...)
	l.sharing, l.back, l.again = s, back, dir
	return l, nil
}

// sharers keep a board in step with its remote, if it is shared. With quick nothing
// waits for the network.
func sharers(dir string, store *file.Store, quick bool) []query.Option {
	o := ShareOptions(dir, store)
	o.Hook = quick
	s := gitshare.Open(dir, o)
	if s == nil {
		return nil
	}
	return []query.Option{query.Sharing(s), query.Syncing(s)}
}

// Knowing gives a store the facts that no task file has: check rules, and git's history and
// conflicts. If git fails, the board is still checked.
func Knowing(dir string) file.Option {
	const most = 64 << 10 // bytes, as of settings that are read
	ctx := context.Background()
	rules := file.WithRules(func() []pawl.CheckRule {
		path := filepath.Join(dir, settings.Name)
		all := []*settings.File{settings.Read(settings.Project, path)}
		// Of settings that are put away while a task's file is edited, git still has the rules.
		if tree, err := git.Find(ctx, dir); tree != nil && err == nil {
			real, _ := filepath.EvalSymlinks(dir)
			texts, _ := tree.Committed(ctx, filepath.Join(real, settings.Name), most)
			for _, text := range texts {
				all = append(all, settings.Parse(settings.Project, path, text))
			}
		}
		var rules []pawl.CheckRule
		for _, f := range all {
			rules = append(rules, settings.Of[[]pawl.CheckRule](settings.Merge(f), "checks")...)
		}
		return rules
	})
	has := file.WithGit(func(texts [][]byte) []bool {
		tree, err := git.Find(ctx, dir)
		if tree == nil || err != nil {
			return make([]bool, len(texts))
		}
		has, _ := tree.Has(ctx, texts)
		return has
	})
	unmerged := file.WithUnmerged(func(ctx context.Context) ([]string, error) {
		tree, err := git.Find(ctx, dir)
		if tree == nil || err != nil {
			return nil, nil
		}
		entries, _ := tree.Unmerged(ctx, dir)
		var names []string
		for _, e := range entries {
			names = append(names, e.Name)
		}
		return names, nil
	})
	return func(s *file.Store) {
		rules(s)
		unmerged(s)
		has(s)
	}
}

// Plain opens the board in a folder for a hook, which runs git only to bring back a
// board that is gone.
func Plain(b project.Board) (query.Board, error) {
	store, _, err := Folder(b.Dir, true)
	if err != nil {
		return nil, err
	}
	return UnlessJoining(b, Of(store, sharers(b.Dir, store, true)...), nil)
}
