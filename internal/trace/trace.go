// Package trace records what an agent's program and Pawl say to each other while
// pawl doctor --live looks on. Hooks and servers write it, a line for each event
// and message, to a file in the folder that a variable names:
//
//	{"at":"2026-11-22T20:01:02.125Z","event":"SessionStart","kind":"start","session":"0b7c","context":"<pawl-recovery>…"}
//	{"at":"2026-11-22T20:01:03.250Z","method":"tools/list","tools":["task_add", …]}
//
// Without the variable nothing is written, and nothing is slower.
package trace

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"time"
)

// Variable names the folder of a look. It is absolute, and the program
// that looks has made it.
const Variable = "PAWL_LIVE"

// A Line is one event of a hook, or one message to a server.
type Line struct {
	At time.Time `json:"at"`

	// Of a hook: the event as the agent calls it, what it means, and what Pawl
	// answered.
	Event    string `json:"event,omitempty"`
	Kind     string `json:"kind,omitempty"`   // a nudge.Kind
	Source   string `json:"source,omitempty"` // a nudge.Source
	Session  string `json:"session,omitempty"`
	Agent    string `json:"agent,omitempty"` // a subagent
	Tool     string `json:"tool,omitempty"`  // of a call, as the agent names it
	Context  string `json:"context,omitempty"`
	Continue string `json:"continue,omitempty"`

	// Of a server: what it was asked, the tools that it named, and what a tool said.
	Method string   `json:"method,omitempty"` // tools and result are answers
	Tools  []string `json:"tools,omitempty"`
	Text   string   `json:"text,omitempty"`
}

// Dir is the folder of the look that is going on; empty: nobody looks.
func Dir(getenv func(string) string) string {
	dir := getenv(Variable)
	if dir == "" || !filepath.IsAbs(dir) {
		return ""
	}
	return dir
}

// Divert keeps what Pawl remembers during a look apart from what it remembers
// for the user: the state and the settings are below the folder of the look.
func Divert(dir string) {
	os.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	os.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "config"))
}

// File is where the lines of a look are.
func File(dir string) string { return filepath.Join(dir, "seen.jsonl") }

// Add writes a line. If it cannot, the line is not seen, and nothing else fails.
func Add(dir string, l Line) {
	text, err := json.Marshal(l)
	if err != nil {
		return
	}
	file, err := os.OpenFile(File(dir), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer file.Close()
	file.Write(append(text, '\n')) // at once, so that lines of several processes do not mix
}

// maxLine bounds a line: a recovery, a list of tools and what a tool of Pawl says
// are far shorter.
const maxLine = 1 << 20

// Read returns the lines after the first so many. It passes over what is not
// a whole line: a hook may be killed while it writes.
func Read(dir string, after int) ([]Line, error) {
	file, err := os.Open(File(dir))
	if os.IsNotExist(err) {
		return nil, nil // nothing was seen
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var lines []Line
	in := bufio.NewScanner(file)
	in.Buffer(nil, maxLine)
	for in.Scan() {
		var l Line
		if json.Unmarshal(in.Bytes(), &l) == nil {
			lines = append(lines, l)
		}
	}
	return lines[min(after, len(lines)):], in.Err()
}

// Server returns the streams of a server so that its messages are recorded.
func Server(dir string, in io.Reader, out io.Writer, now func() time.Time) (io.Reader, io.Writer) {
	asked := &splitter{each: func(text []byte) {
		var m struct {
			Method string
			Params struct{ Name string }
		}
		if json.Unmarshal(text, &m) == nil && m.Method != "" {
			Add(dir, Line{At: now(), Method: m.Method, Tool: m.Params.Name})
		}
	}}
	answered := &splitter{each: func(text []byte) {
		var m struct {
			Result struct {
				Tools   []struct{ Name string }
				Content []struct{ Text string }
			}
		}
		if json.Unmarshal(text, &m) != nil || len(m.Result.Tools)+len(m.Result.Content) == 0 {
			return
		}
		l := Line{At: now(), Method: "tools"}
		if len(m.Result.Content) > 0 {
			l.Method, l.Text = "result", m.Result.Content[0].Text
		}
		for _, t := range m.Result.Tools {
			l.Tools = append(l.Tools, t.Name)
		}
		Add(dir, l)
	}}
	return io.TeeReader(in, asked), io.MultiWriter(out, answered)
}

// A splitter hands on each line that is written to it. It never fails, so that
// nothing that is recorded can fail by it.
type splitter struct {
	rest []byte
	each func([]byte)
}

func (s *splitter) Write(part []byte) (int, error) {
	for _, c := range part {
		switch {
		case c == '\n':
			s.each(s.rest)
			s.rest = s.rest[:0]
		case len(s.rest) < maxLine:
			s.rest = append(s.rest, c)
		}
	}
	return len(part), nil
}
