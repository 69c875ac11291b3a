package taskjson

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
)

// nowhere is the place of a misfit that is not there.
const nowhere = -1

// problem says what the value of a key must be.
func (k key) problem() string {
	what := "a whole number"
	switch k.in(new(pawl.Task)).(type) {
	case *pawl.ID:
		what = "a whole number from 1 to " + strconv.FormatInt(int64(pawl.MaxID), 10)
	case *string:
		what = "a text in quotes"
	case *pawl.Status:
		what = `"pending", "in_progress" or "completed"`
	case *[]pawl.ID, *former:
		what = "a list of task ids, from 1 to " + strconv.FormatInt(int64(pawl.MaxID), 10)
	case *pawl.Priority:
		what = `"high", "medium" or "low"`
	case *[]string:
		what = "a list of texts"
	case *[]pawl.Check:
		what = "a list of checks"
	case *[]pawl.Criterion:
		what = "a list of criteria"
	case *[]pawl.Evidence:
		what = "a list of runs"
	case *[]pawl.Task:
		what = "a list of tasks"
	case **pawl.Hold, *map[string]json.RawMessage:
		what = "an object"
	case *time.Time:
		what = "a time such as 2026-01-31T12:00:00Z"
	}
	return strconv.Quote(keyNames[k]) + " must be " + what
}

// readValue reads a value, which is not null, to where a pointer leads. When it does not
// fit, that stays as it was and the place of what does not is returned.
func readValue(into any, text []byte, at span) int {
	ok := false
	switch dst := into.(type) {
	case *pawl.ID:
		ok = readID(dst, text, at)
	case *string:
		ok = readText(dst, text, at)
	case **string:
		*dst = new(string)
		ok = readText(*dst, text, at)
	case *textLine:
		ok = readLine((*string)(dst), text, at)
	case *[]string:
		ok = readTexts(dst, text, at)
	case *command:
		ok = readCommand((*[]string)(dst), text, at)
	case *bool:
		ok = readBool(dst, text, at)
	case *int:
		ok = readWhole(dst, text, at)
	case *int64:
		ok = readInt(dst, text, at)
	case *time.Time:
		ok = readTime(dst, text, at)
	case *pawl.Duration:
		ok = readTimeout(dst, text, at)
	case *pawl.Status:
		ok = readStatus(dst, text, at)
	case *pawl.Priority:
		ok = readPriority(dst, text, at)
	case *[]pawl.ID:
		return readIDs(dst, text, at)
	case *former:
		bad := readIDs((*[]pawl.ID)(dst), text, at)
		*dst = CutWas(*dst)
		return bad
	case *[]pawl.Note:
		*dst, ok = readNotes(text, at), true
	case **pawl.Hold:
		ok = readHold(dst, text, at)
	case *[]pawl.Check:
		return readChecks(dst, text, at)
	case *[]pawl.Criterion:
		return readAccept(dst, text, at)
	case *[]pawl.Evidence:
		return readEvidence(dst, text, at)
	case *map[string]json.RawMessage:
		ok = readObject(dst, text, at)
	case *[]pawl.Task:
		ok = readMerging(dst, text, at)
	}
	if !ok {
		return at.start
	}
	return nowhere
}

// Values that are read in a way of their own.
type (
	former   []pawl.ID // the former numbers of a task
	textLine string    // a text on one line
	command  []string  // a program and its arguments
)

// A field is a member of an object inside a task, and where its value goes.
type field struct {
	name string
	into any
}

// readFields reads an object. Other members it passes over; exactly: there are none, and
// none of these twice.
func readFields(text []byte, at span, exactly bool, fields ...field) bool {
	if !at.isObject(text) {
		return false
	}
	var seen []string
	for _, m := range membersOf(text, at) {
		name := m.name(text)
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
		if exactly && (i < 0 || slices.Contains(seen, name)) || i >= 0 && readValue(fields[i].into, text, m.val) != nowhere {
			return false
		}
		seen = append(seen, name)
	}
	return true
}

func readText(dst *string, text []byte, at span) bool {
	if !at.isString(text) {
		return false
	}
	*dst = unquote(at.of(text))
	return true
}

func readStatus(dst *pawl.Status, text []byte, at span) bool {
	switch string(at.of(text)) { // the usual spellings cost no allocation
	case `"pending"`:
		*dst = pawl.Pending
		return true
	case `"in_progress"`:
		*dst = pawl.InProgress
		return true
	case `"completed"`:
		*dst = pawl.Completed
		return true
	}
	var s string
	if !readText(&s, text, at) || !pawl.Status(s).Valid() {
		return false
	}
	*dst = pawl.Status(s)
	return true
}

// readID reads 12 or "12".
func readID(dst *pawl.ID, text []byte, at span) bool {
	digits := at.of(text)
	if at.isString(text) {
		digits = digits[1 : len(digits)-1]
	}
	if len(digits) == 0 || len(digits) > 16 || digits[0] == '0' { // MaxID has 16 digits
		return false
	}
	var id pawl.ID
	for _, c := range digits {
		if !isDigit(c) {
			return false
		}
		id = id*10 + pawl.ID(c-'0')
	}
	if id > pawl.MaxID {
		return false
	}
	*dst = id
	return true
}

