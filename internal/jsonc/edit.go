package jsonc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// Get returns the value at a path, as standard JSON on one line. Of several
// members of one name it is the last, as everybody reads it.
func Get(text []byte, path ...string) (json.RawMessage, bool) {
	doc, fault := Parse(text)
	if fault != nil {
		return nil, false
	}
	v := doc.find(path)
	if v == nil {
		return nil, false
	}
	return plain(v), true
}

// plain is a value without comments.
func plain(v *Value) json.RawMessage {
	c := v.Clone()
	c.Minimize()
	return c.Pack()
}

// find returns the value at a path, nil when there is none. In an array a name
// is the number of an element.
func (d *Doc) find(path []string) *Value {
	v := &d.Root
	for _, name := range path {
		switch c := v.Value.(type) {
		case *Object:
			i := memberOf(c, name)
			if i < 0 {
				return nil
			}
			v = &c.Members[i].Value
		case *Array:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(c.Elements) {
				return nil
			}
			v = &c.Elements[i]
		default:
			return nil
		}
	}
	return v
}

// memberOf is the place of the member that counts.
func memberOf(obj *Object, name string) int {
	for i := len(obj.Members) - 1; i >= 0; i-- {
		if obj.Members[i].Name.Value.(Literal).String() == name {
			return i
		}
	}
	return -1
}

// Put sets the member at a path; objects on the way are made. A nil text is a
// new file's.
func Put(text []byte, path []string, value json.RawMessage) ([]byte, error) {
	if !json.Valid(value) {
		return nil, errValue
	}
	return edited(text, func(d *Doc) error {
		if v := d.find(path); v != nil {
			d.splice(v.StartOffset, v.EndOffset, d.layout(child{value: value}, d.margin(v.StartOffset), d.lines(&d.Root)))
			return nil
		}
		last := len(path) - 1
		return d.add(path[:last], '{', child{name: path[last], value: value, named: true})
	}, func(d *Doc) bool {
		v := d.find(path)
		return v != nil && Same(plain(v), value)
	})
}

// Insert returns the text with a member more, behind the last of one of its objects. The
// tree stays that of the text before.
func (d *Doc) Insert(in *Value, name string, value ValueTrimmed) []byte {
	d.insert(in, child{name: name, value: plain(&Value{Value: value}), named: true})
	return d.mark(d.Text)
}

// Append adds an element to the array at a path; it, and objects on the way, are
// made.
func Append(text []byte, path []string, value json.RawMessage) ([]byte, error) {
	if !json.Valid(value) {
		return nil, errValue
	}
	before := len(Elements(text, path...))
	return edited(text, func(d *Doc) error {
		return d.add(path, '[', child{value: value})
	}, func(d *Doc) bool {
		v := d.find(path)
		arr, ok := v.Value.(*Array)
		return ok && len(arr.Elements) == before+1 && Same(plain(&arr.Elements[before]), value)
	})
}

// Remove removes the member at a path, if there is one.
func Remove(text []byte, path []string) ([]byte, error) {
	return edited(text, func(d *Doc) error {
		v := d.find(path[:len(path)-1])
		if v == nil {
			return nil
		}
		if obj, ok := v.Value.(*Object); ok {
			if i := memberOf(obj, path[len(path)-1]); i >= 0 {
				d.take(v, i)
			}
		}
		return nil
	}, nil)
}

// RemoveElement takes an element out of the array at a path.
func RemoveElement(text []byte, path []string, i int) ([]byte, error) {
	return edited(text, func(d *Doc) error {
		v := d.find(path)
		if v == nil {
			return nil
		}
		if arr, ok := v.Value.(*Array); ok && i < len(arr.Elements) {
			d.take(v, i)
		}
		return nil
	}, nil)
}

// Elements are those of the array at a path.
func Elements(text []byte, path ...string) []json.RawMessage {
	doc, fault := Parse(text)
	if fault != nil {
		return nil
	}
	v := doc.find(path)
	if v == nil {
		return nil
	}
	arr, ok := v.Value.(*Array)
	if !ok {
		return nil
	}
	all := make([]json.RawMessage, len(arr.Elements))
	for i := range arr.Elements {
		all[i] = plain(&arr.Elements[i])
	}
	return all
}

// Empty reports whether the object or array at a path is there and has nothing
// in it, no comment either.
func Empty(text []byte, path ...string) bool {
	doc, fault := Parse(text)
	if fault != nil {
		return false
	}
	v := doc.find(path)
	if v == nil {
		return false
	}
	inside := doc.Text[v.StartOffset:v.EndOffset]
	inside = inside[min(1, len(inside)):max(len(inside)-1, min(1, len(inside)))]
	switch v.Value.(type) {
	case *Object, *Array:
		return len(bytes.TrimSpace(inside)) == 0
	}
	return false
}

