package hook

import (
	"cmp"
	"context"
	"errors"
	"hash/fnv"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/known"
	"github.com/pawl-dev/pawl/internal/attribution"
	"github.com/pawl-dev/pawl/internal/caller"
	"github.com/pawl-dev/pawl/internal/courier"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/internal/quiet"
	"github.com/pawl-dev/pawl/nudge"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/todo"
)

// A session is one agent of one session, while one of its events is handled.
type session struct {
	env    Env
	client *agent.Agent // the agent's program
	state  string       // the user's state folder
	now    time.Time
	key    todo.Key

	book  *notebook
	mem   memory
	place place
	todos *todo.Service
	board query.Board // once it was asked for

	line *courier.Post // of a board at an address, once it was asked for
	old  time.Time     // when the board was seen that the facts are of; zero: now
	from string        // the session whose claims are about to be this one's

	since  time.Time // a proxy tells of the event, and began then; zero: a hook does
	hooked bool      // hooks tell of the session's events, and the proxy's are let pass

	agent   caller.Process // the program's, once it was asked for
	located bool
	facts   *agent.Session // of its model and its program, once they were asked for
	script  string         // the file with its conversation; empty: not told

	fresh  bool    // nothing was remembered of it
	failed []error // what went wrong on the way; the rest is done anyway
}

func (s *session) close() {
	if s.book != nil {
		s.book.close()
	}
	if s.board != nil {
		s.board.Close() // it has nothing left to write
	}
	if s.line != nil {
		s.line.Close()
	}
}

// try notes a failure that keeps nothing else from being done.
func (s *session) try(err error) {
	if err != nil {
		s.failed = append(s.failed, err)
	}
}

// handle does what is to be done at an event, and remembers it.
func (s *session) handle(ctx context.Context, e agent.Event) (agent.Answer, error) {
	book, mem, err := openNotebook(ctx, s.state, s.key)
	if err != nil {
		return agent.Answer{}, err
	}
	s.book, s.mem = book, mem
	if s.stands(); s.hooked {
		return agent.Answer{}, nil
	}
	if s.mem.repeats(s.identity(&e), e.ToolUse != "" || e.At != "", s.now) {
		return agent.Answer{}, nil
	}
	s.fresh, s.script = s.mem.Project == "", e.Transcript
	if e.Model != "" && e.Agent == "" {
		s.mem.Model = e.Model
	}
	s.goalSet(&e)
	s.locate(e)
	if s.todos, err = s.env.Todos(s.lists()); err != nil {
		return agent.Answer{}, err
	}
	began := ""
	if s.fresh && s.mem.Project != "" && e.Kind == nudge.Prompt && e.Agent == "" && s.hears(&e) && !forPawl(e.Text) {
		// Gemini CLI tells an editor of no start, and a session may be older than its hooks.
		start := agent.Event{Event: nudge.Event{Kind: nudge.Start, Source: nudge.Startup}, Session: e.Session, Dir: e.Dir, Model: e.Model}
		began = s.answer(ctx, start).Context
	}
	answer := s.answer(ctx, e)
	if answer.Handled == "" {
		answer.Context = join(began, answer.Context)
	}
	if answer.Continue != "" {
		s.mem.continued(s.env.Now())
	}
	if s.fresh && answer.Handled != "" {
		s.mem.Project = "" // the next prompt is the first that the agent gets
	}
	if err := book.write(s.mem); err != nil {
		s.try(err)
		answer.Continue, answer.Notice = "", "" // what is not counted has no end
	}
	return answer, errors.Join(s.failed...)
}

// lists is the folder of the todo lists; empty: the settings keep them off the
// disk, so that a hook, a process of its own, sees none.
func (s *session) lists() string {
	if settings.Of[string](s.place.values, "todos.store") == "memory" {
		return ""
	}
	return filepath.Join(s.state, "todos")
}

