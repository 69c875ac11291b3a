package pawl

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/strictjson"
)

// faults collects what is wrong with an op, so that all of it is told at once.
type faults []Fault

func (f *faults) add(path, problem string, args ...any) {
	*f = append(*f, Fault{path, fmt.Sprintf(problem, args...)})
}

// faults is what is wrong with a request before any board is asked.
func (req *Request) faults() []Fault {
	var f faults
	for i, session := range req.Sessions {
		f.line(fmt.Sprintf("sessions[%d]", i), session, MaxName)
	}
	return slices.Concat(checkActor(req.By), req.Op.check(), checkOpID(req.ID), f)
}

func unworkable(found []Fault) *Error {
	return &Error{Kind: Invalid, Message: "the request cannot work as it stands", Faults: found}
}

// Faults of values that JSON would turn into others, or cannot hold.
const (
	notUTF8     = "is not valid UTF-8"
	notJSON     = "is not valid JSON"
	notPriority = "is not high, medium or low"
	notWhole    = "has a \\u escape for half a character"
)

// unsayable is why a value cannot be written as JSON that is read as the same
// value: one of the faults says so. nil: it can.
func unsayable(found []Fault) error {
	said := func(f Fault) bool {
		return f.Problem == notUTF8 || f.Problem == notJSON || f.Problem == notPriority || f.Problem == notWhole
	}
	if !slices.ContainsFunc(found, said) {
		return nil
	}
	return unworkable(found)
}

// sought checks texts that are only compared with those of tasks.
func (f *faults) sought(path string, texts ...string) {
	for _, s := range texts {
		if !utf8.ValidString(s) {
			f.add(path, notUTF8)
		}
	}
}

// line checks a text of one line: a subject, a name, a label.
func (f *faults) line(path, s string, most int) {
	switch {
	case !utf8.ValidString(s):
		f.add(path, notUTF8)
	case strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && !unicode.IsSpace(r) }):
		f.add(path, "has control characters")
	case utf8.RuneCountInString(oneLine(s)) > most:
		f.add(path, "has %d characters; the most is %d", utf8.RuneCountInString(oneLine(s)), most)
	}
}

// required checks a line that must say something.
func (f *faults) required(path, s string, most int) {
	if oneLine(s) == "" {
		f.add(path, "is blank")
		return
	}
	f.line(path, s, most)
}

// text checks a text of any number of lines.
func (f *faults) text(path, s string, most int) {
	switch {
	case !utf8.ValidString(s):
		f.add(path, notUTF8)
	case strings.ContainsRune(s, 0):
		f.add(path, "has a NUL character")
	case len(s) > most:
		f.add(path, "has %d bytes; the most is %d", len(s), most)
	}
}

func (f *faults) labels(path string, labels []string) {
	if len(labels) > MaxLabels {
		f.add(path, "has %d labels; the most is %d", len(labels), MaxLabels)
		return
	}
	for i, label := range labels {
		f.required(fmt.Sprintf("%s[%d]", path, i), label, MaxLabel)
	}
}

func (f *faults) priority(path string, p Priority) {
	if !p.Valid() {
		f.add(path, notPriority)
	}
}

func (f *faults) raw(path string, values map[string]json.RawMessage) {
	size := 0
	for key, value := range values {
		size += len(key) + len(value)
		f.line(path+"."+clip(key, 40), key, MaxName)
		switch {
		case !json.Valid(value):
			f.add(path+"."+clip(key, 40), notJSON)
		case !utf8.Valid(value):
			f.add(path+"."+clip(key, 40), notUTF8)
		case strictjson.Halved(value):
			f.add(path+"."+clip(key, 40), notWhole)
		case depth(value) > MaxDepth:
			f.add(path+"."+clip(key, 40), "is nested deeper than %d", MaxDepth)
		case strings.Contains(strings.ReplaceAll(string(value), `\\`, ""), `\u0000`): // an escaped backslash may stand before u0000
			f.add(path+"."+clip(key, 40), "has a NUL character")
		}
	}
	if size > MaxMetadata {
		f.add(path, "has %d bytes; the most is %d", size, MaxMetadata)
	}
}

