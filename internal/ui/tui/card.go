package tui

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// cardLead is how much of a card is before its text: a bar and a space.
const cardLead = 2

// The most rows for each part of a card.
const (
	mostSubject = 2
	mostReason  = 3
	mostWho     = 2
)

// A cardText is the text of a card. Selecting or moving the card changes only how
// it looks, never its height:
//
//	→ #12 Refactor auth
//	  middleware
//	  Extracting the JWT logic
//	  ada, 12 min
type cardText struct {
	lines   []term.Line
	subject int  // so many of the lines are the subject
	cut     bool // there is more of it
}

// cardIndent is the indent of a card's lines, as wide as its glyph.
const cardIndent = 2

// cardText lays a card out: number and subject, and then only what matters in
// its state.
func (m *model) cardText(c *query.Card, width int, d density) cardText {
	b := cardBuilder{m: m, width: width - cardIndent, density: d}
	t := &c.Task
	age := ""
	if c.State == query.Done && !t.CompletedAt.IsZero() {
		age = text.Age(m.lanes.Now.Sub(t.CompletedAt))
	}
	mark, content, _ := term.TonesOf(t, c.State)
	b.subject(c, mark, content, age)
	waits := b.attempted(c) // which is why it is on hold
	b.checked(t)
	b.wrap(show.OtherBranch(t), term.Bad, mostReason)
	refused := m.why[t.ID]
	switch {
	case refused != "":
		b.wrap("! "+refused, term.Bad, mostReason)
	case c.State == query.Done:
	case c.State == query.Held || c.State == query.Damaged:
		if !waits {
			b.wrap(show.Why(c), term.Bad, mostReason)
		}
		b.words(show.Who(c, &m.lanes.Facts))
	case c.State == query.Working:
		b.wrap(show.Why(c), term.Bad, mostReason)
		b.add(term.Part{Text: show.Doing(c)}) // the rule is accent enough, when eight tasks run
		b.wrap(show.Who(c, &m.lanes.Facts), term.Quiet, mostWho)
	default:
		b.words(b.why(c), show.Who(c, &m.lanes.Facts), show.Priority(t), show.Unblocks(&m.lanes.Facts, t.ID))
	}
	if c.State == query.Done {
		return b.cardText
	}
	b.progress(c)
	b.labels(show.Labels(t))
	return b.cardText
}

type cardBuilder struct {
	cardText
	m       *model
	width   int
	density density
}

// add adds a line, if there is anything in it.
func (b *cardBuilder) add(parts ...term.Part) {
	line := b.m.sc(b.width).Cut(parts)
	if len(line) > 0 {
		b.lines = append(b.lines, append(term.Line{{Text: strings.Repeat(" ", cardIndent)}}, line...))
	}
}

// why says why a task cannot be claimed. It shortens the reason rather than the
// number of further blockers behind it.
func (b *cardBuilder) why(c *query.Card) string {
	why := show.Why(c)
	if end := strings.LastIndex(why, " (+"); end >= 0 && c.Waits > 1 {
		return b.m.sc(b.width).Fit(why[:end], b.width-term.Width(why[end:])) + why[end:]
	}
	return why
}

// words adds a line with as many of the texts as fit, and at least a part of the
// first. High priority stands out.
func (b *cardBuilder) words(all ...string) {
	var line term.Line
	for _, w := range all {
		if w == "" {
			continue
		}
		tone := term.Quiet
		if w == pawl.High.String() {
			tone = term.Title
		}
		if line != nil {
			w = ", " + w
			if term.Width(line.String()+w) > b.width {
				continue
			}
		}
		line = append(line, term.Part{Text: w, Tone: tone})
	}
	b.add(line...)
}

// labels adds labels at the end of the last line if they fit there, or else, if
// cards are roomy, in a line of their own.
func (b *cardBuilder) labels(text string) {
	if text == "" {
		return
	}
	last := len(b.lines) - 1
	if line := b.lines[last]; last >= b.cardText.subject && term.Width(line.String())+2+term.Width(text) <= b.width+cardIndent {
		b.lines[last] = append(line, term.Part{Text: "  " + text, Tone: term.Quiet})
	} else if b.density == roomy {
		b.add(term.Part{Text: text, Tone: term.Quiet})
	}
}

// wrap adds a text in so many lines at most.
func (b *cardBuilder) wrap(text string, tone term.Tone, most int) {
	lines, _ := b.few(text, most)
	for _, line := range lines {
		b.add(term.Part{Text: line, Tone: tone})
	}
}

