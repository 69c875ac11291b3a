package nudge

import (
	"html"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A note is known again however a client wraps it, and nothing else is it.
func TestEcho(t *testing.T) {
	var s State
	f := Facts{Tools: Tools{Write: "todo_write"}}
	f.List.Items = items(`Compare "a" & 'b' with ‹c› — größer`)
	s, d := Decide(s, Event{Kind: Stop}, f, Defaults, noon)
	note := d.Continue
	if note == "" {
		t.Fatal("there is no note")
	}
	escaped := strings.NewReplacer("&", "&amp;", `"`, "&quot;", "'", "&#39;").Replace(note)
	for name, prompt := range map[string]string{
		"as it is":    note,
		"in a tag":    `<hook_prompt hook_run_id="stop:3:/home/ada/.codex/hooks.json">` + note + "</hook_prompt>",
		"dated":       "<current_datetime>2026-11-21T12:00:00Z</current_datetime>\n\n" + note,
		"twice":       "Stop hook feedback:\n" + note + "\n\n" + note,
		"in a line":   strings.Join(strings.Fields(note), " "),
		"indented":    "  " + strings.ReplaceAll(note, "\n", "\r\n  "),
		"escaped":     escaped,
		"in an essay": strings.Repeat("word ", 500) + note,
		"at the end":  strings.Repeat("word ", 50_000) + note,
		"up front":    note + strings.Repeat("word ", 50_000),
	} {
		if !s.Echo.in(prompt) {
			t.Errorf("%s it is not known:\n%s", name, prompt)
		}
	}
	first, _, _ := strings.Cut(note, "\n")
	for name, prompt := range map[string]string{
		"nothing":          "",
		"its first line":   first,
		"half of it":       note[:len(note)/2],
		"a changed word":   strings.Replace(note, "Compare", "Remove", 1),
		"a larger letter":  strings.Replace(note, "größer", "Größer", 1),
		"another's prompt": strings.Repeat("Fix the build, and then the tests. ", 40),
	} {
		if s.Echo.in(prompt) {
			t.Errorf("%s is taken for it", name)
		}
	}
	if (Echo{}).in("Hm.") {
		t.Error("without a note, a prompt is taken for one")
	}
}

// Signs may come back as entities, those of a text that has entities, too.
func TestEchoOfEntities(t *testing.T) {
	signs := rapid.StringOfN(rapid.SampledFrom([]rune("&;altmpquo<>'\"#39 ")), 1, 40, -1)
	rapid.Check(t, func(t *rapid.T) {
		note := signs.Draw(t, "note")
		if e := echoOf(note); e.Size > 0 && !e.in("<note>"+html.EscapeString(note)+"</note>") {
			t.Fatalf("%q is not known again as %q", note, html.EscapeString(note))
		}
	})
	for _, text := range []string{"Escape &lt; once", "Keep &nbsp; and R&D;", "a &amp;amp; b"} {
		if !echoOf(text).in(html.EscapeString(text)) {
			t.Errorf("%q is not known again", text)
		}
	}
}
