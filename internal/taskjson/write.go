package taskjson

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
)

// layout is how a text is set.
type layout struct {
	newline string // with what a line ends; empty: everything is on one
	base    string // indent of the members of the file's object
	unit    string // what each further level adds
	comma   string // between the items of a line
	colon   string
	spread  bool // plain lists, too, have one element a line
}

var (
	ours    = layout{newline: "\n", base: "  ", unit: "  ", comma: ", ", colon: ": "}
	oneLine = layout{comma: ",", colon: ":"}
)

// Encode makes the text of a new file: the seven keys that are always there, the
// others when set, unknown ones last. Raw values must be JSON; one that is not is
// written as a text, so that the file can be read.
func Encode(t *pawl.Task) []byte { return append(ours.task(t), '\n') }

// EncodeLine is [Encode] on one line, without a newline.
func EncodeLine(t *pawl.Task) []byte { return oneLine.task(t) }

func (l *layout) task(t *pawl.Task) []byte {
	dst := make([]byte, 0, 256+len(t.Subject)+len(t.Description)+len(t.Description)/16)
	dst = append(dst, '{')
	var value []byte
	for k := range unknown {
		value = appendField(value[:0], t, k)
		if len(value) > 0 {
			dst = l.member(dst, keyNames[k], value, 1)
		}
	}
	for _, name := range extras(t) {
		dst = l.member(dst, name, appendRaw(nil, t.Extra[name], fileDepth-1), 1)
	}
	return append(l.lineBreak(dst, 0), '}')
}

// member appends one member of an object that may already have some.
func (l *layout) member(dst []byte, name string, value []byte, depth int) []byte {
	if dst[len(dst)-1] != '{' {
		dst = l.separate(dst)
	}
	dst = appendString(l.lineBreak(dst, depth), name)
	return l.value(append(dst, l.colon...), value, depth)
}

func (l *layout) separate(dst []byte) []byte {
	if l.newline != "" {
		return append(dst, ',')
	}
	return append(dst, l.comma...)
}

func (l *layout) lineBreak(dst []byte, depth int) []byte {
	if l.newline == "" {
		return dst
	}
	dst = append(dst, l.newline...)
	if depth == 0 {
		return dst
	}
	dst = append(dst, l.base...)
	for range depth - 1 {
		dst = append(dst, l.unit...)
	}
	return dst
}

// value appends a compact value as the layout sets it.
func (l *layout) value(dst, compact []byte, depth int) []byte {
	if c := compact[0]; c != '{' && c != '[' || *l == oneLine {
		return append(dst, compact...)
	}
	s := scanner{text: compact}
	return l.nested(dst, &s, depth)
}

func (l *layout) nested(dst []byte, s *scanner, depth int) []byte {
	open := s.text[s.pos]
	whole := *s
	at, _ := whole.value(fieldDepth)
	if open != '{' && open != '[' || at.end-at.start == 2 {
		s.pos = at.end
		return append(dst, at.of(s.text)...)
	}
	set := *l
	if open == '[' && !l.spread && plain(s.text, at) {
		set.newline = ""
	}
	s.pos++
	dst = append(dst, open)
	for first, begun := true, false; s.more(&first, open+2); begun = true {
		if begun {
			dst = set.separate(dst)
		}
		dst = set.lineBreak(dst, depth+1)
		if open == '{' {
			name := s.pos
			s.str()
			dst = append(append(dst, s.text[name:s.pos]...), set.colon...)
			s.pos++
		}
		dst = set.nested(dst, s, depth+1)
	}
	return append(set.lineBreak(dst, depth), open+2)
}

// plain reports whether no element of a list has parts of its own.
func plain(text []byte, at span) bool {
	for _, e := range elementsOf(text, at, nil) {
		if !e.isPlain(text) {
			return false
		}
	}
	return true
}

// appendField appends the compact value of a field, or nothing when it need
// not be written. Two tasks are the same in a field when this is.
func appendField(dst []byte, t *pawl.Task, k key) []byte {
	return appendValue(dst, k.in(t), k.core())
}

// appendValue appends the value of a field. always: even if it is not set.
func appendValue(dst []byte, of any, always bool) []byte {
	switch v := of.(type) {
	case *pawl.ID:
		if *v != 0 || always {
			return strconv.AppendInt(dst, int64(*v), 10)
		}
	case *string:
		if *v != "" || always {
			return appendString(dst, *v)
		}
	case *pawl.Status:
		return appendString(dst, string(cmp.Or(*v, pawl.Pending)))
	case *int:
		if *v != 0 {
			return strconv.AppendInt(dst, int64(*v), 10)
		}
	case *pawl.Priority:
		if *v != pawl.Medium {
			return appendString(dst, v.String())
		}
	case *[]pawl.ID:
		return appendIDs(dst, *v)
	case *former:
		if len(*v) > 0 {
			return appendIDs(dst, CutWas(*v))
		}
	case *[]string:
		return appendLabels(dst, *v)
	case *[]pawl.Note:
		return appendNotes(dst, *v)
	case **pawl.Hold:
		if *v != nil {
			return appendHold(dst, *v)
		}
	case *[]pawl.Check:
		return appendList(dst, *v, appendCheck)
	case *[]pawl.Criterion:
		return appendList(dst, *v, appendCriterion)
	case *[]pawl.Evidence:
		return appendList(dst, *v, appendRun)
	case *map[string]json.RawMessage:
		return appendObject(dst, *v, fileDepth-2)
	case *time.Time:
		return appendTime(dst, *v)
	}
	return dst
}

