package prose

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// A tally compares verdicts with labels.
type tally struct{ hit, miss, alarm, calm int }

func (t *tally) add(label, verdict bool) {
	switch {
	case label && verdict:
		t.hit++
	case label:
		t.miss++
	case verdict:
		t.alarm++
	default:
		t.calm++
	}
}

func (t tally) precision() float64 { return float64(t.hit) / float64(max(1, t.hit+t.alarm)) }
func (t tally) recall() float64    { return float64(t.hit) / float64(max(1, t.hit+t.miss)) }

func (t tally) String() string {
	return fmt.Sprintf("precision %.3f  recall %.3f  of %3d", t.precision(), t.recall(), t.hit+t.miss+t.alarm+t.calm)
}

// threshold is nudge.Defaults.Threshold.
const threshold = 0.6

func needsList(prompt string) bool { return Analyze(prompt).Score >= threshold }

// The figures that must be kept: precision comes first, since a suggestion that is wrong
// costs trust, and one that is missing little. What is put away has not been looked at.
var floors = map[string]struct{ precision, recall float64 }{
	"tuned":            {0.87, 0.74},
	"first, put away":  {0.92, 0.83},
	"second, put away": {0.90, 0.60},
	"sixth, put away":  {0.93, 0.78},
	"eighth, put away": {0.95, 0.75},
}

func TestAccuracy(t *testing.T) {
	got := map[string]*tally{}
	add := func(name string, p labelled) {
		if got[name] == nil {
			got[name] = &tally{}
		}
		got[name].add(p.complex, needsList(p.text))
	}
	for _, p := range corpus(t) {
		if heldOut(p.id) {
			add("first, put away", p)
		} else {
			add("tuned", p)
		}
	}
	for _, file := range []string{"second", "later", "third", "fourth", "fifth", "sixth", "seventh", "eighth"} {
		for _, p := range readPrompts(t, file) {
			if file == "sixth" || file == "eighth" || file == "second" && halfOut(p.id) {
				add(file+", put away", p)
			} else {
				add("tuned", p)
			}
		}
	}
	for name, want := range floors {
		t.Logf("%-18s %v", name, got[name])
		if got[name].precision() < want.precision || got[name].recall() < want.recall {
			t.Errorf("%s: %v, want precision %.2f and recall %.2f at least", name, got[name], want.precision, want.recall)
		}
	}
}

// The cases of another implementation: our verdict is the same, or it is
// written down why not.
func TestAdoptedCases(t *testing.T) {
	data := must.Get(os.ReadFile("testdata/prompts/adopted.json"))(t)
	var cases []struct {
		ID, Prompt, Why string
		Theirs          bool
	}
	must.Do(t, json.Unmarshal(data, &cases))
	if len(cases) != 28 {
		t.Errorf("%d cases, want 28", len(cases))
	}
	for _, c := range cases {
		a := Analyze(c.Prompt)
		switch same := needsList(c.Prompt) == c.Theirs; {
		case !same && c.Why == "":
			t.Errorf("%s: %.2f, theirs %v, and nothing says why", c.ID, a.Score, c.Theirs)
		case same && c.Why != "":
			t.Errorf("%s: the verdict is theirs, so %q is out of date", c.ID, c.Why)
		}
	}
}