// Same reports whether two values mean the same.
func Same(a, b json.RawMessage) bool {
	decode := func(raw json.RawMessage) (v any, err error) {
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		err = d.Decode(&v)
		return
	}
	x, err1 := decode(a)
	y, err2 := decode(b)
	return err1 == nil && err2 == nil && reflect.DeepEqual(x, y)
}

var (
	errShape = errors.New("cannot be edited in this place")
	errValue = errors.New("cannot hold what is no JSON")
)

// edited runs an edit on a text, and looks that the outcome can be read and is
// what was meant.
func edited(text []byte, edit func(*Doc) error, check func(*Doc) bool) ([]byte, error) {
	if text == nil {
		text = []byte("{}\n")
	}
	d, fault := Parse(text)
	if fault != nil {
		return nil, fault
	}
	if err := edit(d); err != nil {
		return nil, err
	}
	after, fault := Parse(d.Text)
	if fault != nil || check != nil && !check(after) {
		return nil, errShape
	}
	return d.mark(d.Text), nil
}

// splice puts other bytes in the place of some. The tree is no use afterwards,
// but for what is before them.
func (d *Doc) splice(from, to int, with []byte) {
	d.Text = slices.Concat(d.Text[:from], with, d.Text[to:])
}

// add puts a child behind the last of the object or array at a path, made when
// it is missing.
func (d *Doc) add(path []string, kind byte, c child) error {
	for n := len(path); ; n-- {
		v := d.find(path[:n])
		if v == nil {
			c, kind = c.in(path[n-1], kind), '{'
			continue
		}
		if d.Text[v.StartOffset] != kind {
			what := "an array"
			if kind == '{' {
				what = "an object"
			}
			line, column := d.At(v.StartOffset)
			return &Fault{line, column, fmt.Sprintf("has something else than %s at %s", what, strings.Join(path[:n], "."))}
		}
		d.insert(v, c)
		return nil
	}
}

// A span is where a child of an object or array stands in the text.
type span struct{ from, to, comma int } // comma: its offset, -1: there is none

func (d *Doc) children(v *Value) []span {
	var all []span
	end := func(last *Value) (to, comma int) {
		to, comma = last.EndOffset, -1
		if at := to + len(last.AfterExtra); d.Text[at] == ',' {
			comma = at
		}
		return
	}
	switch c := v.Value.(type) {
	case *Object:
		for i := range c.Members {
			to, comma := end(&c.Members[i].Value)
			all = append(all, span{c.Members[i].Name.StartOffset, to, comma})
		}
	case *Array:
		for i := range c.Elements {
			to, comma := end(&c.Elements[i])
			all = append(all, span{c.Elements[i].StartOffset, to, comma})
		}
	}
	return all
}

// insert adds a child as the one before it is written: on lines of its own, and
// with a comma behind it, if that one is.
func (d *Doc) insert(v *Value, c child) {
	close := v.EndOffset - 1
	before := d.Text[v.StartOffset+1 : close]
	gap := v.StartOffset + 1 + len(bytes.TrimRight(before, " \t\r\n")) // behind the last thing that is there
	all := d.children(v)
	lines := d.lines(v)
	newline := d.newline()
	margin := d.margin(v.StartOffset)
	indent := margin + d.unit()
	if len(all) > 0 && lines {
		if own := d.margin(all[len(all)-1].from); d.startsLine(all[len(all)-1].from) {
			indent = own
		}
	}
	text := d.layout(c, indent, lines)
	tail := d.Text[gap:close]
	if lines {
		text = slices.Concat([]byte(newline+indent), text)
		if !bytes.Contains(tail, []byte("\n")) {
			tail = []byte(newline + margin)
		}
	} else if len(bytes.TrimSpace(before)) > 0 {
		text = slices.Concat([]byte(" "), text)
	}
	if n := len(all); n > 0 {
		last := all[n-1]
		if last.comma >= 0 {
			text = append(text, ',')
		} else {
			text = slices.Concat([]byte(","), d.Text[last.to:gap], text)
			gap = last.to
		}
	}
	d.splice(gap, close, append(text, tail...))
}

// take removes a child, with the space that is before it and its comma.
func (d *Doc) take(v *Value, i int) {
	all := d.children(v)
	me := all[i]
	start := v.StartOffset + 1
	if i > 0 {
		start = all[i-1].to
		if all[i-1].comma >= 0 {
			start = all[i-1].comma + 1
		}
	}
	from := start + len(bytes.TrimRight(d.Text[start:me.from], " \t\r\n"))
	to := me.to
	if me.comma >= 0 {
		to = me.comma + 1
	}
	keep := slices.Clone(d.Text[me.to:max(me.to, me.comma)]) // a comment between the value and its comma
	keep = bytes.TrimRight(keep, " \t\r\n")
	if len(all) == 1 {
		rest := slices.Concat(d.Text[start:from], keep, d.Text[to:v.EndOffset-1])
		if len(bytes.TrimSpace(rest)) == 0 {
			d.splice(start, v.EndOffset-1, nil)
			return
		}
	}
	if i == 0 && len(all) > 1 && !bytes.Contains(d.Text[from:me.from], []byte("\n")) {
		to += len(d.Text[to:]) - len(bytes.TrimLeft(d.Text[to:], " \t"))
	}
	// The end of a line ends the comment before it.
	if line := bytes.LastIndex(d.Text[start:from], []byte("//")); (line >= 0 || bytes.Contains(keep, []byte("//"))) && !bytes.HasPrefix(bytes.TrimLeft(d.Text[to:], " \t\r"), []byte("\n")) {
		keep = append(keep, d.newline()...)
	}
	d.splice(from, to, keep)
	if i > 0 && i == len(all)-1 && me.comma < 0 {
		d.splice(all[i-1].comma, all[i-1].comma+1, nil)
	}
}

