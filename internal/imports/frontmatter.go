package imports

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/plan"
)

// A Front is a Markdown file with fields above its text, between two lines of
// three dashes. The fields are only nearly YAML: an unquoted @name would break
// a strict reader, and that the import.
type Front struct {
	Fields []FrontField
	Body   string
}

// A FrontField is a field, as texts: one, or those of its list.
type FrontField struct {
	Name  string
	Texts []string
	List  bool
}

// ParseFront reads such a file; ok is false if it does not begin with fields.
func ParseFront(text string) (f Front, ok bool) {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	start := slices.IndexFunc(lines, func(l string) bool { return strings.TrimSpace(l) != "" })
	if start < 0 || strings.TrimRight(lines[start], " \t") != "---" {
		return f, false
	}
	lines = lines[start+1:]
	end := slices.IndexFunc(lines, func(l string) bool { l = strings.TrimRight(l, " \t"); return l == "---" || l == "..." })
	if end < 0 {
		return f, false
	}
	return Front{parseFields(lines[:end]), strings.Join(lines[end+1:], "\n")}, true
}

// ParseFields reads a file of such fields alone.
func ParseFields(text string) Front {
	return Front{Fields: parseFields(strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n"))}
}

func parseFields(lines []string) []FrontField {
	var fields []FrontField
	for i := 0; i < len(lines); {
		line := lines[i]
		name, value, ok := strings.Cut(line, ":")
		if !ok || name == "" || name != strings.TrimLeft(name, " \t-#") || value != "" && value[0] != ' ' && value[0] != '\t' {
			i++
			continue
		}
		next := i + 1
		for next < len(lines) && more(lines[next]) {
			next++
		}
		field := FrontField{Name: unquote(strings.TrimSpace(name))}
		field.read(uncomment(strings.TrimSpace(value)), lines[i+1:next])
		fields = append(fields, field)
		i = next
	}
	return fields
}

// more reports whether a line goes on with the value of the field above.
func more(line string) bool {
	return strings.TrimSpace(line) == "" || line[0] == ' ' || line[0] == '\t' || line == "-" || strings.HasPrefix(line, "- ")
}

// read reads a value: what stands behind the colon, and the lines below.
func (f *FrontField) read(value string, below []string) {
	for len(below) > 0 && strings.TrimSpace(below[len(below)-1]) == "" {
		below = below[:len(below)-1]
	}
	switch {
	case strings.HasPrefix(value, "|") || strings.HasPrefix(value, ">"):
		by := "\n"
		if value[0] == '>' {
			by = " "
		}
		f.Texts = []string{strings.Join(plan.Dedent(below), by)}
	case strings.HasPrefix(value, "["):
		f.Texts, f.List = flow(folded(value, below)), true
	case value != "" && value != "~" && value != "null":
		f.Texts = []string{unquote(folded(value, below))} // a plain text goes on, indented
	default:
		f.block(below)
	}
}

func folded(value string, below []string) string {
	var b strings.Builder
	b.WriteString(value)
	for _, l := range below {
		b.WriteByte(' ')
		b.WriteString(strings.TrimSpace(l))
	}
	return b.String()
}

// block reads a list below its name, or keeps what is not a list of texts.
func (f *FrontField) block(below []string) {
	var texts []string
	for _, l := range plan.Dedent(below) {
		item, dash := strings.CutPrefix(l, "-")
		name, _, pair := strings.Cut(item, ": ")
		switch {
		case strings.TrimSpace(l) == "" || strings.HasPrefix(l, "#"):
		case !dash || pair && !strings.ContainsAny(strings.TrimSpace(name), " \"'"):
			f.Texts = []string{strings.Join(plan.Dedent(below), "\n")} // more than a list of texts is as it is written
			return
		default:
			texts = append(texts, unquote(uncomment(strings.TrimSpace(item))))
		}
	}
	f.Texts, f.List = texts, len(texts) > 0
}

func flow(s string) []string {
	s = strings.TrimSuffix(strings.TrimPrefix(s, "["), "]")
	var all []string
	var quote byte
	from := 0
	add := func(to int) {
		if item := strings.TrimSpace(s[from:to]); item != "" {
			all = append(all, unquote(item))
		}
		from = to + 1
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote == '"' && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && strings.TrimSpace(s[from:i]) == "":
			quote = c
		case c == ',':
			add(i)
		}
	}
	if from <= len(s) {
		add(len(s))
	}
	return all
}

func uncomment(s string) string {
	if s == "" || s[0] == '"' || s[0] == '\'' {
		return s
	}
	if s[0] == '#' {
		return ""
	}
	if i := strings.Index(s, " #"); i >= 0 {
		return strings.TrimSpace(s[:i])
	}
	return s
}

func unquote(s string) string {
	if len(s) < 2 || s[0] != s[len(s)-1] {
		return s
	}
	switch s[0] {
	case '\'':
		return strings.ReplaceAll(s[1:len(s)-1], "''", "'")
	case '"':
		if u, err := strconv.Unquote(s); err == nil {
			return u
		}
		var u string
		if json.Unmarshal([]byte(s), &u) == nil {
			return u
		}
		return s[1 : len(s)-1]
	}
	return s
}

// Get is the field with a name; of several the last.
func (f *Front) Get(name string) FrontField {
	var found FrontField
	for _, field := range f.Fields {
		if field.Name == name {
			found = field
		}
	}
	return found
}

// Text is a field's text, or the first of its list.
func (f *Front) Text(name string) string {
	if field := f.Get(name); len(field.Texts) > 0 {
		return strings.TrimSpace(field.Texts[0])
	}
	return ""
}

// TakeTime reads a time from fields of some names.
func (f *Front) TakeTime(r *Result, t *Task, dst *time.Time, names ...string) {
	for _, name := range names {
		if s := f.Text(name); s != "" && !SetTime(dst, s) {
			t.Keep(name, s)
			r.Change(t, "a time that cannot be read, kept in metadata")
		}
	}
}

// Rest keeps the fields that are not among those taken.
func (f *Front) Rest(t *Task, taken ...string) {
	for _, field := range f.Fields {
		switch {
		case slices.Contains(taken, field.Name) || len(field.Texts) == 0:
		case field.List:
			t.Keep(field.Name, field.Texts)
		default:
			t.Keep(field.Name, field.Texts[0])
		}
	}
}
