package gemini

import (
	"encoding/json"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/todo"
)

// Dependency reads a call that has an entry of the tracker wait for another one.
func Dependency(e *agent.Event) (agent.Listing, bool) {
	var in struct{ TaskID, DependencyID string }
	l, is := Tracker(e)
	if json.Unmarshal(e.Input, &in) == nil && in.TaskID != "" {
		l.Edges = []agent.Edge{{ID: todo.NativeID(in.TaskID), Blocker: todo.NativeID(in.DependencyID)}}
	}
	return l, is
}

// Tracker reads what Gemini CLI shows of its tracker after each call, which
// is the whole list.
//
//	{"returnDisplay": {"todos": [{"description": "task: Add tests (e1c7e8)", "status": "pending"}]}}
func Tracker(e *agent.Event) (agent.Listing, bool) {
	var out struct {
		ReturnDisplay struct {
			Todos []struct{ Description, Status string }
		}
	}
	if json.Unmarshal(e.Output, &out) != nil {
		return agent.Listing{}, false
	}
	var items []agent.Entry
	for _, t := range out.ReturnDisplay.Todos {
		_, text, found := strings.Cut(t.Description, ": ")
		at := strings.LastIndex(text, " (")
		if !found || at < 0 || !strings.HasSuffix(text, ")") {
			return agent.Listing{}, false
		}
		items = append(items, agent.Entry{ID: todo.NativeID(text[at+2 : len(text)-1]), Content: text[:at], Status: t.Status})
	}
	l, is := agent.Entries(items, false)
	l.Own = true
	return l, is
}
