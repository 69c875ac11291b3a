package term

import "strings"

// A Tone is how a part of a line is meant.
type Tone uint8

// The tones.
const (
	Normal Tone = iota
	Title       // begins something
	Quiet       // steps back
	Good        // can be worked on
	Busy        // is being worked on
	Bad         // needs somebody
)

// A Part is a piece of a line.
type Part struct {
	Text string
	Tone Tone
}

// A Line is one line of a screen.
type Line []Part

func (l Line) String() string {
	var b strings.Builder
	for _, p := range l {
		b.WriteString(p.Text)
	}
	return b.String()
}

// Cut cuts a line to the width of the screen, drops the spaces at its end, and
// joins what has one tone.
func (sc Screen) Cut(parts Line) Line {
	var l Line
	for _, p := range parts {
		if last := len(l) - 1; last >= 0 && l[last].Tone == p.Tone {
			l[last].Text += p.Text
		} else {
			l = append(l, p)
		}
	}
	// The line is measured as a whole: a text that begins with a combining mark
	// joins what is before it, and may make that wider.
	before := ""
	for i, p := range l {
		if Width(before+p.Text) <= sc.Width {
			before += p.Text
			continue
		}
		for n := sc.Width - Width(before); n >= 0; n-- {
			if l[i].Text = sc.Fit(p.Text, n); Width(before+l[i].Text) <= sc.Width {
				break
			}
		}
		l = l[:i+1]
		break
	}
	for len(l) > 0 {
		last := &l[len(l)-1]
		if last.Text = strings.TrimRight(last.Text, " "); last.Text != "" {
			break
		}
		l = l[:len(l)-1]
	}
	return l
}
