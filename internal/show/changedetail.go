package show

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// ChangeDetail spells out what happened to a task, a line for each field and
// for each line of a longer text that is not as it was:
//
//	#2 Write code
//	  status: pending → in_progress
//	  owner: (none) → ada
//	  description:
//	    - Extract the JWT logic
//	    + Extract the JWT logic to a shared module
//
// Fields that were set when a task was added are told in the same way. It leaves out
// the time of the last update, which each change sets. A person is told in words
// ("waits for", "in progress"), a program as the task's file has it.
func ChangeDetail(c *pawl.Change, names query.Subjects, clock Clock) []string {
	head := taskName(names, c.ID)
	before, after := c.Before, c.After
	switch {
	case before == nil && after == nil:
		return []string{head + ": changed, and nothing more is known"}
	case after == nil:
		return []string{head + ": removed"}
	}
	fields := c.Fields
	if before == nil {
		head += ": added"
		before = &pawl.Task{ID: c.ID, Subject: after.Subject, Status: pawl.Pending, CreatedAt: after.CreatedAt}
		fields = pawl.Diff(before, after)
	}
	lines := []string{head}
	for _, f := range fields {
		if f != pawl.FieldUpdatedAt {
			lines = append(lines, fieldLines(f, before, after, clock)...)
		}
	}
	return lines
}

// fieldLines tell what became of one field.
func fieldLines(f pawl.Field, before, after *pawl.Task, clock Clock) []string {
	name := fieldName(f, clock.person())
	switch f {
	case pawl.FieldDescription:
		return textLines(name, before.Description, after.Description)
	case pawl.FieldNotes:
		return noteLines(name, before.Notes, after.Notes)
	case pawl.FieldBlockedBy:
		return []string{idsLine(name, before.BlockedBy, after.BlockedBy)}
	case pawl.FieldBlocks:
		return []string{idsLine(name, before.Blocks, after.Blocks)}
	case pawl.FieldWas:
		return []string{idsLine(name, before.Was, after.Was)}
	case pawl.FieldChecks:
		return turnLines(name, checkTurns(before.Checks, after.Checks))
	case pawl.FieldAccept:
		return turnLines(name, criterionTurns(before.Accept, after.Accept))
	case pawl.FieldEvidence:
		return turnLines(name, evidenceTurns(before.Evidence, after.Evidence, clock))
	case pawl.FieldMetadata:
		return rawLines(name, before.Metadata, after.Metadata)
	case pawl.FieldExtra:
		return rawLines(name, before.Extra, after.Extra)
	}
	from, to := fieldValue(f, before, clock), fieldValue(f, after, clock)
	if clock.person() && from == to { // what differs is nothing to them: a token, seconds
		return nil
	}
	return []string{turn(name, from, to)}
}

// turn is a line about a value that became another one.
func turn(name, from, to string) string {
	return fmt.Sprintf("  %s: %s → %s", name, cmp.Or(from, "(none)"), cmp.Or(to, "(none)"))
}

// idsLine tells of a list of tasks what it was and is; of a long one, which came
// and went.
func idsLine(name string, before, after []pawl.ID) string {
	const short = 6
	if len(before) <= short && len(after) <= short {
		return turn(name, IDs(before), IDs(after))
	}
	line := "  " + name + ":"
	if came := without(after, before); len(came) > 0 {
		line += " + " + IDs(came)
	}
	if went := without(before, after); len(went) > 0 {
		line += " - " + IDs(went)
	}
	return line + fmt.Sprintf(", %d now", len(after))
}

// fieldValue is the value of a field in one line; empty where it is not set.
func fieldValue(f pawl.Field, t *pawl.Task, clock Clock) string {
	switch f {
	case pawl.FieldSubject:
		return text.Line(t.Subject)
	case pawl.FieldStatus:
		return statusAs(t.Status, clock.person())
	case pawl.FieldOwner:
		return text.Line(t.Owner)
	case pawl.FieldActiveForm:
		return text.Line(t.ActiveForm)
	case pawl.FieldPriority:
		return t.Priority.String()
	case pawl.FieldParent:
		if t.Parent == 0 {
			return ""
		}
		return t.Parent.String()
	case pawl.FieldLabels:
		return text.Line(strings.Join(t.Labels, ", "))
	case pawl.FieldHold:
		if t.Hold == nil {
			return ""
		}
		return text.Line(t.Hold.Reason)
	case pawl.FieldCreatedAt:
		return clock.Spell(t.CreatedAt)
	case pawl.FieldStartedAt:
		return clock.Spell(t.StartedAt)
	case pawl.FieldCompletedAt:
		return clock.Spell(t.CompletedAt)
	case pawl.FieldClaim:
		return claimValue(t.Claim, clock)
	case pawl.FieldExpired:
		return strconv.Itoa(t.Expired)
	}
	return "?" // of a newer version
}

