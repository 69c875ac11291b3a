package todofile

import (
	"bytes"
	"slices"

	"github.com/pawl-dev/pawl/todo"
)

// Most of a long session's list are todos that left it, with their tool calls, and
// hardly any read needs them. So they can be skipped: they stand between two lines
// that Pawl writes, and no text in a file has a line break in it.
const (
	pastBegins = ",\n  \"past\": [\n"
	pastEnds   = "\n  ]"
)

// A need says what a reader wants of the past: nil, all of it; else nothing,
// unless these bytes are in it.
type need []byte

// nothing is never in it.
var nothing = need{}

// mention is a string as it is written in a file.
func mention(text string) need {
	w := &writer{}
	w.value(text)
	return w.b.Bytes()
}

// parseBrief is parse without the past. It returns nil when that is needed, or
// when it is not as Pawl writes it.
func parseBrief(text []byte, need need) *document {
	before, rest, found := bytes.Cut(text, []byte(pastBegins))
	past, after, ended := bytes.Cut(rest, []byte(pastEnds))
	if !found || !ended || !linewise(past) || len(need) > 0 && bytes.Contains(past, need) {
		return nil
	}
	var disk diskList
	if !scanned(slices.Concat(before, after), &disk) || disk.Version != version || disk.Todos == nil || disk.Past != nil {
		return nil
	}
	doc := &document{text: text, brief: true}
	if disk.CallLog != nil {
		doc.mark = *disk.CallLog
	}
	var err error
	if doc.kept, err = fromDisk(&disk); err != nil {
		return nil
	}
	return doc
}

// linewise reports whether each line is one todo of the past, so that nothing
// else is among them.
func linewise(past []byte) bool {
	for line := range bytes.SplitSeq(past, []byte("\n")) {
		if !bytes.HasPrefix(line, []byte("    {")) || !bytes.HasSuffix(bytes.TrimSuffix(line, []byte(",")), []byte("}")) {
			return false
		}
	}
	return true
}

// has reports whether the todos of calls that began are in the list, so that
// nobody has to look for them in its past.
func (d *document) has(notes []todo.CallNote) bool {
	return !slices.ContainsFunc(notes, func(n todo.CallNote) bool {
		return n.Ends == todo.None && !slices.ContainsFunc(d.kept.Items, func(i todo.Item) bool {
			return i.ID == n.Todo && todo.ContentSum(i.Content) == n.Content
		})
	})
}
