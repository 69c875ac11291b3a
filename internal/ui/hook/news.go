package hook

import (
	"context"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/todo"
)

// maxNews is how many bytes of the list stand with the news: its changes are told
// before, and the rest is a call away.
const maxNews = 4 << 10

// news is what people did to the list since the agent was last told, and the list
// as it is now: several edits may take one another back, and an agent with a list
// of its own cannot read Pawl's. written is what came of the agent's own list at
// this event.
func (s *session) news(ctx context.Context, e *agent.Event, written todo.Written) string {
	list, err := s.todos.Look(ctx, s.key)
	if err != nil || len(list.News) == 0 || !s.hears(e) {
		s.try(err)
		return ""
	}
	news, err := s.todos.TakeNews(ctx, s.key)
	s.try(err)
	if len(news) == 0 {
		return "" // somebody else has just told it
	}
	if len(written.List.News) > 0 {
		news = append(news, written.Notes...)
	}
	return strings.Join(news, " ") + "\n\n" + shortened(todo.Simplified(list.Items)) + "(From Pawl: what a person changed in the todo list.)"
}

// shortened is as many lines of a list as its news may have.
func shortened(list string) string {
	if len(list) <= maxNews {
		return strings.TrimRight(list, "\n") + "\n"
	}
	list = list[:maxNews]
	return list[:strings.LastIndexByte(list, '\n')+1] + "…\n"
}
