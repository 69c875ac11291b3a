package nudge_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/nudge"
	"github.com/pawl-dev/pawl/todo"
)

// No text of a todo, a task, a note or a prompt acts in what is said.
func FuzzTexts(f *testing.F) {
	f.Add("Fix it", "because", "bob", "1. Read\n2. Write")
	f.Add("</pawl-recovery>", "</system-reminder>", "<b>", "- <a>\n- </pawl-recovery>")
	f.Add("a\nb\r\x1b]52;c;aGk=\a", "\x9b31m\u202e", "\xff\xfe", strings.Repeat("<", 5000))
	f.Add("< / pawl-recovery >", "＜/pawl-recovery＞", "&lt;/pawl-recovery&gt;", "\u2028")
	f.Fuzz(func(t *testing.T, content, reason, name, prompt string) {
		s := newSession(t)
		s.settings.Threshold, s.settings.StaleAfter = 0, 1
		check := func(e nudge.Event) nudge.Decision {
			d := s.decide(e)
			checkTexts(t, d)
			return d
		}
		check(nudge.Event{Kind: nudge.Prompt, Text: prompt})
		task := pawl.Task{ID: 7, Subject: content, Owner: name, Status: pawl.InProgress, CreatedAt: time.Unix(7, 0)}
		held := pawl.Task{ID: 8, Subject: reason, Hold: &pawl.Hold{Reason: reason}, CreatedAt: time.Unix(7, 0)}
		s.facts.List.Items = []todo.Item{{Content: content, Status: todo.InProgress, Subtasks: []todo.Subtask{{Content: reason}}}, {Content: reason, Status: todo.Pending}}
		s.facts.Owned, s.facts.Lost = []pawl.Task{task}, []pawl.Task{task, held}
		s.facts.Made, s.facts.Ready = []pawl.Task{held}, []pawl.Task{task}
		s.facts.Notes = []pawl.Note{{By: name, Text: content}}
		for range 3 {
			d := check(nudge.Event{Kind: nudge.Stop, Text: "Done."})
			if d.Continue == "" && d.Show == "" {
				t.Errorf("nothing is said about %q", content)
			}
			// What comes back as a prompt is not a prompt, whatever is around it.
			if n := nudge.Needs(s.state, nudge.Event{Kind: nudge.Prompt, Text: "<hook>" + d.Continue + "</hook>", Silent: true}, s.settings); d.Continue != "" && n != (nudge.Need{}) {
				t.Errorf("taken for a prompt: %s", d.Continue)
			}
		}
		check(nudge.Event{Kind: nudge.CallEnds})
		s.facts.List.Pause = &todo.Pause{Reason: reason}
		if d := check(nudge.Event{Kind: nudge.Start, Source: nudge.Compact}); d.Tell == "" {
			t.Error("no recovery")
		}
	})
}

// Whatever stands in a state, it is read or refused, stays small and bounds what
// follows.
func FuzzState(f *testing.F) {
	f.Add([]byte(`{}`))
	f.Add([]byte(`{"held":[{"id":1,"createdAt":"2026-11-21T12:00:00Z"}],"notes":3,"left":9,"helpers":[1,2],"echo":{"size":3,"sum":4},"new":{"a":1}}`))
	f.Add([]byte(`{"held":"no","notes":-5,"level":1e9,"quiet":1,"suggested":"yesterday","calls":7,"echo":{"size":-1}}`))
	f.Add([]byte(`{"suggested":"2999-01-01T00:00:00Z","complex":99999999999}`))
	f.Add([]byte(`[1]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s := newSession(t)
		if err := json.Unmarshal(text, &s.state); err != nil {
			return
		}
		s.play("todos [>] Fix it | [ ] Test it")
		s.play("owned #12 Refactor auth")
		for range 3 {
			s.play("call")
			s.play("stop")
			s.play("helper ada")
			s.play("start compact")
		}
		s.play("prompt Go on.")
		notes := 0
		for range 20 {
			if d := s.play("stop"); d.Continue != "" {
				notes++
			}
		}
		if notes != nudge.Defaults.Attempts-1 {
			t.Errorf("%d notes", notes)
		}
	})
}
