package attribution

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"hash/fnv"
	"strconv"
)

// MaxArgs is how many bytes of arguments identify a call. The largest todo list has a
// megabyte.
const MaxArgs = 2 << 20

// digest is the same for calls that mean the same: spaces, the order of keys and
// the spelling of numbers and letters do not count, because a hook and a server get
// texts that two programs made. It need not withstand an attacker: a program that can leave
// a ticket can leave any.
func digest(tool string, args json.RawMessage) string {
	tool, _ = Tool(tool)
	sum := fnv.New128a()
	sum.Write([]byte(tool + "\x00"))
	sum.Write(canonical(args))
	return hex.EncodeToString(sum.Sum(nil))
}

func canonical(args json.RawMessage) []byte {
	args = bytes.TrimSpace(args)
	if len(args) == 0 || bytes.Equal(args, []byte("null")) {
		return []byte("{}")
	}
	decoder := json.NewDecoder(bytes.NewReader(args))
	decoder.UseNumber()
	var value any
	if len(args) > MaxArgs || decoder.Decode(&value) != nil || decoder.More() {
		return args
	}
	text, err := json.Marshal(plain(value)) // keys come out sorted
	if err != nil {
		return args
	}
	return text
}

// plain spells numbers alike: 1, 1.0 and 1e0.
func plain(value any) any {
	switch v := value.(type) {
	case json.Number:
		if _, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
			return v // a float would lose digits
		}
		if f, err := v.Float64(); err == nil {
			if n := int64(f); float64(n) == f && n > -1<<53 && n < 1<<53 {
				return n
			}
			return f
		}
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = plain(v[key])
		}
	}
	return value
}
