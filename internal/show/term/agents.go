package term

import (
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// Agents lays out who has which tasks, at now. s is how the board is shared, or nil.
//
//	ada (session 0f0d)
//	  → #12  Refactor auth middleware  for 5 min, seen 2 min ago, 13 min left
//	  ○  #7  Write the emitter         assigned
//	As of the last sync, 2 min ago
//	bob on mac-mini
//	  →  #9  Cart                      for 12 min
func (sc Screen) Agents(agents []query.Agent, now time.Time, s *share.Status) []Line {
	var entries []entry
	for i := range agents {
		for _, t := range show.AgentShown(&agents[i]) {
			state := query.Working
			if t.Status == pawl.Pending {
				state = query.Taken
			}
			entries = append(entries, entry{t, state, show.AgentRemark(&agents[i], t, now, s), ""})
		}
	}
	inner := sc
	inner.Width -= len(gap)
	rows := inner.rows(entries)
	var lines []Line
	elsewhere := show.Elsewhere(agents)
	for i := range agents {
		a := &agents[i]
		if i == elsewhere {
			lines = append(lines, sc.Cut(Line{{text.Sentence(show.AsOf(s, now)), Quiet}}))
		}
		lines = append(lines, sc.Cut(Line{{show.AgentHeading(a, s), Title}}))
		for range show.AgentShown(a) {
			lines = append(lines, append(Line{{gap, Normal}}, rows[0]...))
			rows = rows[1:]
		}
		if more := show.AgentMore(a); more != "" {
			lines = append(lines, sc.Cut(Line{{gap + more, Quiet}}))
		}
	}
	return lines
}
