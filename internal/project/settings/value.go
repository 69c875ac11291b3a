package settings

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/jsonc"
	"github.com/pawl-dev/pawl/internal/text"
)

// A Value is the value of a setting, and where it was set.
type Value struct {
	Setting *Setting
	Is      any // bool, int, time.Duration, string, []pawl.CheckRule, Argv, PathList, OwnAgents, Times or Budget
	Origin  Origin
}

// Origin is where a value was set. Only a file has a line and a column.
type Origin struct {
	Scope  Scope
	File   string
	Line   int
	Column int // in characters
}

// String writes the value as config set takes it.
func (v Value) String() string { return format(v.Is) }

func format(value any) string {
	switch value := value.(type) {
	case time.Duration:
		return text.FormatDuration(value)
	case []pawl.CheckRule:
		if len(value) == 0 {
			return ""
		}
		list, _ := pawl.Encode(value) // rules that were read always encode
		return string(list)
	}
	return fmt.Sprint(value)
}

// JSON is the value as a settings file and an envelope spell it.
func (v Value) JSON() any {
	switch is := v.Is.(type) {
	case time.Duration:
		return text.FormatDuration(is)
	case []pawl.CheckRule:
		return append([]pawl.CheckRule{}, is...) // never null
	case PathList:
		return append(PathList{}, is...)
	case Argv:
		return append(Argv{}, is...)
	case OwnAgents:
		return is.entries()
	case Times, Budget:
		return v.String()
	}
	return v.Is
}

// literal is the value as a file has it: as JSON, but a command in one line if it can be.
func literal(value any) jsonc.ValueTrimmed {
	if command, is := value.(Argv); is && !strings.HasPrefix(command.String(), "[") {
		return jsonc.String(command.String())
	}
	text, _ := pawl.Encode(Value{Is: value}.JSON()) // what was read always encodes
	doc, fault := jsonc.Parse([]byte(`{"value": ` + string(text) + `}`))
	if fault != nil {
		return jsonc.Literal("null")
	}
	return doc.Obj.Members[0].Value.Value
}

// Parse reads a value as a person types it.
func (s *Setting) Parse(words string) (any, error) {
	if s.Type == Bool || s.Switch {
		switch strings.ToLower(words) {
		case "on", "yes":
			words = "true"
		case "off", "no":
			words = "false"
		}
	}
	if s.Type.listed() {
		return s.parseListed(words)
	}
	value, ok := s.parse(words)
	if !ok || s.Type == BudgetOf && words == "" { // a shell makes nothing of "$2"
		said := ""
		if s.Type != Folder { // which may hold a password
			said = fmt.Sprintf(", not %q", text.Clip(words, 60))
		}
		return nil, pawl.Errorf(pawl.Invalid, "%s %s%s", s.Key, s.Wants(), said).Say("pawl config explain " + s.Key)
	}
	return value, nil
}

func (s *Setting) parse(words string) (any, bool) {
	switch s.Type {
	case Bool:
		return words == "true", words == "true" || words == "false"
	case Int:
		switch {
		case s.Switch && words == "true":
			words = s.Default
		case s.Switch && words == "false":
			words = "0"
		}
		n, err := strconv.Atoi(words)
		return n, err == nil && int64(n) >= s.Min && int64(n) <= s.Max
	case Duration:
		d, err := text.ParseDuration(words)
		in := d >= time.Duration(s.Min)*time.Second && d <= time.Duration(s.Max)*time.Second
		return d, err == nil && (d == 0 && s.Zero != "" || d != 0 && in)
	case Choice:
		for _, word := range s.Words {
			if words == word {
				return word, true
			}
		}
		return nil, false
	case AgentName:
		return words, words == "" || isName(words)
	case Command, Paths, Agents:
		value, wrong := s.typed(words)
		return value, len(wrong) == 0
	case TimesOf:
		return s.times(words)
	case BudgetOf:
		return budget(words)
	case Checks:
		if words == "" {
			return []pawl.CheckRule(nil), true
		}
		if !strings.HasPrefix(words, "[") {
			c, err := pawl.ParseCheck(words)
			return []pawl.CheckRule{{Check: c}}, err == nil
		}
		rules, err := pawl.ParseRules([]byte(words))
		return rules, err == nil && len(rules) > 0
	default:
		return words, isFolder(words) || isAddress(words)
	}
}

