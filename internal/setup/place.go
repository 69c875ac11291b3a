package setup

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
)

// A place is where an agent is set up: what its files depend on.
type place struct {
	Setup
	getenv func(string) string
	os     string // as runtime.GOOS
	home   string
}

// dir is the folder below the user's home, or below the project.
func (p place) dir(user, project string) string {
	if p.Scope == Project {
		return filepath.Join(p.Root, filepath.FromSlash(project))
	}
	return filepath.Join(p.home, filepath.FromSlash(user))
}

// own is dir, but for the user the folder that the agent's variable names.
func (p place) own(user, project string) string {
	if p.Profile != "" {
		return p.Profile
	}
	return p.dir(user, project)
}

// config is a folder among the user's settings of programs.
func (p place) config(name string) string {
	base := p.getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(base) {
		base = filepath.Join(p.home, ".config")
	}
	return filepath.Join(base, name)
}

// hook is the line of a hook. It is the same in each version: Codex asks for
// trust again when it changes.
func (p place) hook(event string) string { return p.line(p.shell(), p.hookArgs(event)) }

func (p place) hookArgs(event string) string {
	args := "hook --agent " + p.Agent
	if event != "" {
		args += " --event " + event
	}
	return args
}

// A value is an object whose members keep their order.
type value []any // name, value, name, value

func (v value) MarshalJSON() ([]byte, error) {
	out := []byte("{")
	for i := 0; i < len(v); i += 2 {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(out, raw(v[i])...), ':')
		out = append(out, raw(v[i+1])...)
	}
	return append(out, '}'), nil
}

// raw is a value as JSON. What is given is made of texts, numbers and lists.
func raw(v any) json.RawMessage {
	if members, ok := v.(value); ok {
		text, _ := members.MarshalJSON()
		return text
	}
	if list, ok := v.([]value); ok {
		out := []byte("[")
		for i, e := range list {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, raw(e)...)
		}
		return append(out, ']')
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return json.RawMessage(strings.TrimSpace(b.String()))
}

// server is the entry that most agents have for one over standard input.
func (p place) server(first, last value) value {
	return slices.Concat(first, value{"command", p.Command, "args", p.arguments()}, p.environment(), last)
}

// arguments are those of the server. Editors do not start it in the project.
func (p place) arguments() []string {
	if p.Scope == Project && (p.Agent == "vscode" || p.Agent == "cursor") {
		return []string{"mcp", "--project", "${workspaceFolder}"}
	}
	return []string{"mcp"}
}

// elsewhere says what an editor does with the server of a user.
func (p place) elsewhere() []string {
	if p.Scope == Project {
		return nil
	}
	return []string{"it may start the server outside of the project: where its tasks are not those of the project, pawl setup " + p.Agent + " --project there"}
}

// environment names the variables of ours for agents that hand their servers a
// cleaned environment: server and hooks must look into the same folders.
func (p place) environment() value {
	if p.Agent != "gemini" && p.Agent != "llxprt" {
		return nil
	}
	var env value
	for _, name := range folders {
		if p.getenv(name) != "" && p.Scope == User {
			env = append(env, name, "$"+name)
		}
	}
	if env == nil {
		return nil
	}
	return value{"env", env}
}

// folders are the variables that decide where the user's files are.
var folders = []string{"XDG_STATE_HOME", "XDG_CONFIG_HOME"}

func member(what string, value any, path ...string) Piece {
	return Piece{Kind: Member, For: what, Path: path, Value: raw(value)}
}

func element(what string, value any, path ...string) Piece {
	return Piece{Kind: Element, For: what, Path: path, Value: raw(value)}
}

// nested are hooks in the form of Claude Code: groups of hooks for each event.
func (p place) nested(timeout int, events ...string) (pieces []Piece) {
	for _, event := range events {
		handler := value{"type", "command", "command", p.hook("")}
		if p.Agent == "codex" && p.Scope == Project {
			handler = value{"type", "command", "command", p.line(posix, p.hookArgs("")), "commandWindows", p.line(cmd, p.hookArgs(""))}
		}
		handler = append(handler, "timeout", timeout)
		pieces = append(pieces, element("hooks", value{"hooks", []value{handler}}, "hooks", event))
	}
	return pieces
}

// skill is the file that teaches the agent, in a folder of skills.
func skill(dir string) File {
	return whole("skill", filepath.Join(dir, "pawl", "SKILL.md"), skillText())
}

// shared is the folder of skills that several agents read.
func (p place) shared() string { return p.dir(".agents/skills", ".agents/skills") }

func whole(what, name, text string) File {
	return File{name, []Piece{{Kind: Whole, For: what, Text: text}}}
}

// commands are the chat commands, in a folder called pawl.
func commands(dir string, texts map[string]string) (files []File) {
	names := make([]string, 0, len(texts))
	for name := range texts {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		files = append(files, whole("chat commands", filepath.Join(dir, "pawl", name), texts[name]))
	}
	return files
}

// Timeouts of a hook. It ends after a second by itself; this is for a machine
// that does not even start it.
const (
	seconds = 5
	millis  = 5000
	// Codex warns at each start of more than that for some events.
	codexSeconds = 3
)
