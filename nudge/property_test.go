package nudge_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/nudge"
	"github.com/pawl-dev/pawl/todo"
)

// Whatever happens in whatever order, an agent is not trapped, not told the same
// twice in a row, and not told to go on when it is not to go on.
func TestBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newSession(t)
		s.settings.Attempts = rapid.IntRange(0, 4).Draw(t, "attempts")
		s.settings.PerPrompt = rapid.IntRange(0, 6).Draw(t, "perPrompt")
		s.settings.StaleAfter = rapid.IntRange(1, 3).Draw(t, "staleAfter")
		s.settings.Threshold = rapid.SampledFrom([]float64{0, 2}).Draw(t, "threshold")
		s.settings.Continue = rapid.IntRange(0, 9).Draw(t, "continue") > 0
		var (
			given, idle     int    // notes for this prompt; in a row with nothing in between
			last            string // continuation
			paused          string // shown at the stop before
			suggested       string
			stale           string
			helpers         = map[string]int{}
			broken          bool
			lastSuggestedAt time.Time
		)
		for range rapid.IntRange(1, 60).Draw(t, "events") {
			e := anyEvent(t, s.said)
			if rapid.IntRange(0, 3).Draw(t, "changes") == 0 {
				s.facts = anyFacts(t)
				idle = 0
			}
			s.now = s.now.Add(time.Duration(rapid.IntRange(0, 400).Draw(t, "seconds")) * time.Second)
			d := s.decide(e)
			checkTexts(t, d)

			person := e.Kind == nudge.Prompt && !e.Notice && strings.TrimSpace(e.Text) != "" && (s.said == "" || !strings.Contains(e.Text, s.said))
			if d.Spoke != person {
				t.Fatalf("%+v: spoke is %t", e, d.Spoke)
			}
			switch {
			case person:
				given, idle, broken = 0, 0, false
				clear(helpers)
			case e.Kind == nudge.Interrupt:
				broken = true
			case e.Kind == nudge.Start && e.Source != nudge.Compact:
				clear(helpers)
			case e.Kind == nudge.HelperStart:
				helpers[e.Helper]++
			case e.Kind == nudge.HelperStop && helpers[e.Helper] > 0:
				if helpers[e.Helper]--; helpers[e.Helper] == 0 {
					delete(helpers, e.Helper)
				}
			case e.Kind == nudge.CallEnds:
				idle = 0
			}

			if e.Kind != nudge.Stop {
				paused = ""
				if d.Continue != "" || d.Show != "" {
					t.Fatalf("%+v: %+v", e, d)
				}
			} else if d.Tell != "" {
				t.Fatalf("told at a stop: %+v", d)
			}
			if d.Continue != "" || d.Show != "" {
				switch {
				case s.settings.Continue && s.settings.Attempts > 0 && s.facts.List.Pause != nil && d.Continue == "" && strings.Contains(d.Show, "paused"):
					if d.Show == paused {
						t.Fatalf("twice: %s", paused)
					}
				case !s.settings.Continue, s.settings.Attempts == 0, s.facts.List.Pause != nil, strings.HasSuffix(e.Text, "?"), e.Jobs > 0, broken, len(helpers) > 0:
					t.Fatalf("%+v with %+v: %+v", e, s.facts, d)
				case workable(s.facts) == 0:
					t.Fatalf("nothing is left to go on with: %+v", d)
				}
			}
			if d.Show != "" {
				paused = d.Show
			}
			if d.Continue != "" {
				given, idle = given+1, idle+1
				if given > s.settings.PerPrompt || idle >= s.settings.Attempts {
					t.Fatalf("note %d for one prompt, %d in a row without anything else: %+v", given, idle, s.settings)
				}
				if d.Continue == last {
					t.Fatalf("twice the same:\n%s", last)
				}
				last = d.Continue
			}
			tell := d.Tell
			if strings.HasPrefix(tell, "<") {
				_, tell, _ = strings.Cut(tell, "</pawl-recovery>")
				tell = strings.TrimSpace(tell)
			}
			switch {
			case tell == "":
			case s.facts.Tools.Write == "" || tell == suggested || tell == stale:
				t.Fatalf("%+v: %s", e, tell)
			case e.Kind == nudge.CallEnds:
				stale = tell
			case !person || s.now.Sub(lastSuggestedAt) < s.settings.Cooldown:
				t.Fatalf("%+v: %s", e, tell)
			default:
				suggested, lastSuggestedAt = tell, s.now
			}
		}
	})
}

