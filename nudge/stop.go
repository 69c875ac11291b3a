package nudge

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/prose"
	"github.com/pawl-dev/pawl/todo"
)

// mayContinue reports whether a stop is one at which the agent may be asked to
// go on, as far as the event and the state say.
func (s *State) mayContinue(e Event, set Settings) bool {
	switch {
	case !set.Continue, set.Attempts <= 0: // nobody wants it
	case s.Spent, s.Interrupted, s.Asked, e.Plans, e.Goal, e.Jobs > 0, len(s.Helpers) > 0:
	case e.Active && s.Notes == 0:
		// Its client continues the agent, and no note of ours is known: the state
		// was lost, and with it all that bounds us.
	case prose.Asks(e.Text):
	case s.Notes > 0 && prose.Blocked(e.Text):
		// It was asked to say so.
	default:
		return true
	}
	return false
}

// committed is a line about a commit that was made since the agent claimed a task,
// and that no note has named: it may have been the end of that task. A commit is
// progress, so that it is asked about even where nothing else has moved.
func (s *State) committed(f Facts) string {
	if f.Commit.Hash == "" || s.Commit == sumOf(f.Commit.Hash) {
		return ""
	}
	var ids []pawl.ID
	for i := range f.Owned {
		if f.Owned[i].StartedAt.Before(f.Commit.At) {
			ids = append(ids, f.Owned[i].ID)
		}
	}
	if len(ids) == 0 {
		return ""
	}
	const short = 7
	return fmt.Sprintf("Since you claimed %s there is the commit %s \"%s\". If that was all of it, complete the task now; else go on.\n",
		numbers(ids), f.Commit.Hash[:min(short, len(f.Commit.Hash))], line(f.Commit.Subject, maxLine))
}

// stop decides whether an agent that is about to stop is asked to go on.
//
// A stop is counted when nothing has moved since the one before, unless the
// agent worked in between: then it gets the same again, because what it did may
// show later. The last attempt is not the agent's: its user is told instead.
func (s *State) stop(e Event, f Facts, set Settings) Decision {
	l := remaining(f)
	switch {
	case f.List.Pause != nil:
		return s.paused(f.List.Pause, f.Tools)
	case s.suspended(f):
		return Decision{}
	case l.none():
		return s.untrusted(f)
	}
	attempts := set.Attempts
	if l.onlyCheck() {
		attempts = min(attempts, mostCheckStops)
	}
	now, same := sum(f), false
	done := s.committed(f)
	switch {
	case s.Level == 0, s.Left != now, done != "":
		s.Level, s.Quiet = 1, false
	case s.Worked && !l.onlyCheck():
		same = true
	default:
		s.Level = min(s.Level+1, attempts)
	}
	s.Left = now
	switch {
	case s.Level >= attempts:
		if s.Quiet {
			return Decision{}
		}
		s.Quiet = true
		return Decision{Show: fmt.Sprintf("Pawl: the agent stopped with %s left, and is not asked again until something moves or you speak to it. Switch off: %s",
			l.counts(), f.Tools.off())}
	case s.Notes >= set.PerPrompt:
		s.Spent = true
		return Decision{Show: fmt.Sprintf("Pawl: the agent stopped with %s left, after %s, the most for one prompt. Switch off: %s",
			l.counts(), count(s.Notes, "continuation"), f.Tools.off())}
	}
	s.Notes++
	text := s.note(l, f, e, same, done)
	if done != "" {
		s.Commit = sumOf(f.Commit.Hash)
	}
	s.Worked = false
	s.Echo = echoOf(text)
	return Decision{
		Continue: text,
		Show:     fmt.Sprintf("Pawl: asked the agent to go on, %s left. Switch off: %s", l.counts(), f.Tools.off()),
	}
}

func (s *State) paused(p *todo.Pause, t Tools) Decision {
	told := sumOf(p.Reason, p.At.String())
	if s.Left == told {
		return Decision{}
	}
	s.Left = told
	return Decision{Show: fmt.Sprintf("Pawl: the agent paused until your next prompt: %s (Switch off: %s)", line(p.Reason, todo.MaxReason), t.off())}
}

