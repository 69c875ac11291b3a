package nudge_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/nudge"
	"github.com/pawl-dev/pawl/todo"
)

var update = flag.Bool("update", false, "write what was said into the stories")

// A story is what happens in a session, a line each, and below it what is said:
//
//	# What is shown.
//	> todos [>] Write tests | [ ] Fix lint
//	> stop I am done.
//	    continue: Continue working on this task: Write tests
//
// Lines that are not events set the stage:
//
//	> settings attempts=2 reminders=off cooldown=0
//	> tools write=todo_write pause=         names of tools; update= others= shell= off= quiet=
//	> todos [x] A | [>] B | [ ] C | [!] D   the list, the last one blocked; @A is of the agent's own
//	> paused until the key is there         and todos ends it
//	> owned #12 A | #13 B                   tasks that it holds
//	> commit 1a2b3c Fix it                  made a minute after these were claimed
//	> lost #9 A @bob | #10 B done | #11 C
//	> made #1 A | #2 B <#1                  the second one waits for the first
//	> ready 7 #1 A | #2 B                   of seven
//	> notes bob: text | ada: text
//	> wait 5m
//	> lose                                  the state
//
// and these are the events, with what is special about them before the text:
//
//	> start resume
//	> prompt notice silent deaf Fix it
//	> echo before | after                   the last continuation comes back in between
//	> call own updates failed x3
//	> stop active alone nobody last plans jobs=1 Last words.
//	> compaction    > interrupt    > helper NAME    > helper done NAME    > end
func TestStories(t *testing.T) {
	files, err := filepath.Glob("testdata/sessions/*.txtar")
	if err != nil || len(files) < 8 {
		t.Fatalf("%d stories: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { playStory(t, file) })
	}
}

// playStory plays a file, compares what is said with what it says, and returns it.
func playStory(t *testing.T, file string) string {
	t.Helper()
	text := must.Get(os.ReadFile(file))(t)
	s := newSession(t)
	var out strings.Builder
	for l := range strings.Lines(string(text)) {
		if strings.HasPrefix(l, " ") {
			continue // what was said before
		}
		out.WriteString(l)
		if command, ok := strings.CutPrefix(strings.TrimSpace(l), "> "); ok {
			out.WriteString(show(s.play(command)))
		}
	}
	got := out.String()
	if *update {
		must.Do(t, os.WriteFile(file, []byte(got), 0o666))
	} else if got != string(text) {
		t.Errorf("the story goes otherwise:\n%s", got)
	}
	return got
}

// show is a decision as a story has it: indented, and no line of it empty.
func show(d nudge.Decision) string {
	var b strings.Builder
	for _, one := range []struct{ name, text string }{{"tell", d.Tell}, {"continue", d.Continue}, {"show", d.Show}} {
		if one.text == "" {
			continue
		}
		for i, l := range strings.Split(one.text, "\n") {
			if i == 0 {
				l = one.name + ": " + l
			} else {
				l = "| " + l
			}
			b.WriteString(strings.TrimRight("    "+l, " ") + "\n")
		}
	}
	return b.String()
}

// A reporter is a testing.T, or that of a property or a fuzz test.
type reporter interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Fatal(args ...any)
}

// A session is an agent's, as its hooks see it.
type session struct {
	t        reporter
	state    nudge.State
	facts    nudge.Facts
	settings nudge.Settings
	now      time.Time
	said     string // the last continuation
	needs    nudge.Need
}

func newSession(t reporter) *session {
	return &session{
		t: t, settings: nudge.Defaults, now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC),
		facts: nudge.Facts{Tools: nudge.Tools{Write: "todo_write", Pause: "todo_pause"}},
	}
}

// decide lets an event happen. Facts that nobody asked for are not given, the
// state goes through JSON, and what was handed in stays as it is.
func (s *session) decide(e nudge.Event) nudge.Decision {
	s.t.Helper()
	s.needs = nudge.Needs(s.state, e, s.settings)
	before, err := json.Marshal(s.state)
	if err != nil {
		s.t.Fatal(err)
	}
	if len(before) > 2<<10 {
		s.t.Errorf("a state of %d bytes", len(before))
	}
	next, d := nudge.Decide(s.state, e, only(s.facts, s.needs), s.settings, s.now)
	if _, all := nudge.Decide(s.state, e, s.facts, s.settings, s.now); all != d {
		s.t.Errorf("%+v: what was not asked for was looked at", e)
	}
	if after, _ := json.Marshal(s.state); string(after) != string(before) {
		s.t.Errorf("%+v: changed the state that it was given", e)
	}
	text, err := json.Marshal(next)
	if err != nil {
		s.t.Fatal(err)
	}
	s.state = nudge.State{}
	if err := json.Unmarshal(text, &s.state); err != nil {
		s.t.Fatal(err)
	}
	if !reflect.DeepEqual(next, s.state) && fmt.Sprint(next) != fmt.Sprint(s.state) {
		s.t.Errorf("the state is %+v after JSON, and was %+v", s.state, next)
	}
	if d.Continue != "" {
		s.said = d.Continue
	}
	return d
}

