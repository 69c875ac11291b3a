package draw

import (
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/view"
)

// Agents lays out who has which tasks, at now:
//
//	ada (session 0f0d)
//	  → #12  Refactor auth middleware  for 5 min, seen 2 min ago, 13 min left
//	  ○  #7  Write the emitter         assigned
func (sc Screen) Agents(agents []view.Agent, now time.Time) []Line {
	var entries []entry
	for i := range agents {
		for _, t := range agents[i].Shown() {
			state := view.Working
			if t.Status == pawl.Pending {
				state = view.Taken
			}
			entries = append(entries, entry{t, state, agents[i].Remark(t, now), ""})
		}
	}
	inner := sc
	inner.Width -= len(gap)
	rows := inner.rows(entries)
	var lines []Line
	for i := range agents {
		a := &agents[i]
		lines = append(lines, sc.Cut(Line{{a.Heading(), Title}}))
		for range a.Shown() {
			lines = append(lines, append(Line{{gap, Normal}}, rows[0]...))
			rows = rows[1:]
		}
		if more := a.More(); more != "" {
			lines = append(lines, sc.Cut(Line{{gap + more, Quiet}}))
		}
	}
	return lines
}
