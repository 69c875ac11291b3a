package todofile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/todo"
)

// A newerError says that a file is of a newer Pawl, which is not a reason to set
// it aside.
type newerError struct{ has int }

func (e newerError) Error() string {
	return fmt.Sprintf("it has format %d, and this version of Pawl knows formats up to %d: use a newer one", e.has, version)
}

// parse reads the text of a list's file. It also takes what LLxprt keeps: a
// bare list of todos, or {"todos": […], "paused": true}.
func parse(data []byte) (*document, error) {
	object := bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	switch {
	case len(object) == 0:
		return nil, errors.New("it is empty")
	case object[0] == '[':
		object = fmt.Appendf(nil, `{"todos":%s}`, object)
	case object[0] != '{':
		return nil, errors.New("it is no JSON object")
	}
	doc := &document{text: data}
	var disk diskList
	if !scanned(object, &disk) {
		disk = diskList{}
		if err := doc.decode(object, &disk); err != nil {
			return nil, err
		}
	}
	if disk.Version > version {
		return nil, newerError{disk.Version}
	}
	if disk.Todos == nil {
		return nil, errors.New("it has no list of todos")
	}
	if disk.CallLog != nil {
		doc.mark = *disk.CallLog
	}
	if disk.Version < 1 {
		if string(doc.extra["paused"]) == "true" {
			disk.Pause = &diskPause{Reason: "paused in another program"}
		}
		doc.extra, doc.items, doc.foreign = nil, nil, true
	}
	var err error
	doc.kept, err = fromDisk(&disk)
	return doc, err
}

// decode reads an object by package json, with the keys that are not known here.
func (d *document) decode(object []byte, disk *diskList) error {
	if strict(object, disk) == nil {
		return nil
	}
	// Something in it is wrong, or more than is known here.
	var first struct {
		Version int `json:"version"`
	}
	if json.Unmarshal(object, &first) == nil && first.Version > version {
		return newerError{first.Version} // whose todos may be anything
	}
	*disk = diskList{}
	if err := json.Unmarshal(object, disk); err != nil {
		return located(object, err)
	}
	return d.gather(object)
}

// strict is json.Unmarshal that refuses keys without a field.
func strict(object []byte, disk *diskList) error {
	d := json.NewDecoder(bytes.NewReader(object))
	d.DisallowUnknownFields()
	if err := d.Decode(disk); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something follows")
	}
	return nil
}

func located(text []byte, err error) error {
	offset := int64(-1)
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		offset = e.Offset
	}
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		offset = e.Offset
		err = fmt.Errorf("%s cannot be a %s", e.Field, e.Value)
	}
	if offset < 0 || offset > int64(len(text)) {
		return err
	}
	return fmt.Errorf("line %d: %w", 1+bytes.Count(text[:offset], []byte("\n")), err)
}

// gather notes the keys that have no field.
func (d *document) gather(object []byte) error {
	if err := json.Unmarshal(object, &d.extra); err != nil {
		return err
	}
	var todos []extra
	if err := json.Unmarshal(d.extra["todos"], &todos); err != nil {
		return errors.New("it has no list of todos")
	}
	d.extra.drop(listKeys())
	d.items = map[string]extra{}
	for _, item := range todos {
		var id text
		if json.Unmarshal(item["id"], &id) != nil {
			continue
		}
		if item.drop(itemKeys()); len(item) > 0 {
			d.items[string(id)] = item
		}
	}
	return nil
}

var (
	listKeys = sync.OnceValue(func() []string { return keysOf(reflect.TypeFor[diskList]()) })
	itemKeys = sync.OnceValue(func() []string { return keysOf(reflect.TypeFor[diskItem]()) })
)

// keysOf returns the names that the fields of a struct have in JSON.
func keysOf(t reflect.Type) (keys []string) {
	for i := range t.NumField() {
		if tag := t.Field(i).Tag.Get("json"); tag != "" {
			name, _, _ := strings.Cut(tag, ",")
			keys = append(keys, name)
		}
	}
	return keys
}

// drop removes the keys that have a field, which is found in any letter case.
func (e extra) drop(known []string) {
	for name := range e {
		for _, key := range known {
			if strings.EqualFold(name, key) {
				delete(e, name)
			}
		}
	}
}

// A reading turns what is on disk into a list, and notes what cannot be.
type reading struct{ faults []string }

func (r *reading) fault(format string, args ...any) {
	if len(r.faults) < 5 {
		r.faults = append(r.faults, fmt.Sprintf(format, args...))
	}
}

