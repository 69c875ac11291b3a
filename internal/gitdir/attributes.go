package gitdir

import (
	"bytes"
	"strings"
)

// The rules of a board's own .gitattributes, which everybody gets with it: git does
// not merge a task line by line, where a line of one task could end up in another.
// Ours stays, whole, until Pawl merges.
var boardRules = []string{"task_*.json -merge", ".highwatermark -merge"}

const boardComment = "# Pawl merges these files, and git does not merge them line by line: pawl merge"

// BoardAttributes adds the rules of a board to its .gitattributes. A rule about
// merging the same files, whatever it says, stays alone.
func BoardAttributes(old []byte) []byte {
	var missing []string
	for _, rule := range boardRules {
		if pattern, _, _ := strings.Cut(rule, " "); !mentions(old, pattern) {
			missing = append(missing, rule)
		}
	}
	if len(missing) == 0 {
		return old
	}
	end := "\n"
	if bytes.Contains(old, []byte("\r\n")) {
		end = "\r\n"
	}
	out := bytes.Clone(old)
	if len(out) > 0 && out[len(out)-1] != '\n' {
		out = append(out, end...)
	}
	return append(out, strings.Join(append([]string{boardComment}, missing...), end)+end...)
}

// mentions reports whether a text has a rule about merging files of a pattern.
func mentions(text []byte, pattern string) bool {
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) < 2 || strings.TrimPrefix(fields[0], "/") != pattern {
			continue
		}
		for _, attribute := range fields[1:] {
			name, _, _ := strings.Cut(strings.TrimLeft(attribute, "-!"), "=")
			if name == "merge" || name == "binary" {
				return true
			}
		}
	}
	return false
}

// DriverRules are the lines of .git/info/attributes that have git call Pawl for the
// files of a board. dir is the board's folder from the root of the work tree, with
// slashes. False: no line can name it.
func DriverRules(dir string) ([]string, bool) {
	var rules []string
	for _, name := range []string{"task_*.json", ".highwatermark"} {
		pattern, ok := attributePattern(dir, name)
		if !ok {
			return nil, false
		}
		rules = append(rules, pattern+" merge="+Driver)
	}
	return rules, true
}

// Driver is the name of Pawl's merge driver.
const Driver = "pawl"

// attributePattern names files in a folder. What is special in a pattern is escaped,
// and all is quoted if it has a space.
func attributePattern(dir, files string) (string, bool) {
	if strings.ContainsAny(dir, "\n\r\x00") {
		return "", false
	}
	var b strings.Builder
	for _, c := range []byte(dir) {
		if strings.IndexByte(`\*?[`, c) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	pattern := b.String() + "/" + files
	if strings.ContainsAny(pattern[:1], `#!"[`) {
		pattern = "/" + pattern
	}
	if strings.ContainsAny(pattern, " \t\"") {
		pattern = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\t", `\t`).Replace(pattern) + `"`
	}
	return pattern, true
}

// HidesAll reports whether a .gitignore keeps the whole folder out of git.
func HidesAll(text []byte) bool {
	all := false
	for line := range strings.Lines(string(text)) {
		switch line = strings.TrimRight(line, " \t\r\n"); {
		case line == "*" || line == "/*" || line == "**":
			all = true
		case strings.HasPrefix(line, "!"):
			all = false
		}
	}
	return all
}
