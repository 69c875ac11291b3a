package todo

import (
	"context"
	"time"
)

// Forget removes the lists of a session, of all its agents, with all that is
// remembered with them: tool calls, todos that left them, changes that could be
// undone. It returns them as they were.
func (s *Service) Forget(ctx context.Context, session string) ([]List, error) {
	session = Key{Session: session}.Normal().Session
	heads, err := s.store.Lists(ctx, time.Time{})
	if err != nil {
		return nil, err
	}
	var gone []List
	for i := range heads {
		if heads[i].Session != session {
			continue
		}
		list, err := s.store.Load(ctx, heads[i].Key)
		if err == nil {
			err = s.store.Remove(ctx, heads[i].Key)
		}
		if err != nil {
			return gone, err
		}
		gone = append(gone, list)
	}
	return gone, nil
}

// Calls counts the tool calls of a list and of what left it.
func (l *List) Calls() int {
	n := 0
	l.eachCall(func(*ToolCall) bool { n++; return true })
	return n
}
