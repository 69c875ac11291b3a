package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// MaxInput is how many bytes the arguments of a call may have: a batch of tasks
// with long descriptions, and not a file.
const MaxInput = 4 << 20

// arguments are those of one call, by their right names. Their faults are
// collected, so that the call reports all of them at once.
type arguments struct {
	form   *form
	at     string // before a path in faults: "tasks[2]."
	values map[string]json.RawMessage
	*findings
}

// findings are what is wrong with a call, and what else has to be known of it.
type findings struct {
	faults   []pawl.Fault
	fixed    map[string]string // unknown names, and which was probably meant
	strange  []*form           // those that an unknown name was given to
	resolved []mentioned       // ids that were mentioned
	missing  []mentioned       // those of them that the board has no task for
	gone     *pawl.Error       // what the board says of the first of these; nil: it was not asked
	unread   bool              // the call was not checked further, because of its first fault
	lost     bool              // a task is not known, and a list of them would help
}

// read sorts out the names of a call's arguments. The result can be used even if it
// has faults.
func (f *form) read(raw json.RawMessage) *arguments {
	a := &arguments{form: f, values: map[string]json.RawMessage{}, findings: &findings{fixed: map[string]string{}}}
	switch {
	case len(raw) > MaxInput:
		a.unread = true
		a.fault("", "the arguments have %d bytes; the most is %d: send less at once", len(raw), MaxInput)
	case !utf8.Valid(raw): // which would be replaced, and the text be another one than was meant
		a.unread = true
		a.fault("", "the arguments are not UTF-8, at byte %d: write texts as UTF-8", stray(raw))
	case len(bytes.TrimSpace(raw)) == 0:
	default:
		a.fill(raw)
	}
	return a
}

