package agent

import (
	"encoding/json"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/integrations"
)

// A Place is where an agent is set up: what its files depend on.
type Place struct {
	*Agent
	Scope   Scope
	Root    string // of a project, without links; empty for User
	Profile string // the agent's folder for the user, where a variable names it
	OwnList bool   // every model is to have the program's own todo list: see Config.List
	Command string // how the agent calls us
	OS      string // as runtime.GOOS
	Home    string // of the user, absolute
	Getenv  func(string) string
	Disk    Disk
	Look    func(program string) string // its path, on PATH; empty: it is not there
}

// A Disk is how a plan looks at files that are there.
type Disk interface {
	There(path string) bool
	JSON(path string, at ...string) json.RawMessage // nil: the file or the value is not there
	Tables(path string) [][]string                  // the headers of a file in TOML
}

// Below reports whether the files are those of a project.
func (p Place) Below() bool { return p.Scope == Project || p.Scope == Here }

// Dir is the folder below the user's home, or below the project.
func (p Place) Dir(user, project string) string {
	if p.Below() {
		return filepath.Join(p.Root, filepath.FromSlash(project))
	}
	return filepath.Join(p.Home, filepath.FromSlash(user))
}

// Own is Dir, but for the user the folder that the agent's variable names.
func (p Place) Own(user, project string) string {
	if p.Profile != "" && !p.Below() {
		return p.Profile
	}
	return p.Dir(user, project)
}

// UserConfig is a folder among the user's settings of programs.
func (p Place) UserConfig(name string) string {
	base := p.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(base) {
		base = filepath.Join(p.Home, ".config")
	}
	return filepath.Join(base, name)
}

// Hook is the line of a hook. It is the same in each version: Codex asks for
// trust again when it changes.
func (p Place) Hook(event string) string { return p.Line(p.Shell(), p.HookArgs(event)) }

// HookArgs are the arguments of a hook; event is empty if the payload names it.
func (p Place) HookArgs(event string) string {
	args := "hook --agent " + p.Name
	if event != "" {
		args += " --event " + event
	}
	return args
}

// A Value is an object whose members keep their order.
type Value []any // name, value, name, value

// MarshalJSON writes the members in their order.
func (v Value) MarshalJSON() ([]byte, error) {
	out := []byte("{")
	for i := 0; i < len(v); i += 2 {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(out, Raw(v[i])...), ':')
		out = append(out, Raw(v[i+1])...)
	}
	return append(out, '}'), nil
}

// Raw is a value as JSON. The value is made of texts, numbers and lists.
func Raw(v any) json.RawMessage {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return json.RawMessage(strings.TrimSpace(b.String()))
}

// Server is the entry that most agents have for one over standard input.
func (p Place) Server(first, last Value) Value {
	return slices.Concat(first, Value{"command", p.Command, "args", p.arguments()}, p.environment(), last)
}

func (p Place) arguments() []string {
	if p.Below() && p.Config.Workspace != "" {
		return []string{"mcp", "--project", p.Config.Workspace}
	}
	return []string{"mcp"}
}

// Elsewhere says what an editor does with the server of a user.
func (p Place) Elsewhere() []string {
	if p.Below() {
		return nil
	}
	return []string{"it may start the server outside of the project: if its tasks are not those of the project, run pawl setup " + p.Name + " --here there"}
}

// environment names the variables of ours for programs that hand their servers a
// cleaned environment.
func (p Place) environment() Value {
	if !p.Config.Cleans {
		return nil
	}
	var env Value
	for _, name := range folders {
		if p.Getenv(name) != "" && p.Scope != Project {
			env = append(env, name, "$"+name)
		}
	}
	if env == nil {
		return nil
	}
	return Value{"env", env}
}

// folders are the variables that decide where the user's files are.
var folders = []string{"XDG_STATE_HOME", "XDG_CONFIG_HOME"}

// Member is a piece that is a member of an object, at a path.
func Member(what string, value any, path ...string) Piece {
	return Piece{Kind: KindMember, For: what, Path: path, Value: Raw(value)}
}

// Element is a piece that is an element of a list, at a path.
func Element(what string, value any, path ...string) Piece {
	return Piece{Kind: KindElement, For: what, Path: path, Value: Raw(value)}
}

// Nested are hooks in the form of Claude Code: groups of hooks for each event.
func (p Place) Nested(timeout int, events ...string) (pieces []Piece) {
	for _, event := range events {
		pieces = append(pieces, Group(event, Value{"type", "command", "command", p.Hook(""), "timeout", timeout}))
	}
	return pieces
}

// Group is a group of one hook.
func Group(event string, handler Value) Piece {
	return Element("hooks", Value{"hooks", []Value{handler}}, "hooks", event)
}

// Skill is the file that teaches the agent, in a folder of skills.
func Skill(dir string) File {
	return WholeFile("skill", filepath.Join(dir, "pawl", "SKILL.md"), string(integrations.Skill()))
}

// Shared is the folder of skills that several agents read.
func (p Place) Shared() string { return p.Dir(".agents/skills", ".agents/skills") }

// WholeFile is a file that is ours alone.
func WholeFile(what, name, text string) File {
	return File{name, []Piece{{Kind: KindWhole, For: what, Text: text}}}
}

// Commands are the chat commands, in a folder called pawl.
func Commands(dir string, texts map[string]string) (files []File) {
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		files = append(files, WholeFile("chat commands", filepath.Join(dir, "pawl", name), texts[name]))
	}
	return files
}

// Timeouts of a hook. It ends after a second by itself; this is for a machine
// that does not even start it.
const (
	Seconds = 5    // of programs that count seconds
	Millis  = 5000 // of those that count milliseconds
)

// FormatVersion is the format that a file of hooks says it has.
func FormatVersion() Piece {
	p := Member("hooks", 1, "version")
	p.Frame = true
	return p
}

// Texts are the files of a folder that is part of the program, by their names.
func Texts(folder fs.FS) map[string]string {
	texts := map[string]string{}
	names, _ := fs.Glob(folder, "*")
	for _, name := range names {
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			panic(err) // it is in the program
		}
		texts[name] = string(text)
	}
	return texts
}

// TOMLMark is above a table of ours. There is none at its end: programs that edit
// such files put new tables before the comments at their end, and those are not
// ours.
const TOMLMark = "# pawl: "