// locate finds the project: that which the session began in. An agent walks
// through folders, and takes its plan with it, also when its conversation is
// summarised there.
func (s *session) locate(e agent.Event) {
	dir, first := s.mem.Project, s.mem.Project == "" || e.Kind == nudge.Start
	if dir == "" || e.Kind == nudge.Start && e.Source != nudge.Compact {
		dir = cmp.Or(e.Dir, s.env.Dir)
	}
	var err error
	s.place, err = s.env.find(dir, s.key.Session)
	s.try(err)
	if err == nil {
		s.mem.Project = s.place.project
	}
	if first && s.place.folder() != "" && s.env.Prepare != nil {
		_ = s.env.Prepare(s.place.folder()) // it only saves readers time, and the board may be read-only
	}
}

// answer goes through what an event brings with it: notes for the server, the
// agent's own list, tool calls, leases; and asks the policy.
func (s *session) answer(ctx context.Context, e agent.Event) agent.Answer {
	if e.Kind == nudge.Prompt {
		if said, ours := s.command(ctx, e); ours {
			return agent.Answer{Handled: said}
		}
	}
	e.Nobody = e.Nobody || s.place.alone()
	e.Silent = s.client.Hooks.Silent
	var answer agent.Answer
	told, refused := s.beware(ctx, &e)
	if refused != "" {
		return agent.Answer{Refuse: refused}
	}
	switch e.Kind {
	case nudge.Start:
		s.try(forget(s.state, s.now, s.key))
		if p := s.post(); p != nil && s.key.Agent == "" {
			s.try(p.Cancel(ctx, s.key.Session)) // it goes on
		}
		s.report(e.Source == nudge.Clear)
		if s.fresh && (e.Source == nudge.Startup || e.Source == nudge.Clear) && s.place.folder() != "" && s.env.Begins != nil {
			s.env.Begins(s.place.folder(), pawl.Actor{Name: s.name(), Session: s.key.Session})
		}
		s.inherit(ctx, e)
	case nudge.Prompt:
		s.report(false)
	case nudge.CallBegins:
		s.callBegins(ctx, &e)
	case nudge.CallEnds:
		s.callEnds(ctx, &e, &answer)
	case nudge.Interrupt:
		s.try(s.todos.CallsInterrupted(ctx, s.key))
	}
	written, err := s.mirror(ctx, &e)
	s.try(err)
	if e.Kind != nudge.CallBegins {
		s.leaves(ctx)
	}
	if e.Kind == nudge.End {
		s.mem.ended()
		s.end(ctx, e)
		s.sweep(ctx)
		return agent.Answer{}
	}
	decision := s.decide(ctx, e)
	if e.Kind == nudge.Prompt && decision.Spoke {
		s.try(s.todos.CallsInterrupted(ctx, s.key)) // their ends will not come
		s.try(s.todos.Prompt(ctx, s.key))
	}
	if (e.Kind == nudge.CallEnds || decision.Spoke) && answer.EndTurn == "" {
		decision.Tell = join(s.news(ctx, &e, written), decision.Tell)
	}
	if answer.EndTurn == "" {
		decision.Tell = join(told, s.lost(&e), decision.Tell)
		answer.Context, answer.Continue, answer.Notice = decision.Tell, decision.Continue, cmp.Or(decision.Show, s.offer(ctx, &e))
	} else {
		answer.Context = told
	}
	if e.Kind == nudge.Stop && s.key.Agent != "" && answer.Continue == "" {
		s.try(s.tellMain(ctx, nudge.Event{Kind: nudge.HelperStop, Helper: cmp.Or(e.Helper, e.Agent)}))
	}
	if e.Kind != nudge.CallBegins {
		s.renew(ctx)
	}
	return answer
}

