package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/internal/text"
)

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
