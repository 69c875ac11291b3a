package imports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
)

// A Task is one of a source, on its way to a board. Its Ref is set by [New];
// Parent, BlockedBy and Blocks name tasks of the same source by their refs, and
// may name absent ones.
type Task struct {
	pawl.ImportTask
	At Position
	// Number is that of a task of the board, which a plan writes before its line; Board
	// and Holds are the tasks of the board that this one waits for, and blocks.
	Number       pawl.ID
	Board, Holds []pawl.ID
	State        string // what the source calls its status, to be kept where the task's has to be another

	kept  map[string]json.RawMessage // what becomes metadata under the format's name
	order []string                   // of its keys
}

// New returns a task with a name of the source. It must be unique among all
// that a board may have from elsewhere: begin it with the format's name where
// the source's own names are only numbers.
func New(ref string, at Position) Task {
	t := Task{At: at}
	t.Ref = OneLine(ref, MaxRef)
	return t
}

// MaxRef is the longest name of a task that is kept, in runes.
const MaxRef = 200

// Keep keeps a value of the source that has no place in a task.
func (t *Task) Keep(name string, value any) {
	raw, is := value.(json.RawMessage)
	if !is {
		var err error
		if raw, err = json.Marshal(value); err != nil {
			return // a reader's own value always encodes
		}
	}
	if t.kept == nil {
		t.kept = map[string]json.RawMessage{}
	}
	if _, there := t.kept[name]; !there {
		t.order = append(t.order, name)
	}
	t.kept[name] = raw
}

// Kept are the names of what is kept so, in order.
func (t *Task) Kept() []string { return t.order }

// SetSubject makes a subject of a title, and keeps the whole title when it
// cannot be one. It reports whether there is any.
func (t *Task) SetSubject(r *Result, title string) bool {
	t.Subject = OneLine(title, pawl.MaxSubject)
	if t.Subject == "" {
		return false
	}
	if t.Subject != strings.TrimSpace(title) {
		t.Keep("title", Clean(title))
		if utf8.RuneCountInString(title) > pawl.MaxSubject {
			r.Change(t, "title cut, whole in metadata")
		}
	}
	return true
}

// SetDescription sets the description, and continues one that is too long in
// notes.
func (t *Task) SetDescription(r *Result, text string) {
	first, rest := Cut(Clean(text), pawl.MaxDescription)
	if t.Description = first; rest != "" {
		t.AddNote(pawl.Note{Text: rest})
		r.Change(t, "long description continued in notes")
	}
}

// AddNote adds a note, in parts when it is too long for one.
func (t *Task) AddNote(note pawl.Note) {
	note.By = OneLine(note.By, pawl.MaxName)
	for rest := Clean(note.Text); strings.TrimSpace(rest) != ""; {
		note.Text, rest = Cut(rest, pawl.MaxNote)
		t.Notes = append(t.Notes, note)
	}
}

// AddLabels adds labels, and reports whether all of them are as they were.
func (t *Task) AddLabels(labels ...string) bool {
	whole := true
	for _, label := range labels {
		kept := OneLine(label, pawl.MaxLabel)
		whole = whole && kept == label
		switch {
		case kept == "" || slices.Contains(t.Labels, kept):
		case len(t.Labels) == pawl.MaxLabels:
			whole = false
		default:
			t.Labels = append(t.Labels, kept)
		}
	}
	return whole
}

// HoldFor puts the task on hold.
func (t *Task) HoldFor(reason string) {
	t.Hold = &pawl.Hold{Reason: OneLine(reason, pawl.MaxReason)}
}

// Assign makes somebody the owner of an open task. Of several the first is the
// owner, and all are kept.
func (t *Task) Assign(names ...string) {
	names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return strings.TrimSpace(n) == "" })
	if len(names) == 0 {
		return
	}
	if len(names) > 1 || t.Status == pawl.Completed {
		t.Keep("assignees", names)
	}
	if t.Status != pawl.Completed {
		t.Owner = OneLine(strings.TrimPrefix(strings.TrimSpace(names[0]), "@"), pawl.MaxName)
	}
}

