package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/strictjson"
)

// fieldOf returns the field that a name means, folded: without regard to case, _
// and -; empty: none.
func fieldOf(word string) string {
	for _, f := range fields {
		if slices.Contains(f.names, word) {
			return f.field
		}
	}
	return ""
}

var fields = [...]struct {
	field string
	names []string
}{
	{"subject", []string{"subject", "title", "content", "text", "name", "step"}},
	{"description", []string{"description", "details", "body"}},
	{"activeForm", []string{"activeform"}},
	{"ref", []string{"ref", "id", "key"}},
	{"status", []string{"status", "state"}},
	{"done", []string{"done", "completed"}},
	{"priority", []string{"priority"}},
	{"labels", []string{"labels", "tags", "label"}},
	{"parent", []string{"parent", "parentid"}},
	{"owner", []string{"owner", "assignee"}},
	{"metadata", []string{"metadata"}},
	{"blockedBy", []string{"blockedby", "dependencies", "dependson", "depends", "deps", "after", "waitsfor", "waitfor", "waitingfor", "requires", "needs"}},
	{"blocks", []string{"blocks"}},
	{"children", []string{"children", "subtasks", "tasks", "items"}},
	{"checks", []string{"checks", "check"}},
	{"accept", []string{"accept"}},
}

// subjects are the names of a subject. Beside another one, content and text
// are a description.
var subjects = []string{"subject", "title", "name", "step", "content", "text"}

// lists are the names under which a plan keeps its tasks.
var lists = []string{"tasks", "plan", "todos", "items", "steps", "entries"}

