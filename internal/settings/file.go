package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/tailscale/hujson"

	"github.com/pawl-dev/pawl/internal/view"
)

// maxFile is more than anybody writes, and keeps what nests from going deep.
const maxFile = 64 << 10 // see errTooLarge

// A File is a settings file as it was read.
type File struct {
	Scope    Scope
	Path     string
	Exists   bool
	Problems []Problem

	values map[string]Value
}

// Get returns what the file says of a key of the table.
func (f *File) Get(key string) (Value, bool) {
	v, ok := f.values[key]
	return v, ok
}

// A Problem is something in a settings file that has no effect.
type Problem struct {
	File   string
	Line   int // from 1; 0: the file as a whole
	Column int // in characters, from 1
	Key    string
	Text   string // goes on where the key, or the file's name, stands
	Error  bool   // it cannot mean anything; else it is only unknown here
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

// Read reads the file of a scope. Whatever is wrong with it is in Problems; one
// that is not there says nothing.
func Read(scope Scope, path string) *File {
	f := &File{Scope: scope, Path: path}
	text, err := readFile(path, scope != Project)
	if err != nil {
		if f.Exists = !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR); f.Exists {
			f.problem(Problem{Text: "cannot be read: " + reason(err), Error: true})
		}
		return f
	}
	f.Exists = true
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
		f.Problems = append(f.Problems, Problem{File: f.Path, Text: "has more that is not told here", Error: p.Error})
	default:
		last := &f.Problems[n-1]
		last.Error = last.Error || p.Error
	}
}

// parse takes the values out of a file's text.
func (f *File) parse(text []byte) {
	d, fault := parse(text)
	if fault != nil {
		f.problem(*fault)
		return
	}
	f.values = map[string]Value{}
	d.each(func(m member) {
		line, column := d.at(m.name().StartOffset)
		p := Problem{Line: line, Column: column, Key: view.Clip(m.key, 60)}
		s := m.setting()
		switch {
		case s == nil:
			if m.key == "$schema" { // of an editor
				return
			}
			p.Text = "is no setting that this pawl knows"
			if near := Nearest(m.key); near != "" {
				p.Text += ": " + near + " is"
			}
		case !s.Allows(f.Scope):
			p.Text = fmt.Sprintf("counts only when it is set for the %s, not for the %s", scopes(s.Only), f.Scope)
		default:
			p.Line, p.Column = d.at(m.value().StartOffset)
			value, ok := s.read(m.value().Value)
			if !ok {
				p.Text, p.Error = s.Wants(), true
				break
			}
			if before, twice := f.values[s.Key]; twice {
				p.Text = fmt.Sprintf("was said in line %d already; this one counts", before.Origin.Line)
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
type document struct {
	text []byte // without the byte order mark
	mark bool   // there was one
	root hujson.Value
	obj  *hujson.Object
}

const (
	byteOrderMark = "\xef\xbb\xbf" // which some editors put first
	emptyObject   = "\n{}\n"
)

// parse reads a text as a tree. One with nothing in it but comments is an empty
// object.
func parse(text []byte) (*document, *Problem) {
	d := &document{text: text}
	if d.mark = bytes.HasPrefix(text, []byte(byteOrderMark)); d.mark {
		d.text = text[len(byteOrderMark):]
	}
	if !utf8.Valid(d.text) {
		line, column := d.at(invalidAt(d.text))
		return nil, &Problem{Line: line, Column: column, Text: "is not valid UTF-8 here", Error: true}
	}
	var err error
	d.root, err = hujson.Parse(d.text)
	if err != nil && d.root.Value == nil {
		blank := append(bytes.Clone(d.text), emptyObject...)
		if root, again := hujson.Parse(blank); again == nil && len(root.BeforeExtra) >= len(d.text) {
			d.text, d.root, err = blank, root, nil
		}
	}
	if err != nil {
		return nil, d.fault(err)
	}
	obj, ok := d.root.Value.(*hujson.Object)
	if !ok {
		line, column := d.at(d.root.StartOffset)
		return nil, &Problem{Line: line, Column: column, Text: "must hold an object: { … }", Error: true}
	}
	d.obj = obj
	return d, nil
}

func invalidAt(text []byte) int {
	n := 0
	for n < len(text) {
		r, size := utf8.DecodeRune(text[n:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		n += size
	}
	return n
}

// fault puts a parser's error in our form. It counts bytes.
//
//	hujson: line 3, column 5: invalid character '}' at start of value
func (d *document) fault(err error) *Problem {
	p := &Problem{Text: "is not JSON: " + view.Clip(err.Error(), 120), Error: true}
	var line, column int
	if n, _ := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &line, &column); n != 2 {
		return p
	}
	start := 0
	for range line - 1 {
		start += bytes.IndexByte(d.text[start:], '\n') + 1
	}
	p.Line, p.Column = d.at(start + column - 1)
	_, what, _ := strings.Cut(err.Error(), ": ")
	_, what, _ = strings.Cut(what, ": ")
	p.Text = "is not JSON from here on: " + view.Clip(what, 80)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		p.Text = "ends in the middle of something"
	}
	return p
}

// at is the line and the column of an offset.
func (d *document) at(offset int) (line, column int) {
	before := d.text[:min(offset, len(d.text))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[start:]) + 1
}

// A member is a key with its value, at any depth.
type member struct {
	in   *hujson.Object
	i    int
	path []string // the names that lead to it
	key  string   // the same with dots
}

func (m member) name() *hujson.Value  { return &m.in.Members[m.i].Name }
func (m member) value() *hujson.Value { return &m.in.Members[m.i].Value }

// setting is the one that the member is about. With an object for its value
// "continuation" is none, but the beginning of others' keys.
func (m member) setting() *Setting { return Find(m.key) }

// each visits every member that is not a group of others.
func (d *document) each(visit func(member)) { eachIn(d.obj, nil, visit) }

func eachIn(obj *hujson.Object, path []string, visit func(member)) {
	for i := range obj.Members {
		name := obj.Members[i].Name.Value.(hujson.Literal).String()
		m := member{in: obj, i: i, path: append(path[:len(path):len(path)], name)}
		m.key = strings.Join(m.path, ".")
		if group, ok := m.value().Value.(*hujson.Object); ok && isGroup(m.key) {
			eachIn(group, m.path, visit)
			continue
		}
		visit(m)
	}
}
