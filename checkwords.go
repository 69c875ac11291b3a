package pawl

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
)

// ParseCheck reads a check as people write it on one line: a command, or a name, a colon
// and a command.
//
//	go test ./...
//	tests: go test ./...
//
// The words are split at spaces, and quotes hold words together; no shell ever reads
// them. Shell syntax is refused, with a hint how to run a shell.
func ParseCheck(line string) (Check, error) {
	name, command := "", strings.TrimSpace(line)
	if n := len(command); n > 1 && (command[0] == '"' || command[0] == '\'') && command[n-1] == command[0] && strings.Count(command, command[:1]) == 2 && strings.Contains(command, " ") {
		command = command[1 : n-1] // the whole line in quotes, as a shell or JSON has it
	}
	if before, after, named := strings.Cut(command, ": "); named && !strings.ContainsAny(before, " \t\"'=/\\") {
		name, command = before, after
	}
	words, err := splitWords(command)
	if err != nil {
		return Check{}, err
	}
	if name == "" {
		name = CheckName(words)
	}
	c := Check{Name: oneLine(name), Run: words}
	if f := c.Valid(); len(f) > 0 {
		e := invalid("the check %q cannot run", clip(oneLine(line), 60))
		e.Faults = f
		return Check{}, e
	}
	return c, nil
}

// ParseRules reads the checks of a project from JSON: a list. An element is a line as
// [ParseCheck] reads it, or an object as a [CheckRule] is written. Nothing is read by
// half: a key that is not known is an error.
//
//	["tests: go test ./...", {"name": "page", "run": ["npm", "test"], "dir": "web", "labels": ["page"]}]
func ParseRules(text []byte) ([]CheckRule, error) {
	var elements []json.RawMessage
	if err := json.Unmarshal(text, &elements); err != nil {
		return nil, invalid("the checks must be a list of commands, each a text or an object")
	}
	rules := make([]CheckRule, 0, len(elements))
	var all []Check
	for i, element := range elements {
		var rule CheckRule
		var line string
		err := json.Unmarshal(element, &line)
		if err == nil {
			rule.Check, err = ParseCheck(line)
		} else {
			err = parseStrict(element, &rule)
		}
		if err != nil {
			return nil, at(fmt.Sprintf("[%d]", i), err)
		}
		rules, all = append(rules, rule), append(all, rule.Check)
	}
	var f faults
	f.checks("", all)
	for i := range rules {
		f.labels(fmt.Sprintf("[%d].labels", i), rules[i].Labels)
		rules[i].Labels = cleanLabels(rules[i].Labels)
	}
	if len(f) > 0 {
		e := invalid("the checks cannot run")
		e.Faults = f
		return nil, e
	}
	for i, c := range cleanChecks(all) {
		rules[i].Check = c
	}
	return rules, nil
}

// CheckName returns the name of a check that got none: its command, cut to the limit of
// names.
func CheckName(words []string) string {
	if len(words) == 0 {
		return ""
	}
	name := oneLine(strings.Join(append([]string{path.Base(strings.ReplaceAll(words[0], `\`, "/"))}, words[1:]...), " "))
	if r := []rune(name); len(r) > MaxCheckName {
		name = string(r[:MaxCheckName-1]) + "…"
	}
	return name
}

// splitWords splits a command into its words.
func splitWords(command string) ([]string, error) {
	var words []string
	var word strings.Builder
	open, begun, asIs := rune(0), false, false // the quote that is open; whether a word is; whether the first word has one
	next := []rune(command)
	for i := 0; i < len(next); i++ {
		r := next[i]
		switch {
		case open == '\'' && r != '\'', open == '"' && r != '"' && r != '\\' && r != '$' && r != '`':
			word.WriteRune(r)
		case open != 0 && r == open:
			open = 0
		case open == 0 && (r == '\'' || r == '"'):
			open, begun = r, true
			asIs = asIs || len(words) == 0
		case r == '\\' && i+1 < len(next) && (open == 0 || strings.ContainsRune(`"\$`+"`", next[i+1])):
			i++
			word.WriteRune(next[i])
			begun = true
		case r == '\\' && open == '"':
			word.WriteRune(r)
		case r == '\\':
			return nil, shellNeeded(command, `\`)
		case open == 0 && (r == ' ' || r == '\t' || r == '\n' || r == '\r'):
			if begun {
				words = append(words, word.String())
				word.Reset()
				begun = false
			}
		case strings.ContainsRune("$`", r), open == 0 && strings.ContainsRune("|&;<>()*?[]{}#", r) && !plainThere(r, begun):
			return nil, shellNeeded(command, string(r))
		case open == 0 && r == '~' && !begun:
			return nil, shellNeeded(command, "~")
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if open != 0 {
		return nil, invalid("%q has a quote that is not closed", clip(oneLine(command), 80))
	}
	if begun {
		words = append(words, word.String())
	}
	if len(words) > 0 && !asIs && variableSet(words[0]) {
		return nil, invalid("%q begins by setting a variable, which only a shell does", clip(oneLine(command), 80)).
			Say("name variables that the check gets in its env, or use: sh -c '" + strings.ReplaceAll(oneLine(command), "'", `'\''`) + "'")
	}
	return words, nil
}

// plainThere reports whether a character that a shell may read means itself here: a # in
// the middle of a word.
func plainThere(r rune, begun bool) bool { return r == '#' && begun }

// variableSet reports whether a word is NAME=value.
func variableSet(word string) bool {
	name, _, set := strings.Cut(word, "=")
	return set && variable(name)
}

func shellNeeded(command, what string) *Error {
	return invalid("%q needs a shell for its %s, and a check runs without one", clip(oneLine(command), 80), what).
		Say("quote it if it is meant as it stands, put the command in a script of the project, or use: sh -c '" + strings.ReplaceAll(oneLine(command), "'", `'\''`) + "'")
}

// Command is the command as ParseCheck reads it.
func (c *Check) Command() string {
	var b strings.Builder
	for i, word := range c.Run {
		if i > 0 {
			b.WriteByte(' ')
		}
		if word != "" && !strings.ContainsFunc(word, quoted) && !(i == 0 && variableSet(word)) {
			b.WriteString(word)
			continue
		}
		b.WriteString("'" + strings.ReplaceAll(word, "'", `'\''`) + "'")
	}
	return b.String()
}

// quoted reports whether a word with this character is written in quotes.
func quoted(r rune) bool {
	return r <= ' ' || r == 0x7f || slices.Contains([]rune("\"'\\$`|&;<>()*?[]{}#~"), r)
}