// The steps that are made out, and not only how many.
func TestAnalysis(t *testing.T) {
	tests := []struct {
		prompt  string
		steps   string
		ordered bool
	}{
		{"", "", false},
		{"fix the typo in README.md", "fix the typo in README.md", false},
		{"add login, write tests and update the docs", "add login | write tests | update the docs", false},
		{"First fix the types, then run the tests.", "fix the types | run the tests", true},
		{"then deploy it to staging", "deploy it to staging", true},
		{"First I open the app, then I log in, then it crashes.", "", false},
		{"When I click save it crashes", "", false},
		{"They add an item, rename the list, delete the old one and it crashes.", "", false},
		{"Let me know, then I'll test it, merge it and deploy it.", "", false},
		{"the docs say \"add a user, fix the config, run the setup\"", "", false},
		{"Please do these:\n- [x] schema\n- [ ] handlers\n- [ ] tests for `a.b`", "handlers | tests for `a.b`", false},
		{"1) parser 2) lexer 3) printer", "", false},
		{"Fix this:\n\n```\n1. one\n2. two\n3. three\n```", "Fix this", false},
		{"rewrite this service in Rust", "rewrite this service in Rust", false},
		{"<system-reminder>\nadd a, fix b, run c\n</system-reminder>\nhi", "", false},
		{"wrap the parser, overhaul the lexer and nuke the printer", "wrap the parser | overhaul the lexer | nuke the printer", false},
		{"go through all pages", "go through all pages", false},
		{"webpack -> vite", "", false},
		{"首先修复登录。然后编写测试。", "首先修复登录 | 然后编写测试", true},
	}
	for _, test := range tests {
		a := Analyze(test.prompt)
		if got := strings.Join(a.Steps, " | "); got != test.steps {
			t.Errorf("%q: steps %q, want %q", test.prompt, got, test.steps)
		}
		if a.Ordered != test.ordered {
			t.Errorf("%q: ordered %v", test.prompt, a.Ordered)
		}
	}
}

// What is left of a prompt, by which it is judged.
func TestOwnWords(t *testing.T) {
	tests := []struct{ name, prompt, own string }{
		{"talk", "fix it, please", "fix it, please"},
		{"a fence", "why?\n```go\nx()\n```\nthanks", "why? thanks"},
		{"a fence that is longer", "why?\n~~~~\n~~~\nadd this\n~~~~\nthanks", "why? thanks"},
		{"a fence that nobody closes", "why?\n```\nadd this", "why?"},
		{"a log", "why?\n\n2026-03-02T10:11:12Z INFO start\n10:11:13 fix the config\n[2/6] Fetch packages...\nERROR run the setup", "why?"},
		{"a trace", "it dies\n\npanic: nil\n\nmain.run(0xc000)\n\t/src/a.go:12 +0x1\n  at run (a.js:1:2)\n  File \"a.py\", line 3, in run", "it dies"},
		{"a compiler", "red again\n\nsrc/a.ts(3,1): error TS1\nsrc/b.ts:12:4: missing return", "red again"},
		{"lines among logs", "what now\n\n$ git pull\nPlease commit your changes or stash them.\n$ git stash\nerror: nope\nok?", "what now ok?"},
		{"a diff", "ok?\n\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-old\n+new\n add tests\n\n- split it", "ok? - split it"},
		{"a conflict", "which?\n<<<<<<< HEAD\nadd this\n=======\nfix that\n>>>>>>> main\nmine", "which? mine"},
		{"a mail", "answer this\n\nFrom: Anna\nTo: Bob\nplease fix it", "answer this"},
		{"somebody's words", "still so?\n> add it\n> fix it", "still so?"},
		{"code without a fence", "faster?\n\nfor i := range xs {\n\ty(i)\n}\nSELECT a\nFROM b", "faster?"},
		{"data", "why\n\na=1\nb.c=2\n{\"x\": [1]}\nmonth,region,orders\n| a | b |", "why"},
		{"what a client adds", "<system-reminder>\nadd x\n</system-reminder>\nhi <pre>fix it</pre>", "hi"},
		{"what a user marks", "<user_query>\nfix it\n</user_query>\n<task>\nadd it\n</task>", "<user_query> fix it </user_query> <task> add it </task>"},
		{"quotations", "say \"add it\" and “fix it” and «do it» and `run it`", "say xxxxxxxx and xxxxxxxxxxxx and xxxxxxxxx and xxxxxxxx"},
		{"an inch", `a 5" screen`, `a 5" screen`},
		{"an address", "read https://a.example/b.c?d=1, then go", "read xxxxxxxxxxxxxxxxxxxxxxxxx, then go"},
		{"a list", "- fix `a`\n  - add b\n1) c\n[ ] d", "- fix xxx - add b 1) c [ ] d"},
	}
	for _, test := range tests {
		if got := strings.Join(strings.Fields(ownWords(test.prompt)), " "); got != test.own {
			t.Errorf("%s: %q, want %q", test.name, got, test.own)
		}
	}
}

