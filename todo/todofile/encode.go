package todofile

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/pawl-dev/pawl/internal/jsonscan"
	"github.com/pawl-dev/pawl/todo"
)

// firstText is how long the text of a short list may be, in bytes.
const firstText = 2 << 10

// encode returns the text of a list's file, with what the document has besides:
// a line for each key, and for each todo.
func (d *document) encode(disk *diskList) ([]byte, error) {
	w := &writer{}
	w.b.Grow(len(d.text) + len(d.text)/2 + firstText)
	w.put("version", strconv.AppendInt(nil, int64(disk.Version), 10))
	w.text("session", disk.Session, true)
	w.text("agent", disk.Agent, disk.Agent != "")
	w.some("sessionBytes", disk.SessionBytes, disk.SessionBytes != nil)
	w.some("agentBytes", disk.AgentBytes, disk.AgentBytes != nil)
	w.text("project", disk.Project, disk.Project != "")
	w.time("startedAt", disk.StartedAt)
	w.time("updatedAt", disk.UpdatedAt)
	w.begin("todos")
	for i := range disk.Todos {
		w.line(&disk.Todos[i], d.more(&disk.Todos[i]))
	}
	w.end()
	w.some("pause", disk.Pause, disk.Pause != nil)
	if len(disk.Past) > 0 {
		w.begin("past")
		for i := range disk.Past {
			w.line(&disk.Past[i], nil)
		}
		w.end()
	}
	w.some("news", disk.News, len(disk.News) > 0)
	w.time("newsAt", disk.NewsAt)
	w.time("finishedAt", disk.FinishedAt)
	if disk.Before != nil {
		w.key("before")
		w.object(disk.Before)
	}
	w.some("check", disk.Check, len(disk.Check) > 0)
	w.some("checked", disk.Checked, len(disk.Checked) > 0)
	w.some("callLog", disk.CallLog, disk.CallLog != nil)
	for _, name := range slices.Sorted(maps.Keys(d.extra)) {
		w.some(name, d.extra[name], true)
	}
	w.b.WriteString("\n}\n")
	return w.b.Bytes(), w.err
}

// more is what others keep with a todo: the one that has its id, if it is the
// same one.
func (d *document) more(item *diskItem) extra {
	more := d.items[string(item.ID)]
	if more == nil || !slices.ContainsFunc(d.kept.Items, func(was todo.Item) bool {
		return was.ID == string(item.ID) && (was.Content == item.Content || was.CreatedAt.Equal(item.CreatedAt))
	}) {
		return nil
	}
	return more
}

// A writer writes an object's keys, and remembers what went wrong first.
type writer struct {
	b     bytes.Buffer
	lines int // of the list that is written
	err   error
}

func (w *writer) key(name string) {
	if w.b.Len() == 0 {
		w.b.WriteString("{\n  ")
	} else {
		w.b.WriteString(",\n  ")
	}
	w.b.Write(jsonscan.AppendText(nil, name))
	w.b.WriteString(": ")
}

// put adds what is written already.
func (w *writer) put(name string, text []byte) {
	w.key(name)
	w.b.Write(text)
}

func (w *writer) text(name, value string, there bool) {
	if there {
		w.put(name, jsonscan.AppendText(nil, value))
	}
}

func (w *writer) some(name string, value any, there bool) {
	if there {
		w.key(name)
		w.value(value)
	}
}

func (w *writer) time(name string, at time.Time) {
	if at.IsZero() {
		return
	}
	text, err := at.MarshalJSON()
	w.failed(err)
	w.put(name, text)
}

func (w *writer) failed(err error) {
	if w.err == nil {
		w.err = err
	}
}

// object writes a part of a list with many bytes, for which package json takes too long in
// a hook.
func (w *writer) object(v any) {
	text, err := jsonscan.Append(w.b.AvailableBuffer(), v)
	w.failed(err)
	w.b.Write(text)
}

func (w *writer) begin(name string) {
	w.put(name, []byte("["))
	w.lines = 0
}

// line writes an object of a list, with further keys.
func (w *writer) line(v any, more extra) {
	if w.lines++; w.lines > 1 {
		w.b.WriteByte(',')
	}
	w.b.WriteString("\n    ")
	w.object(v)
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
		w.failed(err)
		return
	}
	w.b.Truncate(w.b.Len() - len("\n"))
}
