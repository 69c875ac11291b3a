package prose

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
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

func (t tally) f1() float64 { return 2 * float64(t.hit) / float64(max(1, 2*t.hit+t.alarm+t.miss)) }

func (t tally) precision() float64 { return float64(t.hit) / float64(max(1, t.hit+t.alarm)) }
func (t tally) recall() float64    { return float64(t.hit) / float64(max(1, t.hit+t.miss)) }

func (t tally) String() string {
	return fmt.Sprintf("precision %.3f  recall %.3f  F1 %.3f  of %3d", t.precision(), t.recall(), t.f1(), t.hit+t.miss+t.alarm+t.calm)
}

// threshold is the default of the setting analyzer.threshold.
const threshold = 0.6

func needsList(prompt string) bool { return Analyze(prompt).Score >= threshold }

// The figures that must be kept. A change of the analyzer that costs more than
// one prompt or two is one for the worse.
//
// Precision comes first: a suggestion that is wrong costs trust, and one that
// is missing little.
var floors = map[string]struct{ precision, recall float64 }{
	"first, tuned":     {0.98, 0.94},
	"first, put away":  {0.98, 0.89},
	"later":            {0.96, 0.88},
	"second, tuned":    {0.98, 0.86},
	"second, put away": {0.92, 0.67},
	"third":            {0.98, 0.70},
	"fourth":           {0.98, 0.91},
	"fifth":            {0.97, 0.82},
	"sixth":            {0.95, 0.78}, // put away
	"rules":            {0.98, 0.96},
}

// bandF1 is what each band of the first corpus must keep.
const bandF1 = 0.90

// A scorecard holds what the analyzer makes of a corpus: of the part it was
// tuned on and of the part that is put away, over all and by band.
type scorecard map[string]*[2]tally

func (s scorecard) add(p labelled, away bool) {
	part := 0
	if away {
		part = 1
	}
	for _, band := range []string{"", p.band} {
		if s[band] == nil {
			s[band] = &[2]tally{}
		}
		s[band][part].add(p.complex, needsList(p.text))
	}
}

// both is the tally of a band over both parts.
func (s scorecard) both(band string) tally {
	a, b := s[band][0], s[band][1]
	return tally{a.hit + b.hit, a.miss + b.miss, a.alarm + b.alarm, a.calm + b.calm}
}

func (s scorecard) log(t *testing.T, corpus string) {
	for _, band := range []string{"", "short", "middle", "long", "verylong"} {
		for part, name := range []string{"tuned", "put away"} {
			t.Logf("%-28s %v", strings.TrimSpace(corpus+" "+band)+", "+name, s[band][part])
		}
	}
}

// explain logs what was made of a prompt with the wrong answer. It is for the
// parts that are tuned on only: see testdata/prompts/README.md.
func explain(t *testing.T, p labelled) {
	if needsList(p.text) != p.complex {
		a := Analyze(p.text)
		t.Logf("%s, %v: %.2f %q %q", p.id, p.complex, a.Score, a.Reasons, a.Steps)
	}
}

func TestAccuracy(t *testing.T) {
	first, other := scorecard{}, scorecard{}
	var later, long, theirs tally
	for _, p := range corpus(t) {
		first.add(p, heldOut(p.id))
		if !heldOut(p.id) {
			explain(t, p)
		}
		long.add(p.complex, utf8.RuneCountInString(p.text) > 80)
		theirs.add(p.complex, countsKeywords(p.text))
	}
	for _, p := range readPrompts(t, "second") {
		other.add(p, halfOut(p.id))
		if !halfOut(p.id) {
			explain(t, p)
		}
	}
	for _, p := range readPrompts(t, "later") {
		later.add(p.complex, needsList(p.text))
	}
	figures := map[string]tally{}
	for _, file := range []string{"third", "fourth", "fifth", "rules"} { // all of them are tuned on
		var got tally
		for _, p := range readPrompts(t, file) {
			got.add(p.complex, needsList(p.text))
			explain(t, p)
		}
		figures[file] = got
		t.Logf("%-28s %v", file+", tuned", got)
	}
	var sixth tally
	for _, p := range readPrompts(t, "sixth") {
		sixth.add(p.complex, needsList(p.text)) // and nothing more: it is put away
	}
	figures["sixth"] = sixth
	t.Logf("%-28s %v", "sixth, put away", sixth)
	first.log(t, "first")
	other.log(t, "second")
	t.Logf("%-28s %v", "later, tuned", later)
	t.Logf("%-28s %v", "longer than 80", long)
	t.Logf("%-28s %v", "counting keywords", theirs)

	figures["first, tuned"], figures["first, put away"] = first[""][0], first[""][1]
	figures["second, tuned"], figures["second, put away"] = other[""][0], other[""][1]
	figures["later"] = later
	for name, want := range floors {
		got := figures[name]
		if want.precision == 0 || got.precision() < want.precision || got.recall() < want.recall {
			t.Errorf("%s: %v, want precision %.2f and recall %.2f at least", name, got, want.precision, want.recall)
		}
	}
	for _, b := range bands {
		if got := first.both(b.name).f1(); got < bandF1 {
			t.Errorf("first, %s: F1 %.3f, want %.2f at least", b.name, got, bandF1)
		}
	}
}

var (
	keywordItem  = regexp.MustCompile(`(?m)^\s*(?:\[[^\]]*\]|[-*•]\s|\d+\.)\s*(.+)$`)
	keywordClaim = regexp.MustCompile(`(?:need to|want to|have to|should|must|will)([^.!?\n]*)`)
	keywordSplit = regexp.MustCompile(`[,;]|\sand\s`)
	keywordOrder = regexp.MustCompile(`(?i)\b(?:first|second|third|then|next|after|finally|lastly|subsequently|following|before|afterwards?|once|when)\b`)
	keywordVerb  = regexp.MustCompile(`(?i)\b(?:set up|configure|run|start|create|add|implement|build|deploy)\b`)
	keywordEnd   = regexp.MustCompile(`[.!?]+`)
)