// Steps that are left of a list that was worked on are a list.
func TestRestOfList(t *testing.T) {
	if a := Analyze("1-3 are done, here is the rest\n\n4. add retries to the uploader\n5. log each failed try\n6. document both in docs/upload.md"); a.Score < threshold || len(a.Steps) != 3 {
		t.Errorf("%.2f %q", a.Score, a.Steps)
	}
}

// However much is asked for and said, little of it is kept.
func TestAnalysisIsBounded(t *testing.T) {
	long := strings.Repeat("word ", 100)
	for _, prompt := range []string{
		strings.Repeat("- fix it\n", 2*MaxSteps),
		strings.Repeat("fix it. ", 2*MaxSteps),
		strings.Repeat("修复登录。", 2*MaxSteps),
	} {
		if n := len(Analyze(prompt).Steps); n != MaxSteps {
			t.Errorf("%.20q: %d steps, want %d", prompt, n, MaxSteps)
		}
	}
	for _, step := range Analyze("- fix " + long + "\n- add " + long).Steps {
		if n := utf8.RuneCountInString(step); n > maxStep || !strings.HasSuffix(step, "word…") {
			t.Errorf("a step of %d characters: %q", n, step)
		}
	}
	if a := Analyze(strings.Repeat("x\n", MaxPrompt/2) + "add a, fix b, run c"); len(a.Steps) > 0 {
		t.Errorf("what comes after MaxPrompt counts: %q", a.Steps)
	}
	ask := "\nPlease add a page, fix the header and remove the footer.\n"
	document := strings.Repeat("It was a dark night in the old town by the sea.\n", 600)
	for name, prompt := range map[string]string{"before": ask + document, "after": document + ask} {
		if a := Analyze(prompt); a.Score < threshold {
			t.Errorf("what is asked for %s a document is not seen: %.2f", name, a.Score)
		}
	}
}

// What holds for whatever is sent.
func FuzzAnalyze(f *testing.F) {
	for _, p := range corpus(f) {
		f.Add(p.text)
	}
	f.Add("- \xff\n1.\n[ ] \n(")
	f.Fuzz(func(t *testing.T, prompt string) {
		a := Analyze(prompt)
		if !(a.Score >= 0 && a.Score <= 1) {
			t.Errorf("the score is %v", a.Score)
		}
		if len(a.Steps) > MaxSteps {
			t.Errorf("%d steps", len(a.Steps))
		}
		for _, s := range a.Steps {
			if strings.ContainsAny(s, "\n\r") || s == "" {
				t.Errorf("%q is no line", s)
			}
		}
		for _, s := range a.Steps {
			if utf8.RuneCountInString(s) > maxStep {
				t.Errorf("%q is too long for a step", s)
			}
		}
		if own := ownWords(cutBytes(prompt, MaxPrompt)); len(own) != min(len(prompt), len(own)) || strings.Count(own, "\n") != strings.Count(cutBytes(prompt, MaxPrompt), "\n") {
			t.Errorf("its own words are %d bytes of %d, or have other lines", len(own), len(prompt))
		}
	})
}

func BenchmarkAnalyze(b *testing.B) {
	all := corpus(b)
	fill := func(text string) string { return strings.Repeat(text, MaxPrompt/len(text)) }
	longest := func(head string) string {
		var text strings.Builder
		for _, p := range all {
			if strings.HasPrefix(p.id, head) {
				text.WriteString(p.text + "\n\n")
			}
		}
		return text.String()
	}
	for _, bench := range []struct{ name, prompt string }{
		{"one line", "add login, write tests and update the docs"},
		{"a paragraph", longest("prose-imperatives")},
		{"64K prose", fill(longest("prose-imperatives"))},
		{"64K mixed", fill(longest("")[:MaxPrompt/2])},
		{"64K log", fill(longest("nginx-log"))},
		{"64K Chinese", fill(longest("zh-"))},
		{"64K words", fill("and ")},
		{"64K in one sentence", fill("please add a thing, ")},
		{"64K short lines", fill("ab\n")},
		{"64K quotes", fill("“")},
		{"64K tags", fill("<a-b>")},
		{"64K commas", fill("，")},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.prompt)))
			b.ReportAllocs()
			for b.Loop() {
				Analyze(bench.prompt)
			}
		})
	}
}