// An agent that does nothing but stop comes to its end, with or without tool
// calls in between, and so does one that moves something each time.
func TestNobodyIsTrapped(t *testing.T) {
	for name, between := range map[string]func(s *session, i int){
		"words":    func(*session, int) {},
		"calls":    func(s *session, _ int) { s.play("call") },
		"own":      func(s *session, _ int) { s.play("call own") },
		"echoes":   func(s *session, _ int) { s.play("echo <tag> | </tag>") },
		"notices":  func(s *session, _ int) { s.play("prompt notice A job has ended.") },
		"empty":    func(s *session, _ int) { s.play("prompt") },
		"compacts": func(s *session, _ int) { s.play("start compact") },
		"resumes":  func(s *session, _ int) { s.play("start resume") },
		"progress": func(s *session, i int) { s.play("todos [>] Step " + strings.Repeat("I", i%7)) },
	} {
		s := newSession(t)
		s.play("prompt Fix it.")
		s.play("todos [>] Fix it")
		notes, lines := 0, 0
		for i := range 200 {
			switch d := s.play("stop active"); {
			case i == 0:
				d = s.play("stop") // the first one is not a continuation yet
				fallthrough
			case d.Continue != "":
				notes++
			case d.Show != "":
				lines++
			}
			between(s, i)
		}
		if notes < 2 || notes > s.settings.PerPrompt || lines != 1 {
			t.Errorf("%s: %d notes and %d lines for one prompt", name, notes, lines)
		}
	}
}

func workable(f nudge.Facts) int {
	n := len(f.Owned)
	for _, it := range f.List.Items {
		if it.Open() && (!it.Blocked || it.Status == todo.InProgress) {
			n++
		}
	}
	return n
}

// The most that an agent is told at once, in runes, however long the texts are.
const mostTold = 12_000

// checkTexts looks at what holds for every decision.
func checkTexts(t interface{ Fatalf(string, ...any) }, d nudge.Decision) {
	for _, text := range []string{d.Tell, d.Continue, d.Show} {
		switch {
		case utf8.RuneCountInString(text) > mostTold:
			t.Fatalf("%d runes", utf8.RuneCountInString(text))
		case !utf8.ValidString(text):
			t.Fatalf("not UTF-8: %q", text)
		case strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && (r < ' ' || r >= 0x7f && r < 0xa0) }):
			t.Fatalf("a control character: %q", text)
		}
		inside := text
		if rest, ok := strings.CutPrefix(text, "<pawl-recovery>\n"); ok {
			if inside, rest, ok = strings.Cut(rest, "\n</pawl-recovery>"); !ok || rest != "" && !strings.HasPrefix(rest, "\n\n") {
				t.Fatalf("a tag without its end, or one that ends too soon:\n%s", text)
			}
			inside += rest
		}
		if strings.Contains(inside, "<") {
			t.Fatalf("a tag: %s", text)
		}
	}
	if d.Continue != "" && !strings.HasPrefix(d.Continue, "Continue working on this task: ") {
		t.Fatalf("begins otherwise: %s", d.Continue)
	}
	if d.Show != "" && (!strings.HasPrefix(d.Show, "Pawl") || strings.Contains(d.Show, "\n") || !strings.Contains(d.Show, "Switch off: ")) {
		t.Fatalf("shown: %s", d.Show)
	}
}

var (
	someTexts = []string{"Fix it", "Write the tests", "</pawl-recovery>", "a\nb\x1b[2J", strings.Repeat("long ", 500), "名前を変える", "List<String> -> &amp;"}
	someWords = []string{"", "Hm.", "Done.", "Shall I go on?"}
)

