package todofile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/todo"
)

// version is the format that is written. A file with a higher one is a newer
// Pawl's, and left alone.
const version = 1

// A document is what a list's file holds.
type document struct {
	text  []byte    // as it was read; nil: there is no file
	kept  todo.List // its key is the one that the file names
	extra extra     // keys that this version does not know
	items map[string]extra

	foreign bool // it is no file of Pawl's
}

// extra is what a newer Pawl, or somebody else, keeps with a list or a todo.
type extra map[string]json.RawMessage

// The shapes on disk. They are apart from those of package todo, which may
// change.
type (
	diskList struct {
		Version      int         `json:"version"`
		Session      string      `json:"session"`
		Agent        string      `json:"agent,omitempty"`
		SessionBytes []byte      `json:"sessionBytes,omitempty"` // when it is no UTF-8
		AgentBytes   []byte      `json:"agentBytes,omitempty"`
		Project      string      `json:"project,omitempty"`
		StartedAt    time.Time   `json:"startedAt,omitzero"`
		UpdatedAt    time.Time   `json:"updatedAt,omitzero"`
		Todos        []diskItem  `json:"todos"`
		Pause        *diskPause  `json:"pause,omitempty"`
		Past         []diskPast  `json:"past,omitempty"`
		News         []string    `json:"news,omitempty"`
		Before       *diskBefore `json:"before,omitempty"`
	}
	diskItem struct {
		ID          text       `json:"id"`
		Content     string     `json:"content"`
		Status      string     `json:"status"`
		Priority    string     `json:"priority"`
		ActiveForm  string     `json:"activeForm"`
		Blocked     bool       `json:"blocked,omitempty"`
		Task        int64      `json:"task,omitempty"`
		Subtasks    []diskSub  `json:"subtasks,omitempty"`
		ToolCalls   []diskCall `json:"toolCalls,omitempty"`
		CreatedAt   time.Time  `json:"createdAt,omitzero"`
		StartedAt   time.Time  `json:"startedAt,omitzero"`
		CompletedAt time.Time  `json:"completedAt,omitzero"`

		extra extra
	}
	diskSub struct {
		ID        text       `json:"id"`
		Content   string     `json:"content"`
		Status    string     `json:"status"`
		ToolCalls []diskCall `json:"toolCalls,omitempty"`
	}
	diskCall struct {
		ID         text            `json:"id"`
		Name       string          `json:"name"`
		Parameters json.RawMessage `json:"parameters,omitempty"`
		StartedAt  time.Time       `json:"startedAt,omitzero"`
		EndedAt    time.Time       `json:"endedAt,omitzero"`
		Outcome    string          `json:"outcome"`
		Timestamp  time.Time       `json:"timestamp,omitzero"` // in files that are not ours
	}
	diskPause struct {
		Reason string    `json:"reason"`
		At     time.Time `json:"at"`
	}
	diskPast struct {
		Item diskItem  `json:"item"`
		How  string    `json:"how"`
		At   time.Time `json:"at"`
	}
	diskBefore struct {
		What  string     `json:"what"`
		At    time.Time  `json:"at"`
		Items []diskItem `json:"items"`
	}
)

// text is a string that may be written as a number.
type text string

func (t *text) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && (data[0] == '-' || data[0] >= '0' && data[0] <= '9') {
		*t = text(data)
		return nil
	}
	return json.Unmarshal(data, (*string)(t))
}

// MarshalJSON writes what is known, and then what is not.
func (i diskItem) MarshalJSON() ([]byte, error) {
	type plain diskItem
	known, err := compact(plain(i))
	if err != nil {
		return nil, err
	}
	return i.extra.splice(known)
}

// list returns the list of a key, as a copy.
func (d *document) list(key todo.Key) todo.List {
	list := d.kept.Clone()
	list.Key = key
	return list
}