// readAll takes a value from a file, and tells all that is wrong with it.
func (s *Setting) readAll(v *jsonc.Value) (any, faults) {
	if s.Type.listed() {
		return s.tree(v)
	}
	value, ok := s.read(v.Value)
	if !ok {
		return nil, faults{{at: v.StartOffset, text: s.Wants()}}
	}
	return value, nil
}

// read takes a value from a file, where its JSON type must fit, too.
func (s *Setting) read(value jsonc.ValueTrimmed) (any, bool) {
	if s.Type == Checks {
		list := jsonc.Value{Value: value}
		list = list.Clone()
		list.Standardize()
		rules, err := pawl.ParseRules(list.Pack())
		return rules, err == nil
	}
	text, ok := value.(jsonc.Literal)
	if !ok {
		return nil, false
	}
	quoted := text.Kind() == '"'
	if bare := s.Type == Int || s.Type == Bool; quoted == bare {
		return nil, false
	}
	return s.parse(text.String())
}

// Wants says what a value must be: "must be a whole number from 0 to 100". It
// goes on where the key stands.
func (s *Setting) Wants() string {
	switch s.Type {
	case Bool:
		return "must be true or false"
	case Int:
		text := fmt.Sprintf("must be a whole number from %d to %d", s.Min, s.Max)
		if s.Switch {
			text += ", true, or false: 0"
		}
		return text
	case TimesOf:
		return fmt.Sprintf("must be durations such as %q, each from 1s to %s, or 0: never", s.Default, text.FormatDuration(longest))
	case BudgetOf:
		return "must be dollars or model tokens such as '$2, task $5, run $20' or '500000 tokens, run 4000000 tokens'"
	case Duration:
		text := fmt.Sprintf("must be a duration such as %q, from %s to %s", s.Default, text.FormatDuration(time.Duration(s.Min)*time.Second), text.FormatDuration(time.Duration(s.Max)*time.Second))
		if s.Zero != "" && s.Min > 0 {
			text += ", or \"0\": " + s.Zero
		}
		return text
	case Choice:
		last := len(s.Words) - 1
		return fmt.Sprintf("must be \"%s\" or %q", strings.Join(s.Words[:last], "\", \""), s.Words[last])
	case AgentName:
		return "must be a name with small letters, digits, - and _"
	case Command:
		return "must be a command: a text such as \"npm ci\", or a list of its words"
	case Paths:
		return "must be a list of paths inside the project, such as [\".env\"]"
	case Agents:
		return "must be an object of agents, such as {\"mine\": {\"command\": [\"my-agent\", \"--print\"]}}, as docs/settings.md has them"
	case Checks:
		return "must be a list of commands, each a text such as \"tests: go test ./...\" or an object with name and run, as docs/checks.md has them"
	default:
		return "must be a folder, absolute or relative to the project, or an address such as \"https://host/boards/name\", for the user also \"postgres://host/database?board=name\", without ~ or a password"
	}
}

// isAddress reports whether a text is where a server or a database keeps a board. It has
// no password, which never belongs into a file that goes from clone to clone.
func isAddress(text string) bool {
	if !address.Is(text) {
		return false
	}
	_, err := address.Parse(text)
	return err == nil
}

// misplaced says why a value must not stand in a scope; empty: it may. A database is
// named by the user alone, because a project's file may come from anybody.
func (s *Setting) misplaced(value any, scope Scope) string {
	if text, ok := value.(string); ok && s.Type == Folder && scope != User && address.IsDatabase(text) {
		return "must not name a database here: a project's board is in a folder, or on a server at https://…"
	}
	return ""
}

// Place refuses a value that must not stand in a scope.
func (s *Setting) Place(value any, scope Scope) error {
	why := s.misplaced(value, scope)
	if why == "" {
		return nil
	}
	return pawl.Errorf(pawl.Invalid, "%s %s", s.Key, why).
		Say("for your own projects without a board: pawl config set board ADDRESS --user")
}

// isFolder reports whether a text can be the path of a folder, without a name and a
// password before it.
func isFolder(text string) bool {
	if text == "" || len(text) > maxPath || !utf8.ValidString(text) || strings.TrimSpace(text) != text || strings.ContainsFunc(text, unicode.IsControl) {
		return false
	}
	if address.Is(text) || text[0] == '~' || path.Clean(text) == "." {
		return false
	}
	login, _, found := strings.Cut(text, "@")
	return !found || !strings.Contains(login, ":")
}

// maxPath is what systems take.
const maxPath = 4096
