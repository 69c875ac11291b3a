package settings

import (
	"bytes"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/jsonc"
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
	return d.Pack(), nil
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
	return d.Pack(), nil
}

// remove takes the member out of its object. A patch finds it by its name, which
// others may have, too; so it gets one of its own first.
func (m member) remove() error {
	name := "-"
	for slices.ContainsFunc(m.in.Members, func(o jsonc.ObjectMember) bool { return o.Name.Value.(jsonc.Literal).String() == name }) {
		name += "-"
	}
	m.name().Value = jsonc.String(name)
	in := jsonc.Value{Value: m.in}
	return in.Patch([]byte(`[{"op": "remove", "path": "/` + name + `"}]`))
}

// edit is parse for a file that is to be edited.
func edit(text []byte, path string) (document, error) {
	d, fault := parse(text)
	if fault == nil {
		return d, nil
	}
	fault.File = path
	return document{}, pawl.Errorf(pawl.Internal, "%s", fault).Say("repair that place in an editor, then repeat this")
}

// add puts a new key at the end: of the groups that its first parts name, as far as there
// are some, else of the file.
func (d document) add(key string, value jsonc.ValueTrimmed) {
	obj, name, margin := d.Obj, key, ""
	for inner := obj; inner != nil; {
		obj, inner = inner, nil
		first, rest, found := strings.Cut(name, ".")
		for i := len(obj.Members) - 1; i >= 0; i-- {
			m := &obj.Members[i]
			group, ok := m.Value.Value.(*jsonc.Object)
			switch is := m.Name.Value.(jsonc.Literal).String(); {
			case !ok:
			case is == name: // one name twice would be lost on other readers
				dissolve(obj, i, group)
			case found && is == first:
				inner, margin = group, blank(m.Name.BeforeExtra)
			}
		}
		if inner != nil {
			name = rest
		}
	}
	newline := "\n"
	if bytes.Contains(d.Text, []byte("\r\n")) {
		newline = "\r\n"
	}
	appendMember(obj, jsonc.String(name), value, newline, margin)
}

// appendMember writes a member as the one before it is written: on a line of its
// own, and with a comma behind it, if that one is.
func appendMember(obj *jsonc.Object, name jsonc.Literal, value jsonc.ValueTrimmed, newline, margin string) {
	added := jsonc.ObjectMember{Name: jsonc.Value{Value: name}, Value: jsonc.Value{BeforeExtra: jsonc.Extra(" "), Value: value}}
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
			added.Value.AfterExtra = jsonc.Extra{}
		}
		if hasLine(tail) {
			margin = blank(tail)
		}
	}
	if lines {
		added.Name.BeforeExtra = jsonc.Extra(string(comments) + newline + indent)
		obj.AfterExtra = jsonc.Extra(newline + margin)
	} else {
		added.Name.BeforeExtra = jsonc.Extra(string(comments) + " ")
		obj.AfterExtra = tail[len(comments):]
	}
	obj.Members = append(obj.Members, added)
}

// dissolve puts the members of a group in its place, under keys with dots.
func dissolve(in *jsonc.Object, at int, group *jsonc.Object) {
	holder := in.Members[at]
	prefix := holder.Name.Value.(jsonc.Literal).String() + "."
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
		name.BeforeExtra = jsonc.Extra(extra)
		name.Value = jsonc.String(prefix + name.Value.(jsonc.Literal).String())
	}
	if n := len(members); n > 0 && at == len(in.Members)-1 {
		members[n-1].Value.AfterExtra = holder.Value.AfterExtra // a comma behind it, or none
	}
	if comments := bytes.TrimSpace(group.AfterExtra); len(comments) > 0 {
		next := &in.AfterExtra
		if at+1 < len(in.Members) {
			next = &in.Members[at+1].Name.BeforeExtra
		}
		tail := string(*next)
		if !hasLine(*next) {
			tail = line + tail
		}
		*next = jsonc.Extra(line + string(comments) + tail)
	}
	in.Members = slices.Replace(in.Members, at, at+1, members...)
}

func hasLine(extra jsonc.Extra) bool { return bytes.IndexByte(extra, '\n') >= 0 }

// blank is what the next thing is indented by.
func blank(extra jsonc.Extra) string {
	line := extra[bytes.LastIndexByte(extra, '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}
