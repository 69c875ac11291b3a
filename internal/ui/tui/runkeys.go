package tui

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/internal/text"
)

// Keys for attempts of a run. They are capitals: none can be undone.
var (
	keyApprove  = bind("approve", "A", "A")
	keySendBack = bind("send back", "R", "R")
	keyAgain    = bind("another attempt", "R", "R")
	keyStop     = bind("stop the agent", "S", "S")
	keyDiff     = bind("diff", "V", "V")
)

// runKeys are the keys that are useful for a task at which a run made an attempt.
func (m *model) runKeys(t *pawl.Task) []binding {
	v := m.attempt(t)
	if v == nil {
		return nil
	}
	switch {
	case v.Phase == runs.Waiting || v.Phase == runs.Handed:
		return []binding{keyApprove, keySendBack, keyDiff}
	case v.Phase == runs.Held:
		return []binding{keyAgain, keyDiff}
	case v.Phase.Works() && m.runSeen.status.Running:
		return []binding{keyStop, keyDiff}
	case v.Phase.Queued():
		return []binding{keyDiff}
	}
	return nil
}

// steer handles a key for the attempt at the selected task.
func (m *model) steer(k tea.KeyPressMsg) (tea.Cmd, bool) {
	if !matches(k, keyApprove, keySendBack, keyStop, keyDiff) || m.Runs == nil || m.runSeen == nil || !m.runSeen.ever {
		return nil, false
	}
	id := m.task()
	t := m.known(id)
	if waiting := m.runSeen.status.Waiting; matches(k, keyApprove) && m.where == onLanes && len(waiting) > 0 && (m.attempt(t) == nil || m.attempt(t).Phase != runs.Waiting) {
		m.screens[onLanes].show(m, waiting[0].ID)
		m.notice = notice{text: m.name(waiting[0].ID) + " waits for approval; A approves it, V shows its diff"}
		return nil, true
	}
	v := m.attempt(t)
	if v == nil {
		m.notice = notice{text: "No run has made an attempt at " + m.name(id)}
		if id == 0 {
			m.notice.text = "No task is selected"
		}
		return nil, true
	}
	n := fmt.Sprintf("attempt %d at %s", v.N, m.name(id))
	switch {
	case matches(k, keyDiff):
		return m.readDiff(v, n), true
	case matches(k, keyApprove):
		if v.Phase != runs.Waiting && v.Phase != runs.Handed {
			m.notice = notice{text: fmt.Sprintf("%s does not wait for approval: it is %s", text.Sentence(n), v.Word)}
			return nil, true
		}
		about := "Its commits go to " + text.Line(m.runSeen.status.Target)
		if change := show.RunChange(v); change != "" {
			about += ": " + change
		}
		m.dialog = &confirm{
			title: "Approve " + n + "?", text: about + ". The checks run once more on the merged files. Esc, then V shows the diff.",
			yes: confirming("approve"), do: func(m *model) tea.Cmd { return m.request(runs.Control{Op: runs.Approve, ID: id, Task: v.Task}, nil) },
		}
	case matches(k, keySendBack):
		enter := bind("send back", "Enter", "enter")
		title := "Send " + n + " back: what should the agent do?"
		if v.Phase != runs.Waiting {
			enter, title = bind("another attempt", "Enter", "enter"), "Another attempt at "+m.name(id)+": what should the agent do?"
		}
		d := m.newAsk("retry "+id.String(), title, longestNote, enter)
		d.blank = v.Phase != runs.Waiting
		d.enter = func(m *model, text string) tea.Cmd {
			return m.request(runs.Control{Op: runs.Retry, ID: id, Task: v.Task, Text: text}, d)
		}
		m.dialog = d
	case matches(k, keyStop):
		if !v.Phase.Works() || !m.runSeen.status.Running {
			m.notice = notice{text: fmt.Sprintf("No agent is at work on %s: the attempt is %s", m.name(id), v.Word)}
			return nil, true
		}
		m.dialog = &confirm{
			title: "Stop " + n + "?", text: "The agent ends, and what it did is kept. The task is put on hold.",
			yes: confirming("stop"), do: func(m *model) tea.Cmd { return m.request(runs.Control{Op: runs.StopOne, ID: id, Task: v.Task}, nil) },
		}
	}
	return nil, true
}

// request asks the run for something beside the model. asked is the dialog with a text
// that must not be lost; nil: none.
func (m *model) request(c runs.Control, asked *askText) tea.Cmd {
	c.By = m.By.Name
	watched := m.Runs
	return func() tea.Msg {
		said, err := watched.Ask(c)
		return then(func(m *model) tea.Cmd {
			if err == nil {
				m.notice = notice{text: said}
				return m.lookAtRuns(0)
			}
			if asked != nil {
				m.keep(asked.unsent())
			}
			m.notice = notice{text: m.refusal(err), bad: true}
			return nil
		})
	}
}

// diffFor is how long a reader waits for a diff.
const diffFor = 20 * time.Second

// readDiff reads what an attempt changed, and shows it.
func (m *model) readDiff(v *runs.View, name string) tea.Cmd {
	watched, ctx, task := m.Runs, m.ctx, v.Task
	m.notice = notice{text: "Reading the diff"}
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(ctx, diffFor)
		defer stop()
		diff, err := watched.Diff(ctx, task)
		return then(func(m *model) tea.Cmd {
			switch m.notice = (notice{}); {
			case err != nil:
				m.notice = notice{text: m.refusal(err), bad: true}
			case diff == "":
				m.notice = notice{text: text.Sentence(name) + " has changed no file"}
			case m.dialog == nil:
				m.dialog = newDiff("Diff of "+name, diff)
			}
			return nil
		})
	}
}

// mostDiffLines bounds the diff that is shown; pawl run diff has all of it.
const mostDiffLines = 20_000

// newDiff shows a diff, line by line. Its text is an agent's.
func newDiff(title, diff string) *reader {
	var lines []term.Line
	for line := range strings.Lines(diff) {
		if len(lines) == mostDiffLines {
			lines = append(lines, term.Line{{Text: " "}, {Text: "the rest is left out: pawl run diff has it", Tone: term.Quiet}})
			break
		}
		line = strings.TrimRight(line, "\r\n")
		tone := term.Normal
		switch {
		case strings.HasPrefix(line, "diff "):
			tone = term.Title
		case strings.HasPrefix(line, "@@"), strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"), strings.HasPrefix(line, "index "):
			tone = term.Quiet
		case strings.HasPrefix(line, "+"):
			tone = term.Good
		case strings.HasPrefix(line, "-"):
			tone = term.Bad
		}
		lines = append(lines, term.Line{{Text: " "}, {Text: text.Line(strings.ReplaceAll(line, "\t", "    ")), Tone: tone}})
	}
	return &reader{
		title: title, lines: func(*model, int) []term.Line { return lines },
		keys: []binding{keyDown, keyPgDn, keyEnd}, leaves: []binding{keyDiff},
	}
}
