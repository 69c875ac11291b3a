package taskjson

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

// Checks, criteria and evidence decide whether a task may be completed. A list of them is
// read exactly or not at all: an element that was left out, or read as another one, would
// let a task be completed that should not.

func readChecks(dst *[]pawl.Check, text []byte, at span) int {
	same := func(a, b *pawl.Check) bool { return a.Name == b.Name }
	return readExactly(dst, text, at, pawl.MaxChecks, checkAt, same)
}

func readAccept(dst *[]pawl.Criterion, text []byte, at span) int {
	same := func(a, b *pawl.Criterion) bool { return a.Text == b.Text }
	return readExactly(dst, text, at, pawl.MaxCriteria, criterionAt, same)
}

func readEvidence(dst *[]pawl.Evidence, text []byte, at span) int {
	same := func(a, b *pawl.Evidence) bool { return a.Sum == b.Sum }
	return readExactly(dst, text, at, pawl.MaxEvidence, runAt, same)
}

// readExactly reads a list without duplicates and of at most most elements. It returns
// the place of the first fault, or nowhere.
func readExactly[T any](dst *[]T, text []byte, at span, most int, read func([]byte, span) (T, bool), same func(a, b *T) bool) int {
	if !at.isList(text) {
		return at.start
	}
	var all []T
	for _, e := range elementsOf(text, at, nil) {
		one, ok := read(text, e)
		if !ok || len(all) == most || slices.ContainsFunc(all, func(other T) bool { return same(&one, &other) }) {
			return e.start
		}
		all = append(all, one)
	}
	*dst = all
	return nowhere
}

// checkAt reads a check, or one line as a person writes it: "tests: go test ./...".
func checkAt(text []byte, at span) (pawl.Check, bool) {
	var line string
	if readText(&line, text, at) {
		c, err := pawl.ParseCheck(line)
		return c, err == nil
	}
	var c pawl.Check
	ok := readFields(text, at, true,
		field{"name", (*textLine)(&c.Name)}, field{"run", (*command)(&c.Run)}, field{"dir", &c.Dir}, field{"timeout", &c.Timeout},
		field{"env", &c.Env}, field{"expect", &c.Expect}, field{"optional", &c.Optional})
	if c.Name == "" {
		c.Name = pawl.CheckName(c.Run)
	}
	if c.Dir == "." {
		c.Dir = ""
	}
	return c, ok && len(c.Valid()) == 0
}

// readCommand reads a program and its arguments, or one text with words as ParseCheck
// splits them.
func readCommand(dst *[]string, text []byte, at span) bool {
	var line string
	if !readText(&line, text, at) {
		return readTexts(dst, text, at)
	}
	if strings.TrimSpace(line) == "" {
		return false
	}
	c, err := pawl.ParseCheck("run: " + line) // with a name, so that it does not look for one
	*dst = c.Run
	return err == nil
}

// readTimeout reads "10m0s", or seconds.
func readTimeout(dst *pawl.Duration, text []byte, at span) bool {
	var said string
	if at.isNumber(text) {
		said = string(at.of(text)) + "s"
	} else if !readText(&said, text, at) {
		return false
	}
	d, err := time.ParseDuration(said)
	*dst = pawl.Duration(d)
	return err == nil && d != 0
}

// criterionAt reads a criterion, or its text alone.
func criterionAt(text []byte, at span) (pawl.Criterion, bool) {
	var c pawl.Criterion
	ok := readLine(&c.Text, text, at) || readFields(text, at, true, field{"text", (*textLine)(&c.Text)}, field{"by", &c.By}, field{"at", &c.At})
	if !c.Ticked() {
		c.By = ""
	}
	return c, ok && len(c.Valid()) == 0
}

