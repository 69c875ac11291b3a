package tui

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// attempted says on a card how the attempt of a run at its task stands. It reports whether
// that waits for approval.
func (b *cardBuilder) attempted(c *query.Card) (waits bool) {
	v := b.m.attempt(&c.Task)
	if v == nil || c.State == query.Done || v.Phase == runs.Completed || v.Phase == runs.Taken || v.Phase == runs.Dropped {
		return false
	}
	tone := term.Quiet
	switch {
	case v.Phase == runs.Held:
		tone = term.Bad
	case v.Phase == runs.Waiting || v.Phase.Works() || v.Phase.Queued():
		tone = term.Busy
	}
	words := show.RunAttempt(v) + ", " + show.RunPhase(v)
	if v.Phase == runs.Waiting {
		words += ", " + show.RunChange(v)
	}
	b.wrap(strings.TrimSuffix(words, ", "), tone, mostReason)
	if last := show.RunLast(v); last != "" && b.density != tight && v.Phase == runs.Running {
		b.add(term.Part{Text: last, Tone: term.Quiet})
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
func (p *detailPage) attempts(sc term.Screen) {
	all := p.of.runs.attemptsAt(p.of.found)
	if len(all) == 0 {
		return
	}
	add := func(parts ...term.Part) { p.rows = append(p.rows, pageRow{line: sc.Cut(parts)}) }
	add()
	add(term.Part{Text: "Attempts of pawl run", Tone: term.Quiet})
	for i := len(all) - 1; i >= 0 && i >= len(all)-mostAttempts; i-- {
		v := &all[i]
		add(term.Part{Text: fmt.Sprintf("  %d ", v.N), Tone: term.Title}, term.Part{Text: strings.TrimSuffix(fmt.Sprintf("by %s, %s, %s", text.Line(v.Agent), show.RunPhase(v), show.RunCost(v)), ", ")})
		fact := func(name, is string, tone term.Tone) {
			if is == "" {
				return
			}
			for i, line := range term.Wrap(text.Line(is), max(8, sc.Width-16)) {
				if i > 0 {
					name = ""
				}
				add(term.Part{Text: "    " + term.Pad(name, 12), Tone: term.Quiet}, term.Part{Text: line, Tone: tone})
			}
		}
		fact("now", v.Doing, term.Normal)
		for _, t := range v.Todos {
			fact(strings.ReplaceAll(text.Line(t.Status), "_", " "), t.Content, term.Normal)
		}
		for _, what := range v.Refused {
			fact("refused", what, term.Bad)
		}
		tone := term.Normal
		if v.Reason != "" {
			tone = term.Bad
		}
		fact("why", v.Why, tone)
		fact("limit near", v.Near, term.Bad)
		fact("check", v.Check, term.Normal)
		lines := strings.Split(strings.TrimRight(v.Tail, "\n"), "\n")
		for _, line := range lines[max(0, len(lines)-tailShown):] {
			if v.Tail != "" {
				add(term.Part{Text: "    " + more(p.of.unicode, "│ ", "| "), Tone: term.Bad}, term.Part{Text: text.Line(line), Tone: term.Quiet})
			}
		}
		fact("branch", v.Branch, term.Normal)
		fact("kept as", v.Ref, term.Quiet)
	}
}

// tailShown is how many lines of a failed check a task shows.
const tailShown = 20