// countsKeywords is about how LLxprt Code decides, for comparison.
func countsKeywords(prompt string) bool {
	tasks := map[string]bool{}
	for _, m := range keywordItem.FindAllStringSubmatch(prompt, -1) {
		tasks[strings.TrimSpace(m[1])] = true
	}
	if m := keywordClaim.FindStringSubmatch(prompt); m != nil && len(tasks) == 0 {
		if parts := keywordSplit.Split(m[1], -1); len(parts) > 1 {
			for _, part := range parts {
				if part = strings.TrimSpace(part); len(part) > 3 {
					tasks[part] = true
				}
			}
		}
	}
	sentences := 0
	order := map[string]bool{}
	for _, word := range keywordOrder.FindAllString(prompt, -1) {
		order[strings.ToLower(word)] = true
	}
	none := len(tasks) == 0
	for _, s := range keywordEnd.Split(prompt, -1) {
		if s = strings.TrimSpace(s); s == "" {
			continue
		}
		sentences++
		if none && len(order) > 0 && (keywordOrder.MatchString(s) || keywordVerb.MatchString(s)) {
			tasks[s] = true
		}
	}
	score := []float64{0, 0.1, 0.3, 0.5, 0.7, 0.8}[min(len(tasks), 5)]
	switch {
	case len(order) > 0 && len(tasks) == 0:
		score += 0.3
	case len(order) > 0:
		score += min(0.3, 0.1*float64(len(order)))
	}
	score += []float64{0, 0.08, 0.35, 0.6}[min(strings.Count(prompt, "?"), 3)]
	if n := len(prompt); n > 500 {
		score += 0.1
	} else if n > 200 {
		score += 0.05
	}
	story := len(tasks) < 3 && (len(strings.TrimSpace(prompt)) >= 600 || sentences >= 5)
	return story || score >= 0.6 && len(tasks) >= 3
}

// The cases of another implementation: our verdict is the same, or it is
// written down why not.
func TestAdoptedCases(t *testing.T) {
	data, err := os.ReadFile("testdata/prompts/adopted.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		ID, Prompt, Why string
		Theirs          bool
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) != 28 {
		t.Errorf("%d cases, want 28", len(cases))
	}
	for _, c := range cases {
		a := Analyze(c.Prompt)
		switch same := needsList(c.Prompt) == c.Theirs; {
		case !same && c.Why == "":
			t.Errorf("%s: %.2f %q, theirs %v, and nothing says why", c.ID, a.Score, a.Reasons, c.Theirs)
		case same && c.Why != "":
			t.Errorf("%s: the verdict is theirs, so %q is out of date", c.ID, c.Why)
		}
	}
}

// What is found, and not only how much.
func TestAnalysis(t *testing.T) {
	tests := []struct {
		prompt  string
		reasons string
		steps   string
		ordered bool
	}{
		{"", "", "", false},
		{"fix the typo in README.md", "1 thing asked for", "fix the typo in README.md", false},
		{"add login, write tests and update the docs", "3 things asked for", "add login | write tests | update the docs", false},
		{"First fix the types, then run the tests.", "2 things asked for; sequence words: first, then", "fix the types | run the tests", true},
		{"then deploy it to staging", "1 thing asked for; sequence words: then", "deploy it to staging", true},
		{"First I open the app, then I log in, then it crashes.", "", "", false},
		{"When I click save it crashes", "", "", false},
		{"They add an item, rename the list, delete the old one and it crashes.", "", "", false},
		{"Let me know, then I'll test it, merge it and deploy it.", "", "", false},
		{"the docs say \"add a user, fix the config, run the setup\"", "", "", false},
		{"Please do these:\n- [x] schema\n- [ ] handlers\n- [ ] tests for `a.b`", "2 list items", "handlers | tests for `a.b`", false},
		{"1) parser 2) lexer 3) printer", "3 list items", "parser | lexer | printer", false},
		{"Fix this:\n\n```\n1. one\n2. two\n3. three\n```", "1 thing asked for", "Fix this", false},
		{"rewrite this service in Rust", "1 thing asked for; a large piece: rewrite this service in Rust", "rewrite this service in Rust", false},
		{"<system-reminder>\nadd a, fix b, run c\n</system-reminder>\nhi", "", "", false},
		{"wrap the parser, overhaul the lexer and nuke the printer", "3 things asked for", "wrap the parser | overhaul the lexer | nuke the printer", false},
		{"go through all pages", "1 thing asked for; a large piece: go through all pages", "go through all pages", false},
		{"webpack -> vite", "a large piece: webpack -> vite", "", false},
		{"首先修复登录。然后编写测试。", "2 things asked for; sequence words: 首先, 然后", "首先修复登录 | 然后编写测试", true},
	}
	for _, test := range tests {
		a := Analyze(test.prompt)
		if got := strings.Join(a.Reasons, "; "); got != test.reasons {
			t.Errorf("%q: reasons %q, want %q", test.prompt, got, test.reasons)
		}
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
	if a := Analyze(strings.Repeat("x\n", MaxPrompt/2) + "add a, fix b, run c"); a.Score != 0 {
		t.Errorf("what comes after MaxPrompt counts: %q", a.Reasons)
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
		for _, s := range append(a.Steps, a.Reasons...) {
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
