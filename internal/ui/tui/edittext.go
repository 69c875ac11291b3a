package tui

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// A draft is what of a task is edited in an editor, as a text that needs no
// manual:
//
//	Write the parser
//	priority: high
//	labels: core, parser
//	parent: #3
//	active form: Writing the parser
//
//	The grammar is in doc/grammar.md.
//
//	# --- Everything below this line is ignored ---
type draft struct {
	subject, activeForm, description string
	priority                         pawl.Priority
	labels                           []string
	parent                           pawl.ID
}

const (
	// bottomMark ends the text. Only the last such line counts, because a description
	// may contain one.
	bottomMark = "# --- Everything below this line is ignored ---"
	// topMark begins the ignored lines above the text, and topEnd ends them.
	topMark = "# --- This could not be saved ---"
	topEnd  = "# --- The task begins below this line ---"
	// mostEdited limits an edited text, in bytes: a task has the same limit.
	mostEdited = pawl.MaxTask
)

const explained = `# The first line is the subject. The fields stand under it, then an empty
# line, then the description.
#   priority      high, medium or low
#   labels        with commas between them
#   parent        the number of the task that this one is a part of
#   active form   what is shown while somebody works on it: Writing the parser
# A field without a value is emptied; one whose line is gone stays as it is.
# What you save changes the task once you leave the editor.
`

// render is the text of a task. fault says why a text comes back; empty: it does
// not.
func render(t *pawl.Task) string {
	var b strings.Builder
	if strings.HasPrefix(oneLine(t.Subject), topMark) {
		b.WriteString(topMark + "\n" + topEnd + "\n") // or parse would take the subject for the mark
	}
	parent := ""
	if t.Parent != 0 {
		parent = t.Parent.String()
	}
	fmt.Fprintln(&b, oneLine(t.Subject))
	for _, f := range []struct{ name, value string }{
		{"priority", t.Priority.String()},
		{"labels", oneLine(strings.Join(t.Labels, ", "))},
		{"parent", parent},
		{"active form", oneLine(t.ActiveForm)},
	} {
		fmt.Fprintln(&b, strings.TrimSpace(f.name+": "+f.value))
	}
	fmt.Fprintf(&b, "\n%s\n\n%s\n%s", t.Description, bottomMark, explained)
	return b.String()
}

// draftNow is what parse reads of a task's text.
func draftNow(t *pawl.Task) draft {
	d, _ := parse(render(t), draft{}) // begin made sure that it can be read
	return d
}

// oneLine is a text without line breaks and without spaces around it.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// withFault puts the reason of a refusal above an edited text, in place of an
// earlier one.
func withFault(s, fault string) string {
	var b strings.Builder
	b.WriteString(topMark + "\n")
	for line := range strings.SplitSeq(fault, "\n") {
		b.WriteString("# " + text.Line(line) + "\n")
	}
	b.WriteString("# Correct it, save and quit. To cancel, quit without saving.\n" + topEnd + "\n")
	return b.String() + withoutFault(s)
}

// withoutFault removes the lines that withFault added, even if the reader wrote
// above them or deleted the last of them.
func withoutFault(text string) string {
	top, _, _ := strings.Cut(text, "\n\n")
	at := strings.Index("\n"+top, "\n"+topMark)
	if at < 0 {
		return text
	}
	before, rest := text[:at], text[at:]
	for strings.HasPrefix(rest, "#") {
		var line string
		if line, rest, _ = strings.Cut(rest, "\n"); line == topEnd {
			break
		}
	}
	return before + rest
}

// aboveBottom returns the part of an edited text that counts: without our
// explanation, even if the line above that is gone.
func aboveBottom(text string) string {
	first, _, _ := strings.Cut(explained, "\n")
	for _, end := range []string{bottomMark, first} {
		if at := strings.LastIndex("\n"+text, "\n"+end); at >= 0 {
			return strings.TrimPrefix(("\n" + text)[:at], "\n")
		}
	}
	return text
}

