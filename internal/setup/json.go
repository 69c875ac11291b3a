package setup

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/jsonc"
)

func fault(text []byte) error {
	if text == nil {
		return nil
	}
	if _, f := jsonc.Parse(text); f != nil {
		return f
	}
	return nil
}

func lookMember(text []byte, p Piece) (state, error) {
	if err := fault(text); err != nil {
		return 0, err
	}
	is, ok := jsonc.Get(text, p.Path...)
	switch {
	case ok && jsonc.Same(is, p.Value):
		return same, nil
	case ok && callsAlike(is, p.Value):
		return akin, nil
	case ok:
		return theirs, nil
	case p.Only:
		switch is, ok := jsonc.Get(text, p.Path[:len(p.Path)-1]...); {
		case !ok:
			return needless, nil
		case jsonc.Same(is, p.Value): // "permission": "allow", for all there is
			return needless, nil
		case is[0] != '{': // "permission": "ask"
			return theirs, nil
		}
	}
	return missing, nil
}

func putMember(text []byte, p Piece) ([]byte, [][]string, error) {
	made := lacking(text, p.Path[:len(p.Path)-1])
	after, err := jsonc.Put(text, p.Path, p.Value)
	return after, made, err
}

func takeMember(text []byte, p Piece, made [][]string) ([]byte, error) {
	text, err := jsonc.Remove(text, p.Path)
	if err != nil {
		return nil, err
	}
	return sweep(text, made)
}

// lacking are a path and those above it that lead nowhere yet.
func lacking(text []byte, path []string) (made [][]string) {
	for n := len(path); n > 0; n-- {
		if _, ok := jsonc.Get(text, path[:n]...); !ok {
			made = append(made, path[:n])
		}
	}
	return made
}

// sweep takes out what was made and is empty, the inner ones first.
func sweep(text []byte, made [][]string) ([]byte, error) {
	for _, path := range made {
		if !jsonc.Empty(text, path...) {
			continue
		}
		var err error
		if text, err = jsonc.Remove(text, path); err != nil {
			return nil, err
		}
	}
	return text, nil
}

func lookElement(text []byte, p Piece) (state, error) {
	if err := fault(text); err != nil {
		return 0, err
	}
	found := missing
	for _, is := range jsonc.Elements(text, p.Path...) {
		if jsonc.Same(is, p.Value) {
			return same, nil
		}
		if callsAlike(is, p.Value) {
			found = akin
		}
	}
	if is, ok := jsonc.Get(text, p.Path...); ok && is[0] != '[' {
		return theirs, nil
	} else if !ok && p.Only {
		return needless, nil
	}
	return found, nil
}

func putElement(text []byte, p Piece) ([]byte, [][]string, error) {
	made := lacking(text, p.Path)
	after, err := jsonc.Append(text, p.Path, p.Value)
	return after, made, err
}

func takeElement(text []byte, p Piece, made [][]string) ([]byte, error) {
	all := jsonc.Elements(text, p.Path...)
	i := slices.IndexFunc(all, func(is json.RawMessage) bool { return jsonc.Same(is, p.Value) })
	path := p.Path
	if i < 0 {
		i = slices.IndexFunc(all, func(is json.RawMessage) bool { return callsAlike(is, p.Value) })
		if i >= 0 {
			// Somebody may have put hooks of theirs beside ours.
			inner := append(slices.Clone(path), strconv.Itoa(i), "hooks")
			hooks := jsonc.Elements(text, inner...)
			if len(hooks) > 1 {
				path = inner
				i = slices.IndexFunc(hooks, func(is json.RawMessage) bool { return callsAlike(is, p.Value) })
			}
		}
	}
	if i < 0 {
		return text, nil
	}
	text, err := jsonc.RemoveElement(text, path, i)
	if err != nil {
		return nil, err
	}
	return sweep(text, made)
}

// callsAlike reports whether two values make the same call of a program called
// pawl, wherever that is.
func callsAlike(a, b json.RawMessage) bool {
	ours := calls(b)
	return slices.ContainsFunc(calls(a), func(call string) bool { return slices.Contains(ours, call) })
}

// callsUs reports whether the arguments of two calls of pawl are the same; of two
// that call something else, which have none, they are not.
func callsUs(a, b string) bool { return a == b && a != "" }

// calls are the arguments of all calls of pawl in a value:
//
//	{"command": "/bin/pawl", "args": ["mcp"]}        mcp
//	{"command": ["pawl", "mcp"]}                     mcp
//	{"hooks": [{"bash": "pawl hook --agent x"}]}     hook --agent x
func calls(raw json.RawMessage) (found []string) {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return nil
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, key := range lineKeys {
				switch line := v[key].(type) {
				case string:
					if args, ok := v["args"].([]any); ok {
						found = appendCall(found, append([]any{line}, args...))
					} else if program, args := agent.Called(line); agent.IsPawl(program) {
						found = append(found, args)
					}
				case []any:
					found = appendCall(found, line)
				}
			}
			for _, e := range v {
				walk(e)
			}
		}
	}
	walk(v)
	for i, call := range found {
		if strings.HasPrefix(call, "mcp ") {
			found[i] = "mcp" // with other options it is the same server
		}
	}
	return found
}

// appendCall adds a call that is given as a list of words.
func appendCall(found []string, words []any) []string {
	var text []string
	for _, word := range words {
		s, ok := word.(string)
		if !ok {
			return found
		}
		text = append(text, s)
	}
	if len(text) == 0 || !agent.IsPawl(text[0]) {
		return found
	}
	return append(found, strings.Join(text[1:], " "))
}
