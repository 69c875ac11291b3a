package draw

import (
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/say"
)

// Agents lays out who has which tasks, at now:
//
//	ada (session 0f0d)
//	  → #12  Refactor auth middleware  for 5 min, seen 2 min ago, 13 min left
//	  ○  #7  Write the emitter         assigned
func (sc Screen) Agents(agents []ask.Agent, now time.Time) []Line {
	var entries []entry
	for i := range agents {
		for _, t := range say.AgentShown(&agents[i]) {
			state := ask.Working
			if t.Status == pawl.Pending {
				state = ask.Taken
			}
			entries = append(entries, entry{t, state, say.AgentRemark(&agents[i], t, now), ""})
		}
	}
	inner := sc
	inner.Width -= len(gap)
	rows := inner.rows(entries)
	var lines []Line
	for i := range agents {
		a := &agents[i]
		lines = append(lines, sc.Cut(Line{{say.AgentHeading(a), Title}}))
		for range say.AgentShown(a) {
			lines = append(lines, append(Line{{gap, Normal}}, rows[0]...))
			rows = rows[1:]
		}
		if more := say.AgentMore(a); more != "" {
			lines = append(lines, sc.Cut(Line{{gap + more, Quiet}}))
		}
	}
	return lines
}
