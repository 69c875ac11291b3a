package settings

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/jsonc"
	"github.com/pawl-dev/pawl/internal/text"
)

// An Argv is a program and its arguments, which no shell reads. None is nil.
type Argv []string

// A PathList is paths inside a project, with slashes. None is nil.
type PathList []string

// mostPaths is far more than a project keeps out of git and needs in each work tree.
const mostPaths = 50

// A fault is one thing that is wrong in a value: where in the file, where in the value,
// and what goes on there: "must be a text".
type fault struct {
	at         int
	path, text string
}

// faults are all that is wrong in a value.
type faults []fault

func (f *faults) add(at *jsonc.Value, path, format string, args ...any) {
	*f = append(*f, fault{at.StartOffset, path, fmt.Sprintf(format, args...)})
}

// listed reports whether values of the type are lists or objects, which read tells all
// faults of at once.
func (t Type) listed() bool { return t == Command || t == Paths || t == Agents }

// tree reads a value that is a list or an object.
func (s *Setting) tree(v *jsonc.Value) (any, faults) {
	var f faults
	switch s.Type {
	case Command:
		value := f.command(v, "")
		return value, f
	case Paths:
		value := f.paths(v)
		return value, f
	default:
		value := f.agents(v)
		return value, f
	}
}

// typed reads such a value as a person types it: JSON, or a command or one path as it is.
func (s *Setting) typed(words string) (any, faults) {
	plain := s.Type != Agents && !strings.HasPrefix(words, "[")
	switch {
	case words == "" && s.Type == Agents:
		words = "{}"
	case words == "" && s.Type == Paths:
		words = "[]"
	case plain && s.Type == Paths:
		words = "[" + string(jsonc.String(words)) + "]"
	case plain:
		words = string(jsonc.String(words))
	}
	doc, wrong := jsonc.Parse([]byte(`{"value": ` + words + "\n}"))
	if wrong != nil || len(doc.Obj.Members) != 1 {
		return nil, faults{{text: s.Wants()}}
	}
	return s.tree(&doc.Obj.Members[0].Value)
}

// parseListed is Parse for such a value.
func (s *Setting) parseListed(words string) (any, error) {
	value, wrong := s.typed(words)
	if len(wrong) == 0 {
		return value, nil
	}
	e := pawl.Errorf(pawl.Invalid, "%s%s %s", s.Key, wrong[0].path, wrong[0].text)
	if len(wrong) > 1 {
		e.Message = s.Key + " has " + text.Count(len(wrong), "fault", "faults")
		for _, f := range wrong {
			e.Faults = append(e.Faults, pawl.Fault{Path: s.Key + f.path, Problem: f.text})
		}
	}
	e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "pawl config explain " + s.Key}
	return nil, e
}

// command reads a command: a text, whose words are split as those of a check, or the list
// of its words. An empty one is none.
func (f *faults) command(v *jsonc.Value, at string) Argv {
	var check pawl.Check
	switch value := v.Value.(type) {
	case jsonc.Literal:
		line := strings.TrimSpace(value.String())
		if value.Kind() != '"' {
			f.add(v, at, "must be a command: a text such as \"npm ci\", or a list of its words")
			return nil
		}
		if line == "" {
			return nil
		}
		var err error
		if check, err = pawl.ParseCheck(line); err != nil {
			f.add(v, at, "cannot run: %s", why(err))
			return nil
		}
		if check.Name != pawl.CheckName(check.Run) {
			f.add(v, at, "must be a command without a name before it")
			return nil
		}
	case *jsonc.Array:
		check.Run = f.texts(v, at)
		if len(check.Run) != len(value.Elements) || len(check.Run) == 0 {
			return nil
		}
		check.Name = pawl.CheckName(check.Run)
		if wrong := check.Valid(); len(wrong) > 0 {
			f.add(v, at, "cannot run: %s", wrong[0])
			return nil
		}
	default:
		f.add(v, at, "must be a command: a text such as \"npm ci\", or a list of its words")
		return nil
	}
	return check.Run
}

// why is what an error says, with its first fault.
func why(err error) string {
	if e, ok := err.(*pawl.Error); ok && len(e.Faults) > 0 {
		return e.Faults[0].String()
	}
	return err.Error()
}

// texts reads a list of texts. It reports and leaves out an element that is not a text.
func (f *faults) texts(v *jsonc.Value, at string) []string {
	list, ok := v.Value.(*jsonc.Array)
	if !ok {
		f.add(v, at, "must be a list of texts")
		return nil
	}
	var all []string
	for i := range list.Elements {
		word, ok := list.Elements[i].Value.(jsonc.Literal)
		if !ok || word.Kind() != '"' {
			f.add(&list.Elements[i], fmt.Sprintf("%s[%d]", at, i), "must be a text")
			continue
		}
		all = append(all, word.String())
	}
	return all
}

// paths reads a list of paths inside the project.
func (f *faults) paths(v *jsonc.Value) PathList {
	list, ok := v.Value.(*jsonc.Array)
	if !ok {
		f.add(v, "", "must be a list of paths inside the project, such as [\".env\"]")
		return nil
	}
	if len(list.Elements) > mostPaths {
		f.add(v, "", "has %d paths; the most is %d", len(list.Elements), mostPaths)
		return nil
	}
	var all PathList
	for i, at := range list.Elements {
		word, _ := at.Value.(jsonc.Literal)
		switch p := word.String(); {
		case word.Kind() != '"':
			f.add(&at, fmt.Sprintf("[%d]", i), "must be a text")
		case !isInside(p):
			f.add(&at, fmt.Sprintf("[%d]", i), "must be a path inside the project with slashes, such as \"web/.env\", and no part of .git")
		case slices.Contains(all, p):
			f.add(&at, fmt.Sprintf("[%d]", i), "is there twice")
		default:
			all = append(all, p)
		}
	}
	return all
}

// isInside reports whether a text is the path of something inside a folder on each
// system: relative, clean, and no part of what git keeps there.
func isInside(p string) bool {
	if p == "" || p == "." || len(p) > maxPath || p != path.Clean(p) || path.IsAbs(p) || strings.TrimSpace(p) != p {
		return false
	}
	if strings.ContainsAny(p, `\:`) || strings.ContainsFunc(p, unicode.IsControl) {
		return false
	}
	for part := range strings.SplitSeq(p, "/") {
		plain := strings.ToLower(strings.TrimRight(part, ". ")) // as Windows reads it
		if plain == "" || plain == ".git" || strings.HasPrefix(plain, "git~") {
			return false
		}
	}
	return true
}

// String is the command as a person types it: in one line, or as a list if no line says
// the same.
func (a Argv) String() string {
	if len(a) == 0 {
		return ""
	}
	check := pawl.Check{Run: a}
	line := check.Command()
	again, err := pawl.ParseCheck(line)
	if err == nil && slices.Equal(again.Run, a) && again.Name == pawl.CheckName(a) && !strings.HasPrefix(line, "[") {
		return line
	}
	return encode([]string(a))
}

func (p PathList) String() string {
	if len(p) == 0 {
		return ""
	}
	return encode([]string(p))
}

// encode is a value that can always be written, as JSON.
func encode(v any) string {
	written, _ := json.Marshal(v)
	return string(written)
}

// isName reports whether a text can name an agent.
func isName(name string) bool {
	return name != "" && len(name) <= 40 && name[0] != '-' && !strings.ContainsFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_'
	})
}

// quoted is a text for a message.
func quoted(s string) string { return fmt.Sprintf("%q", text.Clip(s, 60)) }
