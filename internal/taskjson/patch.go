package taskjson

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

// Patch rewrites text so that it says what want says, and returns text itself
// when it does already. Values that do not differ stay byte for byte, and so do
// unknown keys, the order, the indent, the spelling of kept list elements, a
// byte order mark, the line ends, and a final newline or its absence. When
// anything is written, missing ones of the seven keys come in too. The key
// merging stays, whatever want says: [Join] writes it.
//
// The error is a [*Fault] when text cannot be read, or would become too large.
func Patch(text []byte, want *pawl.Task) ([]byte, error) {
	var buf [usualMembers]member
	file, members, fault := decode(text, buf[:0])
	if fault != nil {
		return nil, fault
	}
	start := len(text) - len(trimLeft(text))
	p := patcher{
		object: newObject(text, span{start, len(text)}, members),
		set:    layoutOf(text, start, members),
		want:   want,
	}
	for k := range unknown {
		wanted := appendField(nil, want, k)
		if !bytes.Equal(appendField(nil, &file.Task, k), wanted) {
			p.field(k, wanted)
		}
	}
	p.extra()
	if !p.changed {
		return text, nil
	}
	for k := range keyOwner + 1 {
		if p.find(k) < 0 {
			p.field(k, appendField(nil, want, k))
		}
	}
	patched := p.append(slices.Clone(text[:start]), &p.set, 0)
	if len(patched) > pawl.MaxTask {
		return nil, &Fault{1, 1, "the file would be larger than 1 MiB"}
	}
	return patched, nil
}

// patcher changes the object of a file.
type patcher struct {
	object
	set  layout
	want *pawl.Task
}

func (p *patcher) find(k key) int {
	return slices.IndexFunc(p.items, func(it item) bool { return it.known == k })
}

// field writes the compact value of a known key; an empty one removes the key.
func (p *patcher) field(k key, wanted []byte) {
	i := p.find(k)
	switch {
	case len(wanted) == 0:
		p.remove(keyNames[k])
	case i >= 0:
		p.replace(i, p.value(k, wanted, p.members[p.items[i].from]))
	default: // after all that stand before it in our order
		for j, it := range p.items {
			if it.known < k {
				i = j
			}
		}
		p.insert(i+1, item{name: keyNames[k], known: k, value: p.fresh(k, wanted)})
	}
}

// extra writes the fields that are not Pawl's.
func (p *patcher) extra() {
	var wanted []pair
	for _, name := range extras(p.want) {
		wanted = append(wanted, pair{name, appendRaw(nil, p.want.Extra[name], fileDepth-1)})
	}
	p.revise(wanted, func(it item) bool {
		if it.known == unknown {
			return true
		}
		if it.from < 0 || it.value != nil {
			return false
		}
		_, extra := slices.BinarySearchFunc(wanted, it.name, func(w pair, name string) int { return strings.Compare(w.name, name) })
		return extra || p.members[it.from].foreign
	}, &p.set, 1)
}

// value sets the wanted value of a key in the place of an old one, keeping what
// it can of that.
func (p *patcher) value(k key, wanted []byte, m member) []byte {
	old := m.val
	if m.foreign || old.null(p.text) {
		return p.fresh(k, wanted)
	}
	switch like := k.in(p.want).(type) {
	case *[]pawl.ID, *former, *[]string, *[]pawl.Note, *[]pawl.Check, *[]pawl.Criterion, *[]pawl.Evidence:
		return p.list(like, wanted, old)
	case **pawl.Hold, *map[string]json.RawMessage:
		if old.isObject(p.text) {
			return p.inner(wanted, old)
		}
	case *pawl.ID:
		return spellID(wanted, old.isString(p.text))
	case *time.Time:
		if old.isNumber(p.text) {
			return numberTime(old.of(p.text), wanted)
		}
	}
	return p.fresh(k, wanted)
}

// fresh sets the value of a key that had none.
func (p *patcher) fresh(k key, wanted []byte) []byte {
	switch k.in(p.want).(type) {
	case *pawl.ID:
		wanted = spellID(wanted, p.stringIDs(nil))
	case *[]pawl.ID, *former:
		if p.stringIDs(nil) {
			wanted = quoteIDs(wanted)
		}
	}
	return p.set.value(nil, wanted, 1)
}

// inner patches an object in the file, so that it has the members of the
// compact object wanted.
func (p *patcher) inner(wanted []byte, old span) []byte {
	o := newObject(p.text, old, membersOf(p.text, old))
	set := p.set
	if bytes.IndexByte(old.of(p.text), '\n') < 0 && len(o.members) > 0 {
		set.newline = ""
	}
	var pairs []pair
	for _, m := range membersOf(wanted, span{0, len(wanted)}) {
		pairs = append(pairs, pair{m.name(wanted), m.val.of(wanted)})
	}
	o.revise(pairs, func(item) bool { return true }, &set, 2)
	return o.append(nil, &set, 1)
}