// decide asks the policy, with what it wants to know.
func (s *session) decide(ctx context.Context, e agent.Event) nudge.Decision {
	set := s.place.nudges()
	set.PerPrompt = min(set.PerPrompt, s.mostStops())
	if s.quiet(e.Kind) {
		set.Continue, set.Reminders = false, false
	}
	if e.Kind == nudge.Prompt && set.Reminders && s.place.suggestions() == "auto" {
		set.Suggest = !s.client.Hooks.Habit(s.about().Model)
	}
	need := nudge.Needs(s.mem.Nudge, e.Event, set)
	if need.List && e.Kind != nudge.Stop && !s.hears(&e) {
		e.CannotDeliver = true
		need = nudge.Needs(s.mem.Nudge, e.Event, set)
	}
	if e.Kind == nudge.Stop && need.List && s.goal() {
		e.Goal = true // two that push would only cost
		need = nudge.Needs(s.mem.Nudge, e.Event, set)
	}
	if e.Kind == nudge.Stop && need.List {
		e.Nobody, e.Last = e.Nobody || s.prints(), s.key.Agent != ""
	}
	var f nudge.Facts
	if need != (nudge.Need{}) || e.Kind == nudge.Prompt {
		f.Tools = s.tools()
	}
	if need.List {
		list, err := s.todos.Look(ctx, s.key)
		s.try(err)
		f.List = list
		if list.HasCheck() && (need.Board || e.Kind == nudge.Stop) {
			f.Check = s.listCheck(ctx, &list)
		}
	}
	held := s.mem.Nudge.Claimed
	var unseen error
	if need.Tasks || need.Board {
		unseen = s.look(ctx, &f, need.Board)
		if s.line == nil || !courier.Away(unseen) { // what is at an address has a log of its own
			s.try(unseen)
		}
		if need.Board || e.Kind == nudge.Stop {
			f.Failed = s.failedChecks(ctx, f.Owned)
		}
		if e.Kind == nudge.Stop {
			f.Commit = lastCommit(cmp.Or(e.Dir, s.place.project), f.Owned)
		}
	}
	var decision nudge.Decision
	s.mem.Nudge, decision = nudge.Decide(s.mem.Nudge, e.Event, f, set, s.now)
	if unseen != nil || !s.old.IsZero() {
		s.mem.Nudge.Claimed = held // nobody could see that it no longer holds them
	}
	if !s.old.IsZero() && len(f.Owned)+len(f.Made)+len(f.Ready) > 0 {
		for _, text := range []*string{&decision.Tell, &decision.Continue} {
			if *text != "" {
				*text = join(*text, s.asOf())
			}
		}
	}
	return decision
}

// quiet reports whether nobody wants a nudge now. Only events that could bring one
// look for that.
func (s *session) quiet(kind nudge.Kind) bool {
	switch kind {
	case nudge.Prompt, nudge.CallEnds, nudge.Stop:
		book, err := quiet.Read(s.state)
		s.try(err)
		return book.Of(s.place.project, s.now).Quiet
	}
	return false
}

// lastCommit is the last commit in a folder since the first of some tasks was
// claimed.
func lastCommit(dir string, tasks []pawl.Task) nudge.Commit {
	if len(tasks) == 0 {
		return nudge.Commit{}
	}
	since := tasks[0].StartedAt
	for i := range tasks {
		if tasks[i].StartedAt.Before(since) {
			since = tasks[i].StartedAt
		}
	}
	c, ok := project.LastCommit(dir, since)
	if !ok {
		return nudge.Commit{}
	}
	return nudge.Commit(c)
}

// mostStops is how often the program lets itself be continued.
func (s *session) mostStops() int {
	most := s.client.Hooks.Stops
	if said, err := strconv.Atoi(s.env.Getenv(s.client.Hooks.StopsIn)); s.client.Hooks.StopsIn != "" && err == nil && said >= 0 {
		most = said
	}
	if most == 0 {
		return math.MaxInt
	}
	return most
}

// tellMain has the session's main agent know of an event of its subagent.
func (s *session) tellMain(ctx context.Context, e nudge.Event) error {
	book, mem, err := openNotebook(ctx, s.state, todo.Key{Session: s.key.Session})
	if err != nil {
		return err
	}
	defer book.close()
	mem.Nudge, _ = nudge.Decide(mem.Nudge, e, nudge.Facts{}, s.place.nudges(), s.now)
	return book.write(mem)
}