func readIDs(dst *[]pawl.ID, text []byte, at span) (bad int) {
	if !at.isList(text) {
		return at.start
	}
	var buf [16]span
	elements := elementsOf(text, at, buf[:0])
	var ids []pawl.ID
	if len(elements) > 0 {
		ids = make([]pawl.ID, len(elements))
	}
	for i, e := range elements {
		if !readID(&ids[i], text, e) {
			return e.start
		}
	}
	*dst = ids
	return nowhere
}

func readPriority(dst *pawl.Priority, text []byte, at span) bool {
	var s string
	if !readText(&s, text, at) {
		return false
	}
	p, err := pawl.ParsePriority(s)
	if err != nil {
		return false
	}
	*dst = p
	return true
}

func readTexts(dst *[]string, text []byte, at span) bool {
	if !at.isList(text) {
		return false
	}
	var labels []string
	for _, e := range elementsOf(text, at, nil) {
		var label string
		if !readText(&label, text, e) {
			return false
		}
		labels = append(labels, label)
	}
	*dst = labels
	return true
}

// readNotes reads whatever it finds: a remark that is not written as a note is
// a note with that text, for adding another must not cost the first.
func readNotes(text []byte, at span) []pawl.Note {
	var notes []pawl.Note
	for _, e := range noteSpans(text, at) {
		notes = append(notes, noteAt(text, e))
	}
	return notes
}

func noteAt(text []byte, at span) pawl.Note {
	var note pawl.Note
	if !readText(&note.Text, text, at) && !readNote(&note, text, at) {
		note = pawl.Note{Text: string(compact(text, at))}
	}
	return note
}

// noteSpans returns the notes of a value that may be one note or a list.
func noteSpans(text []byte, at span) []span {
	if at.isList(text) {
		return elementsOf(text, at, nil)
	}
	return []span{at}
}

func readNote(dst *pawl.Note, text []byte, at span) bool {
	var note *string
	if !readFields(text, at, false, field{"at", &dst.At}, field{"by", &dst.By}, field{"text", &note}) || note == nil {
		return false
	}
	dst.Text = *note
	return true
}

// readHold reads {"reason": …, "by": …, "at": …}, or the reason alone, as a
// person writes it.
func readHold(dst **pawl.Hold, text []byte, at span) bool {
	var hold pawl.Hold
	ok := readText(&hold.Reason, text, at) ||
		readFields(text, at, false, field{"reason", &hold.Reason}, field{"by", &hold.By}, field{"at", &hold.At})
	if !ok {
		return false
	}
	*dst = &hold
	return true
}

// readObject reads an object of raw values; of two members with one name the
// last counts.
func readObject(dst *map[string]json.RawMessage, text []byte, at span) bool {
	if !at.isObject(text) {
		return false
	}
	var values map[string]json.RawMessage
	members := membersOf(text, at)
	if len(members) > 0 {
		values = make(map[string]json.RawMessage, len(members))
	}
	for _, m := range members {
		values[m.name(text)] = compact(text, m.val)
	}
	*dst = values
	return true
}

// millisFrom is the number from which on a time counts milliseconds: as
// seconds it would be in the year 5138.
const millisFrom = 1e11

// readTime reads RFC 3339, or the seconds or milliseconds since 1970.
func readTime(dst *time.Time, text []byte, at span) bool {
	var when time.Time
	switch {
	case at.isString(text):
		parsed, err := time.Parse(time.RFC3339, unquote(at.of(text)))
		if err != nil {
			return false
		}
		when = parsed
	case at.isNumber(text):
		n, err := strconv.ParseFloat(string(at.of(text)), 64)
		if err != nil || math.Abs(n) > millisFrom*1000 {
			return false
		}
		if math.Abs(n) < millisFrom {
			n *= 1000
		}
		when = time.UnixMilli(int64(math.Round(n)))
	default:
		return false
	}
	when = when.UTC().Truncate(time.Millisecond)
	if !writable(when) {
		return false
	}
	*dst = when
	return true
}

// writable reports whether RFC 3339 can express t.
func writable(t time.Time) bool { return t.Year() >= 0 && t.Year() <= 9999 }

// unquote returns the text of a string that was checked. Half of a surrogate
// pair becomes U+FFFD.
func unquote(quoted []byte) string {
	inner := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return string(inner)
	}
	var b strings.Builder
	b.Grow(len(inner))
	for i := 0; i < len(inner); i++ {
		c := inner[i]
		if c != '\\' {
			b.WriteByte(c)
			continue
		}
		i++
		switch c := inner[i]; c {
		case 'b':
			b.WriteByte('\b')
		case 'f':
			b.WriteByte('\f')
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 't':
			b.WriteByte('\t')
		case 'u':
			r, _ := hex4(inner[i+1:])
			i += 4
			if utf16.IsSurrogate(r) {
				low := rune(utf8.RuneError)
				if rest := inner[i+1:]; len(rest) >= 6 && rest[0] == '\\' && rest[1] == 'u' {
					low, _ = hex4(rest[2:])
				}
				if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
					i += 6
				}
			}
			b.WriteRune(r)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
