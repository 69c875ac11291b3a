package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

// checks reads commands that show whether a task is done. Each is a line as
// [pawl.ParseCheck] reads it, or an object; one alone is a list of one, and a text of
// several lines is a check a line.
//
//	"go test ./..."    "tests: go test ./..."    {"name":"tests","run":["go","test","./..."]}
func (a *arguments) checks(name string) []pawl.Check {
	list := a.list(name)
	var all []pawl.Check
	for i, raw := range list {
		at := fmt.Sprintf("%s[%d]", name, i)
		if len(list) == 1 {
			at = name
		}
		raw = unwrap(raw)
		if s, ok := asText(raw); ok {
			for _, one := range listLines(s) {
				a.check(at, one, &all)
			}
			continue
		}
		var object map[string]json.RawMessage
		if json.Unmarshal(raw, &object) != nil {
			a.fault(at, "must be a command such as \"go test ./...\", not %s", kindOf(raw))
			continue
		}
		one := &arguments{form: checkForm(), at: a.at + at + ".", values: map[string]json.RawMessage{}, findings: a.findings}
		one.fill(raw)
		if c, ok := one.asCheck(); ok {
			all = append(all, c)
		}
	}
	if len(all) > pawl.MaxChecks {
		a.fault(name, "has %d checks; the most is %d", len(all), pawl.MaxChecks)
		return nil
	}
	return all
}

// check reads one line.
func (a *arguments) check(at, command string, all *[]pawl.Check) {
	c, err := pawl.ParseCheck(command)
	if err != nil {
		a.cannotRun(at, err)
		return
	}
	*all = append(*all, c)
}

// cannotRun says why a check cannot be one.
func (a *arguments) cannotRun(at string, err error) {
	e, ok := errors.AsType[*pawl.Error](err)
	if !ok {
		a.fault(at, "%v", err)
		return
	}
	problem := e.Message
	for _, f := range e.Faults {
		problem += ": " + strings.TrimSpace(f.Path+" "+f.Problem)
	}
	if e.Hint.Step == pawl.HintSay {
		problem += ": " + e.Hint.Text
	}
	a.fault(at, "%s", problem)
}

// checkForm is an object that is a check.
func checkForm() *form {
	return &form{
		tool: "a check", names: []string{"name", "run", "dir", "timeout", "env", "expect", "optional"},
		by: map[string]string{
			"name": "name", "title": "name", "run": "run", "command": "run", "cmd": "run", "argv": "run", "dir": "dir", "cwd": "dir", "folder": "dir",
			"timeout": "timeout", "env": "env", "expect": "expect", "exit": "expect", "exitcode": "expect", "optional": "optional",
		},
	}
}

// asCheck reads an object.
func (a *arguments) asCheck() (c pawl.Check, ok bool) {
	before := len(a.faults)
	c.Name = a.word("name")
	if s, isText := asText(unwrap(a.values["run"])); isText && a.has("run") {
		parsed, err := pawl.ParseCheck(s)
		if err != nil {
			a.cannotRun("run", err)
			return c, false
		}
		c.Run = parsed.Run
		if c.Name == "" {
			c.Name = parsed.Name
		}
	} else {
		c.Run = a.texts("run")
	}
	if c.Name == "" {
		c.Name = pawl.CheckName(c.Run)
	}
	if c.Dir = strings.TrimSuffix(strings.TrimPrefix(a.word("dir"), "./"), "/"); c.Dir == "." {
		c.Dir = ""
	}
	if s := a.word("timeout"); s != "" {
		seconds, wrong := strconv.Atoi(s)
		c.Timeout = pawl.Duration(time.Duration(seconds) * time.Second)
		if wrong != nil && c.Timeout.UnmarshalText([]byte(s)) != nil {
			a.fault("timeout", "must be a duration such as 10m, not %q", line(clip(s, mostRemark)))
		}
	}
	c.Env = a.texts("env")
	if n, given := a.number("expect", 0); given {
		c.Expect = int(n)
	}
	c.Optional = a.truth("optional")
	if len(a.faults) > before {
		return c, false
	}
	for _, f := range c.Valid() {
		a.fault(f.Path, "%s", f.Problem)
	}
	return c, len(a.faults) == before
}

// criteria reads what must be so when a task is done, in words: texts, or objects with
// one. One text of several lines is a criterion a line.
func (a *arguments) criteria(name string) []string {
	list := a.list(name)
	var all []string
	for i, raw := range list {
		if s, ok := asText(raw); ok {
			all = append(all, listLines(s)...)
			continue
		}
		var object struct{ Text, Criterion, Description, Name string }
		if json.Unmarshal(raw, &object) == nil {
			found := false
			for _, s := range []string{object.Text, object.Criterion, object.Description, object.Name} {
				if !found && strings.TrimSpace(s) != "" {
					all, found = append(all, listLines(s)...), true
				}
			}
			if found {
				continue
			}
		}
		a.fault(fmt.Sprintf("%s[%d]", name, i), "must be a text, not %s", kindOf(raw))
	}
	return all
}

// listLines are the lines of a text, without what marks them as those of a list.
func listLines(s string) []string {
	var all []string
	for one := range strings.Lines(s) {
		one = strings.TrimSpace(one)
		for _, mark := range []string{"- ", "* ", "[ ] ", "[x] ", "[X] "} {
			one = strings.TrimSpace(strings.TrimPrefix(one, mark))
		}
		if one != "" {
			all = append(all, one)
		}
	}
	return all
}

// meant returns the criteria that a call names, as the task has them. A call may write
// them in another case, by their beginning, or by their number in the task; "all" are
// all. A word that means none, or several, stays: the board refuses it, and lists the
// criteria.
func meant(t *pawl.Task, words []string) []string {
	var all []string
	for _, word := range words {
		found := ""
		if n, err := strconv.Atoi(strings.TrimPrefix(word, "#")); err == nil && n >= 1 && n <= len(t.Accept) {
			found = t.Accept[n-1].Text
		}
		hits := 0
		for i := range t.Accept {
			switch text := t.Accept[i].Text; {
			case text == word:
				found, hits = text, 1
			case strings.EqualFold(text, word):
				found, hits = text, hits+1
			case len(word) >= 4 && len(text) > len(word) && strings.EqualFold(text[:len(word)], word):
				found, hits = text, hits+1
			}
			if t.Accept[i].Text == word {
				break
			}
		}
		if strings.EqualFold(word, "all") && found == "" && len(t.Accept) > 0 {
			for i := range t.Accept {
				all = append(all, t.Accept[i].Text)
			}
			continue
		}
		if found == "" || hits > 1 {
			found = word
		}
		if !slices.Contains(all, found) {
			all = append(all, found)
		}
	}
	return all
}
