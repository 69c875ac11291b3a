package tui

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/query"
)

// laneHead is a lane's name over a rule, which is heavy where the reader is:
//
//	◆ Ready 12 ━━━━━━━━━━━━ ▲ 3
//	✔ Done 60 ✘ 1 ──────────
func (s *lanesScreen) laneHead(m *model, c *column, width int) term.Line {
	focus := c.lane == s.focus()
	tone, rule := laneTone(c.lane), more(m.Unicode, "─", "-")
	ruleTone := term.Quiet
	if focus {
		rule, ruleTone = more(m.Unicode, "━", "="), tone
	}
	name := term.Part{Text: laneName(m, c.lane, !c.strip) + " ", Tone: tone}
	if focus && tone == term.Quiet {
		name.Tone, ruleTone = term.Title, term.Normal
	}
	lead, end := "  ", cutAbove(m.Unicode, c.from)
	if c.strip {
		end = ""
	}
	bad := unshownMark(m, c.lane)
	if bad != "" && term.Width(lead+name.Text+bad+end) > width {
		name.Text = laneName(m, c.lane, false) + " "
	}
	if bad != "" && term.Width(lead+name.Text+bad+end) > width {
		bad, name.Tone = "", term.Bad
	}
	line := term.Line{{Text: lead, Tone: term.Quiet}, name}
	if bad != "" {
		line = append(line, term.Part{Text: bad, Tone: term.Bad})
	}
	room := width - term.Width(lead+name.Text+bad+end)
	return append(line, term.Part{Text: strings.Repeat(rule, max(0, room)), Tone: ruleTone}, term.Part{Text: end, Tone: term.Quiet})
}

// tabs is the names of all lanes in one row, with that of the one that is seen in
// brackets, and spelled out if it has room:
//
//	○ 3 [◆ Ready 12] → 2  ✔ 7   ▲ 3
func (s *lanesScreen) tabs(m *model, c *column) []cell {
	for _, named := range []bool{true, false} {
		b := bar{width: c.width}
		whole := true
		for lane := range query.Lane(query.NumLanes) {
			open, end, tone := " ", " ", laneTone(lane)
			if lane == c.lane {
				open, end = "[", "]"
				if tone == term.Quiet {
					tone = term.Title
				}
			}
			text := open + laneName(m, lane, named && lane == c.lane) + end
			parts := term.Line{{Text: text, Tone: tone}}
			if bad := unshownMark(m, lane); bad != "" {
				parts = append(parts, term.Part{Text: bad, Tone: term.Bad})
			}
			whole = b.add(hit{kind: hitLane, lane: lane}, parts...) && whole
		}
		if whole || !named {
			b.add(hit{kind: hitLane, lane: c.lane}, term.Part{Text: cutAbove(m.Unicode, c.from), Tone: term.Quiet})
			return b.full()
		}
	}
	return nil
}

// laneName is a lane's glyph and count, and between them its name if there is
// room for it.
func laneName(m *model, lane query.Lane, named bool) string {
	name := ""
	if named {
		name = lane.String() + " "
	}
	return fmt.Sprintf("%s %s%d", laneGlyph(lane, m.Unicode), name, m.lanes.Total[lane])
}

// unshownMark counts beside the name of the lane of what is done what is not shown to
// be: "✘ 1 "; empty: nothing, or another lane.
func unshownMark(m *model, lane query.Lane) string {
	if lane != query.Finished || m.lanes.Unshown == 0 {
		return ""
	}
	return fmt.Sprintf("%s %d ", show.CheckMark(pawl.CheckedFailed, m.Unicode), m.lanes.Unshown)
}

// cutAbove says how many items are cut off above.
func cutAbove(unicode bool, n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" %s %d", more(unicode, "▲", "^"), n)
}

func laneGlyph(l query.Lane, unicode bool) string {
	return [...]query.State{query.Blocked: query.Waiting, query.Pickable: query.Ready, query.Doing: query.Working, query.Finished: query.Done}[l].Glyph(unicode)
}

// laneTone is that of a lane's name.
func laneTone(l query.Lane) term.Tone {
	return [...]term.Tone{query.Blocked: term.Quiet, query.Pickable: term.Good, query.Doing: term.Busy, query.Finished: term.Quiet}[l]
}
