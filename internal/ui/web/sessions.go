package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/todo"
)

// maxSessions is how many lists are shown: nobody looks for older ones by eye.
const maxSessions = 200

func (v *visit) sessions(_ http.ResponseWriter, r *http.Request) (any, error) {
	heads, err := v.heads(r.Context())
	if err != nil {
		return nil, err
	}
	heads = heads[:min(len(heads), maxSessions)]
	return wire.Sessions{Envelope: wire.NewEnvelope("sessions"), Project: v.Project, Sessions: wire.NewSessions(heads, v.Now())}, nil
}

// listsJSON is what stands beside the board's tasks.
type listsJSON struct {
	wire.Envelope
	Now wire.Moment `json:"now"` // by the clock of the lists
	wire.TodoLists
}

func (v *visit) lists(_ http.ResponseWriter, r *http.Request) (any, error) {
	recent, err := v.Todos.Recent(r.Context(), v.Ours, v.Keep)
	v.aside.tell(v.Server)
	if err != nil {
		return nil, todosError(err)
	}
	return listsJSON{wire.NewEnvelope("lists"), wire.Time(recent.Now), wire.NewTodoLists(&recent)}, nil
}

// heads are the lists of the project, the newest first. One that cannot be read
// keeps nobody from the others.
func (s *Server) heads(ctx context.Context) ([]todo.Head, error) {
	all, err := s.Todos.Sessions(ctx, "")
	s.aside.tell(s)
	if err != nil {
		return nil, todosError(err)
	}
	return slices.DeleteFunc(all, func(h todo.Head) bool { return !s.Ours(h) }), nil
}

// todosError is a failure of what keeps the lists, in a sentence.
func todosError(err error) error {
	storage, ok := errors.AsType[*todo.StorageError](err)
	if !ok {
		return err
	}
	return pawl.Errorf(pawl.Unavailable, "todo lists cannot be read: %s", storage.Error())
}

// aside tells what the store of todo lists says went wrong, and the same only
// once: it is asked again and again.
type aside struct {
	mu   sync.Mutex
	told string
}

func (a *aside) tell(s *Server) {
	problems := strings.Join(s.Todos.Problems(), "; ")
	a.mu.Lock()
	defer a.mu.Unlock()
	if problems == "" || problems == a.told {
		return
	}
	a.told = problems
	s.Log.Warn(problems)
}
