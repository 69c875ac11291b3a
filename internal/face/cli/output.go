package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/view"
)

// print writes data.
func (a *app) print(format string, args ...any) { fmt.Fprintf(a.out, format, args...) }

// printJSON writes the answer of a verb called with --json.
func (a *app) printJSON(v any) error { return unprinted(view.WriteJSON(a.out, v)) }

func (a *app) flush() error { return unprinted(a.out.Flush()) }

// unprinted tells of an answer that did not get out.
func unprinted(err error) error {
	if _, told := errors.AsType[*pawl.Error](err); told || err == nil {
		return err
	}
	return pawl.Errorf(pawl.Internal, "the output cannot be written: %w", err)
}

// line prints a task as a line of a list, coloured by its state.
func (a *app) line(t *pawl.Task, name string) {
	a.print("%s\n", a.paint.task(t, name, view.ListLine(t)))
}

// paint colours text for a terminal; false leaves it as it is.
type paint bool

// Colours, as the parameters of SGR. The terminal's own palette decides how they
// look, so that they fit light and dark.
const (
	green  = "32"
	yellow = "33"
	red    = "31"
	faint  = "2"
	bold   = "1"
)

func (p paint) as(colour, text string) string {
	if !p || text == "" {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// task colours a line about a task: the box and the number where the task can be
// worked on, all of it where it steps back.
func (p paint) task(t *pawl.Task, name, line string) string {
	head := len(view.Mark(t)) + 1 + len(t.ID.String())
	switch view.StateOf(t, name) {
	case view.Ready:
		return p.as(green, line[:head]) + line[head:]
	case view.Working:
		return p.as(yellow, line[:head]) + line[head:]
	case view.Held, view.Damaged:
		return p.as(red, line[:head]) + line[head:]
	default:
		return p.as(faint, line)
	}
}

// named prints a sentence about a task: "Completed #1 Setup".
func (a *app) named(verb string, t *pawl.Task) {
	a.print("%s %s\n", verb, a.withRemarks(t))
}

// withRemarks names a task with what one should know about it.
func (a *app) withRemarks(t *pawl.Task) string {
	text := view.Name(t)
	if notes := view.Remarks(t); len(notes) > 0 {
		text += " (" + strings.Join(notes, "; ") + ")"
	}
	return text
}

// detail makes the first line of a task's detail stand out.
func (p paint) detail(text string) string {
	head, rest, _ := strings.Cut(text, "\n")
	return p.as(bold, head) + "\n" + rest
}