func appendIDs(dst []byte, ids []pawl.ID) []byte {
	dst = append(dst, '[')
	for i, id := range ids {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, int64(id), 10)
	}
	return append(dst, ']')
}

func appendLabels(dst []byte, labels []string) []byte {
	if len(labels) == 0 {
		return dst
	}
	return appendTexts(dst, labels)
}

func appendNotes(dst []byte, notes []pawl.Note) []byte {
	if len(notes) == 0 {
		return dst
	}
	dst = append(dst, '[')
	for i, note := range notes {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendNote(dst, note)
	}
	return append(dst, ']')
}

func appendNote(dst []byte, note pawl.Note) []byte {
	dst = append(dst, '{')
	if at := appendTime(nil, note.At); len(at) > 0 {
		dst = oneLine.member(dst, "at", at, 0)
	}
	if note.By != "" {
		dst = oneLine.member(dst, "by", appendString(nil, note.By), 0)
	}
	return append(oneLine.member(dst, "text", appendString(nil, note.Text), 0), '}')
}

func appendHold(dst []byte, hold *pawl.Hold) []byte {
	dst = oneLine.member(append(dst, '{'), "reason", appendString(nil, hold.Reason), 0)
	if hold.By != "" {
		dst = oneLine.member(dst, "by", appendString(nil, hold.By), 0)
	}
	if at := appendTime(nil, hold.At); len(at) > 0 {
		dst = oneLine.member(dst, "at", at, 0)
	}
	return append(dst, '}')
}

func appendObject(dst []byte, values map[string]json.RawMessage, depth int) []byte {
	if len(values) == 0 {
		return dst
	}
	dst = append(dst, '{')
	for _, name := range slices.Sorted(maps.Keys(values)) {
		dst = oneLine.member(dst, name, appendRaw(nil, values[name], depth), 0)
	}
	return append(dst, '}')
}

// appendTime appends RFC 3339 in UTC with exactly three decimals; nothing for
// a time that is not set.
func appendTime(dst []byte, t time.Time) []byte {
	if t = t.UTC(); t.IsZero() || !writable(t) {
		return dst
	}
	dst = t.AppendFormat(append(dst, '"'), "2006-01-02T15:04:05.000Z")
	return append(dst, '"')
}

// appendRaw appends a raw value, which may be nested so deep.
func appendRaw(dst []byte, raw json.RawMessage, depth int) []byte {
	if len(raw) == 0 {
		return append(dst, "null"...)
	}
	s := scanner{text: raw}
	s.space()
	at, ok := s.value(depth)
	if s.space(); !ok || s.pos < len(raw) || !utf8.Valid(raw) {
		return appendString(dst, string(raw))
	}
	return append(dst, compact(raw, at)...)
}

// extras returns the names of what a file keeps besides Pawl's own keys, in
// order. An optional key of Pawl's is among them while the field is not set and
// the value is of a type that is not read.
func extras(t *pawl.Task) []string {
	names := slices.Sorted(maps.Keys(t.Extra))
	return slices.DeleteFunc(names, func(name string) bool {
		k := keyOf([]byte(name), unknown)
		return k != unknown && (k.core() || len(appendField(nil, t, k)) > 0 || !foreign(k, t.Extra[name]))
	})
}

// foreign reports whether raw under the key k would not be read.
func foreign(k key, raw json.RawMessage) bool {
	text := appendRaw(nil, raw, fileDepth-1)
	at := span{0, len(text)}
	return !at.null(text) && readValue(k.in(new(pawl.Task)), text, at) != nowhere
}

const hexDigits = "0123456789abcdef"

// appendString appends s in quotes, escaping only what must be. Bytes that no text
// of a task may hold, a NUL or invalid UTF-8, become U+FFFD: Pawl must never write
// a file that it cannot read.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				dst = append(append(dst, s[from:i]...), "\uFFFD"...)
				from = i + 1
			}
			i += size
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		dst = append(dst, s[from:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		case '\b':
			dst = append(dst, `\b`...)
		case '\f':
			dst = append(dst, `\f`...)
		case 0:
			dst = append(dst, "\uFFFD"...)
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		i++
		from = i
	}
	return append(append(dst, s[from:]...), '"')
}
