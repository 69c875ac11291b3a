package pawl

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

func TestParseCheck(t *testing.T) {
	for _, test := range []struct {
		line, name string
		run        []string
	}{
		{"go test ./...", "go test ./...", []string{"go", "test", "./..."}},
		{"tests: go test ./...", "tests", []string{"go", "test", "./..."}},
		{`tests: go test -run "Test A|B" ./x`, "tests", []string{"go", "test", "-run", "Test A|B", "./x"}},
		{`a b 'c d' ""`, "a b c d", []string{"a", "b", "c d", ""}},
		{`./scripts/run.sh a\ b`, "run.sh a b", []string{"./scripts/run.sh", "a b"}},
		{`grep -c "\$x" f#1`, "grep -c $x f#1", []string{"grep", "-c", "$x", "f#1"}},
		{`"tests: go test ./..."`, "tests", []string{"go", "test", "./..."}},
		{`'go vet'`, "go vet", []string{"go", "vet"}},
		{`"go" test "./x y"`, "go test ./x y", []string{"go", "test", "./x y"}},
		{`'A=b' c`, "A=b c", []string{"A=b", "c"}},
		{`sh -c 'a && b'`, "sh -c a && b", []string{"sh", "-c", "a && b"}},
		{`http://x: y`, "x: y", []string{"http://x:", "y"}},
	} {
		c, err := ParseCheck(test.line)
		if err != nil {
			t.Errorf("%s: %v", test.line, err)
			continue
		}
		if c.Name != test.name || !slices.Equal(c.Run, test.run) {
			t.Errorf("%s: %q %q", test.line, c.Name, c.Run)
		}
		if again, err := ParseCheck("x: " + c.Command()); err != nil || !slices.Equal(again.Run, c.Run) {
			t.Errorf("%s: its command is %s, which reads as %q, %v", test.line, c.Command(), again.Run, err)
		}
	}
	for _, line := range []string{"", "go test && go vet", "a | b", "a > b", "a $HOME", "a `b`", "ls *.go", "rm ~/x", `"a`, "A=1 go test", "(a)", "a; b", "a\x00b", `a "$x"`, strings.Repeat("a ", 70)} {
		if c, err := ParseCheck(line); KindOf(err) != Invalid {
			t.Errorf("%q reads as %q, %v", line, c.Run, err)
		}
	}
}

// A sum stands for all that decides what runs and when it passes, and nothing else.
func TestSum(t *testing.T) {
	base := Check{Name: "a", Run: []string{"x", "yz"}, Dir: "d", Env: []string{"A", "B"}}
	same := map[string]Check{
		"name":     {Name: "b", Run: base.Run, Dir: "d", Env: base.Env},
		"optional": {Name: "a", Run: base.Run, Dir: "d", Env: base.Env, Optional: true},
		"order":    {Name: "a", Run: base.Run, Dir: "d", Env: []string{"B", "A", "A"}},
		"timeout":  {Name: "a", Run: base.Run, Dir: "d", Env: base.Env, Timeout: Duration(CheckTimeout)},
	}
	for what, c := range same {
		if c.Sum() != base.Sum() {
			t.Errorf("%s changes the sum", what)
		}
	}
	seen := map[string]string{base.Sum(): "nothing"}
	for what, c := range map[string]Check{
		"words":   {Run: []string{"xy", "z"}, Dir: "d", Env: base.Env},
		"one":     {Run: []string{"x yz"}, Dir: "d", Env: base.Env},
		"more":    {Run: []string{"x", "yz", ""}, Dir: "d", Env: base.Env},
		"moved":   {Run: []string{"x"}, Dir: "yz", Env: base.Env},
		"dir":     {Run: base.Run, Env: base.Env},
		"env":     {Run: base.Run, Dir: "d", Env: []string{"A"}},
		"timeout": {Run: base.Run, Dir: "d", Env: base.Env, Timeout: Duration(CheckTimeout / 2)},
		"expect":  {Run: base.Run, Dir: "d", Env: base.Env, Expect: 1},
	} {
		if other, again := seen[c.Sum()]; again {
			t.Errorf("%s and %s have one sum", what, other)
		}
		seen[c.Sum()] = what
	}
}

func TestParseRules(t *testing.T) {
	rules, err := ParseRules([]byte(`["tests: go test ./...", {"name": "page", "run": ["npm", "test"], "dir": "web", "timeout": "5m", "labels": ["page"], "optional": true}]`))
	if err != nil || len(rules) != 2 || rules[0].Name != "tests" || rules[1].Limit() != CheckTimeout/2 || rules[1].Labels[0] != "page" || !rules[1].Optional {
		t.Errorf("%+v, %v", rules, err)
	}
	if none, err := ParseRules([]byte(`[]`)); err != nil || len(none) != 0 {
		t.Error(none, err)
	}
	for _, text := range []string{`{}`, `"x"`, `[1]`, `["a | b"]`, `[{"name": "a"}]`, `[{"name": "a", "run": ["x"], "shell": "x"}]`, `[{"name": "a", "run": "x"}]`, `["a: x", "a: y"]`, `[{"name": "a", "run": ["x"], "timeout": "9h"}]`} {
		if rules, err := ParseRules([]byte(text)); KindOf(err) != Invalid {
			t.Errorf("%s: %+v, %v", text, rules, err)
		}
	}
}

// An op takes a check as people write it, too.
func TestOpTakesCheckLine(t *testing.T) {
	op := must.Get(ParseOp([]byte(`{"op":"update","id":1,"addChecks":["unit: go test ./...",{"name":"vet","run":["go","vet"],"timeout":"1m"}]}`)))(t)
	all := op.(Update).AddChecks
	if len(all) != 2 || all[0].Name != "unit" || all[0].Command() != "go test ./..." || time.Duration(all[1].Timeout) != time.Minute {
		t.Errorf("%+v", all)
	}
	for text, says := range map[string]string{`"a | b"`: "needs a shell for its |", `""`: "cannot run", `{"name":"x","rub":1}`: "did you mean run", `7`: "is a number, not an object"} {
		_, err := ParseOp([]byte(`{"op":"update","id":1,"addChecks":[` + text + `]}`))
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