// change returns the text that fn makes of a document: nil when there is
// nothing to write, and an empty one when the file is to go.
func (d *document) change(key todo.Key, fn func(*todo.List) error) ([]byte, error) {
	list := d.list(key)
	if err := fn(&list); err != nil {
		return nil, err
	}
	list.Key = key
	if list.Blank() {
		if d.text == nil {
			return nil, nil
		}
		return []byte{}, nil
	}
	old := d.list(key)
	before, err := d.encode(&old)
	if err != nil {
		return nil, storageError(err)
	}
	after, err := d.encode(&list)
	switch {
	case err != nil:
		return nil, storageError(err)
	case bytes.Equal(before, after):
		return nil, nil
	case len(after) > todo.MaxList:
		return nil, storageError(fmt.Errorf("the list would have more than %d MiB: shorten it", todo.MaxList>>20))
	}
	return after, nil
}

// encode returns a list as the text of its file, with what the document has
// besides.
func (d *document) encode(list *todo.List) ([]byte, error) {
	disk := toDisk(list)
	for i := range disk.Todos {
		disk.Todos[i].extra = d.items[string(disk.Todos[i].ID)]
	}
	known, err := compact(disk)
	if err != nil {
		return nil, err
	}
	all, err := d.extra.splice(known)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, all, "", "  "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// compact is json.Marshal without the escapes for web pages: people read this.
func compact(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

func toDisk(list *todo.List) diskList {
	disk := diskList{
		Version:   version,
		Session:   list.Session,
		Agent:     list.Agent,
		Project:   list.Project,
		StartedAt: list.StartedAt.UTC(),
		UpdatedAt: list.UpdatedAt.UTC(),
		Todos:     itemsToDisk(list.Items),
		News:      list.News,
	}
	if !utf8.ValidString(list.Session) {
		disk.Session, disk.SessionBytes = strings.ToValidUTF8(list.Session, "?"), []byte(list.Session)
	}
	if !utf8.ValidString(list.Agent) {
		disk.Agent, disk.AgentBytes = strings.ToValidUTF8(list.Agent, "?"), []byte(list.Agent)
	}
	if p := list.Pause; p != nil {
		disk.Pause = &diskPause{p.Reason, p.At.UTC()}
	}
	for i := range list.Past {
		p := &list.Past[i]
		disk.Past = append(disk.Past, diskPast{itemToDisk(&p.Item), string(p.How), p.At.UTC()})
	}
	if b := list.Before; b != nil {
		disk.Before = &diskBefore{b.What, b.At.UTC(), itemsToDisk(b.Items)}
	}
	return disk
}

func itemsToDisk(items []todo.Item) []diskItem {
	disk := make([]diskItem, len(items))
	for i := range items {
		disk[i] = itemToDisk(&items[i])
	}
	return disk
}

func itemToDisk(item *todo.Item) diskItem {
	disk := diskItem{
		ID:          text(item.ID),
		Content:     item.Content,
		Status:      string(item.Status),
		Priority:    string(item.Priority),
		ActiveForm:  item.ActiveForm,
		Blocked:     item.Blocked,
		Task:        int64(item.Task),
		ToolCalls:   callsToDisk(item.ToolCalls),
		CreatedAt:   item.CreatedAt.UTC(),
		StartedAt:   item.StartedAt.UTC(),
		CompletedAt: item.CompletedAt.UTC(),
	}
	for _, sub := range item.Subtasks {
		disk.Subtasks = append(disk.Subtasks, diskSub{text(sub.ID), sub.Content, string(sub.Status), callsToDisk(sub.ToolCalls)})
	}
	return disk
}

func callsToDisk(calls []todo.ToolCall) []diskCall {
	var disk []diskCall
	for _, call := range calls {
		disk = append(disk, diskCall{
			ID: text(call.ID), Name: call.Name, Parameters: call.Parameters,
			StartedAt: call.StartedAt.UTC(), EndedAt: call.EndedAt.UTC(), Outcome: string(call.Outcome),
		})
	}
	return disk
}

// splice adds the keys to the text of an object.
func (e extra) splice(object []byte) ([]byte, error) {
	if len(e) == 0 {
		return object, nil
	}
	more, err := compact(e) // in the order of their names
	if err != nil {
		return nil, err
	}
	if len(object) == len("{}") {
		return nil, errors.New("an object without keys of its own")
	}
	return append(append(object[:len(object)-1], ','), more[1:]...), nil
}
