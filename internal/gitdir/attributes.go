package gitdir

import (
	"bytes"
	"path/filepath"
	"strings"
)

// The rules of a board's own .gitattributes, which everybody gets with it: git does
// not merge a task line by line, where a line of one task could end up in another.
// Ours stays, whole, until Pawl merges.
var boardRules = []string{"task_*.json -merge", ".highwatermark -merge"}

const boardComment = "# Pawl merges these files, and git does not merge them line by line: pawl merge"

// BoardAttributes adds the rules of a board to its .gitattributes, except where a
// rule about merging the same files exists.
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
	return withLines(old, append([]string{boardComment}, missing...)...)
}

// BoardIgnore adds the names that belong to one clone to a board's .gitignore, except
// those that have a rule.
func BoardIgnore(old []byte) []byte {
	var missing []string
	for _, rule := range []string{".pawl/", ".lock"} {
		if !ignores(old, strings.TrimSuffix(rule, "/")) {
			missing = append(missing, rule)
		}
	}
	return withLines(old, missing...)
}

// ignores reports whether a .gitignore has a rule about a name in its folder, or about
// all names.
func ignores(text []byte, name string) bool {
	for line := range strings.Lines(string(text)) {
		line = strings.TrimLeft(strings.TrimRight(line, "/ \t\r\n"), "!/")
		if line == name || line == "*" || line == "**" {
			return true
		}
	}
	return false
}

// withLines adds lines at the end of a text, ended as its others are.
func withLines(old []byte, lines ...string) []byte {
	if len(lines) == 0 {
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
	return append(out, strings.Join(lines, end)+end...)
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

// attributePattern names files in a folder. It escapes characters that are special
// in a pattern, and quotes the whole if it has a space.
func attributePattern(dir, files string) (string, bool) {
	if strings.ContainsAny(dir, "\n\r\x00") {
		return "", false
	}
	pattern := escaped(dir) + "/" + files
	if strings.ContainsAny(pattern[:1], `#!"[`) {
		pattern = "/" + pattern
	}
	if strings.ContainsAny(pattern, " \t\"") {
		pattern = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\t", `\t`).Replace(pattern) + `"`
	}
	return pattern, true
}

// escaped is a path as a pattern.
func escaped(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// ExcludeLine is the line of .git/info/exclude that names one path, with slashes, from
// the root of the work tree. False: no line can name it.
func ExcludeLine(path string) (string, bool) {
	if strings.ContainsAny(path, "\n\r\x00") {
		return "", false
	}
	line := "/" + escaped(path)
	if trimmed := strings.TrimRight(line, " "); trimmed != line { // git drops spaces at the end unless they are escaped
		line = trimmed + strings.Repeat(`\ `, len(line)-len(trimmed))
	}
	return line, true
}

// Excludes reports whether .git/info/exclude hides a folder of the work tree by a line
// that names it, as Pawl writes it.
func (t Tree) Excludes(dir string) bool {
	rel, err := filepath.Rel(t.Root, dir)
	line, ok := ExcludeLine(filepath.ToSlash(rel) + "/")
	if err != nil || !ok {
		return false
	}
	text := File(filepath.Join(t.Common, "info", "exclude"), 1<<20) // far more than people write there
	return strings.Contains("\n"+strings.ReplaceAll(string(text), "\r", "")+"\n", "\n"+line+"\n")
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