// After adds that the task waits for another one of the source. [Read] takes out
// what is there twice: to look for it here would take the square of a hostile list.
func (t *Task) After(ref string) {
	t.BlockedBy = append(t.BlockedBy, pawl.RefName(OneLine(ref, MaxRef)))
}

// SetTime reads a time into dst and reports whether it is one. A time without a
// zone is taken as UTC: which one it was nobody can tell.
func SetTime(dst *time.Time, s string) bool {
	s = strings.TrimSpace(s)
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02", "20060102T150405Z"} {
		if at, err := time.Parse(layout, s); err == nil && at.UTC().Year() >= 1 && at.UTC().Year() <= 9999 {
			*dst = at.UTC().Truncate(time.Millisecond)
			return true
		}
	}
	return false
}

// seal makes the metadata, as far as a task has room for it.
func (t *Task) seal(r *Result, key string) {
	for _, n := range t.Notes[min(len(t.Notes), pawl.MaxNotes):] {
		r.Leave(t.At, fmt.Sprintf("more than %d notes", pawl.MaxNotes), clip(n.Text))
	}
	t.Notes = t.Notes[:min(len(t.Notes), pawl.MaxNotes)]
	if t.Metadata == nil {
		t.Metadata = map[string]json.RawMessage{}
	}
	ref, _ := json.Marshal(t.Ref) // a string always encodes
	t.Metadata[pawl.RefKey] = ref
	if len(t.kept) == 0 {
		return
	}
	room := pawl.MaxMetadata - metadataReserve - len(ref)
	kept := []byte{'{'}
	for _, name := range t.order {
		key, _ := json.Marshal(name)
		if len(kept)+len(key)+len(t.kept[name])+3 > room {
			r.Leave(t.At, "too large for a task's metadata", name)
			continue
		}
		if len(kept) > 1 {
			kept = append(kept, ',')
		}
		kept = append(append(append(kept, key...), ':'), t.kept[name]...)
	}
	if kept = append(kept, '}'); len(kept) > 2 {
		t.Metadata[key] = scrub(kept)
	}
}

// scrub replaces what a board refuses in JSON: NUL, and half a character.
func scrub(raw []byte) []byte {
	if !bytes.Contains(raw, []byte(`\u`)) {
		return raw
	}
	unit := func(i int) (rune, bool) {
		if i+6 > len(raw) || raw[i] != '\\' || raw[i+1] != 'u' {
			return 0, false
		}
		n, err := strconv.ParseUint(string(raw[i+2:i+6]), 16, 16)
		return rune(n), err == nil
	}
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		r, escaped := unit(i)
		if !escaped {
			i++ // the character behind
			continue
		}
		if next, ok := unit(i + 6); ok && utf16.DecodeRune(r, next) != utf8.RuneError {
			i += 11
			continue
		}
		if r == 0 || utf16.IsSurrogate(r) {
			copy(raw[i:], `\ufffd`)
		}
		i += 5
	}
	return raw
}

// metadataReserve is what [Merge] needs of the metadata, besides keys and
// punctuation.
const metadataReserve = 12 << 10

// OneLine is a text as a line of a list shows it: without control characters
// and line breaks, and no longer than most runes.
func OneLine(s string, most int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	if r := []rune(s); len(r) > most {
		return strings.TrimSpace(string(r[:most-1])) + "…"
	}
	return s
}

// Clean is a long text as a task may hold it: anything but NUL and broken
// characters.
func Clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(strings.ReplaceAll(s, "\r\n", "\n"), "\uFFFD"), "\x00", "\uFFFD")
}

// Cut takes a text apart after at most n bytes, between two characters.
func Cut(s string, n int) (first, rest string) {
	if len(s) <= n {
		return s, ""
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n], s[n:]
}

func clip(s string) string { return OneLine(s, 60) }
