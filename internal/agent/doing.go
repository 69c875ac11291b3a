package agent

import (
	"encoding/json"
	"strings"

	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/todo"
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
// about. No more of a command is shown than is kept ([todo.Mask]), because its arguments can
// be secrets.
func Call(tool string, input json.RawMessage) string {
	return Line(tool + " " + about(Unquoted(input)))
}

// about is the file, the program or the pattern that a call's arguments name, else what the
// agent says of it.
func about(input json.RawMessage) string {
	var in struct {
		FilePath string `json:"file_path"`
		Absolute string `json:"absolute_path"`
		CamelOne string `json:"filePath"`
		Notebook string `json:"notebook_path"`
		Path     string `json:"path"`
		File     string `json:"fileName"`
		Command  string `json:"command"`
		Cmd      string `json:"cmd"`
		Pattern  string `json:"pattern"`
		Dir      string `json:"dir_path"`
	}
	_ = json.Unmarshal(todo.Mask(input), &in) // several paths are none of these
	for _, what := range []string{
		shortPath(in.FilePath), shortPath(in.Absolute), shortPath(in.CamelOne), shortPath(in.Notebook), shortPath(in.Path), shortPath(in.File),
		in.Command, in.Cmd, in.Pattern, shortPath(in.Dir),
	} {
		if what != "" && what != "…" {
			return what
		}
	}
	var said struct{ Description string }
	_ = json.Unmarshal(input, &said)
	return todo.MaskText(said.Description)
}

// shortPath is the end of a path: folder and name.
func shortPath(path string) string {
	parts := strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' })
	return strings.Join(parts[max(0, len(parts)-3):], "/")
}