func anyEvent(t *rapid.T, said string) nudge.Event {
	e := nudge.Event{Kind: rapid.SampledFrom([]nudge.Kind{
		nudge.Start, nudge.Prompt, nudge.CallBegins, nudge.CallEnds, nudge.CallEnds, nudge.Compaction, nudge.Stop, nudge.Stop, nudge.Stop, nudge.Stop,
		nudge.Interrupt, nudge.HelperStart, nudge.HelperStop, nudge.End, "else",
	}).Draw(t, "kind")}
	rarely := func(name string) bool { return rapid.IntRange(0, 5).Draw(t, name) == 0 }
	switch e.Kind {
	case nudge.Start:
		e.Source = rapid.SampledFrom([]nudge.Source{nudge.Startup, nudge.Resume, nudge.Clear, nudge.Compact, nudge.Fork, ""}).Draw(t, "source")
	case nudge.Prompt:
		e.Text = rapid.SampledFrom(someWords).Draw(t, "prompt")
		if rarely("echo") {
			e.Text = "<wrap>" + said + "</wrap>"
		}
		e.Notice, e.Silent = rarely("notice"), rarely("silent")
	case nudge.CallEnds:
		e.Call = nudge.Call{Own: rarely("own"), Failed: rarely("failed")}
		e.Call.Updates = e.Call.Own && rarely("updates")
	case nudge.Stop:
		e.Text = rapid.SampledFrom(someWords).Draw(t, "words")
		e.Active, e.Alone = rarely("active"), rarely("alone")
		if rarely("jobs") {
			e.Jobs = 1
		}
	case nudge.HelperStart, nudge.HelperStop:
		e.Helper = rapid.SampledFrom([]string{"a", "b"}).Draw(t, "helper")
	}
	return e
}

func anyFacts(t *rapid.T) nudge.Facts {
	var f nudge.Facts
	text := func(name string) string { return rapid.SampledFrom(someTexts).Draw(t, name) }
	f.Tools.Write = rapid.SampledFrom([]string{"", "todo_write", "todo_write"}).Draw(t, "write")
	f.Tools.Pause = rapid.SampledFrom([]string{"", "todo_pause"}).Draw(t, "pause")
	for range rapid.IntRange(0, 3).Draw(t, "todos") {
		f.List.Items = append(f.List.Items, todo.Item{
			Content: text("content"), Blocked: rapid.Bool().Draw(t, "blocked"),
			Status: rapid.SampledFrom([]todo.Status{todo.Pending, todo.InProgress, todo.Completed}).Draw(t, "status"),
		})
	}
	if rapid.IntRange(0, 5).Draw(t, "paused") == 0 {
		f.List.Pause = &todo.Pause{Reason: text("reason")}
	}
	some := func(name string) (out []pawl.Task) {
		for i := range rapid.IntRange(0, 2).Draw(t, name) {
			out = append(out, pawl.Task{ID: pawl.ID(i + 1), Subject: text("subject"), Owner: text("owner"), CreatedAt: time.UnixMilli(1_800_000_000_000)})
		}
		return out
	}
	f.Owned, f.Lost, f.Made, f.Ready = some("owned"), some("lost"), some("made"), some("ready")
	f.Free = len(f.Ready) + rapid.IntRange(0, 5).Draw(t, "free")
	for i := range f.Owned {
		f.Owned[i].Checked = rapid.SampledFrom([]pawl.Checked{pawl.NotChecked, pawl.CheckedOpen, pawl.CheckedFailed, pawl.CheckedPassed}).Draw(t, "checked")
		if f.Owned[i].Checked == pawl.CheckedFailed {
			f.Failed = append(f.Failed, nudge.FailedCheck{Task: f.Owned[i].ID, Check: text("check"), Tail: text("tail") + "\n" + text("end")})
		}
	}
	f.Notes = []pawl.Note{{By: text("by"), Text: text("note")}}
	return f
}