// only is those facts that somebody asked for.
func only(f nudge.Facts, n nudge.Need) nudge.Facts {
	out := nudge.Facts{Tools: f.Tools}
	if n.List {
		out.List = f.List
	}
	if n.Tasks || n.Board {
		out.Owned, out.Failed, out.Commit = f.Owned, f.Failed, f.Commit
	}
	if n.Board {
		out.Lost, out.Made, out.Ready, out.Free, out.Notes = f.Lost, f.Made, f.Ready, f.Free, f.Notes
	}
	return out
}

func (s *session) play(command string) nudge.Decision {
	s.t.Helper()
	verb, rest, _ := strings.Cut(command, " ")
	parts := strings.Split(rest, " | ")
	switch verb {
	case "settings":
		s.set(strings.Fields(rest))
	case "tools":
		for _, f := range strings.Fields(rest) {
			name, value, _ := strings.Cut(f, "=")
			if name == "off" || name == "quiet" || name == "shell" {
				value = strings.ReplaceAll(value, "_", " ")
			}
			*map[string]*string{"write": &s.facts.Tools.Write, "update": &s.facts.Tools.Update, "others": &s.facts.Tools.Others, "shell": &s.facts.Tools.Shell, "pause": &s.facts.Tools.Pause, "off": &s.facts.Tools.Off, "quiet": &s.facts.Tools.Quiet}[name] = value
		}
	case "todos":
		s.list(items(rest))
	case "paused":
		s.facts.List.Pause = &todo.Pause{Reason: rest, At: s.now}
	case "owned":
		s.facts.Owned = tasks(rest)
		for i := range s.facts.Owned {
			s.facts.Owned[i].UpdatedAt = s.now // as a claim leaves it
		}
	case "commit":
		hash, subject, _ := strings.Cut(rest, " ")
		s.facts.Commit = nudge.Commit{Hash: hash, Subject: subject, At: s.now}
		for i := range s.facts.Owned {
			s.facts.Owned[i].StartedAt = s.now.Add(-time.Minute)
		}
	case "lost":
		s.facts.Lost = tasks(rest)
	case "made":
		s.facts.Made = tasks(rest)
	case "ready":
		free, list, _ := strings.Cut(rest, " ")
		s.facts.Free, _ = strconv.Atoi(free)
		s.facts.Ready = tasks(list)
	case "notes":
		s.facts.Notes = nil
		for _, p := range parts {
			by, text, _ := strings.Cut(p, ": ")
			s.facts.Notes = append(s.facts.Notes, pawl.Note{By: by, Text: text})
		}
	case "wait":
		d, err := time.ParseDuration(rest)
		if err != nil {
			s.t.Fatal(err)
		}
		s.now = s.now.Add(d)
	case "lose":
		s.state = nudge.State{}
	default:
		return s.happen(verb, rest)
	}
	return nudge.Decision{}
}

