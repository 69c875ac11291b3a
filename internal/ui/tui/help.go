package tui

import (
	"cmp"
	"strings"

	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/query"
)

// newHelp explains the board and its keys.
func newHelp() *reader {
	return &reader{title: "Help", lines: helpLines, keys: []binding{keyDown}, leaves: []binding{keyHelp, keyOpen}}
}

// idea explains the board in a few sentences.
var idea = []string{
	"Pawl keeps this project's tasks and the dependencies between them. Agents and people share one board.",
	"A task is ready when every task that it waits for is done. Its card names the agent or person who claimed it.",
	"Your actions take effect at once; u undoes them.",
	"With the mouse, a click selects, a double click opens, and the wheel scrolls. Drag a card to move it to another lane. A click on a key at the bottom presses it. Hold Shift to select text.",
}

// A keyGroup is keys that belong together.
type keyGroup struct {
	title string
	keys  []keyWords
}

// keyWords is a key with what it does in more words than fit at the bottom; none
// where those say all.
type keyWords struct {
	key  binding
	does string
}

// keyGroups returns all keys of the board, as the help explains them.
func keyGroups() []keyGroup {
	return []keyGroup{
		{"Work on the selected task", []keyWords{
			{keyClaim, "claim: you own it, and it is in progress"},
			{keyStart, "start it: claim it if it is pending"},
			{keyDone, "done: complete the task"},
			{keyReopen, "reopen a completed task"},
			{keyRelease, "release the claim, yours or another's"},
			{keyHold, "put it on hold; again: lift the hold"},
			{keyNote, "add a note to it"},
			{keyTick, "tick a criterion; again: untick it"},
			{keyMove, "move its card with the arrows"},
		}},
		{"Attempts of pawl run", []keyWords{
			{keyApprove, "approve: its commits go to the target"},
			{keySendBack, "again: another attempt, with a remark"},
			{keyStop, "stop the agent; what it did is kept"},
			{keyDiff, "what the last attempt changed"},
		}},
		{"Change the plan", []keyWords{
			{keyAdd, "add a task"},
			{keyEdit, "edit it in your editor"},
			{keyLink, "link: add or remove dependencies"},
			{keyDelete, "delete it, after confirmation"},
			{keyUndo, "undo your last change, then earlier ones"},
		}},
		{"Look", []keyWords{
			{keyOpen, "open the task, or unfold more"},
			{keyLanes, "lanes: all tasks by state"},
			{keyGraph, "graph around the selected task"},
			{keyWhole, "the whole graph"},
			{keyCentre, ""},
			{keyPast, ""},
			{keyTimeline, "timeline: the history of the board"},
			{keyFields, "show the fields that changed"},
			{keyTodos, "todo lists of running sessions"},
			{keySearch, "search: go to any task"},
			{keyFilter, "filter: show only some tasks"},
		}},
		{"Move", []keyWords{
			{keyUp, "up"},
			{keyDown, "down"},
			{keyLeft, "to the left"},
			{keyRight, "to the right"},
			{keyPgUp, ""},
			{keyPgDn, ""},
			{keyHome, ""},
			{keyEnd, ""},
			{keyNext, ""},
			{keyPrev, ""},
			{keyBack, "back; in the lanes: remove the filter"},
			{keyHelp, "this help"},
			{keyQuit, "quit; agents go on"},
		}},
	}
}

const (
	// helpColumn is how wide a column of keys is.
	helpColumn = 58
	// helpKeys is how much of that the keys take.
	helpKeys = 15
)

// helpLines is all there is to read at some width.
func helpLines(m *model, width int) []term.Line {
	var lines []term.Line
	for _, text := range idea {
		for _, line := range term.Wrap(text, width-2) {
			lines = append(lines, term.Line{{Text: " " + line}})
		}
	}
	lines = append(lines, nil)
	lines = append(lines, legend(width, m.Unicode)...)
	lines = append(lines, nil)
	var columns [][]term.Line
	for _, g := range keyGroups() {
		column := []term.Line{{{Text: " " + g.title, Tone: term.Title}}}
		for _, k := range g.keys {
			column = append(column, term.Line{
				{Text: "  " + term.Pad(keyNames(k.key, m.Unicode), helpKeys), Tone: term.Title}, {Text: k.words(), Tone: term.Normal},
			})
		}
		columns = append(columns, append(column, nil))
	}
	abreast := max(1, width/helpColumn)
	for len(columns) > 0 {
		now := columns[:min(abreast, len(columns))]
		columns = columns[len(now):]
		lines = append(lines, abreastLines(now)...)
	}
	return lines
}

