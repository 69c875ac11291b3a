package host

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/ui/team"
	"github.com/pawl-dev/pawl/internal/ui/web"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
)

// teamArchive is for how long a team's page shows completed tasks, as the setting
// archive.after is by default: a server follows no project's settings.
const teamArchive = 30 * 24 * time.Hour

// Faces are the page and the tools of agents, for each board of a server.
type Faces struct {
	version string
	keys    *access.PageKeys
	codes   access.Codes
	lists   string // the folder of the todo lists of agents; empty: they are kept in memory
	log     *slog.Logger
	tools   teamTools
}

// NewFaces returns the page and the tools of a server of a version.
func NewFaces(version string, keys *access.PageKeys, codes access.Codes, lists string, log *slog.Logger) *Faces {
	f := &Faces{version: version, keys: keys, codes: codes, lists: lists, log: log}
	f.tools.faces, f.tools.open = f, map[toolsFor]*tooling{}
	return f
}

// Close ends the sessions of agents.
func (f *Faces) Close() { f.tools.close() }

// pageReader watches a board for all pages. Only holders of tokens get what it
// reads.
var pageReader = access.Token{ID: "page", Name: "page", Person: true, Role: access.Read, Boards: []string{access.All}}

// Of returns the handlers of a board; without a name, that of the page for clients
// without a token.
func (f *Faces) Of(name string, open team.Opener) (page, mcp http.Handler) {
	read := func(ctx context.Context, write bool) (query.Board, error) {
		if _, there := access.Of(ctx); !there {
			ctx = access.With(ctx, pageReader)
		}
		return open(ctx, write)
	}
	page = web.New(web.Options{
		Guarded: true, Keys: f.keys, Codes: f.codes, Version: f.version, Log: f.log,
		Live: show.Live{
			Name: name, Archive: teamArchive,
			Open: func(ctx context.Context, write bool) (query.Board, string, error) {
				board, err := read(ctx, write)
				return board, "", err
			},
			Await: func(ctx context.Context) (query.Board, error) { return await(ctx, read) },
			Todos: todo.New(todomem.New(), time.Now), Ours: func(todo.Head) bool { return true }, Keep: teamArchive,
		},
	}).Handler()
	if name == "" {
		return page, nil
	}
	return page, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { f.tools.serve(w, r, name, open) })
}

// boardEvery is how often a page without a board looks whether it exists now. Few
// ever wait.
const boardEvery = time.Second

// await returns a board as soon as there is one.
func await(ctx context.Context, open team.Opener) (query.Board, error) {
	look := time.NewTicker(boardEvery)
	defer look.Stop()
	for {
		if board, err := open(ctx, false); err != nil || board != nil {
			return board, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-look.C:
		}
	}
}
