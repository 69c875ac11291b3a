package todo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/internal/text"
)

// The limits of the tool calls that a list shows of a todo or subtask.
const (
	shownCalls      = 5   // the most recent; equal ones in a row count as one
	shownParameters = 6   // of one call
	valueRunes      = 40  // of one parameter, and of a name
	maxCallLines    = 150 // of the whole list: a model pays for each at every reading
	cutMark         = "..."
)

// showCalls decides whose tool calls are shown, by the room: of all todos, of the
// open ones, or of the current one.
func showCalls(items []Item) (with func(*Item) bool) {
	for _, with = range []func(*Item) bool{
		func(*Item) bool { return true },
		(*Item).Open,
		func(i *Item) bool { return i.Status == InProgress },
	} {
		lines := 0
		for i := range items {
			if with(&items[i]) {
				lines += items[i].callLines()
			}
		}
		if lines <= maxCallLines {
			break
		}
	}
	return with
}

func (i *Item) callLines() int {
	n := callLines(i.ToolCalls)
	for s := range i.Subtasks {
		n += callLines(i.Subtasks[s].ToolCalls)
	}
	return n
}

func callLines(calls []ToolCall) int {
	n := 0
	for i := len(calls) - 1; i >= 0 && n <= shownCalls; i-- {
		if i == 0 || !calls[i].again(&calls[i-1]) {
			n++
		}
	}
	return n
}

// A run is a call that was made n times in a row, with the same outcome.
type run struct {
	*ToolCall
	n int
}

func fold(calls []ToolCall) []run {
	var runs []run
	for i := range calls {
		if i > 0 && calls[i].again(&calls[i-1]) {
			runs[len(runs)-1].n++
			continue
		}
		runs = append(runs, run{&calls[i], 1})
	}
	return runs
}

func (c *ToolCall) again(before *ToolCall) bool {
	return c.Name == before.Name && c.Outcome == before.Outcome && bytes.Equal(c.Parameters, before.Parameters)
}

// parameters spells the arguments of a call in their own order:
//
//	path: 'a.go', limit: 20
func parameters(raw json.RawMessage) string {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if start, err := dec.Token(); err != nil || start != json.Delim('{') {
		return ""
	}
	var shown []string
	over := 0
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			break
		}
		var v json.RawMessage
		if dec.Decode(&v) != nil {
			break
		}
		if string(v) == `"…"` {
			continue // nothing is known of it
		}
		if len(shown) == shownParameters {
			over++
			continue
		}
		name := key.(string) // or the decoder would have refused it
		shown = append(shown, cutHead(text.Line(name))+": "+value(name, v))
	}
	if over > 0 {
		shown = append(shown, fmt.Sprintf("%s%d more", cutMark, over))
	}
	return strings.Join(shown, ", ")
}

// value spells one argument, cut where its reader misses least: a path says
// most at its end.
func value(key string, raw json.RawMessage) string {
	var s string
	if raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		var b bytes.Buffer
		if json.Compact(&b, raw) != nil {
			return ""
		}
		return cutHead(text.Line(b.String()))
	}
	path := strings.HasSuffix(strings.ToLower(key), "path") ||
		strings.Contains(s, "/") && !strings.ContainsAny(s, " \t\n") // not a command with a path in it
	if s = text.Line(s); path {
		return "'" + cutTail(s) + "'"
	}
	return "'" + cutHead(s) + "'"
}

// cutHead keeps the beginning of a text that is too long.
func cutHead(s string) string {
	if r := []rune(s); len(r) > valueRunes {
		return string(r[:valueRunes-len(cutMark)]) + cutMark
	}
	return s
}

func cutTail(s string) string {
	if r := []rune(s); len(r) > valueRunes {
		return cutMark + string(r[len(r)-valueRunes+len(cutMark):])
	}
	return s
}
