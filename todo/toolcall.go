package todo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/internal/clean"
	"github.com/pawl-dev/pawl/internal/columns"
)

// What a list shows of the tool calls of a todo or subtask.
const (
	shownCalls      = 5  // the most recent; equal ones in a row count as one
	shownParameters = 6  // of one call
	valueColumns    = 40 // of one parameter, and of a name
	cutMark         = "..."
)

// writeCalls adds a line for each of the most recent calls.
func writeCalls(b *strings.Builder, indent string, calls []ToolCall) {
	runs := fold(calls)
	if over := len(runs) - shownCalls; over > 0 {
		fmt.Fprintf(b, "%s↳ ...%d more tool calls...\n", indent, over)
		runs = runs[over:]
	}
	for _, r := range runs {
		fmt.Fprintf(b, "%s↳ %s(%s)", indent, cutHead(line(r.Name)), parameters(r.Parameters))
		if r.n > 1 {
			fmt.Fprintf(b, " %dx", r.n)
		}
		switch r.Outcome {
		case Running, Failed, Interrupted:
			fmt.Fprintf(b, " (%s)", r.Outcome)
		}
		b.WriteByte('\n')
	}
}

// A run is a call that was made n times in a row, with the same outcome.
type run struct {
	*ToolCall
	n int
}

func fold(calls []ToolCall) []run {
	var runs []run
	for i := range calls {
		c := &calls[i]
		if n := len(runs) - 1; n >= 0 && runs[n].Name == c.Name && runs[n].Outcome == c.Outcome &&
			bytes.Equal(runs[n].Parameters, c.Parameters) {
			runs[n].n++
			continue
		}
		runs = append(runs, run{c, 1})
	}
	return runs
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
		if len(shown) == shownParameters {
			over++
			continue
		}
		name := key.(string) // or the decoder would have refused it
		shown = append(shown, cutHead(clean.Line(name))+": "+value(name, v))
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
		return cutHead(clean.Line(b.String()))
	}
	path := strings.HasSuffix(strings.ToLower(key), "path") ||
		strings.Contains(s, "/") && !strings.ContainsAny(s, " \t\n") // not a command with a path in it
	if s = clean.Line(s); path {
		return "'" + cutTail(s) + "'"
	}
	return "'" + cutHead(s) + "'"
}

// cutHead keeps the beginning of a text that is too wide.
func cutHead(s string) string {
	if len(s) <= valueColumns || columns.Width(s) <= valueColumns {
		return s
	}
	return columns.Head(s, valueColumns-len(cutMark)) + cutMark
}

// cutTail keeps its end.
func cutTail(s string) string {
	if len(s) <= valueColumns || columns.Width(s) <= valueColumns {
		return s
	}
	return cutMark + columns.Tail(s, valueColumns-len(cutMark))
}