// hears reports whether the program gives its agent anything at an event. To
// find out costs an answer, so it is asked when there is something to say.
func (s *session) hears(e *agent.Event) bool {
	return s.client.Hooks.Encode(*e, agent.Answer{Context: "heard"}) != nil
}

// process is the agent's program. To find it costs some reads of the system's
// files, so it is looked for where it is needed.
func (s *session) process() string {
	if !s.located {
		s.agent, s.located = caller.Starter(), true
	}
	return s.agent.ID
}

func (s *session) notes() attribution.Notes {
	return attribution.Notes{Dir: s.state, Now: func() time.Time { return s.now }}
}

// report has servers of the same program know the session.
func (s *session) report(cleared bool) {
	if s.key.Agent == "" && s.process() != "" {
		s.try(s.notes().Report(attribution.Report{Process: s.process(), Session: s.key.Session, Cleared: cleared}))
	}
}

// tools are the names that texts use: the tool that made the session's list, then
// Pawl's, then the agent's own. A tool that the agent may not have is not named.
func (s *session) tools() nudge.Tools {
	t := nudge.Tools{Write: s.mem.Maker, Pause: s.client.Hooks.Pauses, Off: s.client.Hooks.Off}
	h := s.client.Hooks
	if t.Write != "" && h.Owns != nil && known.ListTool(s.client, t.Write) != nil && h.Owns(s.about(), t.Write) == agent.Lacks {
		t.Write = "" // the model was another one then
	}
	shown, served := s.served()
	if served {
		t.Pause = cmp.Or(t.Pause, shown+"todo_pause")
		t.Write = cmp.Or(t.Write, shown+"todo_write")
	}
	if t.Write == "" && h.Native != "" && h.Has(s.about(), h.Native) == agent.Has {
		t.Write = h.Native
	}
	// A list of the agent's own is changed entry by entry, each by its number there.
	if t.Update = updater(t.Write); s.client.Hooks.ByEntry || t.Update != t.Write || t.Write == "" {
		if served {
			t.Others = shown + "todo_write"
		} else {
			t.Shell = "pawl todo done N" + s.flags()
		}
	}
	if s.client.Hooks.Off != "" {
		t.Quiet = "/pawl:reminders off"
	}
	return t
}

// served reports whether the agent has the tools of Pawl's server, and what
// stands before their names.
func (s *session) served() (shown string, ok bool) {
	return cmp.Or(s.mem.Shown, s.client.Hooks.Shown), s.mem.Shown != "" || s.notes().Served(s.process())
}

// prints reports whether the program was started to print an answer and end.
func (s *session) prints() bool {
	if len(s.client.Hooks.Prints) == 0 || s.process() == "" {
		return false
	}
	args := s.agent.Args()
	return len(args) > 0 && slices.ContainsFunc(args[1:], func(arg string) bool {
		name, _, _ := strings.Cut(arg, "=")
		return slices.Contains(s.client.Hooks.Prints, name)
	})
}

// identity tells two events from one that came twice: several settings files
// may name the hook. A start is another one in each process, which has a conversation
// of its own to give the plan to.
func (s *session) identity(e *agent.Event) uint64 {
	h := fnv.New64a()
	add := func(parts ...string) {
		for _, part := range parts {
			h.Write([]byte(strconv.Itoa(len(part))))
			h.Write([]byte{':'})
			h.Write([]byte(part))
		}
	}
	add(string(e.Kind), e.Agent, e.ToolUse)
	if e.Kind == nudge.Start {
		add(s.process())
	}
	if e.ToolUse == "" {
		add(e.At, e.Turn, string(e.Source), e.Text, e.Helper, e.Tool, string(e.Input), string(e.Output), string(e.Todos), strconv.FormatBool(e.Active))
	}
	for _, task := range e.Tasks {
		add(task.ID, task.Subject, task.Status)
	}
	return h.Sum64()
}

func join(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), "\n\n")
}