func word(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

func (b *builder) readJSON(text []byte, lines int) error {
	root, err := strictjson.Parse(text, pawl.MaxDepth)
	if err != nil {
		at := len(bytes.TrimSpace(text))
		if s, ok := errors.AsType[*json.SyntaxError](err); ok {
			at = min(int(s.Offset), len(text))
		}
		return pawl.Errorf(pawl.Invalid, "line %d: the plan %w", 1+lines+bytes.Count(text[:at], []byte("\n")), err)
	}
	b.doubled(root, "")
	path := "tasks"
	if root.Kind == '{' {
		list, name := b.list(root)
		if list == nil {
			if has(root, subjects...) { // a plan of one task
				b.item(root, "task", nil)
			}
			return nil
		}
		root, path = *list, name
	}
	for i, v := range root.Values {
		b.item(v, fmt.Sprintf("%s[%d]", path, i), nil)
	}
	return nil
}

func (b *builder) list(n strictjson.Node) (*strictjson.Node, string) {
	if has(n, "subject") {
		return nil, ""
	}
	for i, name := range n.Names {
		switch word(name) {
		case "sequential", "chain", "ordered":
			b.chain = b.chain || string(n.Values[i].Raw()) == "true"
		}
	}
	for i, name := range n.Names {
		if slices.Contains(lists, word(name)) && n.Values[i].Kind == '[' {
			return &n.Values[i], name
		}
	}
	return nil, ""
}

func has(n strictjson.Node, fields ...string) bool {
	return slices.ContainsFunc(n.Names, func(name string) bool { return slices.Contains(fields, word(name)) })
}

// doubled finds names that stand twice in one object.
func (b *builder) doubled(n strictjson.Node, path string) {
	twice := n.Twice()
	for i, v := range n.Values {
		at := fmt.Sprintf("%s[%d]", path, i)
		if n.Kind == '{' {
			if at = strings.TrimPrefix(path+"."+n.Names[i], "."); twice(i) {
				b.fault(at, "stands here a second time")
			}
		}
		b.doubled(v, at)
	}
}

// item makes an item of an object, or of a text that is its subject alone.
func (b *builder) item(n strictjson.Node, at string, up *item) {
	b.at = at
	if n.Kind != '{' && n.Kind != '"' {
		b.fault(at, "must be an object with a subject")
		return
	}
	if b.full() {
		return
	}
	it := &item{at: at, up: up}
	b.items = append(b.items, it)
	if n.Kind == '"' {
		it.subject = n.Text
		return
	}
	said := map[string]string{}
	for i, name := range n.Names {
		v, field := n.Values[i], fieldOf(word(name))
		if v.Kind == 'n' {
			continue
		}
		if w := word(name); (w == "content" || w == "text") && has(n, subjects[:4]...) {
			field = "description"
		}
		switch field {
		case "", "blockedBy", "blocks", "labels", "children", "checks", "accept": // add up
		default:
			if other := said[field]; other != "" && other != name {
				b.fault(at+"."+name, "says the same thing as %s", other)
			}
			said[field] = name
		}
		b.field(it, field, name, v, at+"."+name)
	}
}

// field reads one field of an item. A name that means nothing here is kept in
// the metadata.
func (b *builder) field(it *item, field, name string, v strictjson.Node, at string) {
	switch field {
	case "subject":
		b.text(&it.subject, v, at)
	case "description":
		b.text(&it.description, v, at)
	case "activeForm":
		b.text(&it.activeForm, v, at)
	case "owner":
		b.text(&it.owner, v, at)
	case "ref":
		if it.ref = v.Text; v.Kind != '"' && v.Kind != '0' {
			b.fault(at, "must be a text or a number")
		}
	case "priority":
		p, err := pawl.ParsePriority(v.Text)
		if v.Kind != '"' || err != nil {
			b.fault(at, "must be high, medium or low")
		}
		it.priority = p
	case "status":
		if !finished(v.Text) && !begun(v.Text) {
			b.fault(at, "must be pending, in_progress or completed")
		}
		it.done = it.done || finished(v.Text)
	case "done":
		it.done = it.done || string(v.Raw()) == "true"
	case "labels":
		it.labels = append(it.labels, b.texts(v, at)...)
	case "metadata":
		if v.Kind != '{' {
			b.fault(at, "must be an object")
		}
		for i, key := range v.Names {
			it.keep(key, v.Values[i].Raw())
		}
	case "parent":
		if m, ok := b.mention(v, at); ok {
			it.parentName = &m
		}
	case "blockedBy":
		it.after = append(it.after, b.mentions(v, at)...)
	case "blocks":
		it.blocks = append(it.blocks, b.mentions(v, at)...)
	case "checks":
		checks, err := pawl.ParseChecks(v.Raw())
		if err != nil {
			b.fault(at, "%s%s", err, saying(err))
		}
		it.checks = append(it.checks, checks...)
	case "accept":
		b.accept(it, v, at)
	case "children":
		if v.Kind != '[' {
			b.fault(at, "must be a list of tasks")
		}
		for i, child := range v.Values {
			b.item(child, fmt.Sprintf("%s[%d]", at, i), it)
		}
	default:
		it.keep(name, v.Raw())
	}
}

// finished reports whether a status says that there is nothing left to do.
func finished(status string) bool {
	switch word(status) {
	case "completed", "complete", "done", "closed", "finished", "cancelled", "canceled":
		return true
	}
	return false
}

// begun reports whether a status says that there is something left to do. A new
// task is pending anyway: nobody has claimed it yet.
func begun(status string) bool {
	switch strings.NewReplacer("_", "", "-", "", " ", "").Replace(word(status)) {
	case "", "pending", "open", "todo", "new", "ready", "backlog", "blocked", "inprogress", "doing", "active", "started", "notstarted":
		return true
	}
	return false
}

func (it *item) keep(key string, raw []byte) {
	var compact bytes.Buffer
	_ = json.Compact(&compact, raw) // it was parsed
	if it.metadata == nil {
		it.metadata = map[string]json.RawMessage{}
	}
	it.metadata[key] = compact.Bytes()
}

func (b *builder) text(dst *string, v strictjson.Node, at string) {
	if v.Kind != '"' {
		b.fault(at, "must be a text")
	}
	*dst = v.Text
}

func (b *builder) texts(v strictjson.Node, at string) []string {
	var list []string
	switch v.Kind {
	case '"':
		for part := range strings.SplitSeq(v.Text, ",") {
			list = append(list, strings.TrimSpace(part))
		}
	case '[':
		for i, e := range v.Values {
			if e.Kind != '"' {
				b.fault(fmt.Sprintf("%s[%d]", at, i), "must be a text")
			}
			list = append(list, e.Text)
		}
	default:
		b.fault(at, "must be a list of texts")
	}
	return list
}

// mention reads the name of one task: a text, or a number.
func (b *builder) mention(v strictjson.Node, at string) (mention, bool) {
	m := mention{at: at, name: v.Text}
	switch v.Kind {
	case '"':
		_, err := pawl.ParseID(v.Text)
		m.plain = err == nil
	case '0':
		m.plain = true
	default:
		b.fault(at, "must be the ref, the subject or the id of a task")
		return m, false
	}
	return m, true
}

func (b *builder) mentions(v strictjson.Node, at string) []mention {
	if v.Kind != '[' {
		m, ok := b.mention(v, at)
		m.many = true
		if !ok {
			return nil
		}
		return []mention{m}
	}
	var list []mention
	for i, e := range v.Values {
		if m, ok := b.mention(e, fmt.Sprintf("%s[%d]", at, i)); ok {
			list = append(list, m)
		}
	}
	return list
}

// accept reads criteria: texts, or objects with text and done.
func (b *builder) accept(it *item, v strictjson.Node, at string) {
	list := v.Values
	if v.Kind == '"' {
		list = []strictjson.Node{v}
	} else if v.Kind != '[' {
		b.fault(at, "must be a list of texts")
	}
	for i, c := range list {
		said, met := c.Text, false
		for i, name := range c.Names {
			switch field := c.Values[i]; word(name) {
			case "text":
				said = field.Text
			case "done", "ticked", "met":
				met = met || string(field.Raw()) == "true"
			}
		}
		if c.Kind != '"' && c.Kind != '{' || said == "" {
			b.fault(fmt.Sprintf("%s[%d]", at, i), "must be a text")
			continue
		}
		it.accept = append(it.accept, said)
		if met {
			it.met = append(it.met, said)
		}
	}
}