// few breaks a text into so many lines at most, and reports whether that cut it.
func (b *cardBuilder) few(text string, most int) (lines []string, cut bool) {
	lines = term.Wrap(text, b.width)
	if cut = len(lines) > most; cut {
		last := strings.Join(lines[most-1:min(len(lines), most+1)], " ")
		lines = append(lines[:most-1], b.m.sc(b.width).Fit(last+ellipsis(b.m.Unicode), b.width))
	}
	return lines, cut
}

// subject adds glyph, number and subject, and after it an age if it fits.
func (b *cardBuilder) subject(c *query.Card, mark, text term.Tone, age string) {
	most := mostSubject
	if b.density == tight {
		most = 1
	}
	glyph := term.Part{Text: b.m.sc(b.width).Glyph(&c.Task, c.State) + " ", Tone: mark}
	id := c.Task.ID.String()
	if most == 1 {
		line := term.Line{glyph, {Text: id, Tone: mark}, {Text: " " + show.Subject(&c.Task), Tone: text}}
		b.cut = term.Width(line.String()) > b.width+cardIndent
		b.lines = append(b.lines, b.ageAt(line, age))
	} else {
		// A space that does not break keeps the number with a subject that has no
		// spaces itself.
		const glue = "\u00a0"
		lines, cut := b.few(id+glue+show.Subject(&c.Task), most)
		b.cut = cut
		for i, s := range lines {
			if i > 0 {
				b.add(term.Part{Text: s, Tone: text})
				continue
			}
			rest := strings.TrimPrefix(strings.TrimPrefix(s, id), glue)
			b.lines = append(b.lines, b.m.sc(b.width+cardIndent).Cut(term.Line{glyph, {Text: id, Tone: mark}, {Text: " " + rest, Tone: text}}))
		}
	}
	b.cardText.subject = len(b.lines)
}

// ageAt puts an age at the right end of a line if it fits.
func (b *cardBuilder) ageAt(line term.Line, age string) term.Line {
	width := b.width + cardIndent
	pad := width - term.Width(line.String()) - term.Width(age)
	if age == "" || pad < 2 {
		return b.m.sc(width).Cut(line)
	}
	return append(line, term.Part{Text: strings.Repeat(" ", pad) + age, Tone: term.Quiet})
}

// mostBar is the length of a bar that shows how many of a task's children are
// done.
const mostBar = 12

// progress adds how many children are done, and a bar.
func (b *cardBuilder) progress(c *query.Card) {
	done, all := c.Progress()
	if all == 0 {
		return
	}
	words := fmt.Sprintf("%d/%d ", done, all)
	bar := min(mostBar, b.width-len(words))
	full := bar * done / all
	b.add(term.Part{Text: words, Tone: term.Quiet},
		term.Part{Text: strings.Repeat(more(b.m.Unicode, "━", "="), max(0, full)), Tone: term.Good},
		term.Part{Text: strings.Repeat(more(b.m.Unicode, "─", "-"), max(0, bar-full)), Tone: term.Quiet})
}

// A look is how a card looks beyond its text.
type look struct {
	bar   term.Part
	on    back
	tell  bool // its subject stands out
	ghost bool // it is being carried elsewhere
}

// look says how the item at a place looks.
func (s *lanesScreen) look(m *model, lane query.Lane, i int) look {
	here := lane == s.lane && i == s.index[lane] && !s.sought
	working := lane == query.Doing && i < len(m.lanes.Cards[lane])
	switch {
	case here && s.lift != nil && s.lift.to != lane:
		return look{ghost: true}
	case here && s.lift != nil:
		return look{bar: liftBar(m.Unicode), on: lifted, tell: true}
	case here:
		tone := term.Normal
		if working {
			tone = term.Busy
		}
		return look{bar: term.Part{Text: more(m.Unicode, "▌", ">"), Tone: tone}, on: selected, tell: true}
	case working:
		return look{bar: term.Part{Text: more(m.Unicode, "▎", "|"), Tone: term.Busy}}
	}
	return look{}
}

func liftBar(unicode bool) term.Part {
	return term.Part{Text: more(unicode, "█", "#"), Tone: term.Busy}
}

// dress returns the lines of a card as they look.
func (l look) dress(text cardText) []term.Line {
	out := make([]term.Line, len(text.lines))
	for i, line := range text.lines {
		bar := term.Part{Text: cmp.Or(l.bar.Text, " "), Tone: l.bar.Tone}
		out[i] = append(term.Line{bar, {Text: " "}}, line...)
		for k := 2; k < len(out[i]); k++ {
			switch p := &out[i][k]; {
			case l.ghost:
				p.Tone = term.Quiet
			case l.tell && i < text.subject && (p.Tone == term.Normal || p.Tone == term.Quiet):
				p.Tone = term.Title
			}
		}
	}
	return out
}
