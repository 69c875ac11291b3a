package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
)

// node is a value of JSON with what a map would lose: order, and doubled names.
type node struct {
	kind   byte // { [ " 0 t n: object, list, string, number, true or false, null
	text   string
	raw    json.RawMessage
	names  []string
	values []node // of a list, or of an object under names
}

// fieldOf returns the field that a name means, folded: without regard to case, _
// and -; empty: none.
func fieldOf(word string) string {
	switch word {
	case "subject", "title", "content", "text", "name", "step":
		return "subject"
	case "description", "details", "body":
		return "description"
	case "activeform":
		return "activeForm"
	case "ref", "id", "key":
		return "ref"
	case "status", "state":
		return "status"
	case "done", "completed":
		return "done"
	case "priority":
		return "priority"
	case "labels", "tags", "label":
		return "labels"
	case "parent", "parentid":
		return "parent"
	case "owner", "assignee":
		return "owner"
	case "metadata":
		return "metadata"
	case "blockedby", "dependencies", "dependson", "depends", "deps", "after", "waitsfor", "waitfor", "waitingfor",
		"requires", "needs":
		return "blockedBy"
	case "blocks":
		return "blocks"
	case "children", "subtasks", "tasks", "items":
		return "children"
	case "checks", "check":
		return "checks"
	case "accept":
		return "accept"
	}
	return ""
}

// subjects are the names of a subject. Beside another one, content and text
// are a description.
var subjects = []string{"subject", "title", "name", "step", "content", "text"}

// lists are the names under which a plan keeps its tasks.
var lists = []string{"tasks", "plan", "todos", "items", "steps", "entries"}

// word folds a name.
func word(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

func (b *builder) readJSON(text []byte, lines int) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	root, err := b.node(dec, text, "", 0)
	if err == nil {
		if _, more := dec.Token(); more != io.EOF {
			err = fmt.Errorf("the text goes on after the end of the plan")
		}
	}
	if err != nil {
		at := dec.InputOffset()
		if s, ok := errors.AsType[*json.SyntaxError](err); ok {
			at = min(s.Offset, int64(len(text)))
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			err, at = errors.New("the text ends too early"), int64(len(text))
		}
		line := 1 + lines + bytes.Count(text[:at], []byte("\n"))
		return pawl.Errorf(pawl.Invalid, "line %d: the plan is not the JSON that it looks like: %w", line, err)
	}
	path := "tasks"
	if root.kind == '{' {
		list, name := root.list(b)
		if list == nil {
			if root.has(subjects...) { // a plan of one task
				b.item(root, "task", nil)
			}
			return nil
		}
		root, path = *list, name
	}
	for i, v := range root.values {
		b.item(v, fmt.Sprintf("%s[%d]", path, i), nil)
	}
	return nil
}

// list finds the tasks in a plan that is an object, and its flags.
func (n *node) list(b *builder) (*node, string) {
	if n.has("subject") {
		return nil, ""
	}
	for i, name := range n.names {
		switch word(name) {
		case "sequential", "chain", "ordered":
			b.chain = b.chain || string(n.values[i].raw) == "true"
		}
	}
	for i, name := range n.names {
		if slices.Contains(lists, word(name)) && n.values[i].kind == '[' {
			return &n.values[i], name
		}
	}
	return nil, ""
}

// has reports whether the object has one of some fields.
func (n *node) has(fields ...string) bool {
	return slices.ContainsFunc(n.names, func(name string) bool { return slices.Contains(fields, word(name)) })
}

// node reads a value. Names that stand twice in one object are faults.
func (b *builder) node(dec *json.Decoder, text []byte, path string, depth int) (node, error) {
	if depth > pawl.MaxDepth {
		return node{}, fmt.Errorf("brackets are nested too deep: %d deep is the limit", pawl.MaxDepth)
	}
	token, err := dec.Token()
	if err != nil {
		return node{}, err
	}
	n := node{}
	start := dec.InputOffset() - 1 // of an object or a list, whose token is one byte
	switch token := token.(type) {
	case json.Delim:
		n.kind = byte(token)
		seen := map[string]bool{}
		for dec.More() {
			at := fmt.Sprintf("%s[%d]", path, len(n.values))
			if n.kind == '{' {
				key, err := dec.Token()
				if err != nil {
					return n, err
				}
				name := key.(string)
				at = strings.TrimPrefix(path+"."+name, ".")
				if seen[name] {
					b.fault(at, "stands here a second time")
				}
				seen[name] = true
				n.names = append(n.names, name)
			}
			v, err := b.node(dec, text, at, depth+1)
			if err != nil {
				return n, err
			}
			n.values = append(n.values, v)
		}
		if _, err := dec.Token(); err != nil {
			return n, err
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, text[start:dec.InputOffset()]); err != nil {
			return n, err
		}
		n.raw = compact.Bytes()
	case string:
		n.kind, n.text = '"', token
		n.raw, err = json.Marshal(token)
	case json.Number:
		n.kind, n.text = '0', token.String()
		n.raw = json.RawMessage(token)
	case bool:
		n.kind = 't'
		n.raw, err = json.Marshal(token)
	case nil:
		n.kind = 'n'
		n.raw = json.RawMessage("null")
	}
	return n, err
}