func claimValue(c pawl.Claim, clock Clock) string {
	if !c.Live() {
		return ""
	}
	var parts []string
	if !clock.person() {
		parts = append(parts, fmt.Sprintf("token %d", c.Token))
		if c.Session != "" {
			parts = append(parts, "session "+text.Line(text.Clip(c.Session, 60)))
		}
	}
	if c.Lease > 0 {
		parts = append(parts, "until "+clock.Spell(c.Until), "for "+text.FormatDuration(time.Duration(c.Lease)))
	}
	return strings.Join(parts, ", ")
}

// inWords are what a reader calls the fields whose name is not a word.
var inWords = [...]struct {
	field pawl.Field
	word  string
}{
	{pawl.FieldBlockedBy, "waits for"}, {pawl.FieldBlocks, "unblocks"}, {pawl.FieldActiveForm, "doing"}, {pawl.FieldWas, "earlier numbers"},
	{pawl.FieldCreatedAt, "created"}, {pawl.FieldStartedAt, "started"}, {pawl.FieldCompletedAt, "completed"},
	{pawl.FieldExtra, "other"}, {pawl.FieldClaim, "lease"}, {pawl.FieldExpired, "leases run out"}, {pawl.FieldAccept, "criteria"},
}

// fieldName is what a field is called, in words or as the task's file has it.
func fieldName(f pawl.Field, words bool) string {
	for _, in := range inWords {
		if words && in.field == f {
			return in.word
		}
	}
	return string(f)
}

// mostLines is how many lines of a text are told on each side.
const mostLines = 20

// textLines tell of a text what is between the lines at its beginning and its
// end that stayed.
func textLines(name string, before, after string) []string {
	was, is := textSplit(before), textSplit(after)
	for len(was) > 0 && len(is) > 0 && was[0] == is[0] {
		was, is = was[1:], is[1:]
	}
	for len(was) > 0 && len(is) > 0 && was[len(was)-1] == is[len(is)-1] {
		was, is = was[:len(was)-1], is[:len(is)-1]
	}
	lines := []string{"  " + name + ":"}
	for _, side := range []struct {
		sign  string
		lines []string
	}{{"-", was}, {"+", is}} {
		for i, line := range side.lines {
			if i == mostLines {
				lines = append(lines, fmt.Sprintf("    %s and %s", side.sign, text.Count(len(side.lines)-i, "line more", "lines more")))
				break
			}
			lines = append(lines, strings.TrimRight("    "+side.sign+" "+text.Line(line), " "))
		}
	}
	return lines
}

func textSplit(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
}

// noteLines tell which notes came and went: they are written once.
func noteLines(name string, before, after []pawl.Note) []string {
	lines := []string{"  " + name + ":"}
	for i := range max(len(before), len(after)) {
		was, is := i < len(before), i < len(after)
		if was && is && sameNote(before[i], after[i]) {
			continue
		}
		if was {
			lines = append(lines, noteLine("-", before[i]))
		}
		if is {
			lines = append(lines, noteLine("+", after[i]))
		}
	}
	return lines
}

func sameNote(a, b pawl.Note) bool { return a.Text == b.Text && a.By == b.By && a.At.Equal(b.At) }

func noteLine(sign string, n pawl.Note) string {
	return fmt.Sprintf("    %s %s: %s", sign, text.Line(n.By), text.Line(text.Clip(strings.TrimSpace(n.Text), noteLength)))
}

// rawLines tell of the keys of an object.
func rawLines(name string, before, after map[string]json.RawMessage) []string {
	keys := slices.Collect(maps.Keys(before))
	for key := range after {
		if _, there := before[key]; !there {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	var lines []string
	for _, key := range keys {
		was, is := string(before[key]), string(after[key])
		if was != is && key != books {
			lines = append(lines, turn(name+"."+text.Line(text.Clip(key, noteLength)), text.Line(text.Clip(was, noteLength)), text.Line(text.Clip(is, noteLength))))
		}
	}
	return lines
}

// books is the metadata key in which an import keeps what it needs to find out later
// what has changed: internal/imports has it as BaseKey. Nobody reads it.
const books = "imported"

// sameButBooks reports whether nothing but that differs.
func sameButBooks(was, is map[string]json.RawMessage) bool { return rawLines("", was, is) == nil }
