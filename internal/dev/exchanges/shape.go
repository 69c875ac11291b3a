package exchanges

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
)

// told are the keys whose values programs decide by, so that the values must stay,
// too.
var told = []string{"ask", "changed", "forced", "id", "ids", "kind", "op", "priority", "refs", "repeated", "role", "status", "step", "subject", "verb"}

// Missing names the keys, the types, and the values that programs decide by, that a
// recorded value has and another one lacks.
func Missing(recorded, now []byte) ([]string, error) {
	var was, is any
	if err := json.Unmarshal(recorded, &was); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(now, &is); err != nil {
		return nil, fmt.Errorf("%w: %.200s", err, now)
	}
	return missing(nil, "", was, is), nil
}

func missing(found []string, path string, was, is any) []string {
	switch was := was.(type) {
	case map[string]any:
		now, ok := is.(map[string]any)
		if !ok {
			return append(found, fmt.Sprintf("%s is %s, not an object", path, kind(is)))
		}
		for key, value := range was {
			at := path + "." + key
			next, ok := now[key]
			if !ok {
				found = append(found, at+" is missing")
				continue
			}
			if slices.Contains(told, key) && kind(value) != "an object" && kind(value) != "a list" && value != next && !chosen(key, value) {
				found = append(found, fmt.Sprintf("%s is %v, not %v", at, next, value))
				continue
			}
			found = missing(found, at, value, next)
		}
	case []any:
		now, ok := is.([]any)
		if !ok {
			return append(found, fmt.Sprintf("%s is %s, not a list", path, kind(is)))
		}
		if len(now) != len(was) {
			return append(found, fmt.Sprintf("%s has %d elements, not %d", path, len(now), len(was)))
		}
		for i := range was {
			found = missing(found, fmt.Sprintf("%s[%d]", path, i), was[i], now[i])
		}
	default:
		if kind(was) != kind(is) {
			found = append(found, fmt.Sprintf("%s is %s, not %s", path, kind(is), kind(was)))
		}
	}
	return found
}

// chosen reports whether a server makes up a value: the id of anything but a task.
func chosen(key string, v any) bool {
	_, text := v.(string)
	return key == "id" && text
}

func kind(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a truth value"
	case float64:
		return "a number"
	case string:
		return "a text"
	case []any:
		return "a list"
	}
	return "an object"
}

// open are objects whose keys are names or numbers of things: a server does not add
// keys of its own there.
var open = []string{"extra", "metadata", "names", "refs"}

var number = regexp.MustCompile(`^\d+$`)

// Extend returns a value as a later server may send it, with more keys in each
// object.
func Extend(text []byte) ([]byte, error) {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return nil, err
	}
	return json.Marshal(extend(v))
}

func extend(v any) any {
	switch v := v.(type) {
	case map[string]any:
		things := len(v) > 0
		for key, value := range v {
			things = things && number.MatchString(key)
			if !slices.Contains(open, key) {
				v[key] = extend(value)
			}
		}
		if !things {
			v["laterKey"] = map[string]any{"of": []any{1, "later", nil}}
			v["laterNumber"] = 3
		}
	case []any:
		for i := range v {
			v[i] = extend(v[i])
		}
	}
	return v
}