// stray is where the first byte is that belongs to no character.
func stray(raw []byte) (at int) {
	for at < len(raw) {
		r, size := utf8.DecodeRune(raw[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return at
}

// within is the arguments of an object inside of others, such as a task of a batch.
func (a *arguments) within(at string, raw json.RawMessage) *arguments {
	inner := &arguments{form: a.form.item, at: a.at + at + ".", values: map[string]json.RawMessage{}, findings: a.findings}
	inner.fill(raw)
	return inner
}

func (a *arguments) fill(raw json.RawMessage) {
	raw = unwrap(raw)
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil {
		a.fault("", "%s", notAnObject(raw))
		return
	}
	from := map[string]string{}
	var nulls []string
	for _, key := range slices.Sorted(maps.Keys(given)) {
		value := given[key]
		name, known := a.form.by[fold(key)]
		switch {
		case !known && a.form.lenient:
		case !known:
			a.unknown(key)
		case isNull(value):
			nulls = append(nulls, name)
		case from[name] != "" && key != name && from[name] != name && !bytes.Equal(a.values[name], value):
			a.fault(name, "is given twice, as %s and %s", from[name], line(key))
		case from[name] == name: // the right name counts for more than another
		default:
			from[name], a.values[name] = key, value
		}
	}
	// Clients write null for what they leave out, and then for all of it. Where
	// only that is null which can be emptied, it is meant.
	if !slices.ContainsFunc(nulls, func(name string) bool { return !slices.Contains(emptiable, name) }) {
		for _, name := range nulls {
			if a.form.empties && !a.has(name) {
				a.values[name] = json.RawMessage(`""`)
			}
		}
	}
}

// emptiable are the arguments of an update that null says something of.
var emptiable = []string{"hold", "owner", "parent"}

func (a *arguments) unknown(key string) {
	if !slices.Contains(a.strange, a.form) {
		a.strange = append(a.strange, a.form)
	}
	near := text.Nearest(key, a.form.names)
	if near == "" {
		for folded, name := range a.form.by {
			if text.Nearest(fold(key), []string{folded}) != "" && (near == "" || name < near) {
				near = name
			}
		}
	}
	switch {
	case near != "" && a.at == "":
		a.fixed[key] = near
		a.fault("", "unknown argument %q: did you mean %q?", line(text.Clip(key, 60)), near)
	case near != "":
		a.fault("", "unknown field %q: did you mean %q?", line(text.Clip(key, 60)), near)
	case a.at == "":
		a.fault("", "unknown argument %q", line(text.Clip(key, 60)))
	default:
		a.fault("", "unknown field %q", line(text.Clip(key, 60)))
	}
}

func (a *arguments) fault(name, problem string, args ...any) {
	path := strings.TrimSuffix(a.at+name, ".")
	a.faults = append(a.faults, pawl.Fault{Path: path, Problem: fmt.Sprintf(problem, args...)})
}

// err is what is wrong with the arguments, all of it.
func (a *arguments) err() error {
	if len(a.faults) == 0 {
		return a.unmatched()
	}
	e := a.form.error(pawl.Invalid, slices.Clone(a.faults))
	if a.unread {
		e.Faults = e.Faults[:1]
		return e
	}
	e.Faults = append(e.Faults, a.notThere()...)
	for _, f := range a.strange {
		e.Faults = append(e.Faults, pawl.Fault{Problem: f.takes()})
	}
	switch next := a.corrected(); {
	case next != "":
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: next}
	case a.lost || len(a.missing) > 0:
		e.Hint = pawl.Hint{Step: pawl.HintList}
	}
	return e
}

// alsoWrong adds what a board finds wrong with an op, before the call is refused
// for what is wrong with its arguments. It skips fields that have a fault already.
func (a *arguments) alsoWrong(err error) {
	e, ok := errors.AsType[*pawl.Error](err)
	if !ok {
		return
	}
	for _, f := range e.Faults {
		if !slices.ContainsFunc(a.faults, func(other pawl.Fault) bool { return other.Path == f.Path }) {
			a.faults = append(a.faults, f)
		}
	}
}

func (f *form) error(kind pawl.Kind, faults []pawl.Fault) *pawl.Error {
	return &pawl.Error{Kind: kind, Message: f.fault, Faults: faults}
}

// takes lists a tool's arguments, for a call with others.
func (f *form) takes() string {
	if len(f.names) == 0 {
		return f.tool + " takes no arguments"
	}
	text := f.tool + " takes " + strings.Join(f.names, ", ")
	if f.inner {
		text = "a task of " + text
	}
	var more []string
	for _, name := range f.by {
		if !slices.Contains(f.names, name) && !slices.Contains(more, name) && name != "delete" && !(f.inner && name == "tasks") { // nobody in trouble is led there
			more = append(more, name)
		}
	}
	if slices.Sort(more); len(more) > 0 {
		text += "; also " + strings.Join(more, ", ")
	}
	return text
}

// corrected is the call with the names that were probably meant, where these
// are all that was wrong with it.
func (a *arguments) corrected() string {
	if len(a.fixed) == 0 || len(a.fixed) != len(a.faults)+len(a.missing) {
		return ""
	}
	call := "the same call with "
	for i, key := range slices.Sorted(maps.Keys(a.fixed)) {
		if i > 0 {
			call += ", "
		}
		call += fmt.Sprintf("%q in place of %q", a.fixed[key], line(text.Clip(key, 60)))
	}
	return call
}

func (a *arguments) has(name string) bool { return a.values[name] != nil }

// any reports whether one of the names was given.
func (a *arguments) any(names ...string) bool { return slices.ContainsFunc(names, a.has) }

// text reads a string; a number or truth value counts as what it looks like.
func (a *arguments) text(name string) (string, bool) {
	raw, ok := a.values[name]
	if !ok {
		return "", false
	}
	s, ok := asText(raw)
	if !ok {
		a.fault(name, "must be a text, not %s", kindOf(raw))
	}
	return s, ok
}

// word is a text for which an empty one says nothing.
func (a *arguments) word(name string) string {
	s, _ := a.text(name)
	return strings.TrimSpace(s)
}

// truth reads true or false, also as a text.
func (a *arguments) truth(name string) bool {
	raw, ok := a.values[name]
	if !ok {
		return false
	}
	if s, ok := asText(raw); ok {
		switch strings.ToLower(strings.TrimSpace(s)) {
		case "true", "yes", "1", "on":
			return true
		case "false", "no", "0", "off", "":
			return false
		}
	}
	a.fault(name, "must be true or false")
	return false
}

// number reads a whole number of at least least.
func (a *arguments) number(name string, least int64) (int64, bool) {
	raw, ok := a.values[name]
	if !ok {
		return 0, false
	}
	s, _ := asText(raw)
	n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64)
	if err != nil {
		f, floatErr := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if n = int64(f); floatErr != nil || float64(n) != f {
			a.fault(name, "must be a whole number, such as %d", max(least, 10))
			return 0, false
		}
	}
	if n < least {
		a.fault(name, "must be %d or more", least)
		return 0, false
	}
	return n, true
}

// texts reads a list of strings; one alone is a list of one.
func (a *arguments) texts(name string) []string {
	var texts []string
	for i, raw := range a.list(name) {
		s, ok := asText(raw)
		if !ok {
			a.fault(fmt.Sprintf("%s[%d]", name, i), "must be a text, not %s", kindOf(raw))
			continue
		}
		texts = append(texts, s)
	}
	return texts
}

// labels reads labels, which some models write as one text with commas.
func (a *arguments) labels(name string) []string {
	labels := a.texts(name)
	var one string
	if json.Unmarshal(unwrap(a.values[name]), &one) == nil && len(labels) == 1 {
		labels = strings.Split(one, ",")
	}
	for i := range labels {
		labels[i] = strings.TrimSpace(labels[i])
	}
	return slices.DeleteFunc(labels, func(l string) bool { return l == "" })
}

// list reads an array, also one inside of a string; anything else is a list of one.
func (a *arguments) list(name string) []json.RawMessage {
	raw, ok := a.values[name]
	if !ok {
		return nil
	}
	raw = unwrap(raw)
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil {
		return slices.DeleteFunc(list, isNull)
	}
	if s, ok := asText(raw); ok && strings.TrimSpace(s) == "" {
		return nil
	}
	return []json.RawMessage{raw}
}

// object reads an object, also one inside of a string.
func (a *arguments) object(name string) map[string]json.RawMessage {
	raw, ok := a.values[name]
	if !ok {
		return nil
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(unwrap(raw), &object); err != nil {
		a.fault(name, "must be an object such as {\"key\":\"value\"}, not %s", kindOf(raw))
	}
	return object
}

// unwrap takes JSON out of a string that holds an array or an object, as some
// models write it.
func unwrap(raw json.RawMessage) json.RawMessage {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return raw
	}
	inner := strings.TrimSpace(s)
	if (strings.HasPrefix(inner, "[") || strings.HasPrefix(inner, "{")) && json.Valid([]byte(inner)) {
		return json.RawMessage(inner)
	}
	return raw
}

// asText reads a string, a number or a truth value as a text.
func asText(raw json.RawMessage) (string, bool) {
	var s string
	if json.Unmarshal(raw, &s) == nil && !isNull(raw) {
		return s, true
	}
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] == '{' || raw[0] == '[' || isNull(raw) {
		return "", false
	}
	return string(raw), true
}

func isNull(raw json.RawMessage) bool { return string(bytes.TrimSpace(raw)) == "null" }

func kindOf(raw json.RawMessage) string {
	switch raw = bytes.TrimSpace(raw); {
	case len(raw) == 0 || string(raw) == "null":
		return "nothing"
	case raw[0] == '{':
		return "an object"
	case raw[0] == '[':
		return "an array"
	case raw[0] == '"':
		return "a text"
	case raw[0] == 't' || raw[0] == 'f':
		return "true or false"
	}
	return "a number"
}

func notAnObject(raw json.RawMessage) string {
	if !json.Valid(raw) {
		return "the arguments are not valid JSON"
	}
	return "must be an object, not " + kindOf(raw)
}

// line makes text from a call fit into a line of ours.
func line(s string) string { return text.Line(s) }
