package todo

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// MaxLine is how long a line of a transcript may be to be looked at: as long as
// a list that a store keeps. Longer ones hold pictures and whole files.
const MaxLine = MaxList

// transcriptLine is a list in the transcript of a session:
//
//	{"type":"system","subtype":"todos","data":[{"id":"1","content":"Plan", …}]}
type transcriptLine struct {
	Type    string `json:"type"`
	Subtype string `json:"subtype"`
	Data    []Item `json:"data"`
}

// Transcript is a list as one line of JSON, for the transcript of its session.
func Transcript(items []Item) ([]byte, error) {
	if items == nil {
		items = []Item{}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(transcriptLine{"system", "todos", items}); err != nil {
		return nil, pawl.Errorf(pawl.Internal, "the list cannot be written as JSON: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// FromTranscript reads the transcript of a session, JSON Lines of any length,
// and returns the list that it ends with: from the last line of [Transcript], or
// from the calls of a todo tool in a transcript of Claude Code's, whichever come
// last. Subagents have lists of their own, so their calls are ignored, and so is
// everything else in the file.
//
//	{"type":"assistant","isSidechain":false,"message":{"content":[
//	  {"type":"tool_use","id":"toolu_1","name":"TodoWrite","input":{"todos":[…]}}]}}
func FromTranscript(r io.Reader) ([]Item, error) {
	var p player
	lines := bufio.NewReaderSize(r, 64<<10)
	for {
		line, _, err := text.ReadLine(lines, MaxLine)
		if told, ok := errors.AsType[*pawl.Error](err); ok {
			return nil, told
		}
		if err != nil && err != io.EOF {
			return nil, pawl.Errorf(pawl.Unavailable, "the transcript cannot be read: %w", err)
		}
		p.line(line)
		if err == io.EOF {
			break
		}
	}
	return p.end()
}

// record is what a line of a transcript may be, as far as it is about todos.
type record struct {
	Type      string          `json:"type"`
	Subtype   string          `json:"subtype"`
	Data      json.RawMessage `json:"data"`
	Sidechain bool            `json:"isSidechain"` // said by a subagent
	Message   struct {
		Content json.RawMessage `json:"content"` // a text, or blocks
	} `json:"message"`
}

type block struct {
	Type      string `json:"type"`
	ID        string `json:"id"`
	Name      string `json:"name"`
	ToolUseID string `json:"tool_use_id"`
	IsError   bool   `json:"is_error"`
	Input     struct {
		Todos json.RawMessage `json:"todos"`
		Merge bool            `json:"merge"`
	} `json:"input"`
}

type player struct {
	list   List
	before List   // the last call, which may turn out to have failed
	call   string // the id of that call
	seen   bool   // there was a list at all
}

// todosKey is in every line that is about a list.
var todosKey = []byte(`"todos"`)

func (p *player) line(line []byte) {
	if !bytes.Contains(line, todosKey) && (p.call == "" || !bytes.Contains(line, []byte(p.call))) {
		return // nearly always, and not worth a look at the rest of it
	}
	var e record
	if json.Unmarshal(line, &e) != nil || e.Sidechain {
		return
	}
	if e.Type == "system" && e.Subtype == "todos" {
		p.write("", e.Data, false)
		return
	}
	var blocks []block
	if e.Type != "assistant" && e.Type != "user" || json.Unmarshal(e.Message.Content, &blocks) != nil {
		return
	}
	for _, b := range blocks {
		switch {
		case b.Type == "tool_use" && e.Type == "assistant" && writesTodos(b.Name):
			p.write(b.ID, b.Input.Todos, b.Input.Merge)
		case b.Type == "tool_result" && b.IsError && b.ToolUseID == p.call && p.call != "":
			p.list, p.call = p.before, ""
		}
	}
}

// writesTodos reports whether a tool replaces the todo list: Claude Code's own,
// and those that a server offers.
func writesTodos(tool string) bool {
	if tool == "TodoWrite" || tool == "todo_write" {
		return true
	}
	server, found := strings.CutSuffix(tool, "__todo_write")
	return found && strings.HasPrefix(server, "mcp__")
}

// write is a write of the transcript. One that cannot be read was refused then,
// too, and left the list as it was.
func (p *player) write(call string, todos json.RawMessage, merge bool) {
	draft, err := Decode(todos, merge)
	if err != nil {
		return
	}
	next := List{Items: CloneItems(p.list.Items)}
	if _, err := next.write(draft, Writing{Merge: merge}, time.Time{}); err != nil {
		return
	}
	next.Past, next.Before = nil, nil // they grow with each write, and nobody asks for them
	p.before, p.list, p.call, p.seen = p.list, next, call, true
}

func (p *player) end() ([]Item, error) {
	switch {
	case !p.seen:
		return nil, pawl.Errorf(pawl.NotFound, "the transcript has no todo list: neither a line of todos nor a call of a todo tool")
	case len(p.list.Items) == 0:
		return nil, pawl.Errorf(pawl.NotFound, "the list that the transcript ends with has nothing left to do")
	}
	return p.list.Items, nil
}