// depth is how deep valid JSON nests.
func depth(text []byte) int {
	deepest, level, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			level++
			deepest = max(deepest, level)
		case c == '}' || c == ']':
			level--
		}
	}
	return deepest
}

func (f *faults) ids(path string, ids []ID) {
	for i, id := range ids {
		f.id(fmt.Sprintf("%s[%d]", path, i), id)
	}
}

func (f *faults) id(path string, id ID) {
	switch {
	case id < 1:
		f.add(path, "%d is not a task id", int64(id))
	case id > MaxID:
		f.add(path, "%d is not a task id: the largest is %d", int64(id), int64(MaxID))
	}
}

// some checks the ids of an op that must name at least one task.
func (f *faults) some(path string, ids []ID) {
	switch {
	case len(ids) == 0:
		f.add(path, "names no task")
	case len(ids) > MaxBatch:
		f.add(path, "names %d tasks; the most is %d", len(ids), MaxBatch)
	default:
		f.ids(path, ids)
	}
}

func (f *faults) lease(path string, d Duration) {
	if d != 0 && (time.Duration(d) < MinLease || time.Duration(d) > MaxLease) {
		f.add(path, "is %v; a lease lasts from %v to %v", d, MinLease, MaxLease)
	}
}

func (f *faults) name(path, s string) { f.line(path, s, MaxName) }

func checkActor(by Actor) []Fault {
	var f faults
	f.name("by.name", by.Name)
	f.name("by.session", by.Session)
	f.name("by.agent", by.Agent)
	return f
}

// checkOpID checks the name of a request, which stores keep as it is.
func checkOpID(id OpID) []Fault {
	var f faults
	f.text("opId", string(id), MaxOpID)
	return f
}

// oneLine is a text as it is kept where one line is meant: trimmed, and each
// run of white space a single space. A subject with a line break in it could
// pass for two lines of a list.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// cleanLabels are the labels as kept: one line each, no two alike.
func cleanLabels(labels []string) []string {
	var out []string
	for _, label := range labels {
		if label = oneLine(label); !slices.Contains(out, label) {
			out = append(out, label)
		}
	}
	return out
}

// textSize is at least the size of the task's file.
func textSize(t *Task) int {
	const keys = 600 // all names of fields, and times
	size := keys + contentSize(t) + jsonSize(t.Owner)
	if t.Hold != nil {
		size += jsonSize(t.Hold.Reason) + jsonSize(t.Hold.By) + 100
	}
	for i := range t.Evidence {
		size += jsonSize(t.Evidence[i].Check) + jsonSize(t.Evidence[i].By) + 500
	}
	for i := range t.Accept {
		size += jsonSize(t.Accept[i].By) + 50
	}
	return size + 24*(len(t.BlockedBy)+len(t.Blocks))
}

// contentSize is the part of it that says what the task is about, and not where
// it stands.
func contentSize(t *Task) int {
	size := jsonSize(t.Subject) + jsonSize(t.Description) + jsonSize(t.ActiveForm)
	for _, label := range t.Labels {
		size += jsonSize(label) + 8
	}
	for i := range t.Checks {
		size += jsonSize(t.Checks[i].Name) + jsonSize(t.Checks[i].Dir) + 120
		for _, part := range slices.Concat(t.Checks[i].Run, t.Checks[i].Env) {
			size += jsonSize(part) + 8
		}
	}
	for i := range t.Accept {
		size += jsonSize(t.Accept[i].Text) + 16
	}
	for _, note := range t.Notes {
		size += jsonSize(note.By) + jsonSize(note.Text) + 100
	}
	for _, m := range []map[string]json.RawMessage{t.Metadata, t.Extra} {
		for key, value := range m {
			size += jsonSize(key) + len(value) + 8
		}
	}
	return size
}

func jsonSize(s string) int {
	size := len(s) + 2
	for i := range len(s) {
		switch {
		case s[i] < 0x20:
			size += 5
		case s[i] == '"' || s[i] == '\\':
			size++
		}
	}
	return size
}
