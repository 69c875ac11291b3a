package tui

import (
	"fmt"
	"reflect"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/internal/text"
)

// How often it is read how the runs of this clone stand. A run changes without a change
// of the board.
const (
	runAlive = time.Second
	runIdle  = 5 * time.Second
	runFirst = time.Millisecond // after the start
)

// A runSeen is how the runs of this clone stood at the last look.
type runSeen struct {
	status   runs.Status
	ever     bool // there has been a run here
	by       map[runs.Identity]*runs.View
	task     runs.Identity // the one whose attempts were read
	attempts []runs.View   // at task, the newest last
}

// lookAtRuns reads how the runs stand after a while.
func (m *model) lookAtRuns(after time.Duration) tea.Cmd {
	if m.Runs == nil {
		return nil
	}
	watched, task := m.Runs, m.runTask()
	return tea.Tick(after, func(time.Time) tea.Msg {
		now := &runSeen{task: task}
		if now.status, now.ever = watched.Status(); now.ever && task != "" {
			now.attempts = watched.Attempts(task)
		}
		return then(func(m *model) tea.Cmd { return m.sawRuns(now, after > 0) })
	})
}

// runTask is the task whose attempts are shown.
func (m *model) runTask() runs.Identity {
	if d, ok := m.screens[m.where].(*detailScreen); ok && d.seen() != nil {
		return runs.IdentityOf(&d.seen().Task)
	}
	return ""
}

// sawRuns takes what a look at the runs found; next: another look follows it.
func (m *model) sawRuns(now *runSeen, next bool) tea.Cmd {
	now.by = map[runs.Identity]*runs.View{}
	now.status.Each(func(v *runs.View) { now.by[v.Task] = v })
	for i := range now.attempts {
		now.attempts[i].Of = now.of()
	}
	if n := len(now.attempts); n > 0 { // which may be newer, and is not in the status when it has failed
		last := now.attempts[n-1]
		if v := now.by[last.Task]; v != nil && v.N == last.N {
			now.attempts[n-1] = *v
		}
	}
	if m.runSeen == nil || !reflect.DeepEqual(*m.runSeen, *now) {
		m.runSeen = now // of which it depends whether a task is laid out anew
	}
	if !next {
		return nil
	}
	if now.status.Running {
		return m.lookAtRuns(runAlive)
	}
	return m.lookAtRuns(runIdle)
}

// of is how many attempts a task gets.
func (r *runSeen) of() (n int) {
	r.status.Each(func(v *runs.View) { n = max(n, v.Of) })
	return n
}

// attempt is how the last attempt at a task stands; nil: none is known.
func (m *model) attempt(t *pawl.Task) *runs.View {
	if m.runSeen == nil || t == nil {
		return nil
	}
	id := runs.IdentityOf(t)
	if n := len(m.runSeen.attempts); n > 0 && m.runSeen.task == id {
		return &m.runSeen.attempts[n-1]
	}
	if v := m.runSeen.by[id]; v != nil {
		return v
	}
	if d, ok := m.screens[m.where].(*detailScreen); ok && d.seen() != nil && runs.IdentityOf(&d.seen().Task) == id && len(d.found.attempts) > 0 {
		return &d.found.attempts[len(d.found.attempts)-1]
	}
	return nil
}

// runRows is how many rows above the lanes tell how a run stands.
func (m *model) runRows() int {
	if m.runSeen == nil || !m.runSeen.ever || m.where != onLanes || m.height < low {
		return 0
	}
	const each = 2 // rows of the lanes for one of the run
	return min(len(m.runLines()), max(1, (m.height-low)/each+1))
}

// A runLine is a row above the lanes about a run.
type runLine struct {
	line term.Line
	task pawl.ID // that it is about; zero: none
}

// runLines tell how a run stands, what a person is needed for first:
//
//	Run of claude into main, since 14:02  3 completed, 1 waits for approval, 24k tokens
//	1 → #12 Retry hooks  attempt 2 of 3, working 4m, 12k tokens: edit hook.go
//	2   free
func (m *model) runLines() []runLine {
	st := &m.runSeen.status
	var all []runLine
	add := func(task pawl.ID, parts ...term.Part) {
		all = append(all, runLine{append(term.Line{{Text: " "}}, parts...), task})
	}
	if !st.Running && !st.Killed && len(st.Waiting)+len(st.Paused) == 0 {
		return nil
	}
	add(0, term.Part{Text: show.RunHead(st), Tone: term.Title}, term.Part{Text: "  " + show.RunCounts(st), Tone: term.Quiet})
	for i := range st.Paused {
		add(0, term.Part{Text: "! " + show.RunPause(&st.Paused[i]), Tone: term.Bad})
	}
	if nothing := show.RunNothing(st); nothing != "" {
		add(0, term.Part{Text: "! " + nothing, Tone: term.Bad})
	}
	for i := range st.Waiting {
		v := &st.Waiting[i]
		add(v.ID, append(term.Line{{Text: "? ", Tone: term.Busy}}, m.runAttempt(v)...)...)
	}
	for _, s := range st.Slots {
		lead := term.Part{Text: fmt.Sprintf("%d ", s.Slot), Tone: term.Quiet}
		if s.Attempt == nil {
			add(0, lead, term.Part{Text: "free", Tone: term.Quiet})
			continue
		}
		add(s.Attempt.ID, append(term.Line{lead}, m.runAttempt(s.Attempt)...)...)
	}
	for i := range st.Queue {
		add(st.Queue[i].ID, append(term.Line{{Text: more(m.Unicode, "→ ", "> "), Tone: term.Quiet}}, m.runAttempt(&st.Queue[i])...)...)
	}
	if st.Unpushed != "" {
		add(0, term.Part{Text: text.Line(st.Unpushed), Tone: term.Quiet})
	}
	return all
}

// runAttempt is an attempt in a row.
func (m *model) runAttempt(v *runs.View) term.Line {
	line := term.Line{
		{Text: v.ID.String(), Tone: term.Title}, {Text: " " + text.Line(text.Clip(v.Subject, longestName)) + "  "},
		{Text: show.RunStands(v), Tone: term.Quiet},
	}
	if last := show.RunLast(v); last != "" {
		line = append(line, term.Part{Text: ": " + last})
	}
	return line
}

// runStrip is what of that has room. Its last row says how many are left out.
func (m *model) runStrip(rows int) frame {
	all := m.runLines()
	var f frame
	for i := range rows {
		c := cell{line: all[i].line, width: m.width}
		if left := len(all) - rows; i == rows-1 && left > 0 {
			end := fmt.Sprintf("  and %d more", left)
			c.line = append(m.sc(m.width-term.Width(end)).Cut(c.line), term.Part{Text: end, Tone: term.Quiet})
		}
		if all[i].task != 0 {
			c.hit = hit{kind: hitTask, task: all[i].task}
		}
		f = append(f, []cell{c})
	}
	return f
}