func fromDisk(disk *diskList) (todo.List, error) {
	r := &reading{}
	list := todo.List{
		Key:        todo.Key{Session: disk.Session, Agent: disk.Agent},
		Project:    disk.Project,
		StartedAt:  disk.StartedAt.UTC(),
		UpdatedAt:  disk.UpdatedAt.UTC(),
		NewsAt:     disk.NewsAt.UTC(),
		FinishedAt: disk.FinishedAt.UTC(),
		Items:      r.items("todos.%d", disk.Todos),
	}
	if len(disk.News) > 0 {
		list.News = disk.News
	}
	if disk.SessionBytes != nil {
		list.Session = string(disk.SessionBytes)
	}
	if disk.AgentBytes != nil {
		list.Agent = string(disk.AgentBytes)
	}
	if p := disk.Pause; p != nil {
		list.Pause = &todo.Pause{Reason: p.Reason, At: p.At.UTC()}
	}
	for i := range disk.Past {
		p := &disk.Past[i]
		item := r.item("past.%d.item", i, &p.Item)
		list.Past = append(list.Past, todo.Past{Item: item, How: todo.Departure(p.How), At: p.At.UTC()})
	}
	if b := disk.Before; b != nil {
		list.Before = &todo.Snapshot{What: b.What, At: b.At.UTC(), Items: r.items("before.items.%d", b.Items)}
	}
	if there(disk.Check) {
		var err error
		if list.Check, err = todo.ReadCheck(disk.Check); err != nil {
			list.Check, list.BadCheck = nil, compacted(disk.Check)
		}
	}
	if there(disk.Checked) {
		var ran todo.Checked
		if json.Unmarshal(disk.Checked, &ran) == nil && ran.Sum != "" { // else it shows nothing
			ran.At = ran.At.UTC()
			list.Checked = &ran
		}
	}
	if len(r.faults) > 0 {
		return todo.List{}, errors.New(strings.Join(r.faults, "; "))
	}
	return list, nil
}

func there(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// compacted is a copy of a value that is valid JSON, without space between its parts.
func compacted(raw json.RawMessage) json.RawMessage {
	if compact(raw) {
		return bytes.Clone(raw)
	}
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return nil
	}
	return b.Bytes()
}

// items reads todos. path is a format that has the position of one.
func (r *reading) items(path string, disk []diskItem) []todo.Item {
	if len(disk) == 0 {
		return nil
	}
	items := make([]todo.Item, len(disk))
	for i := range disk {
		items[i] = r.item(path, i, &disk[i])
	}
	return items
}

func (r *reading) item(path string, i int, disk *diskItem) todo.Item {
	item := todo.Item{
		ID:          string(disk.ID),
		Content:     disk.Content,
		Status:      todo.Status(disk.Status),
		Priority:    todo.Priority(disk.Priority),
		ActiveForm:  disk.ActiveForm,
		Blocked:     disk.Blocked,
		Task:        pawl.ID(disk.Task),
		ToolCalls:   calls(disk.ToolCalls),
		CreatedAt:   disk.CreatedAt.UTC(),
		StartedAt:   disk.StartedAt.UTC(),
		CompletedAt: disk.CompletedAt.UTC(),
	}
	if !known(item.Status) {
		r.fault(path+".status is %q", i, disk.Status)
	}
	if item.ID == "" {
		item.ID = fmt.Sprint(i + 1)
	}
	if item.ActiveForm == "" {
		item.ActiveForm = item.Content
	}
	switch item.Priority {
	case "":
		item.Priority = todo.Medium
	case todo.High, todo.Medium, todo.Low:
	default:
		r.fault(path+".priority is %q", i, disk.Priority)
	}
	for n, sub := range disk.Subtasks {
		if sub.ID == "" {
			sub.ID = text(fmt.Sprint(n + 1))
		}
		if sub.Status == "" {
			sub.Status = string(todo.Pending)
		}
		if !known(todo.Status(sub.Status)) {
			r.fault(path+".subtasks.%d.status is %q", i, n, sub.Status)
		}
		item.Subtasks = append(item.Subtasks, todo.Subtask{
			ID: string(sub.ID), Content: sub.Content, Status: todo.Status(sub.Status), ToolCalls: calls(sub.ToolCalls),
		})
	}
	return item
}

func known(status todo.Status) bool {
	return status == todo.Pending || status == todo.InProgress || status == todo.Completed
}

// calls reads tool calls. It copies their arguments.
func calls(disk []diskCall) []todo.ToolCall {
	if len(disk) == 0 {
		return nil
	}
	calls := make([]todo.ToolCall, len(disk))
	for i := range disk {
		calls[i] = call(&disk[i])
	}
	return calls
}

func call(disk *diskCall) todo.ToolCall {
	call := todo.ToolCall{
		ID: string(disk.ID), Name: disk.Name, StartedAt: disk.StartedAt.UTC(), EndedAt: disk.EndedAt.UTC(), Outcome: todo.Outcome(disk.Outcome),
	}
	if call.StartedAt.IsZero() {
		call.StartedAt = disk.Timestamp.UTC()
	}
	if call.Outcome == "" {
		call.Outcome = todo.Interrupted // nobody knows how it ended
	}
	if disk.Parameters != nil {
		call.Parameters = compacted(disk.Parameters)
	}
	return call
}

// compact reports whether a value that is valid JSON has no space between its
// parts.
func compact(value []byte) bool {
	quoted := false
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\':
			i++
		case c <= ' ' && !quoted:
			return false
		}
	}
	return true
}

// aged gives a list of a program that says nothing of its age that of its file.
func (d *document) aged(written time.Time) {
	d.written = written
	if !d.foreign {
		return
	}
	d.kept.UpdatedAt = written.UTC().Truncate(time.Millisecond)
	if p := d.kept.Pause; p != nil && p.At.IsZero() {
		p.At = d.kept.UpdatedAt
	}
}
