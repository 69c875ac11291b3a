package tui

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/draw"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/text"
)

// attempted says on a card how the attempt of a run at its task stands. It reports whether
// that waits for approval.
func (b *cardBuilder) attempted(c *ask.Card) (waits bool) {
	v := b.m.attempt(&c.Task)
	if v == nil || c.State == ask.Done || v.Phase == runs.Completed || v.Phase == runs.Taken || v.Phase == runs.Dropped {
		return false
	}
	tone := draw.Quiet
	switch {
	case v.Phase == runs.Held:
		tone = draw.Bad
	case v.Phase == runs.Waiting || v.Phase.Works() || v.Phase.Queued():
		tone = draw.Busy
	}
	words := show.RunAttempt(v) + ", " + show.RunPhase(v)
	if v.Phase == runs.Waiting {
		words += ", " + show.RunChange(v)
	}
	b.wrap(strings.TrimSuffix(words, ", "), tone, mostReason)
	if last := show.RunLast(v); last != "" && b.density != tight && v.Phase == runs.Running {
		b.add(draw.Part{Text: last, Tone: draw.Quiet})
	}
	return v.Phase == runs.Waiting
}

// attemptsAt are the attempts at a task that was read.
func (r *runSeen) attemptsAt(found *detailRead) []runs.View {
	if found == nil || found.detail == nil {
		return nil
	}
	if r != nil && len(r.attempts) > 0 && r.task == runs.IdentityOf(&found.detail.Task) {
		return r.attempts
	}
	return found.attempts
}

// mostAttempts is how many attempts a task shows.
const mostAttempts = 5

// attempts tell of the last attempts at a task, the newest first:
//
//	Attempts
//	  2  by claude, working 4m, 12k tokens
//	     edit hook.go
//	     branch pawl/12-retry-hooks
func (p *detailPage) attempts(sc draw.Screen) {
	all := p.of.runs.attemptsAt(p.of.found)
	if len(all) == 0 {
		return
	}
	add := func(parts ...draw.Part) { p.rows = append(p.rows, pageRow{line: sc.Cut(parts)}) }
	add()
	add(draw.Part{Text: "Attempts of pawl run", Tone: draw.Quiet})
	for i := len(all) - 1; i >= 0 && i >= len(all)-mostAttempts; i-- {
		v := &all[i]
		add(draw.Part{Text: fmt.Sprintf("  %d ", v.N), Tone: draw.Title}, draw.Part{Text: strings.TrimSuffix(fmt.Sprintf("by %s, %s, %s", text.Line(v.Agent), show.RunPhase(v), show.RunCost(v)), ", ")})
		fact := func(name, is string, tone draw.Tone) {
			if is == "" {
				return
			}
			for i, line := range draw.Wrap(text.Line(is), max(8, sc.Width-16)) {
				if i > 0 {
					name = ""
				}
				add(draw.Part{Text: "    " + draw.Pad(name, 12), Tone: draw.Quiet}, draw.Part{Text: line, Tone: tone})
			}
		}
		fact("now", v.Doing, draw.Normal)
		tone := draw.Normal
		if v.Reason != "" {
			tone = draw.Bad
		}
		fact("why", v.Why, tone)
		fact("limit near", v.Near, draw.Bad)
		fact("check", v.Check, draw.Normal)
		lines := strings.Split(strings.TrimRight(v.Tail, "\n"), "\n")
		for _, line := range lines[max(0, len(lines)-tailShown):] {
			if v.Tail != "" {
				add(draw.Part{Text: "    " + more(p.of.unicode, "│ ", "| "), Tone: draw.Bad}, draw.Part{Text: text.Line(line), Tone: draw.Quiet})
			}
		}
		fact("branch", v.Branch, draw.Normal)
		fact("kept as", v.Ref, draw.Quiet)
	}
}

// tailShown is how many lines of a failed check a task shows.
const tailShown = 20
