package mcpserver

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/tool"
)

// A follower tells clients what anybody changed. It begins with the
// first subscription: most clients have none, and then nothing is watched.
type follower struct {
	mu    sync.Mutex
	board bool                             // the board is followed
	lists map[*mcp.ServerSession]*followed // that clients are shown; nil: none is
	nudge chan struct{}                    // a tool may have changed one; nil until one is followed
}

// followed is the list that a client is shown.
type followed struct {
	whose whose
	key   todo.Key
	last  todo.List // as it was then
}

// whose says whose list a client is shown now: its session may be learned, or
// follow another one, after it subscribed.
type whose func(context.Context) (todo.Key, error)

// lookAtTodos is how often a followed list is read for changes by other processes.
// Nothing reports these, and it is one small file.
const lookAtTodos = time.Second

func (s *Server) subscribe(ctx context.Context, req *mcp.SubscribeRequest) error {
	if err := s.endpoint.follows(req.Session.ID(), req.Params.URI); err != nil {
		return err
	}
	err := s.followResource(ctx, req)
	if err != nil {
		s.endpoint.leaves(req.Session.ID(), req.Params.URI)
	}
	return err
}

func (s *Server) followResource(ctx context.Context, req *mcp.SubscribeRequest) error {
	uri := req.Params.URI
	switch {
	case uri == todosURI && s.o.Todos != nil:
		return s.followTodos(ctx, req.Session, func(ctx context.Context) (todo.Key, error) {
			by, err := s.reader(ctx, req.Params, req)
			return by.Key(), err
		})
	case s.o.Board != nil && (uri == boardURI || uri == readyURI || strings.HasPrefix(uri, taskURI)):
		by, err := s.reader(ctx, req.Params, req)
		if err != nil {
			return err
		}
		return s.followBoard(ctx, by)
	}
	return mcp.ResourceNotFoundError(uri)
}

// updated tells the clients that subscribed to a resource.
func (s *Server) updated(uris ...string) {
	for _, uri := range uris {
		if err := s.mcp.ResourceUpdated(s.ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri}); err != nil {
			s.o.Log.Warn("telling a client of a change", "uri", uri, "error", err)
		}
	}
}

// followBoard has changes of the board told from now on.
func (s *Server) followBoard(ctx context.Context, by tool.Caller) error {
	f := &s.follow
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.board {
		return nil
	}
	board, _, err := s.o.Board(ctx, by, false)
	if err != nil {
		return err
	}
	// Before the answer is given: what happens behind it is told. A board that is
	// still to come has larger revisions than the empty one that is read now.
	var after pawl.Revision
	for news, err := range board.Watch(ctx, query.Asker{By: by.Actor}, query.From{Now: true}) {
		if err != nil {
			return err
		}
		after = news.Revision
		break
	}
	f.board = true
	s.work.Go(func() {
		err := s.tellOfBoard(after)
		f.mu.Lock()
		f.board = false // the next one who subscribes tries again
		f.mu.Unlock()
		if err != nil && s.ctx.Err() == nil {
			s.o.Log.Warn("following the board", "error", err)
		}
	})
	return nil
}

// tellOfBoard tells of changes after a revision until the server is closed.
func (s *Server) tellOfBoard(after pawl.Revision) error {
	board, err := s.o.Await(s.ctx)
	if err != nil {
		return err
	}
	for news, err := range board.Watch(s.ctx, query.Asker{}, query.From{After: after}) {
		switch {
		case err != nil:
			return err
		case news.Gone != nil:
			s.updated(boardURI, readyURI) // what is no longer kept changed something
		case news.Set != nil && !query.Renewal(news.Set):
			for i := range news.Set.Changes {
				s.updated(fmt.Sprintf("%s%d", taskURI, news.Set.Changes[i].ID))
			}
			s.updated(boardURI, readyURI)
		}
	}
	return s.ctx.Err()
}

// followTodos has changes of a client's list told from now on.
func (s *Server) followTodos(ctx context.Context, client *mcp.ServerSession, whose whose) error {
	key, err := whose(ctx)
	if err != nil {
		return err
	}
	list, err := s.o.Todos.Read(ctx, key)
	if err != nil {
		return err
	}
	f := &s.follow
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lists == nil {
		f.lists = map[*mcp.ServerSession]*followed{}
		f.nudge = make(chan struct{}, 1)
		s.work.Go(s.tellOfTodos)
	}
	f.lists[client] = &followed{whose, key, list}
	return nil
}

func (s *Server) unsubscribe(_ context.Context, req *mcp.UnsubscribeRequest) error {
	s.endpoint.leaves(req.Session.ID(), req.Params.URI)
	if req.Params.URI == todosURI {
		s.follow.mu.Lock()
		defer s.follow.mu.Unlock()
		delete(s.follow.lists, req.Session)
	}
	return nil
}

// shown are the lists of the clients that are still there; nil: there are none,
// and nothing is followed from then on.
func (s *Server) shown() []*followed {
	there := map[*mcp.ServerSession]bool{}
	for client := range s.mcp.Sessions() {
		there[client] = true
	}
	f := &s.follow
	f.mu.Lock()
	defer f.mu.Unlock()
	var lists []*followed
	for client, list := range f.lists {
		if there[client] {
			lists = append(lists, list)
		} else {
			delete(f.lists, client)
		}
	}
	if len(lists) == 0 {
		f.lists, f.nudge = nil, nil
	}
	return lists
}

// todosMayDiffer is a hint to look at once.
func (s *Server) todosMayDiffer() {
	s.follow.mu.Lock()
	defer s.follow.mu.Unlock()
	select {
	case s.follow.nudge <- struct{}{}:
	default: // none is followed, or they are about to be looked at
	}
}

// tellOfTodos tells of changes of the lists that clients are shown, as long as
// there are any. All who subscribed hear of each: the address is the same.
func (s *Server) tellOfTodos() {
	s.follow.mu.Lock()
	nudge := s.follow.nudge
	s.follow.mu.Unlock()
	tick := time.NewTicker(lookAtTodos)
	defer tick.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-tick.C:
		case <-nudge:
		}
		lists := s.shown()
		if lists == nil {
			return
		}
		differ := false
		for _, list := range lists {
			differ = s.look(list) || differ
		}
		if differ {
			s.updated(todosURI)
		}
	}
}

// look reports whether a list, or its key, has changed.
func (s *Server) look(f *followed) bool {
	now, err := f.whose(s.ctx)
	if err != nil {
		return false
	}
	list, err := s.o.Todos.Read(s.ctx, now)
	if err != nil || now == f.key && sameTodos(&f.last, &list) {
		return false // the client finds out what is wrong when it reads
	}
	f.key, f.last = now, list
	return true
}

// sameTodos reports whether two states of a list read alike. People's edits that
// the agent has not been told of do not count.
func sameTodos(a, b *todo.List) bool {
	return reflect.DeepEqual(a.Items, b.Items) && reflect.DeepEqual(a.Pause, b.Pause)
}
