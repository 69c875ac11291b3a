package taskjson

import (
	"bytes"
	"slices"

	"github.com/pawl-dev/pawl"
)

// First is the number that a task had first, by which it is known wherever it moves.
func First(t *pawl.Task) pawl.ID {
	if len(t.Was) > 0 {
		return t.Was[0]
	}
	return t.ID
}

// CutWas returns the former numbers that a file keeps of a task: the first, by
// which the task is known, and the newest.
func CutWas(was []pawl.ID) []pawl.ID {
	if len(was) <= pawl.MaxWas {
		return was
	}
	return append([]pawl.ID{was[0]}, was[len(was)-(pawl.MaxWas-1):]...)
}

// Join returns own with tasks of another branch in it, under the key merging.
// They replace those that own had; without any the key goes. [Split] gives the
// same texts back, but for byte order marks and what stands around the braces.
//
//	"merging": [
//	  {
//	    "id": 12,
//
// The error is a [*Fault]: a text cannot be read, or has the key for something else,
// or the whole would be too large.
func Join(own []byte, others [][]byte) ([]byte, error) {
	for _, other := range others {
		if _, err := Decode(other); err != nil {
			return nil, err
		}
	}
	var buf [usualMembers]member
	_, members, fault := decode(own, buf[:0])
	if fault != nil {
		return nil, fault
	}
	start := len(own) - len(trimLeft(own))
	o := newObject(own, span{start, len(own)}, members)
	set := layoutOf(own, start, members)
	if i := slices.IndexFunc(members, func(m member) bool { return m.known == keyMerging }); i >= 0 {
		if members[i].foreign && len(others) > 0 {
			return nil, faultAt(own, members[i].val.start, "%s", keyMerging.problem())
		}
		if members[i].foreign {
			return own, nil
		}
		o.remove(keyNames[keyMerging])
		own = o.append(slices.Clone(own[:start]), &set, 0)
		if len(others) > 0 {
			return Join(own, others)
		}
		return own, nil
	}
	if len(others) == 0 {
		return own, nil
	}
	value := []byte{'['}
	for i, other := range others {
		if i > 0 {
			value = set.separate(value)
		}
		value = set.lineBreak(value, 2)
		value = append(value, indented(bytes.TrimRight(trimLeft(other), " \r\n\t"), set.inner())...)
	}
	value = append(set.lineBreak(value, 1), ']')
	o.insert(len(o.items), item{name: keyNames[keyMerging], known: keyMerging, value: value})
	joined := o.append(slices.Clone(own[:start]), &set, 0)
	if len(joined) > pawl.MaxTask {
		return nil, &Fault{1, 1, "the file would be larger than 1 MiB"}
	}
	return joined, nil
}

// Split returns the text of a file without the key merging, and the texts of
// the tasks of another branch that are under it. Of a file that has none it
// returns text itself. The error is a [*Fault].
func Split(text []byte) (own []byte, others [][]byte, err error) {
	var buf [usualMembers]member
	_, members, fault := decode(text, buf[:0])
	if fault != nil {
		return nil, nil, fault
	}
	i := slices.IndexFunc(members, func(m member) bool { return m.known == keyMerging && !m.foreign })
	if i < 0 || members[i].val.null(text) {
		return text, nil, nil
	}
	newline := "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		newline = "\r\n"
	}
	for _, e := range elementsOf(text, members[i].val, nil) {
		other := append(outdented(text, e), newline...)
		inner, more, err := Split(other)
		if err != nil {
			return nil, nil, err
		}
		others = append(append(others, inner), more...)
	}
	own, err = Join(text, nil)
	return own, others, err
}

// inner is the indent of what stands in a list of the file's object.
func (l *layout) inner() []byte {
	if l.newline == "" {
		return nil
	}
	return []byte(l.base + l.unit)
}

// indented sets an indent before every line but the first. No string of JSON
// goes over two lines, so that only white space changes.
func indented(text, indent []byte) []byte {
	return bytes.ReplaceAll(text, []byte("\n"), append([]byte("\n"), indent...))
}

// outdented copies a value without the indent of the line that it begins on.
func outdented(text []byte, at span) []byte {
	line := bytes.LastIndexByte(text[:at.start], '\n') + 1
	indent := text[line:at.start]
	if line == 0 || len(bytes.Trim(indent, " \t")) > 0 {
		return slices.Clone(at.of(text))
	}
	return bytes.ReplaceAll(at.of(text), append([]byte("\n"), indent...), []byte("\n"))
}

// readMerging reads the tasks of another branch. One list holds them all: those
// that such a task has itself stand behind it.
func readMerging(dst *[]pawl.Task, text []byte, at span) bool {
	if !at.isList(text) {
		return false
	}
	var tasks []pawl.Task
	for _, e := range elementsOf(text, at, nil) {
		file, _, fault := decode(e.of(text), nil)
		if fault != nil {
			return false
		}
		inner := file.Task.Merging
		file.Task.Merging = nil
		tasks = append(append(tasks, file.Task), inner...)
	}
	*dst = tasks
	return true
}

// tooDeep reports whether a value is nested deeper than another program's may be.
func tooDeep(text []byte, at span) bool {
	s := scanner{text: text, pos: at.start}
	_, ok := s.value(fileDepth - 1)
	return !ok
}
