package beads

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
)

// issue is one line, on its way to a task.
type issue struct {
	line   int
	id     string
	task   pawl.ImportTask
	deps   []dependency
	fields []field         // as they stand, in order
	placed map[string]bool // which of them the task says whole
}

type field struct {
	name string
	raw  json.RawMessage
}

type dependency struct {
	Issue     string `json:"issue_id"`
	DependsOn string `json:"depends_on_id"`
	Type      string `json:"type"`
}

type comment struct {
	Author string `json:"author"`
	Text   string `json:"text"`
	At     string `json:"created_at"`
}

// line reads one issue.
func (b *board) line(no int, text []byte) {
	i := &issue{line: no, placed: map[string]bool{}}
	if err := i.parse(bytes.TrimPrefix(text, []byte("\uFEFF"))); err != nil {
		b.fault(no, "%s", err)
		return
	}
	if kind := i.text(b, "_type"); kind != "" && kind != "issue" {
		b.warnings = append(b.warnings, fmt.Sprintf("line %d: a %s is not an issue, and is left out", no, kind))
		return
	}
	if i.id = i.text(b, "id"); i.id == "" {
		b.fault(no, "has no id")
		return
	}
	if b.byID == nil {
		b.byID, b.gone = map[string]*issue{}, map[string]bool{}
	}
	if first := b.byID[i.id]; first != nil {
		b.fault(no, "has the id %s, as line %d has", i.id, first.line)
		return
	}
	if i.text(b, "status") == "tombstone" {
		b.gone[i.id] = true // it is in the file only so that other clones delete it, too
		return
	}
	i.read(b)
	b.byID[i.id] = i
	b.issues = append(b.issues, i)
}

// parse takes the object of a line apart.
func (i *issue) parse(text []byte) error {
	if !utf8.Valid(text) {
		return fmt.Errorf("is not valid UTF-8")
	}
	if depth(text) > pawl.MaxDepth {
		return fmt.Errorf("is nested more than %d deep", pawl.MaxDepth)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return fmt.Errorf("is not a JSON object")
	}
	seen := map[string]bool{}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return fmt.Errorf("is not JSON: %w", err)
		}
		f := field{name: name.(string)}
		if err := dec.Decode(&f.raw); err != nil {
			return fmt.Errorf("is not JSON: %w", err)
		}
		if seen[f.name] {
			return fmt.Errorf("has %q twice", f.name)
		}
		seen[f.name] = true
		var compact bytes.Buffer
		if err := json.Compact(&compact, f.raw); err != nil {
			return fmt.Errorf("is not JSON: %w", err)
		}
		f.raw = compact.Bytes()
		i.fields = append(i.fields, f)
	}
	if _, err := dec.Token(); err != nil {
		return fmt.Errorf("ends too early")
	}
	if _, err := dec.Token(); err != io.EOF {
		return fmt.Errorf("goes on after its object")
	}
	return nil
}

