package settings

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/pawl-dev/pawl/internal/jsonc"
	"github.com/pawl-dev/pawl/internal/text"
)

// maxFile is more than anybody writes, and keeps what nests from going deep.
const maxFile = 64 << 10 // see errTooLarge

// A File is a settings file as it was read.
type File struct {
	Scope    Scope
	Path     string
	Exists   bool
	Problems []Problem
	// Shared says that the project's board is shared with other clones, where some
	// settings have another default.
	Shared bool

	values map[string]Value
}

// Get returns what the file says of a key of the table.
func (f *File) Get(key string) (Value, bool) {
	v, ok := f.values[key]
	return v, ok
}

// A Problem is something in a settings file that has no effect.
type Problem struct {
	File   string `json:"file"`             // its path
	Line   int    `json:"line,omitempty"`   // from 1; absent: the whole file
	Column int    `json:"column,omitempty"` // in characters, from 1
	Key    string `json:"key,omitempty"`    // what it is about
	Text   string `json:"text"`             // continues after the key, or after the file's name
	Error  bool   `json:"error"`            // true: it means nothing; false: only this version does not know it
}

// String is the problem as an editor finds its way to it:
//
//	.tasks/pawl.jsonc:3:12: lease must be a duration such as "15m", from 1s to 7d
func (p Problem) String() string {
	text := p.File
	if p.Line > 0 {
		text += fmt.Sprintf(":%d:%d", p.Line, p.Column)
	}
	text += ":"
	if p.Key != "" {
		text += " " + p.Key
	}
	return text + " " + p.Text
}

// Read reads the file of a scope. Its faults are in Problems; a missing file sets
// nothing.
func Read(scope Scope, path string) *File {
	f := &File{Scope: scope, Path: path}
	text, err := readFile(path, scope != Project)
	if err != nil {
		if f.Exists = !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR); f.Exists {
			f.problem(Problem{Text: "cannot be read: " + reason(err), Error: true})
		}
		return f
	}
	return Parse(scope, path, text)
}

// Parse is Read of a file with that text.
func Parse(scope Scope, path string, text []byte) *File {
	f := &File{Scope: scope, Path: path, Exists: true}
	f.parse(text)
	return f
}

// reason is an error without the path, which is told already.
func reason(err error) string {
	if errors.Is(err, syscall.ELOOP) {
		return "it is a symbolic link"
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return err.Error()
}

var (
	errIrregular = errors.New("it is not a regular file")
	errTooLarge  = errors.New("it is larger than 64 KiB")
)

// readFile reads a file that may be anything. In a project a link is not
// followed: it may have come from elsewhere. A user's may be kept in another
// place, as people do who version their settings.
func readFile(path string, links bool) ([]byte, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|openFlags(links), 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errIrregular
	}
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = errTooLarge
	}
	return text, err
}

// mostProblems are told of one file: it may be made to fill a screen, or an
// agent's context, with its keys.
const mostProblems = 10

func (f *File) problem(p Problem) {
	p.File = f.Path
	switch n := len(f.Problems); {
	case n < mostProblems:
		f.Problems = append(f.Problems, p)
	case n == mostProblems:
		f.Problems = append(f.Problems, Problem{File: f.Path, Text: "has more problems, not shown here", Error: p.Error})
	default:
		last := &f.Problems[n-1]
		last.Error = last.Error || p.Error
	}
}

// parse takes the values out of a file's text.
func (f *File) parse(content []byte) {
	d, fault := parse(content)
	if fault != nil {
		f.problem(*fault)
		return
	}
	f.values = map[string]Value{}
	d.each(func(m member) {
		line, column := d.At(m.name().StartOffset)
		p := Problem{Line: line, Column: column, Key: text.Clip(m.key, 60)}
		s := m.setting()
		switch {
		case s == nil:
			if m.key == "$schema" { // of an editor
				return
			}
			p.Text = "is not a setting that this pawl knows"
			if was := former[m.key]; was != "" {
				p.Text = was
			} else if near := Nearest(m.key); near != "" {
				p.Text += ": " + near + " is"
			}
		case !s.Allows(f.Scope):
			p.Text = fmt.Sprintf("counts only when it is set for the %s, not for the %s", scopes(s.Only), f.Scope)
		default:
			p.Line, p.Column = d.At(m.value().StartOffset)
			value, wrong := s.readAll(m.value())
			for _, fault := range wrong {
				line, column := d.At(fault.at)
				f.problem(Problem{Line: line, Column: column, Key: text.Clip(m.key+fault.path, 80), Text: fault.text, Error: true})
			}
			if len(wrong) > 0 {
				break
			}
			if p.Text = s.misplaced(value, f.Scope); p.Text != "" {
				p.Error = true
				break
			}
			if before, twice := f.values[s.Key]; twice {
				p.Text = fmt.Sprintf("is already set in line %d; this one counts", before.Origin.Line)
			}
			f.values[s.Key] = Value{s, value, Origin{f.Scope, f.Path, p.Line, p.Column}}
		}
		if p.Text != "" {
			f.problem(p)
		}
	})
}

func scopes(list []Scope) string {
	names := make([]string, len(list))
	for i, s := range list {
		names[i] = s.String()
	}
	return strings.Join(names, " or the ")
}

// A document is the text of a settings file as a tree.
type document struct{ *jsonc.Doc }

// parse reads a text as a tree.
func parse(text []byte) (document, *Problem) {
	doc, fault := jsonc.Parse(text)
	if fault != nil {
		return document{}, &Problem{Line: fault.Line, Column: fault.Column, Text: fault.Text, Error: true}
	}
	return document{doc}, nil
}

// A member is a key with its value, at any depth.
type member struct {
	in   *jsonc.Object
	i    int
	path []string // the names that lead to it
	key  string   // the same with dots
}

func (m member) name() *jsonc.Value  { return &m.in.Members[m.i].Name }
func (m member) value() *jsonc.Value { return &m.in.Members[m.i].Value }

// setting is the one that the member is about.
func (m member) setting() *Setting { return Find(m.key) }

// each visits every member that is not a group of others.
func (d document) each(visit func(member)) { eachIn(d.Obj, nil, visit) }

func eachIn(obj *jsonc.Object, path []string, visit func(member)) {
	for i := range obj.Members {
		name := obj.Members[i].Name.Value.(jsonc.Literal).String()
		m := member{in: obj, i: i, path: append(path[:len(path):len(path)], name)}
		m.key = strings.Join(m.path, ".")
		if group, ok := m.value().Value.(*jsonc.Object); ok && isGroup(m.key) {
			eachIn(group, m.path, visit)
			continue
		}
		visit(m)
	}
}
