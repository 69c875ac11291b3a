package tui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl/internal/draw"
)

// A help explains the board and its keys.
type help struct{ from pan }

func newHelp() *help { return &help{} }

// idea is what one has to know.
var idea = []string{
	"Pawl keeps the tasks of this project, and what each of them waits for: agents and people work from the same board.",
	"A task is ready as soon as all that it waits for is done; whoever takes it stands on its card.",
	"What you do here is done at once, and u takes it back.",
	"With the mouse: a click selects, two open, a card is dragged to another lane, the wheel scrolls, and a click on a key at the bottom presses it. With Shift you select text as usual.",
}

// A keyGroup is keys that belong together.
type keyGroup struct {
	title string
	keys  []keyWords
}

// keyWords is a key with what it does in more words than fit at the bottom; none
// where those say all.
type keyWords struct {
	key  key.Binding
	does string
}

var keyGroups = []keyGroup{
	{"Work on the selected task", []keyWords{
		{keyClaim, "claim: it is yours, and in progress"},
		{keyStart, "start it, which claims it, too"},
		{keyDone, "done: complete it"},
		{keyReopen, "reopen what is done"},
		{keyRelease, "release: give it back, from others too"},
		{keyHold, "hold: nobody may take it; again: lift it"},
		{keyNote, "note: leave a remark on it"},
		{keyMove, "move: carry its card with the arrows"},
	}},
	{"Change the plan", []keyWords{
		{keyAdd, "add a task"},
		{keyEdit, "edit it in your editor"},
		{keyLink, "link: what it waits for, and the reverse"},
		{keyDelete, "delete it, after a question"},
		{keyUndo, "undo your last change, then those before"},
	}},
	{"Look", []keyWords{
		{keyOpen, "open the task, or what is folded"},
		{keyLanes, "lanes: all tasks by their state"},
		{keyGraph, "graph: what waits for what, around it"},
		{keyWhole, "the whole graph"},
		{keyCentre, ""},
		{keyPast, ""},
		{keyTimeline, "timeline: what happened"},
		{keyFields, "each field of a change"},
		{keyTodos, "todo lists of the sessions"},
		{keySearch, "search: go to any task"},
		{keyFilter, "filter: show some tasks only"},
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
		{keyBack, "back; in the lanes: show all again"},
		{keyHelp, "this help"},
		{keyQuit, "quit; the agents work on"},
	}},
}

const (
	// helpColumn is how wide a column of keys is.
	helpColumn = 58
	// helpKeys is how much of that the keys take.
	helpKeys = 15
)

// lines is all there is to read at some width.
func (*help) lines(m *model, width int) []draw.Line {
	var lines []draw.Line
	for _, text := range idea {
		for _, line := range draw.Wrap(text, width-2) {
			lines = append(lines, draw.Line{{Text: " " + line}})
		}
	}
	lines = append(lines, nil)
	lines = append(lines, legend(width, m.Unicode)...)
	lines = append(lines, nil)
	var columns [][]draw.Line
	for _, g := range keyGroups {
		column := []draw.Line{{{Text: " " + g.title, Tone: draw.Title}}}
		for _, k := range g.keys {
			column = append(column, draw.Line{
				{Text: "  " + draw.Pad(keyNames(k.key, m.Unicode), helpKeys), Tone: draw.Title}, {Text: k.words(), Tone: draw.Normal},
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
func abreastLines(columns [][]draw.Line) []draw.Line {
	height := 0
	for _, c := range columns {
		height = max(height, len(c))
	}
	lines := make([]draw.Line, height)
	for _, c := range columns {
		for y := range lines {
			var line draw.Line
			if y < len(c) {
				line = c[y]
			}
			space := max(0, helpColumn-draw.Width(line.String()))
			lines[y] = append(append(lines[y], line...), draw.Part{Text: strings.Repeat(" ", space)})
		}
	}
	return lines
}

// words is what a key does.
func (k keyWords) words() string {
	if k.does != "" {
		return k.does
	}
	return k.key.Help().Desc
}

// keyNames spells the keys of a binding.
func keyNames(k key.Binding, unicode bool) string {
	var names []string
	for _, name := range k.Keys() {
		parts := strings.Split(name, "+")
		for i, part := range parts {
			written, ok := keyWritten[part]
			switch {
			case ok && unicode:
				parts[i] = written.modern
			case ok:
				parts[i] = written.plain
			case len(part) > 1:
				parts[i] = strings.ToUpper(part[:1]) + part[1:]
			}
		}
		names = append(names, strings.Join(parts, "+"))
	}
	return strings.Join(names, " ")
}

// keyWritten spells keys as keyboards do.
var keyWritten = map[string]struct{ modern, plain string }{
	"up": {"↑", "Up"}, "down": {"↓", "Down"}, "left": {"←", "Left"}, "right": {"→", "Right"},
	"pgup": {"PgUp", "PgUp"}, "pgdown": {"PgDn", "PgDn"},
}

// height is how many lines are seen at once.
func (*help) height(m *model) int {
	const others = 2 // title and keys
	return max(1, m.dialogRoom()-others)
}

func (d *help) draw(m *model, width, _ int) (frame, *tea.Position) {
	lines := d.lines(m, width-marked)
	f := frame{titleRow(m, width, "Help")}
	f = append(f, d.from.draw(m.sc(width), len(lines), min(len(lines), d.height(m)), func(i, w int) []cell {
		return []cell{{line: lines[i], width: w}}
	})...)
	return append(f, keyCells(width, []key.Binding{keyDown, keyLeave})), nil
}

func (d *help) key(m *model, k tea.KeyPressMsg) tea.Cmd {
	if from, ok := d.from.key(k, len(d.lines(m, m.width-marked)), d.height(m)); ok {
		d.from = from
	} else if key.Matches(k, keyBack, keyHelp, keyQuit, keyOpen) {
		m.close()
	}
	return nil
}

func (*help) paste(*model, string) tea.Cmd    { return nil }
func (d *help) click(m *model, h hit) tea.Cmd { return clickKey(m, d, h) }
