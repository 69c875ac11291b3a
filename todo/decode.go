package todo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxWrapped limits how often a list may be wrapped. Agents send an object in a
// string in an object, and nothing deeper.
const maxWrapped = 4

// maxNested limits the depth to which subtasks of subtasks are read.
const maxNested = 4

// A reader makes a draft of what an agent gave.
type reader struct {
	checker
	notes []string
}

func (r *reader) draft(todos json.RawMessage) Draft {
	todos = bytes.TrimSpace(todos)
	switch {
	case len(todos) == 0:
		r.add("todos", "is required: an array of {content, status}")
		return Draft{}
	case len(todos) > MaxInput:
		r.add("todos", "has %d bytes, and at most %d are read", len(todos), MaxInput)
		return Draft{}
	case !utf8.Valid(todos):
		r.add("todos", "is not UTF-8")
		return Draft{}
	}
	value, err := parseJSON(todos)
	if err != nil {
		value = string(todos)
	}
	given := r.entries(value, maxWrapped)
	if n := len(given); n > MaxItems {
		r.tooMany(n)
		given = given[:MaxItems]
	}
	draft := Draft{Items: make([]DraftItem, len(given)), Notes: r.notes}
	for i, value := range given {
		if it := &draft.Items[i]; r.read(i, value, it) {
			r.item(i, it)
			it.defaults()
		}
	}
	return draft
}

// parseJSON returns a value with its numbers as they were written.
func parseJSON(text []byte) (any, error) {
	var value any
	var check json.RawMessage
	if err := json.Unmarshal(text, &check); err != nil { // it says more than the decoder, and sees what follows
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err := d.Decode(&value)
	return value, err
}

// entries finds the list in a value and unwraps it at most so many times.
func (r *reader) entries(value any, unwrap int) []any {
	const wanted = "must be an array of {content, status}"
	if _, ok := value.([]any); !ok && unwrap == 0 {
		r.add("todos", wanted+", not wrapped over and over")
		return nil
	}
	switch v := value.(type) {
	case []any:
		return v
	case string:
		return r.entriesOfText(v, unwrap)
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if !wraps(key) {
				continue
			}
			switch v[key].(type) {
			case []any, string, map[string]any:
				return r.entries(v[key], unwrap-1)
			}
		}
		fields := fieldsOf(v)
		if fields[contentField] != nil || fields[idField] != nil {
			return []any{v} // one todo where a list was wanted
		}
	}
	r.add("todos", wanted+", not %s", kindOf(value))
	return nil
}

func (r *reader) entriesOfText(text string, unwrap int) []any {
	text = strings.TrimSpace(text)
	if inner, ok := unfence(text); ok {
		text = inner
	}
	var fault error
	if text != "" && strings.IndexByte(`[{"(`, text[0]) >= 0 {
		value, err := parseJSON([]byte(text))
		if err == nil {
			return r.entries(value, unwrap-1)
		}
		fault = err
		if literal, ok := fromPython(text); ok {
			if value, err := parseJSON(literal); err == nil {
				return r.entries(value, unwrap-1)
			}
		}
	}
	entries, rest := checklist(text)
	switch {
	case len(entries) > 0:
		if len(rest) > 0 {
			r.notes = append(r.notes, leftOut(rest))
		}
		return entries
	case fault != nil:
		r.add("todos", "is a string that is not JSON (%s): give an array of {content, status}", fault)
	default:
		r.add("todos", "is a text without a list: give an array of {content, status}, [] for none")
	}
	return nil
}

