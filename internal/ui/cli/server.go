package cli

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/tool"
)

// agentServer is what the command line knows, for a server that runs on and asks
// for it from many goroutines: where the board is, and which settings hold.
type agentServer struct {
	mu     sync.Mutex
	app    *app // used under mu only
	board  query.Board
	empty  query.Board   // for reading, until the project has a board
	opened chan struct{} // closed once there is one
}

// newServer is what a command that runs on knows.
func (a *app) newServer() *agentServer {
	a.project().Last()
	return &agentServer{app: a, opened: make(chan struct{})}
}

// open returns the board for an agent: see openBy.
func (s *agentServer) open(ctx context.Context, c tool.Caller, write bool) (query.Board, string, error) {
	return s.openBy(ctx, cmp.Or(c.Name, "an agent"), write)
}

// openBy returns the board, which is looked for as long as there is none, and made
// for a write: by an agent with a name, else by a person.
func (s *agentServer) openBy(ctx context.Context, agent string, write bool) (query.Board, string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.board != nil {
		return s.board, "", nil
	}
	s.app.project().Again()
	place, err := s.app.place()
	if err != nil {
		return nil, "", err
	}
	note := ""
	if !place.Exists {
		if !write {
			if s.empty == nil {
				s.empty = s.app.env.Boards.Empty()
			}
			return s.empty, "", nil
		}
		if err := s.app.noBoardHere(place.Dir); err != nil {
			return nil, "", err
		}
		made, err := s.app.makeBoard(ctx, Making{Dir: place.Dir, Agent: agent})
		if err != nil {
			return nil, "", err
		}
		note = madeLine(&place, made)
		s.app.project().Again() // it has settings from now on
		if place, err = s.app.place(); err != nil {
			return nil, "", err
		}
	}
	board, err := s.app.openWatchedAt(place, s.warn)
	if err != nil {
		return nil, "", err
	}
	s.board = board
	close(s.opened)
	return board, note, nil
}

// noBoardHere refuses a board that nobody asked for where editors start servers
// that belong to no project: all folders below would use it from then on.
func (a *app) noBoardHere(board string) error {
	dir := filepath.Dir(board)
	same := func(folder string) bool {
		one, err := os.Stat(folder)
		other, err2 := os.Stat(dir)
		return err == nil && err2 == nil && os.SameFile(one, other)
	}
	if home := a.home(); dir != filepath.Dir(dir) && (home == "" || !same(home)) {
		return nil
	}
	return pawl.Errorf(pawl.Invalid, "this server runs in %s, which is not a project, so it makes no board there", dir).
		Say("Todo lists work without a board. Ask the user to start the server in a project: pawl mcp --project DIR; or to make a board there: pawl init")
}

// await returns the board once anybody has made one.
func (s *agentServer) await(ctx context.Context) (query.Board, error) {
	look := time.NewTicker(lookAgain)
	defer look.Stop()
	for {
		board, _, err := s.open(ctx, tool.Caller{}, false)
		if err != nil || s.is(board) {
			return board, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-s.opened:
		case <-look.C:
		}
	}
}

// is reports whether a board is the one that was opened.
func (s *agentServer) is(board query.Board) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.board == board
}

func (s *agentServer) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, board := range []query.Board{s.board, s.empty} {
		if board != nil {
			board.Close() // it has nothing left to write
		}
	}
}

// warn tells of something on stderr, where agents' programs keep a log.
func (s *agentServer) warn(text string) { s.app.say("%s", text) }

// toolSettings are what the tools follow in a session, as the files say now: a
// person who switches the panel off sees it at the next call.
func (s *agentServer) toolSettings(_ context.Context, session string) tool.Settings {
	s.mu.Lock()
	defer s.mu.Unlock()
	held := s.inForce(session)
	return tool.Settings{
		Interactive: map[string]tool.Interactive{"always": tool.Always, "never": tool.Never}[settings.Of[string](held, "interactive")],
		PanelOff:    !settings.Of[bool](held, "ui.showTodoPanel"),
		Lease:       settings.Of[time.Duration](held, "lease"),
		Archive:     settings.Of[time.Duration](held, "archive.after"),
	}
}

// inForce are the settings of a session; an empty one has none of its own. Who
// has no home has no settings there.
func (s *agentServer) inForce(session string) *settings.Settings {
	if own, err := s.app.project().Own(); err != nil || !own.Exists {
		s.app.project().Again() // there may be a board by now, and so settings of the project
	}
	held, _ := s.app.project().Settings(session)
	for _, p := range held.Problems() {
		s.app.problem(p)
	}
	return held
}