// item makes an item of an object, or of a text that is its subject alone.
func (b *builder) item(n node, at string, up *item) {
	b.at = at
	if n.kind != '{' && n.kind != '"' {
		b.fault(at, "must be an object with a subject")
		return
	}
	if b.full() {
		return
	}
	it := &item{at: at, up: up}
	b.items = append(b.items, it)
	if n.kind == '"' {
		it.subject = n.text
		return
	}
	said := map[string]string{}
	for i, name := range n.names {
		v, field := n.values[i], fieldOf(word(name))
		if v.kind == 'n' {
			continue
		}
		if w := word(name); (w == "content" || w == "text") && n.has(subjects[:4]...) {
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
func (b *builder) field(it *item, field, name string, v node, at string) {
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
		if it.ref = v.text; v.kind != '"' && v.kind != '0' {
			b.fault(at, "must be a text or a number")
		}
	case "priority":
		p, err := pawl.ParsePriority(v.text)
		if v.kind != '"' || err != nil {
			b.fault(at, "must be high, medium or low")
		}
		it.priority = p
	case "status":
		if !finished(v.text) && !begun(v.text) {
			b.fault(at, "must be pending, in_progress or completed")
		}
		it.done = it.done || finished(v.text)
	case "done":
		it.done = it.done || string(v.raw) == "true"
	case "labels":
		it.labels = append(it.labels, b.texts(v, at)...)
	case "metadata":
		if v.kind != '{' {
			b.fault(at, "must be an object")
		}
		for i, key := range v.names {
			it.keep(key, v.values[i].raw)
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
		checks, err := pawl.ParseChecks(v.raw)
		if err != nil {
			b.fault(at, "%s%s", err, saying(err))
		}
		it.checks = append(it.checks, checks...)
	case "accept":
		b.accept(it, v, at)
	case "children":
		if v.kind != '[' {
			b.fault(at, "must be a list of tasks")
		}
		for i, child := range v.values {
			b.item(child, fmt.Sprintf("%s[%d]", at, i), it)
		}
	default:
		it.keep(name, v.raw)
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

func (it *item) keep(key string, raw json.RawMessage) {
	if it.metadata == nil {
		it.metadata = map[string]json.RawMessage{}
	}
	it.metadata[key] = raw
}

func (b *builder) text(dst *string, v node, at string) {
	if v.kind != '"' {
		b.fault(at, "must be a text")
	}
	*dst = v.text
}

func (b *builder) texts(v node, at string) []string {
	var list []string
	switch v.kind {
	case '"':
		for part := range strings.SplitSeq(v.text, ",") {
			list = append(list, strings.TrimSpace(part))
		}
	case '[':
		for i, e := range v.values {
			if e.kind != '"' {
				b.fault(fmt.Sprintf("%s[%d]", at, i), "must be a text")
			}
			list = append(list, e.text)
		}
	default:
		b.fault(at, "must be a list of texts")
	}
	return list
}

// mention reads the name of one task: a text, or a number.
func (b *builder) mention(v node, at string) (mention, bool) {
	m := mention{at: at, name: v.text}
	switch v.kind {
	case '"':
		_, err := pawl.ParseID(v.text)
		m.plain = err == nil
	case '0':
		m.plain = true
	default:
		b.fault(at, "must be the ref, the subject or the id of a task")
		return m, false
	}
	return m, true
}

func (b *builder) mentions(v node, at string) []mention {
	if v.kind != '[' {
		m, ok := b.mention(v, at)
		m.many = true
		if !ok {
			return nil
		}
		return []mention{m}
	}
	var list []mention
	for i, e := range v.values {
		if m, ok := b.mention(e, fmt.Sprintf("%s[%d]", at, i)); ok {
			list = append(list, m)
		}
	}
	return list
}

// accept reads criteria: texts, or objects with text and done.
func (b *builder) accept(it *item, v node, at string) {
	list := v.values
	if v.kind == '"' {
		list = []node{v}
	} else if v.kind != '[' {
		b.fault(at, "must be a list of texts")
	}
	for i, c := range list {
		said, met := c.text, false
		for i, name := range c.names {
			switch field := c.values[i]; word(name) {
			case "text":
				said = field.text
			case "done", "ticked", "met":
				met = met || string(field.raw) == "true"
			}
		}
		if c.kind != '"' && c.kind != '{' || said == "" {
			b.fault(fmt.Sprintf("%s[%d]", at, i), "must be a text")
			continue
		}
		it.accept = append(it.accept, said)
		if met {
			it.met = append(it.met, said)
		}
	}
}
