package nudge

import (
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/todo"
)

// rich is more than any recovery has room for.
func rich() Facts {
	f := Facts{Tools: Tools{Write: "todo_write", Pause: "todo_pause"}, Free: 40}
	for i := range 30 {
		status := []todo.Status{todo.Completed, todo.Pending, todo.Pending}[i%3]
		f.List.Items = append(f.List.Items, todo.Item{Content: "Todo " + strings.Repeat("x", i), Status: status})
	}
	f.List.Items[7].Status = todo.InProgress
	f.List.Pause = &todo.Pause{Reason: "the key is missing"}
	for i := range 20 {
		t := pawl.Task{ID: pawl.ID(100 + i), Subject: "Task"}
		f.Owned, f.Ready = append(f.Owned, t), append(f.Ready, t)
		f.Notes = append(f.Notes, pawl.Note{By: "bob", Text: "note " + t.ID.String()})
		if i%4 == 0 {
			t.Status = pawl.Completed
		}
		f.Lost = append(f.Lost, t)
	}
	return f
}

// With less room there are fewer lines, and what goes is what matters least.
func TestRecoveryFitsItsBudget(t *testing.T) {
	kinds := []string{"Your todo list", "Tasks that you have claimed:", "and no longer have:", "You paused", "Ready to be claimed", "- bob"}
	most, step := 0, 7
	if *long.Asked {
		step = 1
	}
	set := Defaults
	for set.ModelTokens = 0; set.ModelTokens <= 1000; set.ModelTokens += step {
		var s State
		text := s.recovery(Event{Kind: Start, Source: Resume}, rich(), set)
		if tokens(text) > 6*set.ModelTokens {
			t.Fatalf("%d sixths of a token, for a budget of %d tokens:\n%s", tokens(text), set.ModelTokens, text)
		}
		lines := strings.Count(text, "\n")
		if lines+2 < most { // a heading may take the room of a line
			t.Fatalf("%d lines with %d tokens, and %d with fewer", lines, set.ModelTokens, most)
		}
		most = max(most, lines)
		if text != "" && !strings.Contains(text, "- [in progress] Todo xxxxxxx\n") {
			t.Fatalf("%d tokens, and the current todo is not there:\n%s", set.ModelTokens, text)
		}
		seen := 0
		for i, kind := range kinds {
			if strings.Contains(text, kind) {
				if seen < i {
					t.Fatalf("%q is there, %q is not:\n%s", kind, kinds[seen], text)
				}
				seen = i + 1
			}
		}
	}
	set.ModelTokens = 10_000
	var s State
	text := s.recovery(Event{Kind: Start, Source: Resume}, rich(), set)
	for _, want := range []string{
		"Your todo list, 10 of 30 done:\n", "… and 8 more\nYou paused", "#107 Task\n… and 12 more\n", "free, claim it before you go on with it\n… and 10 more\nOf those",
		" that you claimed, completed: #100, #104, #108, #112, #116\n", "Ready to be claimed, 40 in all:\n", "… and 35 more\n", "- bob: note #119\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
	if n := strings.Count(text, "\n"); n > 60 {
		t.Errorf("%d lines with all the room in the world", n)
	}
}

// There is nothing to say of what is over.
func TestRecoveryOfNothing(t *testing.T) {
	for name, f := range map[string]Facts{
		"nothing":         {},
		"all done":        {List: todo.List{Items: []todo.Item{{Content: "A", Status: todo.Completed}}}},
		"done by others":  {Lost: []pawl.Task{{ID: 1, Status: pawl.Completed}}},
		"only notes":      {Notes: []pawl.Note{{Text: "hm"}}},
		"only a pause":    {List: todo.List{Pause: &todo.Pause{Reason: "hm"}}},
		"tools, no facts": {Tools: Tools{Write: "todo_write", Pause: "todo_pause", Off: "off"}},
	} {
		for _, source := range []Source{Startup, Resume, Clear, Compact, Fork} {
			if _, d := Decide(State{}, Event{Kind: Start, Source: source}, f, Defaults, noon); d != (Decision{}) {
				t.Errorf("%s at %s: %+v", name, source, d)
			}
		}
	}
}

// Who has a task that the agent held.
func TestWhereabouts(t *testing.T) {
	for _, c := range []struct {
		task pawl.Task
		want string
	}{
		{pawl.Task{Status: pawl.Pending}, "ready"},
		{pawl.Task{Status: pawl.InProgress}, "ready"}, // by a hand in the file, and nobody's
		{pawl.Task{Status: pawl.InProgress, Owner: "bob"}, "claimed by bob, not by you"},
		{pawl.Task{Status: pawl.Pending, Owner: "bob"}, "assigned to bob"},
		{pawl.Task{Status: pawl.Pending, BlockedBy: []pawl.ID{3}}, "waits for #3"},
		{pawl.Task{Status: pawl.Pending, BlockedBy: []pawl.ID{3, 4, 5, 6, 7}}, "waits for #3, #4, #5 and 2 more"},
		{pawl.Task{Status: pawl.Pending, OpenChildren: 2}, "has open children"},
		{pawl.Task{Status: pawl.Pending, Owner: "bob", Hold: &pawl.Hold{Reason: "broken\nbuild"}}, "on hold: broken\\nbuild"},
	} {
		if got := whereabouts(&c.task); got != c.want {
			t.Errorf("%+v: %q", c.task, got)
		}
	}
}

// A note that a hand wrote into a file may be nobody's.
func TestNotesOfNobody(t *testing.T) {
	p := notesPart([]pawl.Note{{Text: "halfway"}, {By: "ada", Text: "ask bob"}})
	if want := []string{"- halfway\n", "- ada: ask bob\n"}; !slices.Equal(p.lines, want) {
		t.Errorf("the notes are %q, want %q", p.lines, want)
	}
}

// The estimate is at least what models count. The counts are the larger ones
// of two public vocabularies, cl100k and o200k, taken once.
func TestTokensAreNotTooFew(t *testing.T) {
	for text, counted := range map[string]int{
		"- [in progress] Refactor auth middleware\n- Write the tests\n- #12 Extract the JWT logic to a shared module\n": 27,
		"<pawl-recovery>\nThe conversation was summarised. This is what you had, as Pawl keeps it:\n":                   23,
		"- Fix internal/ui/hook/event.go:123 and src/app/index.test.tsx (v1.2.3-rc.1)\n":                                30,
		"- revert 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b\n":                                                           30,
		"- REWRITE THE PARSER AND THE PRINTER NOW\n":                                                                    12,
		"- {}[]()<>;:'\"!@#$%^&*~`|\\/?.,+-=_\n":                                                                        23,
		"- Überprüfe die Größenangaben und ändere die Übersetzungen\n":                                                  20,
		"- Переписать анализатор и проверить параметры доступа\n":                                                       19,
		"- לכתוב מחדש את המנתח\n":                                                                                       19,
		"- أعد كتابة المحلل اللغوي\n":                                                                                   18,
		"- पार्सर को फिर से लिखें\n":                                                                                    22,
		"- 重写解析器并检查访问参数\n":                                                                                              15,
		"- パーサーを書き直してアクセス引数を確認する\n":                                                                                     25,
		"- 파서를 다시 작성하고 매개변수를 확인\n":                                                                                      19,
		"- 🚀🔥✅👩\u200d💻🏳️\u200d🌈 ship\n":                                                                                 27,
	} {
		if got := (tokens(text) + 5) / 6; got < counted || got > 3*counted {
			t.Errorf("%q: %d tokens, counted %d", text, got, counted)
		}
	}
}
