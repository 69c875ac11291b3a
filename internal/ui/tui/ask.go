package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/internal/text"
)

// An askText asks for one line:
//
//	── Hold #3 Write the parser ───────────────────
//	 ▸ waits for the new grammar
//	 Enter hold it  Esc leave
type askText struct {
	title  string
	draft  string // the name by which the model keeps what is written when it is left
	field  field
	below  func(m *model) term.Line // a line under the field; nil: none
	keys   []binding                // the keys beside Esc
	blank  bool                     // Enter takes an empty text, too
	fault  string                   // why Enter did nothing
	enter  func(m *model, text string) tea.Cmd
	other  func(m *model, k tea.KeyPressMsg) (tea.Cmd, bool) // takes keys of its own; nil: none
	pasted func(m *model, text string) bool                  // takes what is pasted, if it is more than a line; nil: nothing
}

// newAsk asks, and starts with the draft of the last time.
func (m *model) newAsk(draft, title string, most int, keys ...binding) *askText {
	return &askText{title: title, draft: draft, field: newField(most, m.drafts[draft]), keys: keys}
}

// An asker is a dialog with text that must not be lost.
type asker interface {
	dialog
	refused(why string)
	unsent() (draft, text string) // as the model keeps it
}

func (d *askText) refused(why string)           { d.fault = why }
func (d *askText) unsent() (draft, text string) { return d.draft, d.field.text() }

// mostDrafts is how many texts are kept that were not sent.
const mostDrafts = 100

// keep stores a draft for the next time that the same dialog opens.
func (m *model) keep(draft, text string) {
	delete(m.drafts, draft)
	if strings.TrimSpace(text) == "" {
		return
	}
	if len(m.drafts) >= mostDrafts {
		clear(m.drafts)
	}
	m.drafts[draft] = text
	m.notice = notice{text: "Your text is kept as a draft"}
}

func (d *askText) draw(m *model, width, height int) (frame, *tea.Position) {
	line, cursor := d.field.row(m, width, nil)
	f := frame{titleRow(m, width, d.title), line}
	if d.below != nil {
		f = append(f, row(width, d.below(m)...))
	}
	fault := d.fault
	if fault == "" && d.field.lost > 0 {
		fault = fmt.Sprintf("%s left out: the limit is %d", text.Count(d.field.lost, "character", "characters"), d.field.most)
	}
	if fault != "" {
		for _, line := range term.Wrap(fault, width-4) {
			f = append(f, row(width, term.Part{Text: " ! " + line, Tone: term.Bad}))
		}
	}
	f = f[:min(len(f), height-1)]
	return append(f, keyCells(width, append(slices.Clone(d.keys), keyLeave))), cursor
}

func (d *askText) key(m *model, k tea.KeyPressMsg) tea.Cmd {
	d.fault = ""
	switch {
	case matches(k, keyBack):
		m.close()
		m.keep(d.unsent())
	case matches(k, keyOpen):
		text := strings.TrimSpace(d.field.text())
		if text == "" && !d.blank {
			d.fault = "The text is empty"
			return nil
		}
		m.close()
		delete(m.drafts, d.draft)
		return d.enter(m, text)
	default:
		if d.other != nil {
			if cmd, ok := d.other(m, k); ok {
				return cmd
			}
		}
		d.field.key(k)
	}
	return nil
}

func (d *askText) paste(m *model, text string) tea.Cmd {
	d.fault = ""
	if d.pasted == nil || !d.pasted(m, text) {
		d.field.insert(text)
	}
	return nil
}

// titleRow begins a dialog: a rule with its title.
func titleRow(m *model, width int, title string) []cell {
	rule := more(m.Unicode, "─", "-")
	title = m.sc(width).Fit(title, width-8)
	return row(width,
		term.Part{Text: strings.Repeat(rule, 2), Tone: term.Quiet},
		term.Part{Text: " " + title + " ", Tone: term.Title},
		term.Part{Text: strings.Repeat(rule, max(0, width-term.Width(title)-4)), Tone: term.Quiet})
}

// row is the field with what stands behind it, and where its cursor is.
func (f *field) row(m *model, width int, behind term.Line) ([]cell, *tea.Position) {
	lead := " " + pointer(m.Unicode)
	used := term.Width(lead)
	aside := term.Width(behind.String())
	text, at := f.draw(width-used-aside-2, m.Unicode)
	return []cell{
		{line: term.Line{{Text: lead, Tone: term.Title}, {Text: text}}, width: width - aside - 1},
		{line: behind, width: aside + 1},
	}, &tea.Position{X: used + at, Y: 1}
}

// keyLeave closes a dialog.
var keyLeave = bind("leave", "Esc", "esc")

// keyCells names keys, as many as there is room for. The last one, which leads
// out, always has some.
func keyCells(width int, keys []binding) []cell {
	first, last := keys[:len(keys)-1], keys[len(keys)-1]
	b := bar{width: width - term.Width(keyLine(last).String())}
	b.add(hit{}, term.Part{Text: " "})
	for _, k := range first {
		if !b.add(hit{kind: hitKey, key: k.keys[0]}, keyLine(k)...) {
			break
		}
	}
	b.width = width
	b.add(hit{kind: hitKey, key: last.keys[0]}, keyLine(last)...)
	return b.full()
}
