package settings

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/pawl-dev/pawl"
)

// put returns the text of a file with a setting's value in it. Everything else
// stays as it is. A key that is there keeps its place and its spelling.
func put(text []byte, path string, s *Setting, value any) ([]byte, error) {
	if text == nil {
		text = []byte("// Settings of Pawl. `pawl config list` explains them.\n{}\n")
	}
	d, err := edit(text, path)
	if err != nil {
		return nil, err
	}
	var last *member
	d.each(func(m member) {
		if m.setting() == s {
			last = &m
		}
	})
	if last != nil {
		last.value().Value = literal(value)
	} else {
		d.add(s.Key, literal(value))
	}
	return d.pack(), nil
}

// drop returns the text of a file without a setting. Comments that belong to it
// go with it.
func drop(text []byte, path string, s *Setting) ([]byte, error) {
	d, err := edit(text, path)
	if err != nil {
		return nil, err
	}
	var all []member
	d.each(func(m member) {
		if m.setting() == s {
			all = append(all, m)
		}
	})
	for _, m := range slices.Backward(all) { // so that the places of the others stay
		if err := m.remove(); err != nil {
			return nil, pawl.Errorf(pawl.Internal, "%s cannot be edited: %w", path, err)
		}
	}
	return d.pack(), nil
}

// remove takes the member out of its object. A patch finds it by its name, which
// others may have, too; so it gets one of its own first.
func (m member) remove() error {
	name := "-"
	for slices.ContainsFunc(m.in.Members, func(o hujson.ObjectMember) bool { return o.Name.Value.(hujson.Literal).String() == name }) {
		name += "-"
	}
	m.name().Value = hujson.String(name)
	in := hujson.Value{Value: m.in}
	return in.Patch([]byte(`[{"op": "remove", "path": "/` + name + `"}]`))
}

// edit is parse for a file that is to be edited.
func edit(text []byte, path string) (*document, error) {
	d, fault := parse(text)
	if fault == nil {
		return d, nil
	}
	fault.File = path
	e := pawl.Errorf(pawl.Internal, "%s", fault)
	e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "mend that place in an editor, then repeat this"}
	return nil, e
}

func (d *document) pack() []byte {
	text := d.root.Pack()
	if d.mark {
		text = append([]byte(byteOrderMark), text...)
	}
	return text
}

// add puts a new key at the end: of the group that its first part names, when
// there is one, else of the file.
func (d *document) add(key string, value hujson.Literal) {
	obj, name, margin := d.obj, key, ""
	first, rest, found := strings.Cut(key, ".")
	for i := len(d.obj.Members) - 1; i >= 0; i-- {
		m := &d.obj.Members[i]
		group, ok := m.Value.Value.(*hujson.Object)
		switch {
		case !ok || m.Name.Value.(hujson.Literal).String() != first:
		case found:
			obj, name, margin = group, rest, blank(m.Name.BeforeExtra)
		default: // one name twice would be lost on other readers
			d.dissolve(i, group)
		}
	}
	newline := "\n"
	if bytes.Contains(d.text, []byte("\r\n")) {
		newline = "\r\n"
	}
	appendMember(obj, hujson.String(name), value, newline, margin)
}

// appendMember writes a member as the one before it is written: on a line of its
// own, and with a comma behind it, if that one is.
func appendMember(obj *hujson.Object, name, value hujson.Literal, newline, margin string) {
	added := hujson.ObjectMember{Name: hujson.Value{Value: name}, Value: hujson.Value{BeforeExtra: hujson.Extra(" "), Value: value}}
	tail := obj.AfterExtra
	comments, lines, indent := bytes.TrimRight(tail, " \t\r\n"), true, margin+"  "
	if n := len(obj.Members); n > 0 {
		last := &obj.Members[n-1]
		if hasLine(last.Name.BeforeExtra) {
			indent = blank(last.Name.BeforeExtra)
		} else {
			lines = hasLine(tail)
		}
		if last.Value.AfterExtra != nil {
			added.Value.AfterExtra = hujson.Extra{}
		}
		if hasLine(tail) {
			margin = blank(tail)
		}
	}
	if lines {
		added.Name.BeforeExtra = hujson.Extra(string(comments) + newline + indent)
		obj.AfterExtra = hujson.Extra(newline + margin)
	} else {
		added.Name.BeforeExtra = hujson.Extra(string(comments) + " ")
		obj.AfterExtra = tail[len(comments):]
	}
	obj.Members = append(obj.Members, added)
}

// dissolve puts the members of a group in its place, under keys with dots.
func (d *document) dissolve(at int, group *hujson.Object) {
	holder := d.obj.Members[at]
	prefix := holder.Name.Value.(hujson.Literal).String() + "."
	line, between := "\n"+blank(holder.Name.BeforeExtra), " "
	if hasLine(holder.Name.BeforeExtra) {
		between = line
	}
	members := group.Members
	for i := range members {
		name := &members[i].Name
		head, rest, _ := bytes.Cut(name.BeforeExtra, []byte("\n")) // what is behind the one before, and what is above
		extra := between
		if i == 0 {
			extra, rest = string(holder.Name.BeforeExtra), name.BeforeExtra
		} else if head = bytes.TrimSpace(head); len(head) > 0 {
			extra = " " + string(head) + line
		}
		if rest = bytes.TrimSpace(rest); len(rest) > 0 {
			extra += string(rest) + line
		}
		name.BeforeExtra = hujson.Extra(extra)
		name.Value = hujson.String(prefix + name.Value.(hujson.Literal).String())
	}
	if n := len(members); n > 0 && at == len(d.obj.Members)-1 {
		members[n-1].Value.AfterExtra = holder.Value.AfterExtra // a comma behind it, or none
	}
	if comments := bytes.TrimSpace(group.AfterExtra); len(comments) > 0 {
		next := &d.obj.AfterExtra
		if at+1 < len(d.obj.Members) {
			next = &d.obj.Members[at+1].Name.BeforeExtra
		}
		tail := string(*next)
		if !hasLine(*next) {
			tail = line + tail
		}
		*next = hujson.Extra(line + string(comments) + tail)
	}
	d.obj.Members = slices.Replace(d.obj.Members, at, at+1, members...)
}

func hasLine(extra hujson.Extra) bool { return bytes.IndexByte(extra, '\n') >= 0 }

// blank is what the next thing is indented by.
func blank(extra hujson.Extra) string {
	line := extra[bytes.LastIndexByte(extra, '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}