// abreastLines puts columns next to one another.
func abreastLines(columns [][]term.Line) []term.Line {
	height := 0
	for _, c := range columns {
		height = max(height, len(c))
	}
	lines := make([]term.Line, height)
	for _, c := range columns {
		for y := range lines {
			var line term.Line
			if y < len(c) {
				line = c[y]
			}
			space := max(0, helpColumn-term.Width(line.String()))
			lines[y] = append(append(lines[y], line...), term.Part{Text: strings.Repeat(" ", space)})
		}
	}
	return lines
}

func (k keyWords) words() string { return cmp.Or(k.does, k.key.does) }

// keyNames spells the keys of a binding as keyboards do.
func keyNames(k binding, unicode bool) string {
	written := map[string]string{"pgup": "PgUp", "pgdown": "PgDn"}
	if unicode {
		written = map[string]string{"up": "↑", "down": "↓", "left": "←", "right": "→", "pgup": "PgUp", "pgdown": "PgDn"}
	}
	var names []string
	for _, name := range k.keys {
		parts := strings.Split(name, "+")
		for i, part := range parts {
			if is, ok := written[part]; ok {
				parts[i] = is
			} else if len(part) > 1 {
				parts[i] = strings.ToUpper(part[:1]) + part[1:]
			}
		}
		names = append(names, strings.Join(parts, "+"))
	}
	return strings.Join(names, " ")
}

// A mark is a character that stands for something.
type mark struct {
	drawn term.Part
	means string
}

// legend explains the glyphs of tasks, and then the other marks, in as many lines
// as it takes.
func legend(width int, unicode bool) []term.Line {
	var states []mark
	for _, s := range []struct {
		state query.State
		means string
		tone  term.Tone
	}{
		{query.Ready, "ready", term.Good},
		{query.Waiting, "blocked", term.Quiet},
		{query.Working, "in progress", term.Busy},
		{query.Done, "done", term.Quiet},
		{query.Held, "on hold", term.Bad},
		{query.Damaged, "damaged", term.Bad},
	} {
		states = append(states, mark{term.Part{Text: s.state.Glyph(unicode), Tone: s.tone}, s.means})
	}
	var others []mark
	for _, o := range []struct{ modern, plain, means string }{
		{"▌ ▸", ">", "selected"},
		{"▲ ▼", "^ v", "more"},
		{"▎", "|", "somebody works on it"},
	} {
		others = append(others, mark{term.Part{Text: more(unicode, o.modern, o.plain), Tone: term.Title}, o.means})
	}
	others = append(others,
		mark{term.Part{Text: kinMark(show.Before, unicode), Tone: term.Title}, "in the graph: the selected task waits for it"},
		mark{term.Part{Text: kinMark(show.Behind, unicode), Tone: term.Title}, "it waits for the selected task"},
		mark{term.Part{Text: chainMark(unicode), Tone: term.Title}, "on the longest chain"},
		mark{term.Part{Text: more(unicode, "╌ ╎", ". :"), Tone: term.Title}, "a dependency that is done"},
	)
	return append(flow(states, width), flow(others, width)...)
}

// flow puts marks into lines, as many into each as there is room for.
func flow(marks []mark, width int) []term.Line {
	lines := []term.Line{nil}
	for _, m := range marks {
		last := len(lines) - 1
		entry := term.Line{{Text: " " + m.drawn.Text, Tone: m.drawn.Tone}, {Text: " " + m.means + " "}}
		if len(lines[last]) > 0 && term.Width(lines[last].String()+entry.String()) > width {
			lines, last = append(lines, nil), last+1
		}
		lines[last] = append(lines[last], entry...)
	}
	return lines
}
