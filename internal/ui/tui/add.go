package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/internal/text"
)

// newAdd asks for a new task. Tab chooses its relation to the selected task.
// Several pasted lines become several tasks.
func (m *model) newAdd() *askText {
	at := m.task()
	place := alone
	d := m.newAsk("add", "Add a task", pawl.MaxSubject, bind("add", "Enter", "enter"))
	if at != 0 {
		d.keys = append(d.keys, keyPlace)
		d.below = func(m *model) term.Line {
			if place == alone {
				return term.Line{{Text: "   It is independent; Tab: " + behind.words(m, "it", at), Tone: term.Quiet}}
			}
			return term.Line{{Text: "   " + text.Sentence(place.words(m, "it", at))}}
		}
		d.other = func(_ *model, k tea.KeyPressMsg) (tea.Cmd, bool) {
			if !matches(k, keyPlace) {
				return nil, false
			}
			place = (place + 1) % numRelations
			return nil, true
		}
	}
	d.enter = func(m *model, text string) tea.Cmd {
		task := place.apply(pawl.NewTask{Subject: text}, at)
		return m.carry(answerMsg{op: pawl.Create{Tasks: []pawl.NewTask{task}}, asked: d})
	}
	d.pasted = func(m *model, text string) bool {
		subjects := subjectsOf(d.field.before + text + d.field.after)
		if len(subjects) < 2 {
			return false
		}
		m.dialog = &several{add: d, text: text, subjects: subjects, place: place, at: at}
		return true
	}
	return d
}

// keyPlace chooses how a new task relates to the selected one.
var keyPlace = bind("before, after or part of it", "Tab", "tab")

// A relation is how a new task relates to another one.
type relation uint8

const (
	alone relation = iota
	behind
	ahead
	within
	numRelations
)

// words puts the relation in words; it names the new task.
func (r relation) words(m *model, it string, at pawl.ID) string {
	switch r {
	case behind:
		return it + " waits for " + m.name(at)
	case ahead:
		return m.name(at) + " waits for " + it
	case within:
		return it + " is a part of " + m.name(at)
	}
	return it + " is independent"
}

// apply relates a new task to another one.
func (r relation) apply(t pawl.NewTask, at pawl.ID) pawl.NewTask {
	switch r {
	case behind:
		t.BlockedBy = []pawl.Ref{pawl.RefID(at)}
	case ahead:
		t.Blocks = []pawl.Ref{pawl.RefID(at)}
	case within:
		t.Parent = pawl.RefID(at)
	}
	return t
}

// A several asks whether lines that were pasted into the question for a task are
// a task each:
//
//	── Add 3 tasks, one for each line? ────────────
//	   Write the parser
//	   Write the emitter
//	   Write the docs
//	 Enter add 3 tasks  Tab as one task  Esc leave
type several struct {
	add      *askText // into which it was pasted
	text     string   // as it was pasted
	subjects []string
	place    relation // of each of them
	at       pawl.ID  // to this one
	from     pan
	fault    string // why they could not be added
}

func (d *several) refused(why string)           { d.fault = why }
func (d *several) unsent() (draft, text string) { return d.add.draft, strings.Join(d.subjects, " ") }

var keyAsOne = bind("as one task", "Tab", "tab")

// subjectsOf are the lines of a text, without the marks of a list.
func subjectsOf(s string) []string {
	var subjects []string
	for line := range strings.Lines(strings.ReplaceAll(s, "\r", "\n")) {
		if subject := strings.TrimSpace(text.Line(unlisted(line))); subject != "" {
			subjects = append(subjects, subject)
		}
	}
	return subjects
}

// unlisted is a line without the mark of a list before it: "- ", "* [ ] ", "12. ".
func unlisted(line string) string {
	line = strings.TrimSpace(line)
	mark, rest, _ := strings.Cut(line, " ")
	number := strings.TrimRight(mark, ".)")
	switch {
	case mark == "-", mark == "*", mark == "+", mark == "•":
	case number != mark && number != "" && strings.Trim(number, "0123456789") == "":
	default:
		return line
	}
	rest = strings.TrimSpace(rest)
	for _, box := range []string{"[ ]", "[x]", "[X]"} {
		if after, ok := strings.CutPrefix(rest, box+" "); ok {
			return after
		}
	}
	return rest
}

// tasks are the new tasks, as many as go in at once.
func (d *several) tasks() (tasks []pawl.NewTask, cut int) {
	for _, subject := range d.subjects[:min(len(d.subjects), pawl.MaxBatch)] {
		f := newField(pawl.MaxSubject, subject)
		if f.lost > 0 {
			cut++
		}
		tasks = append(tasks, d.place.apply(pawl.NewTask{Subject: f.text()}, d.at))
	}
	return tasks, cut
}

// remarks are shown before the tasks are added.
func (d *several) remarks(m *model) []string {
	var lines []string
	_, cut := d.tasks()
	if d.place != alone {
		lines = append(lines, text.Sentence(d.place.words(m, "each", d.at)))
	}
	if n := len(d.subjects) - pawl.MaxBatch; n > 0 {
		lines = append(lines, fmt.Sprintf("! The last %s left out: the limit is %d at once", text.Count(n, "line is", "lines are"), pawl.MaxBatch))
	}
	if cut > 0 {
		lines = append(lines, fmt.Sprintf("! %s cut: a subject has %d characters at most", text.Count(cut, "line is", "lines are"), pawl.MaxSubject))
	}
	if d.fault != "" {
		lines = append(lines, term.Wrap("! "+d.fault, m.width-2)...)
	}
	return lines
}

// height is how many lines are seen at once.
func (d *several) height(m *model) int {
	return max(1, min(len(d.subjects), mostPicks, m.dialogRoom()-2-len(d.remarks(m)))) // title and keys
}

func (d *several) draw(m *model, width, _ int) (frame, *tea.Position) {
	count := text.Count(min(len(d.subjects), pawl.MaxBatch), "task", "tasks")
	f := frame{titleRow(m, width, "Add "+count+", one for each line?")}
	f = append(f, d.from.draw(m.sc(width), len(d.subjects), d.height(m), func(i, w int) []cell {
		return row(w, term.Part{Text: m.sc(w).Fit("   "+d.subjects[i], w)})
	})...)
	for _, line := range d.remarks(m) {
		f = append(f, row(width, term.Part{Text: " " + line, Tone: term.Title}))
	}
	return append(f, keyCells(width, []binding{bind("add "+count, "Enter", "enter"), keyAsOne, keyLeave})), nil
}

func (d *several) key(m *model, k tea.KeyPressMsg) tea.Cmd {
	d.fault = ""
	switch {
	case matches(k, keyBack):
		m.dialog = d.add
	case matches(k, keyAsOne):
		m.dialog = d.add
		d.add.field.insert(d.text)
	case matches(k, keyOpen):
		m.close()
		delete(m.drafts, d.add.draft)
		tasks, _ := d.tasks()
		return m.carry(answerMsg{op: pawl.Create{Tasks: tasks}, asked: d})
	default:
		d.from, _ = d.from.key(k, len(d.subjects), d.height(m))
	}
	return nil
}
