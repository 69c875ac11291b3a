package runs

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/pawl-dev/pawl"
)

// TouchesKey is the key of a task's metadata that says which files its work changes, as
// patterns: {"touches": ["internal/auth/**", "go.mod"]}.
const TouchesKey = "touches"

// Touches returns the patterns of a task; nil: it does not say.
func Touches(t *pawl.Task) []string {
	var all []string
	if json.Unmarshal(t.Metadata[TouchesKey], &all) != nil {
		return nil
	}
	return all
}

// Overlap returns two patterns, one of each, that may mean the same file. A pattern with
// ** or a wildcard counts by the folder before it, so that the answer is rather yes.
func Overlap(a, b []string) (one, other string, may bool) {
	for _, p := range a {
		for _, q := range b {
			if meet(p, q) {
				return p, q, true
			}
		}
	}
	return "", "", false
}

func meet(p, q string) bool {
	p, q = path.Clean("/"+p), path.Clean("/"+q)
	if p == q {
		return true
	}
	if !wild(q) && wild(p) {
		p, q = q, p
	}
	if !wild(p) { // one file or folder
		if ok, err := path.Match(q, p); err == nil && ok {
			return true
		}
		return within(p, fixed(q)) && strings.Contains(q, "**") || within(p, q) || within(q, p)
	}
	return within(fixed(p), fixed(q)) || within(fixed(q), fixed(p))
}

func wild(p string) bool { return strings.ContainsAny(p, "*?[") }

// fixed is the folder of a pattern that comes before its first wildcard.
func fixed(p string) string {
	at := strings.IndexAny(p, "*?[")
	if at < 0 {
		return p
	}
	return path.Clean(p[:strings.LastIndexByte(p[:at], '/')+1])
}

func within(p, folder string) bool {
	return p == folder || folder == "/" || strings.HasPrefix(p, folder+"/")
}