// runAt reads what a run of a check showed.
func runAt(text []byte, at span) (pawl.Evidence, bool) {
	var e pawl.Evidence
	ok := readFields(text, at, true,
		field{"check", (*textLine)(&e.Check)}, field{"sum", &e.Sum}, field{"at", &e.At}, field{"by", &e.By},
		field{"commit", &e.Commit}, field{"tree", &e.Tree}, field{"dirty", &e.Dirty}, field{"passed", &e.Passed},
		field{"exit", &e.Exit}, field{"ms", &e.Millis}, field{"output", &e.Output})
	return e, ok && len(e.Valid()) == 0
}

// readLine reads a text as one line.
func readLine(dst *string, text []byte, at span) bool {
	if !readText(dst, text, at) {
		return false
	}
	*dst = strings.Join(strings.Fields(*dst), " ")
	return true
}

func readBool(dst *bool, text []byte, at span) bool {
	*dst = text[at.start] == 't'
	return text[at.start] == 't' || text[at.start] == 'f'
}

func readWhole(dst *int, text []byte, at span) bool {
	n, err := strconv.Atoi(string(at.of(text)))
	*dst = n
	return err == nil
}

func appendList[T any](dst []byte, all []T, one func([]byte, *T) []byte) []byte {
	if len(all) == 0 {
		return dst
	}
	dst = append(dst, '[')
	for i := range all {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = one(dst, &all[i])
	}
	return append(dst, ']')
}

func appendCheck(dst []byte, c *pawl.Check) []byte {
	dst = oneLine.member(append(dst, '{'), "name", appendString(nil, c.Name), 0)
	dst = oneLine.member(dst, "run", appendTexts(nil, c.Run), 0)
	if c.Dir != "" {
		dst = oneLine.member(dst, "dir", appendString(nil, c.Dir), 0)
	}
	if c.Timeout != 0 {
		dst = oneLine.member(dst, "timeout", appendString(nil, c.Timeout.String()), 0)
	}
	if len(c.Env) > 0 {
		dst = oneLine.member(dst, "env", appendTexts(nil, c.Env), 0)
	}
	if c.Expect != 0 {
		dst = oneLine.member(dst, "expect", strconv.AppendInt(nil, int64(c.Expect), 10), 0)
	}
	if c.Optional {
		dst = oneLine.member(dst, "optional", []byte("true"), 0)
	}
	return append(dst, '}')
}

// appendTexts appends a list of texts, which may have none.
func appendTexts(dst []byte, texts []string) []byte {
	dst = append(dst, '[')
	for i, s := range texts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, s)
	}
	return append(dst, ']')
}

// appendCriterion writes one that is not ticked as its text.
func appendCriterion(dst []byte, c *pawl.Criterion) []byte {
	at := appendTime(nil, c.At)
	if len(at) == 0 {
		return appendString(dst, c.Text)
	}
	dst = oneLine.member(append(dst, '{'), "text", appendString(nil, c.Text), 0)
	if c.By != "" {
		dst = oneLine.member(dst, "by", appendString(nil, c.By), 0)
	}
	return append(oneLine.member(dst, "at", at, 0), '}')
}

func appendRun(dst []byte, e *pawl.Evidence) []byte {
	dst = append(dst, '{')
	put := func(name string, set bool, value []byte) {
		if set {
			dst = oneLine.member(dst, name, value, 0)
		}
	}
	at := appendTime(nil, e.At)
	put("check", true, appendString(nil, e.Check))
	put("sum", true, appendString(nil, e.Sum))
	put("at", len(at) > 0, at)
	put("by", e.By != "", appendString(nil, e.By))
	put("commit", e.Commit != "", appendString(nil, e.Commit))
	put("tree", e.Tree != "", appendString(nil, e.Tree))
	put("dirty", e.Dirty, []byte("true"))
	put("passed", e.Passed, []byte("true"))
	put("exit", e.Exit != 0, strconv.AppendInt(nil, int64(e.Exit), 10))
	put("ms", e.Millis != 0, strconv.AppendInt(nil, e.Millis, 10))
	put("output", e.Output != "", appendString(nil, e.Output))
	return append(dst, '}')
}