// mostCheckStops is at which stop in a row the user is told, and not the agent, that the
// list's check has not run again: once is enough for one command.
const mostCheckStops = 2

// off is how a person ends continuation: in the session, or for good, but never in the
// files of a project, where it would be for others too.
func (t Tools) off() string { return cmp.Or(t.Off, "pawl config set continuation off --user") }

// quiet is how a person ends reminders.
func (t Tools) quiet() string { return cmp.Or(t.Quiet, "pawl config set reminders off --user") }

// from ends a text for the agent: where it comes from, and how it is switched off.
func from(off string) string { return "(From Pawl. The user switches this off with: " + off + ")" }

// Openings of a note, by how it came about. Two notes in a row never have the same
// one.
var (
	firstOpenings = [...]string{
		"You stopped, and this is not done yet:",
		"Your turn ended before this was done:",
	}
	sameOpenings = [...]string{
		"You have worked since the last note, and nothing of what is left has moved. What is done, mark as done. Left:",
		"You called tools, and this still stands as it did. If some of it is done, say so; then go on with the rest:",
	}
	escalatedOpenings = [...]string{
		"Nothing has changed since the last note: nothing was started, finished or added. Do not answer in words only, take the next step now. Left:",
		"This is still as it was when you were last asked. Call a tool that brings it forward before you say anything else. Left:",
	}
)

// maxLeft is how many lines of what is left a note has: enough to know the way,
// and few enough to be read.
const maxLeft = 8

// checkLines is how many lines the one of a list's check stands for: it names a command
// and a session.
const checkLines = 2

// note is what a stopping agent is told, without empty lines: to some programs'
// users it is shown as it is.
func (s *State) note(l left, f Facts, e Event, same bool, done string) string {
	openings := firstOpenings
	switch {
	case s.Level > 1:
		openings = escalatedOpenings
	case same:
		openings = sameOpenings
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Continue working on this task: %s\n%s\n%s", l.current(), openings[s.other(notes)], checkLine(l, f))
	for i, it := range l.todos[:min(len(l.todos), maxLeft)] {
		b.WriteString(todoLine(it, i == 0))
	}
	room := maxLeft - len(l.todos)
	if l.check != "" {
		room -= checkLines
	}
	for _, task := range l.tasks[:min(len(l.tasks), max(0, room))] {
		fmt.Fprintf(&b, "- %s (a task that you have claimed)\n", subject(task, maxLine))
	}
	if more := len(l.tasks) - room; more > 0 {
		fmt.Fprintf(&b, "… and %d more\n", more)
	}
	end := done + wayOut(l, f.List.Items, e, f.Tools) + " " + from(f.Tools.off())
	return b.String() + failedNote(f.failed(), MostBytes-b.Len()-len(end)) + end
}

func wayOut(l left, list []todo.Item, e Event, t Tools) string {
	var b strings.Builder
	switch {
	case e.Alone || e.Nobody:
		b.WriteString("Nobody can confirm a step: decide yourself. ")
	default:
		b.WriteString("Go on without asking whether you may. ")
	}
	if how := t.update(l.todos, list); len(l.todos) > 0 && how != "" {
		fmt.Fprintf(&b, "Mark each todo with %s as soon as it is done. ", how)
	}
	if len(l.tasks) > 0 {
		b.WriteString("Complete each task that you have claimed, or release it for others. ")
	}
	switch {
	case t.Pause != "":
		fmt.Fprintf(&b, "If you cannot go on, call %s with the reason.", t.Pause)
	case e.Alone || e.Nobody:
		b.WriteString("If you cannot go on, say what it is, and end with that.")
	default:
		b.WriteString("If you cannot go on, say what it is, and ask the user.")
	}
	if e.Nobody || e.Last {
		b.WriteString(" Only your last message is read: it must say everything.")
	}
	return b.String()
}
