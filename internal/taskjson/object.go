package taskjson

import (
	"bytes"
	"slices"
)

// object is an object of a text in the course of being changed: its members as
// they are to be, each one of the text's own or a new one.
type object struct {
	text    []byte
	at      span
	members []member
	items   []item
	changed bool
}

// item is a member of the new object.
type item struct {
	from  int // the member of the text; -1: a new one
	name  string
	known key
	value []byte // nil: as it stands in the text
}

func newObject(text []byte, at span, members []member) object {
	o := object{text: text, at: at, members: members, items: make([]item, len(members), len(members)+8)}
	for i, m := range members {
		o.items[i] = item{from: i, name: m.name(text), known: m.known}
	}
	return o
}

func (o *object) insert(i int, it item) {
	it.from = -1
	o.items = slices.Insert(o.items, i, it)
	o.changed = true
}

func (o *object) replace(i int, value []byte) {
	o.items[i].value = value
	o.changed = true
}

func (o *object) remove(name string) {
	o.items = slices.DeleteFunc(o.items, func(it item) bool { return it.name == name })
	o.changed = true
}

// pair is a name and its new compact value.
type pair struct {
	name  string
	value []byte
}

// revise makes those items that are meant the wanted ones. A new one comes
// after the one that it follows among the wanted, the first in front of all. Of
// several items with one name the last is what a reader sees, and changes.
func (o *object) revise(wanted []pair, meant func(item) bool, set *layout, depth int) {
	last := make(map[string]int, len(wanted))
	for i, it := range o.items {
		if meant(it) {
			last[it.name] = i
		}
	}
	const front = -1
	values := make(map[string][]byte, len(wanted))
	added := map[int][]item{}
	at := front
	for _, w := range wanted {
		values[w.name] = w.value
		if i, ok := last[w.name]; ok {
			at = i
			continue
		}
		added[at] = append(added[at], item{from: -1, name: w.name, known: unknown, value: set.value(nil, w.value, depth)})
		o.changed = true
	}
	var items []item
	for i, it := range o.items {
		if !meant(it) {
			items = append(items, it)
			continue
		}
		items = append(items, added[front]...)
		delete(added, front)
		value, ok := values[it.name]
		if !ok {
			o.changed = true
			continue
		}
		if last[it.name] == i && !bytes.Equal(compact(o.text, o.members[it.from].val), value) {
			it.value = set.value(nil, value, depth)
			o.changed = true
		}
		items = append(append(items, it), added[i]...)
	}
	o.items = append(items, added[front]...)
}

// append appends the text of the object. The text between remaining members stays;
// a new one is separated as the others are.
func (o *object) append(dst []byte, set *layout, depth int) []byte {
	if len(o.members) == 0 || len(o.items) == 0 {
		return o.appendNew(dst, set, depth)
	}
	first, last := o.members[0], o.members[len(o.members)-1]
	lead := o.text[o.at.start+1 : first.key.start]
	colon := o.text[first.key.end:first.val.start]
	comma := append([]byte(","), lead...)
	if len(o.members) > 1 {
		comma = o.text[first.val.end:o.members[1].key.start]
	} else if bytes.IndexByte(lead, '\n') < 0 {
		comma = []byte(set.comma)
	}
	dst = append(append(dst, '{'), lead...)
	for i, it := range o.items {
		switch {
		case i == 0:
		case it.from > 0:
			dst = append(dst, o.text[o.members[it.from-1].val.end:o.members[it.from].key.start]...)
		default:
			dst = append(dst, comma...)
		}
		value := it.value
		if it.from < 0 {
			dst = append(appendString(dst, it.name), colon...)
		} else {
			m := o.members[it.from]
			dst = append(dst, o.text[m.key.start:m.val.start]...)
			if value == nil {
				value = m.val.of(o.text)
			}
		}
		dst = append(dst, value...)
	}
	return append(dst, o.text[last.val.end:o.at.end]...)
}

// appendNew appends the text of an object that has nothing to keep.
func (o *object) appendNew(dst []byte, set *layout, depth int) []byte {
	if len(o.items) == 0 {
		return append(dst, "{}"...)
	}
	dst = append(dst, '{')
	for i, it := range o.items {
		if i > 0 {
			dst = set.separate(dst)
		}
		dst = appendString(set.lineBreak(dst, depth+1), it.name)
		dst = append(append(dst, set.colon...), it.value...)
	}
	return append(set.lineBreak(dst, depth), '}')
}
