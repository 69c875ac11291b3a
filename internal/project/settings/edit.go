package settings

import (
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
		return d.Pack(), nil
	}
	group, name := d.group(s.Key)
	return d.Insert(group, name, literal(value)), nil
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

// group is the object that a new key belongs to, and its name there: that of the groups that
// its first parts name, as far as there are some, else the file's.
func (d document) group(key string) (*jsonc.Value, string) {
	group := &d.Root
	for {
		first, rest, _ := strings.Cut(key, ".")
		var inner *jsonc.Value
		for i := range group.Value.(*jsonc.Object).Members {
			m := &group.Value.(*jsonc.Object).Members[i]
			if _, ok := m.Value.Value.(*jsonc.Object); ok && rest != "" && m.Name.Value.(jsonc.Literal).String() == first {
				inner = &m.Value
			}
		}
		if inner == nil {
			return group, key
		}
		group, key = inner, rest
	}
}