// list patches a list in the file, so that it has the elements of the compact list
// wanted. Elements that it had keep their spelling. like is a list of the type.
func (p *patcher) list(like any, wanted []byte, old span) []byte {
	had := noteSpans(p.text, old) // only notes may be no list
	var ids, mixed bool           // mixed: an element is a text or has parts
	switch like.(type) {
	case *[]pawl.ID, *former:
		ids = true
	case *[]pawl.Check, *[]pawl.Criterion:
		mixed = true
	}
	places := map[string][]span{}
	for _, e := range had {
		element := string(p.element(like, e))
		places[element] = append(places[element], e)
	}
	quoted := ids && p.stringIDs(had)
	type element struct{ kept, fresh []byte }
	var elements []element
	for _, e := range elementsOf(wanted, span{0, len(wanted)}, nil) {
		raw := e.of(wanted)
		if same := places[string(raw)]; len(same) > 0 {
			places[string(raw)] = same[1:]
			elements = append(elements, element{kept: same[0].of(p.text)})
			continue
		}
		elements = append(elements, element{fresh: spellID(raw, quoted)})
	}
	if len(elements) == 0 {
		return []byte("[]")
	}
	// Texts alone stand on one line; what has parts among them, each on its own.
	parts := slices.ContainsFunc(elements, func(e element) bool {
		return len(e.kept) > 0 && e.kept[0] == '{' || len(e.fresh) > 0 && e.fresh[0] == '{'
	})
	relaid := mixed && parts == plain(p.text, old)
	if len(had) == 0 || !old.isList(p.text) || relaid {
		dst := []byte{'['}
		for i, e := range elements {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(append(dst, compact(e.kept, span{0, len(e.kept)})...), e.fresh...)
		}
		return p.set.value(nil, append(dst, ']'), 1)
	}
	set := p.set
	open := p.text[old.start+1 : had[0].start]
	comma := append([]byte(","), open...)
	if bytes.IndexByte(open, '\n') < 0 {
		set.newline, comma = "", []byte(set.comma)
	}
	if len(had) > 1 {
		comma = p.text[had[0].end:had[1].start]
	}
	if bytes.IndexByte(had[0].of(p.text), '\n') < 0 && !had[0].isPlain(p.text) {
		set.newline = ""
	}
	dst := append([]byte{'['}, open...)
	for i, e := range elements {
		if i > 0 {
			dst = append(dst, comma...)
		}
		if e.kept != nil {
			dst = append(dst, e.kept...)
		} else {
			dst = set.value(dst, e.fresh, 2)
		}
	}
	return append(dst, p.text[had[len(had)-1].end:old.end]...)
}

// element is the compact form that Pawl gives an element of the file's list.
func (p *patcher) element(like any, e span) []byte {
	switch like.(type) {
	case *[]pawl.Note:
		return appendNote(nil, noteAt(p.text, e))
	case *[]string:
		return appendString(nil, unquote(e.of(p.text)))
	case *[]pawl.Check:
		c, _ := checkAt(p.text, e)
		return appendCheck(nil, &c)
	case *[]pawl.Criterion:
		c, _ := criterionAt(p.text, e)
		return appendCriterion(nil, &c)
	case *[]pawl.Evidence:
		run, _ := runAt(p.text, e)
		return appendRun(nil, &run)
	}
	var id pawl.ID
	readID(&id, p.text, e)
	return strconv.AppendInt(nil, int64(id), 10)
}

// stringIDs reports whether ids in the file are strings: by the elements of the
// list itself, else by another list, else by the id.
func (p *patcher) stringIDs(had []span) bool {
	for _, k := range [...]key{keyBlockedBy, keyBlocks} {
		if i := p.find(k); len(had) == 0 && i >= 0 && p.items[i].from >= 0 {
			if at := p.members[p.items[i].from].val; at.isList(p.text) {
				had = elementsOf(p.text, at, nil)
			}
		}
	}
	if len(had) == 0 {
		had = []span{p.members[p.items[p.find(keyID)].from].val}
	}
	return had[len(had)-1].isString(p.text)
}

// spellID quotes a compact id if ids are strings. Anything else stays.
func spellID(id []byte, quoted bool) []byte {
	if !quoted || !isDigit(id[0]) {
		return id
	}
	return append(append([]byte{'"'}, id...), '"')
}

func quoteIDs(list []byte) []byte {
	dst := []byte{'['}
	for i, e := range elementsOf(list, span{0, len(list)}, nil) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, spellID(e.of(list), true)...)
	}
	return append(dst, ']')
}

// numberTime writes a time as a number where the file has one.
func numberTime(old, wanted []byte) []byte {
	var when, again time.Time
	readTime(&when, wanted, span{0, len(wanted)})
	number := strconv.AppendFloat(nil, float64(when.UnixMilli())/1000, 'f', 3, 64)
	if n, _ := strconv.ParseFloat(string(old), 64); n >= millisFrom {
		number = strconv.AppendInt(nil, when.UnixMilli(), 10)
	}
	if !readTime(&again, number, span{0, len(number)}) || !again.Equal(when) {
		return wanted
	}
	return number
}

// layoutOf tells how the members of a file's object, which begins at start,
// are set.
func layoutOf(text []byte, start int, members []member) layout {
	first := members[0]
	between := text[start+1 : first.key.start]
	if len(members) > 1 {
		between = text[first.val.end:members[1].key.start]
	}
	set := layout{colon: string(text[first.key.end:first.val.start]), comma: ", "}
	end := bytes.LastIndexByte(between, '\n')
	if end < 0 {
		if len(members) > 1 {
			set.comma = string(between)
		} else {
			set.comma = "," + strings.TrimPrefix(set.colon, ":")
		}
		return set
	}
	set.newline = "\n"
	if end > 0 && between[end-1] == '\r' {
		set.newline = "\r\n"
	}
	indent := between[end+1:]
	set.base = string(indent[:len(indent)-len(bytes.TrimLeft(indent, " \t"))])
	set.unit = set.base
	for _, m := range members {
		if !m.val.isList(text) {
			continue
		}
		if elements := elementsOf(text, m.val, nil); len(elements) > 0 && elements[0].isPlain(text) {
			set.spread = bytes.IndexByte(text[m.val.start:elements[0].start], '\n') >= 0
			break
		}
	}
	return set
}
