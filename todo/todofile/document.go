package todofile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
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
	mark  mark    // how much of the log is in the text
	log   callLog // as it was read before the text; kept has all of it

	written time.Time // when the file was
	foreign bool      // it is not a file of Pawl's
	brief   bool      // kept lacks the past
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
		NewsAt       time.Time   `json:"newsAt,omitzero"`
		FinishedAt   time.Time   `json:"finishedAt,omitzero"`
		Before       *diskBefore `json:"before,omitempty"`
		// The check of a list is read by itself, so that a broken one damages no todo.
		Check   json.RawMessage `json:"check,omitempty"`
		Checked json.RawMessage `json:"checked,omitempty"`
		CallLog *mark           `json:"callLog,omitempty"`
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

// look returns the list of a key, which is not to be changed.
func (d *document) look(key todo.Key) *todo.List {
	list := d.kept
	list.Key = key
	return &list
}

// list returns the list of a key, as a copy.
func (d *document) list(key todo.Key) todo.List {
	list := d.kept.Clone()
	list.Key = key
	return list
}

// change returns what fn makes of a document, and its text: nil when there is
// nothing to write, and an empty one when the file is to go.
func (d *document) change(key todo.Key, fn func(*todo.List) error) (todo.List, []byte, error) {
	list := d.list(key)
	if err := fn(&list); err != nil {
		return todo.List{}, nil, err
	}
	list.Key = key
	if list.Blank() {
		if d.text == nil {
			return d.list(key), nil, nil
		}
		return todo.List{Key: key}, []byte{}, nil
	}
	disk := toDisk(&list)
	stored, err := fromDisk(&disk) // as it will be read: a copy, with times in UTC
	if err != nil {
		return todo.List{}, nil, storageError(err)
	}
	was := d.kept
	was.Key = key
	if reflect.DeepEqual(stored, was) {
		return stored, nil, nil
	}
	if m := d.log.folded(d.mark); m != (mark{}) {
		disk.CallLog = &m
	}
	text, err := d.encode(&disk)
	if err == nil && len(text) > todo.MaxList {
		err = fmt.Errorf("the list would have more than %d MiB: shorten it", todo.MaxList>>20)
	}
	if err == nil && bytes.Contains(text, []byte(`\ufffd`)) { // for what was no UTF-8
		var again *document
		if again, err = parse(text); err == nil {
			if stored = again.list(key); reflect.DeepEqual(stored, was) {
				return stored, nil, nil
			}
		}
	}
	if err != nil {
		return todo.List{}, nil, storageError(err)
	}
	return stored, text, nil
}

func toDisk(list *todo.List) diskList {
	disk := diskList{
		Version:    version,
		Session:    list.Session,
		Agent:      list.Agent,
		Project:    list.Project,
		StartedAt:  list.StartedAt.UTC(),
		UpdatedAt:  list.UpdatedAt.UTC(),
		Todos:      itemsToDisk(list.Items),
		News:       list.News,
		NewsAt:     list.NewsAt.UTC(),
		FinishedAt: list.FinishedAt.UTC(),
	}
	if disk.Check = list.BadCheck; list.Check != nil {
		disk.Check = jsonOf(list.Check)
	}
	if list.Checked != nil {
		disk.Checked = jsonOf(list.Checked)
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

// jsonOf is a value as JSON. A check that no JSON can hold is one that nobody can read.
func jsonOf(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage(`{}`)
	}
	return text
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
