package setup

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/jsonc"
)

// lineKeys are the members of a value in JSON that are lines for a shell.
var lineKeys = []string{"command", "bash", "powershell", "commandWindows", "windows", "cmd"}

// eachLine calls a function for each line for a shell in a value, and where it
// stands there.
func eachLine(v any, at []string, visit func(at []string, line string)) {
	switch v := v.(type) {
	case []any:
		for i, e := range v {
			eachLine(e, append(slices.Clone(at), strconv.Itoa(i)), visit)
		}
	case map[string]any:
		for key, e := range v {
			at := append(slices.Clone(at), key)
			line, ok := e.(string)
			if _, words := v["args"].([]any); ok && !words && slices.Contains(lineKeys, key) {
				visit(at, line)
			} else {
				eachLine(e, at, visit)
			}
		}
	}
}

// renew brings the lines of a piece in a text up to date, where they call the
// same program with the same arguments in the words of an earlier version. All
// else in that place stays as it is.
func renew(text []byte, p Piece) ([]byte, bool) {
	if text == nil || p.Kind != agent.KindElement && p.Kind != agent.KindMember || fault(text) != nil {
		return text, false
	}
	var want any
	if json.Unmarshal(p.Value, &want) != nil {
		return text, false
	}
	type key struct{ name, program, args string }
	lines := map[key]string{}
	eachLine(want, nil, func(at []string, line string) {
		program, args := agent.Called(line)
		lines[key{at[len(at)-1], program, args}] = line
	})
	if len(lines) == 0 {
		return text, false
	}
	is, ok := jsonc.Get(text, p.Path...)
	if !ok {
		return text, false
	}
	var there any
	if json.Unmarshal(is, &there) != nil {
		return text, false
	}
	changed := false
	eachLine(there, p.Path, func(at []string, line string) {
		program, args := agent.Called(line)
		now, ok := lines[key{at[len(at)-1], program, args}]
		if !ok || now == line {
			return
		}
		if after, err := jsonc.Put(text, at, agent.Raw(now)); err == nil {
			text, changed = after, true
		}
	})
	return text, changed
}

// renewed is a piece with lines as they are written now, when these are all in
// which it differs from the piece of today.
func renewed(p, now Piece) (Piece, bool) {
	if p.Kind != now.Kind || !slices.Equal(p.Path, now.Path) {
		return p, false
	}
	held := agent.Raw(agent.Value{"held", p.Value})
	after, changed := renew(held, Piece{Kind: agent.KindMember, Path: []string{"held"}, Value: now.Value})
	if !changed {
		return p, false
	}
	p.Value, _ = jsonc.Get(after, "held")
	return p, equal(p, now)
}