// parse reads an edited text. A field without a line keeps its old value. The error
// names all faults, a line for each.
func parse(s string, before draft) (draft, error) {
	d := before
	if len(s) > mostEdited {
		return d, fmt.Errorf("the text has %d bytes; the limit is %d", len(s), mostEdited)
	}
	if !utf8.ValidString(s) {
		return d, fmt.Errorf("the text is not UTF-8")
	}
	s = withoutFault(strings.ReplaceAll(strings.TrimPrefix(s, "\ufeff"), "\r\n", "\n"))
	s = aboveBottom(s)
	var faults []string
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Sprintf(format, args...))
	}
	line, rest, more := strings.Cut(s, "\n")
	if d.subject = oneLine(line); d.subject == "" {
		fault("the first line is the subject, and it is empty")
	}
	seen := map[string]bool{}
	for more {
		whole := rest
		line, rest, more = strings.Cut(rest, "\n")
		if strings.TrimSpace(line) == "" {
			break
		}
		name, value, ok := strings.Cut(line, ":")
		name = strings.ToLower(oneLine(name))
		if !ok && !fieldIn(rest) { // the empty line before the description is missing, and nothing else it could be
			rest, more = whole, true
			break
		}
		switch {
		case !ok:
			fault("%q is not a field such as priority: high; put an empty line before the description", text.Clip(oneLine(line), 40))
			continue
		case seen[name]:
			fault("%s appears twice", name)
			continue
		}
		seen[name] = true
		if err := d.set(name, oneLine(value)); err != nil {
			fault("%s: %v", name, err)
		}
	}
	d.description = strings.TrimRight(rest, "\n\r\t ")
	if len(faults) > 0 {
		return d, fmt.Errorf("%s", strings.Join(faults, "\n"))
	}
	return d, nil
}

// fieldIn reports whether there is a field before the next empty line.
func fieldIn(text string) bool {
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			return false
		}
		if name, _, ok := strings.Cut(line, ":"); ok && slices.Contains(fields, strings.ToLower(oneLine(name))) {
			return true
		}
	}
	return false
}

// fields are the names of those that a text has.
var fields = []string{"priority", "labels", "parent", "active form"}

// set sets a field to what is written for it.
func (d *draft) set(name, value string) (err error) {
	switch name {
	case "priority":
		d.priority, err = pawl.ParsePriority(strings.ToLower(value))
	case "labels":
		d.labels = nil
		for label := range strings.SplitSeq(value, ",") {
			if label = oneLine(label); label != "" && !slices.Contains(d.labels, label) {
				d.labels = append(d.labels, label)
			}
		}
	case "parent":
		if d.parent = 0; value != "" && value != "none" {
			d.parent, err = pawl.ParseID(value)
		}
	case "active form":
		d.activeForm = value
	default:
		err = fmt.Errorf("unknown field; put an empty line before the description; the fields are %s", strings.Join(fields, ", "))
		if near := text.Nearest(name, fields); near != "" {
			err = fmt.Errorf("unknown field; did you mean %s?", near)
		}
	}
	return err
}

// change returns the op that turns one draft into another. It sets only the fields
// that differ, so that changes by others to other fields stay, and names what was
// read of them, so that a change by others to the same field is not overwritten.
// It reports false if the drafts are equal.
func (d draft) change(id pawl.ID, read pawl.Was, to draft) (pawl.Update, bool) {
	op := pawl.Update{ID: id, Was: &pawl.Was{}}
	changed := false
	set := func(field, was **string, from, to string, read *string) {
		if from != to {
			*field, *was, changed = &to, read, true
		}
	}
	set(&op.Subject, &op.Was.Subject, d.subject, to.subject, read.Subject)
	set(&op.ActiveForm, &op.Was.ActiveForm, d.activeForm, to.activeForm, read.ActiveForm)
	set(&op.Description, &op.Was.Description, d.description, to.description, read.Description)
	if d.priority != to.priority {
		op.Priority, op.Was.Priority, changed = &to.priority, read.Priority, true
	}
	if d.parent != to.parent {
		op.Parent, op.Was.Parent, changed = &to.parent, read.Parent, true
	}
	op.AddLabels, op.RemoveLabels = without(to.labels, d.labels), without(d.labels, to.labels)
	return op, changed || len(op.AddLabels)+len(op.RemoveLabels) > 0
}

// without are the texts that are not among others.
func without(all, others []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return slices.Contains(others, s) })
}