func (s *session) happen(verb, rest string) nudge.Decision {
	s.t.Helper()
	e, times := nudge.Event{}, 1
	words := strings.Fields(rest)
	for len(words) > 0 {
		switch w := words[0]; {
		case w == "notice":
			e.Notice = true
		case w == "silent":
			e.Silent = true
		case w == "deaf":
			e.CannotDeliver = true
		case w == "active":
			e.Active = true
		case w == "alone":
			e.Alone = true
		case w == "nobody":
			e.Nobody = true
		case w == "last":
			e.Last = true
		case w == "plans":
			e.Plans = true
		case w == "own":
			e.Call.Own = true
		case w == "updates":
			e.Call.Own, e.Call.Updates = true, true
		case w == "failed":
			e.Call.Failed = true
		case strings.HasPrefix(w, "jobs="):
			e.Jobs, _ = strconv.Atoi(w[len("jobs="):])
		case strings.HasPrefix(w, "x") && verb == "call":
			times, _ = strconv.Atoi(w[1:])
		default:
			e.Text = strings.ReplaceAll(strings.Join(words, " "), `\n`, "\n")
			words = words[:1]
		}
		words = words[1:]
	}
	switch verb {
	case "start":
		e.Kind, e.Source, e.Text = nudge.Start, nudge.Source(e.Text), ""
	case "prompt":
		e.Kind = nudge.Prompt
	case "echo":
		before, after, _ := strings.Cut(rest, "|")
		e.Kind, e.Text = nudge.Prompt, before+s.said+after
	case "call":
		e.Kind = nudge.CallEnds
		for range times - 1 {
			if d := s.decide(e); d != (nudge.Decision{}) {
				s.t.Errorf("said before the last of %d calls: %+v", times, d)
			}
		}
	case "stop":
		e.Kind = nudge.Stop
	case "compaction":
		e.Kind = nudge.Compaction
	case "interrupt":
		e.Kind = nudge.Interrupt
	case "helper":
		e.Kind = nudge.HelperStart
		if name, ok := strings.CutPrefix(e.Text, "done "); ok {
			e.Kind, e.Text = nudge.HelperStop, name
		}
		e.Helper, e.Text = e.Text, ""
	case "end":
		e.Kind = nudge.End
	default:
		s.t.Fatalf("a story cannot say %q", verb)
	}
	return s.decide(e)
}

func (s *session) set(fields []string) {
	s.t.Helper()
	for _, f := range fields {
		name, value, _ := strings.Cut(f, "=")
		n, _ := strconv.Atoi(value)
		switch name {
		case "continue":
			s.settings.Continue = value == "on"
		case "attempts":
			s.settings.Attempts = n
		case "perPrompt":
			s.settings.PerPrompt = n
		case "reminders":
			s.settings.Reminders = value == "on"
		case "suggest":
			s.settings.Suggest = value == "on"
		case "threshold":
			s.settings.Threshold, _ = strconv.ParseFloat(value, 64)
		case "cooldown":
			s.settings.Cooldown, _ = time.ParseDuration(value)
		case "escalateAfter":
			s.settings.EscalateAfter = n
		case "staleAfter":
			s.settings.StaleAfter = n
		case "tokens":
			s.settings.ModelTokens = n
		default:
			s.t.Fatalf("there is no setting %q", name)
		}
	}
}

// items is a list as stories write it.
func items(text string) []todo.Item {
	var out []todo.Item
	for i, p := range strings.Split(text, " | ") {
		mark, content, ok := strings.Cut(strings.TrimSpace(p), "] ")
		if !ok {
			continue
		}
		it := todo.Item{ID: strconv.Itoa(i + 1), Content: content, Status: todo.Pending}
		if own, is := strings.CutPrefix(content, "@"); is {
			it.ID, it.Content = todo.NativeID(it.ID), own
		}
		switch mark {
		case "[x":
			it.Status = todo.Completed
		case "[>":
			it.Status = todo.InProgress
		case "[!":
			it.Blocked = true
		}
		out = append(out, it)
	}
	return out
}

// list gives the session a list, as a store keeps it: each todo has the time at
// which it was first there.
func (s *session) list(items []todo.Item) {
	l := &s.facts.List
	for i := range items {
		items[i].CreatedAt = s.now
		for k := range l.Items {
			if l.Items[k].Content == items[i].Content {
				items[i].CreatedAt = l.Items[k].CreatedAt
			}
		}
	}
	l.Items, l.Pause, l.UpdatedAt = items, nil, s.now
}

// tasks is tasks as stories write them: "#9 Subject @owner done".
func tasks(text string) []pawl.Task {
	var out []pawl.Task
	for _, p := range strings.Split(text, " | ") {
		number, rest, ok := strings.Cut(strings.TrimSpace(p), " ")
		if !ok {
			continue
		}
		id, err := pawl.ParseID(number)
		if err != nil {
			continue
		}
		t := pawl.Task{ID: id, Status: pawl.Pending, CreatedAt: time.Unix(int64(id), 0).UTC()}
		if before, blocker, ok := strings.Cut(rest, " <#"); ok {
			n, _ := strconv.Atoi(blocker)
			rest, t.BlockedBy = before, []pawl.ID{pawl.ID(n)}
		}
		if before, ok := strings.CutSuffix(rest, " done"); ok {
			rest, t.Status = before, pawl.Completed
		}
		if before, owner, ok := strings.Cut(rest, " @"); ok {
			rest, t.Owner, t.Status = before, owner, pawl.InProgress
		}
		t.Subject = rest
		out = append(out, t)
	}
	return out
}