func leftOut(lines []string) string {
	const most = 3
	var b strings.Builder
	b.WriteString("Not taken for todos: ")
	for i, line := range lines {
		switch {
		case i == most:
			fmt.Fprintf(&b, " and %d more lines", len(lines)-most)
			return b.String() + "."
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(quoted(line))
	}
	return b.String() + "."
}

// unfence takes the fence off a text that is a block of code as a whole.
func unfence(text string) (string, bool) {
	head, rest, ok := strings.Cut(text, "\n")
	inner, closed := strings.CutSuffix(rest, "```")
	return strings.TrimSpace(inner), ok && closed && strings.HasPrefix(head, "```")
}

// read makes a todo of an entry, and returns false if the entry is not a todo.
func (r *reader) read(i int, value any, it *DraftItem) bool {
	at := place(i)
	fields, ok := entryOf(value)
	if !ok {
		r.add(at, "must be an object with content and status, not %s", kindOf(value))
		return false
	}
	if it.ID, ok = r.textOf(at, ".id", fields[idField]); ok {
		it.Said.ID = true
	}
	if it.Content, it.Said.Content = r.textOf(at, ".content", fields[contentField]); isBlank(fields[contentField]) && !(r.merge && it.Said.ID) {
		r.add(at+".content", "must not be blank")
	}
	it.ActiveForm, it.Said.ActiveForm = r.textOf(at, ".activeForm", fields[activeField])
	stand, said := r.standing(at, fields)
	it.Status, it.Blocked, it.Leave, it.Said.Status = stand.status, stand.blocked, stand.leave, said
	if word, ok := r.textOf(at, ".priority", fields[priorityField]); ok {
		if it.Priority, it.Said.Priority = priorityOf(word); !it.Said.Priority {
			r.add(at+".priority", "%s is not a priority: use high, medium or low", quoted(word))
		}
	}
	if list := fields[subtasksField]; list != nil {
		it.Said.Subtasks = true
		r.readSubtasks(at+".subtasks", list, it, map[string]bool{}, maxNested)
	}
	return true
}

// standing reads the status of a todo or subtask; said reports whether the entry
// has one.
func (r *reader) standing(at string, fields entry) (stand standing, said bool) {
	stand.status = Pending
	word, said := r.textOf(at, ".status", fields[statusField])
	switch {
	case said:
		var ok bool
		if stand, ok = standingOf(word); !ok {
			r.add(at+".status", "%s is not a status: use pending, in_progress or completed", quoted(word))
		}
	case fields[doneField] == true:
		stand.status, said = Completed, true
	case fields[doneField] == false:
		said = true
	}
	if fields[blockedField] == true && stand.status == Pending && stand.leave == "" {
		stand.blocked, said = true, true
	}
	return stand, said
}

// readSubtasks reads the subtasks of a todo. Subtasks of subtasks become subtasks
// of the todo, down to maxNested.
func (r *reader) readSubtasks(at string, value any, it *DraftItem, ids map[string]bool, depth int) {
	list, ok := value.([]any)
	if text, isText := value.(string); isText {
		if parsed, err := parseJSON([]byte(text)); err == nil {
			list, ok = parsed.([]any)
		} else if list, _ = checklist(text); len(list) > 0 {
			ok = true
		}
	}
	switch {
	case !ok:
		r.add(at, "must be an array of {content, status}, not %s", kindOf(value))
		return
	case len(list) > MaxSubtasks:
		r.tooManySubtasks(at)
		return
	case depth == 0:
		r.add(at, "are nested too deep: a subtask has no subtasks of its own")
		return
	}
	for s, value := range list {
		at := fmt.Sprintf("%s.%d", at, s)
		fields, ok := entryOf(value)
		if !ok {
			r.add(at, "must be an object with content and status, or a text, not %s", kindOf(value))
			continue
		}
		var sub Subtask
		sub.ID, _ = r.textOf(at, ".id", fields[idField])
		sub.Content, _ = r.textOf(at, ".content", fields[contentField])
		stand, _ := r.standing(at, fields)
		sub.Status = stand.status
		r.subtask(at, &sub, ids)
		if stand.leave == "" && len(it.Subtasks) < MaxSubtasks {
			it.Subtasks = append(it.Subtasks, sub)
		} else if stand.leave == "" {
			r.tooManySubtasks(at)
		}
		if nested := fields[subtasksField]; nested != nil {
			r.readSubtasks(at+".subtasks", nested, it, ids, depth-1)
		}
	}
}

// textOf returns a field's text without the space around it. A number counts as a
// text; null and blank count as not given.
func (r *reader) textOf(at, field string, value any) (text string, said bool) {
	switch v := value.(type) {
	case nil:
	case string:
		text = strings.TrimSpace(v)
	case json.Number:
		text = v.String()
	default:
		r.add(at+field, "must be a text, not %s", kindOf(value))
		return "", false
	}
	return text, text != ""
}

// An entry is a todo or subtask as it was given, by what its keys are about.
type entry [subtasksField + 1]any

// entryOf returns the fields of an object or of a text, which may be a line of a
// checklist.
func entryOf(value any) (fields entry, ok bool) {
	switch v := value.(type) {
	case map[string]any:
		return fieldsOf(v), true
	case string:
		fields[contentField] = v
		if line, ok := lineOf(v); ok && line.box {
			fields[contentField], fields[statusField] = line.text, line.status
		}
		return fields, true
	}
	return fields, false
}

// fieldsOf assigns the keys of an object to fields. If several keys name one
// field, a filled one wins over a blank one, then the one that fits best.
func fieldsOf(object map[string]any) (fields entry) {
	var keys [len(fields)]string
	var ranks [len(fields)]int
	for key, value := range object {
		f, rank := fieldOf(key)
		if _, isText := value.(string); f == otherField || value == nil || f == contentField && rank > 0 && !isText {
			continue
		}
		if isBlank(value) {
			rank += 100
		}
		if fields[f] == nil || rank < ranks[f] || rank == ranks[f] && key < keys[f] {
			fields[f], ranks[f], keys[f] = value, rank, key
		}
	}
	return fields
}

func isBlank(value any) bool {
	s, ok := value.(string)
	return ok && strings.TrimSpace(s) == ""
}

func kindOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "true or false"
	case json.Number:
		return "a number"
	case string:
		return "a string"
	case []any:
		return "an array"
	}
	return "an object"
}