// lines reports whether the children of a value stand on lines of their own.
func (d *Doc) lines(v *Value) bool {
	inside := d.Text[v.StartOffset+1 : v.EndOffset-1]
	all := d.children(v)
	if len(all) > 0 {
		return d.startsLine(all[len(all)-1].from) || bytes.Contains(d.Text[all[len(all)-1].to:v.EndOffset-1], []byte("\n"))
	}
	if bytes.Contains(inside, []byte("\n")) {
		return true
	}
	// An empty one is opened up where others are, or in a file with nothing in it.
	if v.StartOffset == d.Root.StartOffset {
		return true
	}
	return d.lines(&d.Root)
}

// startsLine reports whether only space is before an offset in its line.
func (d *Doc) startsLine(at int) bool {
	start := bytes.LastIndexByte(d.Text[:at], '\n') + 1
	return start > 0 && len(bytes.TrimSpace(d.Text[start:at])) == 0
}

// margin is what the line that an offset is in is indented by.
func (d *Doc) margin(at int) string {
	start := bytes.LastIndexByte(d.Text[:at], '\n') + 1
	line := d.Text[start:at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// unit is what one more level is indented by: as the first member of the text.
func (d *Doc) unit() string {
	if all := d.children(&d.Root); len(all) > 0 && d.startsLine(all[0].from) {
		if own := strings.TrimPrefix(d.margin(all[0].from), d.margin(d.Root.StartOffset)); own != "" {
			return own
		}
	}
	return "  "
}

func (d *Doc) newline() string {
	if bytes.Contains(d.Text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// A child is what is added: an element, or with a name a member.
type child struct {
	name  string
	value json.RawMessage
	named bool
	made  int // objects around what is added, which were made for it
}

// in is the child as the only one of what stands at the end of a path.
func (c child) in(name string, kind byte) child {
	open, close, made := "[", "]", c.made
	if kind == '{' {
		open, close = "{", "}"
		made++
	}
	inside := string(c.value)
	if c.named {
		inside = string(String(c.name)) + ":" + inside
	}
	return child{name, json.RawMessage(open + inside + close), true, made}
}

// layout writes a child as the text around it is written.
func (d *Doc) layout(c child, margin string, lines bool) []byte {
	var out bytes.Buffer
	if c.named {
		out.Write(String(c.name))
		out.WriteString(": ")
	}
	root, err := hujson.Parse(c.value)
	if err != nil {
		return nil // the check of the outcome refuses it
	}
	w := writer{newline: d.newline(), unit: d.unit(), lines: lines, out: &out}
	w.write(&root, margin, c.made)
	return out.Bytes()
}

// A writer writes values on one line, or on several.
type writer struct {
	newline, unit string
	lines         bool
	out           *bytes.Buffer
}

// maxInline is how long a value may be that stays on a line: an entry of a list is
// read, and compared, as one.
const maxInline = 480

// write writes a value: on one line, unless that would be too long. The objects
// that were made around it are opened up, since more will be put into them.
func (w writer) write(v *Value, margin string, made int) {
	v.BeforeExtra, v.AfterExtra = nil, nil
	if w.lines && made == 0 && len(v.Pack()) <= maxInline {
		w.lines = false
	}
	switch c := v.Value.(type) {
	case *Object:
		w.each('{', '}', len(c.Members), margin, func(i int, inner string) {
			w.out.Write(c.Members[i].Name.Value.(Literal))
			w.out.WriteString(": ")
			w.write(&c.Members[i].Value, inner, max(0, made-1))
		})
	case *Array:
		w.each('[', ']', len(c.Elements), margin, func(i int, inner string) { w.write(&c.Elements[i], inner, made) })
	case Literal:
		w.out.Write(c)
	}
}

func (w writer) each(open, close byte, n int, margin string, write func(i int, margin string)) {
	w.out.WriteByte(open)
	inner := margin + w.unit
	for i := range n {
		switch {
		case w.lines && i > 0:
			w.out.WriteString("," + w.newline + inner)
		case w.lines:
			w.out.WriteString(w.newline + inner)
		case i > 0:
			w.out.WriteString(", ")
		}
		write(i, inner)
	}
	if w.lines && n > 0 {
		w.out.WriteString(w.newline + margin)
	}
	w.out.WriteByte(close)
}
