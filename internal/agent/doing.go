package agent

import (
	"encoding/json"
	"strings"
	"unicode"

	"github.com/pawl-dev/pawl/internal/text"
)

// maxDoing is the length of what a program does now, in characters.
const maxDoing = 100

// Line is the first line of a text that is not empty, for a person to look at.
func Line(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			return text.Clip(text.Line(line), maxDoing)
		}
	}
	return ""
}

// Call says what a call of a tool does: its name, and the file or the program that it is
// about. No more of a command is shown, because its arguments can be secrets.
func Call(tool string, input json.RawMessage) string {
	return Line(tool + " " + about(input))
}

// about is the file, the pattern or the program that a call's arguments name.
func about(input json.RawMessage) string {
	var in struct {
		FilePath string `json:"file_path"`
		Absolute string `json:"absolute_path"`
		CamelOne string `json:"filePath"`
		Notebook string `json:"notebook_path"`
		Path     string `json:"path"`
		File     string `json:"fileName"`
		Dir      string `json:"dir_path"`
		Command  any    `json:"command"`
		Cmd      any    `json:"cmd"`
		Pattern  string `json:"pattern"`
		Subject  string `json:"description"`
	}
	if json.Unmarshal(Unquoted(input), &in) != nil {
		return ""
	}
	for _, path := range []string{in.FilePath, in.Absolute, in.CamelOne, in.Notebook, in.Path, in.File} {
		if path != "" {
			return shortPath(path)
		}
	}
	for _, command := range []any{in.Command, in.Cmd} {
		if words := commandWords(command); words != "" {
			return words
		}
	}
	if in.Pattern != "" {
		return in.Pattern
	}
	if in.Dir != "" {
		return shortPath(in.Dir)
	}
	return in.Subject
}

// shortPath is the end of a path: folder and name.
func shortPath(path string) string {
	parts := strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' })
	return strings.Join(parts[max(0, len(parts)-3):], "/")
}

// commandWords are the first words of a command line, as far as they are plain.
func commandWords(command any) string {
	var all []string
	switch command := command.(type) {
	case string:
		all = strings.Fields(command)
	case []any:
		for _, word := range command {
			s, _ := word.(string)
			all = append(all, s)
		}
	}
	if len(all) > 2 && (strings.HasSuffix(all[0], "sh") || strings.HasSuffix(all[0], "sh.exe")) && strings.HasPrefix(all[1], "-") { // bash -lc "…"
		all = strings.Fields(strings.Trim(strings.Join(all[2:], " "), `"'`))
	}
	var words []string
	for _, word := range all[:min(len(all), 3)] {
		if strings.ContainsFunc(word, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-/", r)
		}) || len(word) > 40 {
			break
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}