// depth is how deep brackets are nested in a text.
func depth(text []byte) int {
	level, deepest, quoted := 0, 0, false
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

// value reads a field into dst; not when there is none or it is null. A field
// of another type is a fault.
func (i *issue) value(b *board, name string, dst any) bool {
	for _, f := range i.fields {
		if f.name != name || string(f.raw) == "null" {
			continue
		}
		if err := json.Unmarshal(f.raw, dst); err != nil {
			b.fault(i.line, "has an invalid %s: %.40s", name, f.raw)
			return false
		}
		return true
	}
	return false
}

func (i *issue) text(b *board, name string) string {
	var s string
	i.value(b, name, &s)
	return s
}

// place says that a field is found in the task whole.
func (i *issue) place(names ...string) {
	for _, name := range names {
		i.placed[name] = true
	}
}

// read fills the task, edges aside.
func (i *issue) read(b *board) {
	t := &i.task
	i.place("id", "_type")
	t.Ref = i.id
	i.subject(b)
	i.description(b)
	i.state(b)
	var priority int
	if i.value(b, "priority", &priority) {
		switch {
		case priority < 0 || priority > 4:
			b.fault(i.line, "has the priority %d; they go from 0 to 4", priority)
		case priority <= 1:
			t.Priority = pawl.High
		case priority >= 3:
			t.Priority = pawl.Low
		}
	}
	i.labels(b)
	i.time(b, "created_at", &t.CreatedAt)
	i.time(b, "updated_at", &t.UpdatedAt)
	i.time(b, "started_at", &t.StartedAt)
	i.time(b, "closed_at", &t.CompletedAt)
	if t.Status != pawl.Completed && !t.CompletedAt.IsZero() { // it was reopened
		t.CompletedAt = time.Time{}
		delete(i.placed, "closed_at")
	}
	if t.Status == pawl.Completed && t.CompletedAt.IsZero() {
		t.CompletedAt = t.UpdatedAt
	}
	i.notes(b)
	i.value(b, "dependencies", &i.deps)
}

func (i *issue) subject(b *board) {
	title := i.text(b, "title")
	subject := oneLine(title, pawl.MaxSubject)
	if subject == "" {
		b.fault(i.line, "%s has no title", i.id)
	}
	if i.task.Subject = subject; subject == title {
		i.place("title")
	} else {
		b.warn(i, "has a title that cannot be a subject; the whole title is in the metadata")
	}
}

func (i *issue) description(b *board) {
	text := i.clean(b, "description")
	first, rest := cut(text, pawl.MaxDescription)
	if i.task.Description = first; rest != "" {
		b.warn(i, "has a description of %d bytes; it goes on in the notes", len(text))
		i.note(pawl.Note{Text: rest})
	}
	i.place("description")
}

// state reads the status and who is at it.
func (i *issue) state(b *board) {
	t := &i.task
	t.Status = pawl.Pending
	switch status := i.text(b, "status"); status {
	case "closed":
		t.Status = pawl.Completed
	case "in_progress":
		t.Status = pawl.InProgress
	case "deferred", "pinned":
		t.Hold = &pawl.Hold{Reason: status + " in beads"}
		if until := i.text(b, "defer_until"); until != "" {
			t.Hold.Reason = oneLine("deferred in beads until "+until, pawl.MaxReason)
		}
	}
	if who := i.text(b, "assignee"); t.Status != pawl.Completed {
		t.Owner = oneLine(who, pawl.MaxName)
	}
}

func (i *issue) labels(b *board) {
	var labels []string
	i.value(b, "labels", &labels)
	for _, label := range labels {
		kept := oneLine(label, pawl.MaxLabel)
		if kept != "" && len(i.task.Labels) < pawl.MaxLabels && !slices.Contains(i.task.Labels, kept) {
			i.task.Labels = append(i.task.Labels, kept)
		}
	}
	if slices.Equal(labels, i.task.Labels) {
		i.place("labels")
	} else {
		b.warn(i, "has labels that cannot be kept as they are; the whole is in the metadata")
	}
}

func (i *issue) time(b *board, name string, dst *time.Time) {
	s := i.text(b, name)
	if s == "" {
		return
	}
	at, err := time.Parse(time.RFC3339, s)
	if err != nil || at.UTC().Year() < 1 || at.UTC().Year() > 9999 {
		b.warn(i, "has a %s that is not a time; it is kept in the metadata", name)
		return
	}
	*dst = at.UTC().Truncate(time.Millisecond)
	i.place(name)
}

// notes makes notes of the notes and the comments. A comment stays in the
// metadata, too: it has an id there.
func (i *issue) notes(b *board) {
	i.note(pawl.Note{Text: i.clean(b, "notes")})
	i.place("notes")
	var comments []comment
	if !i.value(b, "comments", &comments) {
		return
	}
	for _, c := range comments {
		note := pawl.Note{By: oneLine(c.Author, pawl.MaxName), Text: strings.ReplaceAll(c.Text, "\x00", "\uFFFD")}
		if at, err := time.Parse(time.RFC3339, c.At); err == nil {
			note.At = at.UTC().Truncate(time.Millisecond)
		}
		i.note(note)
	}
}

// note adds a note, in parts when it is too long for one.
func (i *issue) note(note pawl.Note) {
	for rest := note.Text; rest != ""; {
		note.Text, rest = cut(rest, pawl.MaxNote)
		i.task.Notes = append(i.task.Notes, note)
	}
}

// clean reads a long text, which may hold anything but NUL.
func (i *issue) clean(b *board, name string) string {
	return strings.ReplaceAll(i.text(b, name), "\x00", "\uFFFD")
}

// metadata keeps what has no place in the task.
func (i *issue) metadata(b *board) {
	ref, _ := json.Marshal(i.id) // a string always encodes
	i.task.Metadata = map[string]json.RawMessage{pawl.RefKey: ref}
	kept := []byte{'{'}
	for _, f := range i.fields {
		if i.placed[f.name] {
			continue
		}
		if len(kept) > 1 {
			kept = append(kept, ',')
		}
		name, _ := json.Marshal(f.name)
		kept = append(append(append(kept, name...), ':'), f.raw...)
	}
	if kept = append(kept, '}'); len(kept) > 2 {
		i.task.Metadata[Key] = kept
	}
	if len(kept)+len(ref) > pawl.MaxMetadata {
		b.fault(i.line, "keeps %d bytes besides what a task holds; the most is %d", len(kept), pawl.MaxMetadata)
	}
}

// oneLine is a text as a line of a list shows it: without control characters
// and line breaks, and no longer than most runes.
func oneLine(s string, most int) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	if r := []rune(s); len(r) > most {
		return strings.TrimSpace(string(r[:most-1])) + "…"
	}
	return s
}

// cut takes a text apart after at most n bytes, between two characters.
func cut(s string, n int) (first, rest string) {
	if len(s) <= n {
		return s, ""
	}
	for !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n], s[n:]
}
