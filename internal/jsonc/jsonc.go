// Package jsonc reads and edits JSON that people keep: with comments, commas
// behind the last element, a byte order mark, any indentation.
//
//	doc, fault := jsonc.Parse(text)                     // fault: what is wrong, and where
//	text, err := jsonc.Put(text, path, value)           // a member; the rest of the text stays
//	text, err := jsonc.Append(text, path, value)        // an element
//	text, err := jsonc.Remove(text, path)
//
// Only this package imports the parser, hujson, and it keeps the names of hujson's
// types.
package jsonc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"

	"github.com/pawl-dev/pawl/internal/text"
)

// The tree of a text, as the library has it.
type (
	Value        = hujson.Value
	ValueTrimmed = hujson.ValueTrimmed
	Object       = hujson.Object
	ObjectMember = hujson.ObjectMember
	Array        = hujson.Array
	Literal      = hujson.Literal
)

// String is a text as a value.
func String(s string) Literal { return hujson.String(s) }

// A Doc is a text as a tree, whose root is an object.
type Doc struct {
	Text []byte // without the byte order mark
	Mark bool   // there was one
	Root Value
	Obj  *Object
}

// A Fault says why a text cannot be read. Its place is counted from 1, the column
// in characters.
type Fault struct {
	Line, Column int // 0: the text as a whole
	Text         string
}

func (f *Fault) Error() string {
	if f.Line == 0 {
		return f.Text
	}
	return fmt.Sprintf("%d:%d: it %s", f.Line, f.Column, f.Text)
}

// maxDepth is far more than anybody nests. Each level takes its room on the stack,
// which a file of brackets, of a megabyte, fills.
const maxDepth = 1000

const (
	byteOrderMark = "\xef\xbb\xbf" // which some editors put first
	emptyObject   = "\n{}\n"
)

// Parse reads a text as a tree. One with nothing in it but comments is an empty
// object.
func Parse(text []byte) (*Doc, *Fault) {
	d := &Doc{Text: text}
	if d.Mark = bytes.HasPrefix(text, []byte(byteOrderMark)); d.Mark {
		d.Text = text[len(byteOrderMark):]
	}
	if !utf8.Valid(d.Text) {
		line, column := d.At(invalidAt(d.Text))
		return nil, &Fault{line, column, "is not valid UTF-8 here"}
	}
	if at := tooDeep(d.Text); at >= 0 {
		line, column := d.At(at)
		return nil, &Fault{line, column, fmt.Sprintf("is nested deeper than %d levels", maxDepth)}
	}
	var err error
	d.Root, err = hujson.Parse(d.Text)
	if err != nil && d.Root.Value == nil {
		blank := append(bytes.Clone(d.Text), emptyObject...)
		if root, again := hujson.Parse(blank); again == nil && len(root.BeforeExtra) >= len(d.Text) {
			d.Text, d.Root, err = blank, root, nil
		}
	}
	if err != nil {
		return nil, d.fault(err)
	}
	obj, ok := d.Root.Value.(*Object)
	if !ok {
		line, column := d.At(d.Root.StartOffset)
		return nil, &Fault{line, column, "must hold an object: { … }"}
	}
	d.Obj = obj
	return d, nil
}

// tooDeep is where a text is nested too deep; -1: nowhere.
func tooDeep(text []byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '/':
			end := "\n"
			if bytes.HasPrefix(text[i:], []byte("/*")) {
				end = "*/"
			} else if !bytes.HasPrefix(text[i:], []byte("//")) {
				continue
			}
			n := bytes.Index(text[i+2:], []byte(end))
			if n < 0 {
				return -1
			}
			i += 2 + n + len(end) - 1
		case '[', '{':
			if depth++; depth > maxDepth {
				return i
			}
		case ']', '}':
			depth--
		}
	}
	return -1
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
func (d *Doc) fault(err error) *Fault {
	f := &Fault{Text: "is not JSON: " + text.Clip(err.Error(), 120)}
	var line, column int
	if n, _ := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &line, &column); n != 2 {
		return f
	}
	start := 0
	for range line - 1 {
		start += bytes.IndexByte(d.Text[start:], '\n') + 1
	}
	f.Line, f.Column = d.At(start + column - 1)
	_, what, _ := strings.Cut(err.Error(), ": ")
	_, what, _ = strings.Cut(what, ": ")
	f.Text = "is not JSON from here on: " + text.Clip(what, 80)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		f.Text = "ends in the middle of something"
	}
	return f
}

// At is the line and the column of an offset.
func (d *Doc) At(offset int) (line, column int) {
	before := d.Text[:min(offset, len(d.Text))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[start:]) + 1
}

// Pack is the text of the tree as it is now.
func (d *Doc) Pack() []byte { return d.mark(d.Root.Pack()) }

func (d *Doc) mark(text []byte) []byte {
	if d.Mark {
		text = append([]byte(byteOrderMark), text...)
	}
	return text
}
