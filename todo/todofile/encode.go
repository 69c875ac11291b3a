package todofile

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"time"
)

// encode returns the text of a list's file, with what the document has besides:
// a line for each key, and for each todo.
func (d *document) encode(disk *diskList) ([]byte, error) {
	w := &writer{}
	w.key("version", disk.Version)
	w.key("session", disk.Session)
	w.some("agent", disk.Agent, disk.Agent != "")
	w.some("sessionBytes", disk.SessionBytes, disk.SessionBytes != nil)
	w.some("agentBytes", disk.AgentBytes, disk.AgentBytes != nil)
	w.some("project", disk.Project, disk.Project != "")
	w.time("startedAt", disk.StartedAt)
	w.time("updatedAt", disk.UpdatedAt)
	w.begin("todos")
	for i := range disk.Todos {
		w.line(disk.Todos[i], d.items[string(disk.Todos[i].ID)])
	}
	w.end()
	w.some("pause", disk.Pause, disk.Pause != nil)
	if len(disk.Past) > 0 {
		w.begin("past")
		for i := range disk.Past {
			w.line(disk.Past[i], nil)
		}
		w.end()
	}
	w.some("news", disk.News, len(disk.News) > 0)
	w.time("newsAt", disk.NewsAt)
	w.some("before", disk.Before, disk.Before != nil)
	w.some("callLog", disk.CallLog, disk.CallLog != nil)
	for _, name := range slices.Sorted(maps.Keys(d.extra)) {
		w.key(name, d.extra[name])
	}
	w.b.WriteString("\n}\n")
	return w.b.Bytes(), w.err
}

// A writer writes an object's keys, and remembers what went wrong first.
type writer struct {
	b     bytes.Buffer
	lines int // of the list that is written
	err   error
}

func (w *writer) key(name string, value any) {
	if w.b.Len() == 0 {
		w.b.WriteString("{\n  ")
	} else {
		w.b.WriteString(",\n  ")
	}
	w.value(name)
	w.b.WriteString(": ")
	w.value(value)
}

func (w *writer) some(name string, value any, there bool) {
	if there {
		w.key(name, value)
	}
}

func (w *writer) time(name string, at time.Time) { w.some(name, at, !at.IsZero()) }

func (w *writer) begin(name string) {
	w.key(name, json.RawMessage("[]"))
	w.b.Truncate(w.b.Len() - 1)
	w.lines = 0
}

// line writes an object of a list, with further keys.
func (w *writer) line(object any, more extra) {
	if w.lines++; w.lines > 1 {
		w.b.WriteByte(',')
	}
	w.b.WriteString("\n    ")
	w.value(object)
	if len(more) > 0 {
		w.b.Truncate(w.b.Len() - len("}"))
		w.b.WriteByte(',')
		begin := w.b.Len()
		w.value(more)
		w.b.Bytes()[begin] = ' ' // in the place of its brace
	}
}

func (w *writer) end() {
	if w.lines > 0 {
		w.b.WriteString("\n  ")
	}
	w.b.WriteByte(']')
}

// value writes any value on one line, without the escapes for web pages: people
// read this.
func (w *writer) value(v any) {
	e := json.NewEncoder(&w.b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		if w.err == nil {
			w.err = err
		}
		return
	}
	w.b.Truncate(w.b.Len() - len("\n"))
}
