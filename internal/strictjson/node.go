package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Node is a value of JSON with what a map would lose: doubled names.
type Node struct {
	Kind   byte   // { [ " 0 t n: object, list, string, number, true or false, null
	Text   string // perhaps a part of the whole text: see Own
	raw    []byte
	Names  []string
	Values []Node // of a list, or of an object under names
}

// Raw is the value as it was written.
func (n Node) Raw() []byte { return n.raw }

// Own is a copy of the text: a substring would keep all of the input in memory.
func (n Node) Own() string { return strings.Clone(n.Text) }

// Twice says of each name of an object whether it came before.
func (n Node) Twice() func(i int) bool {
	if len(n.Names) <= 16 {
		return func(i int) bool { return slices.Contains(n.Names[:i], n.Names[i]) }
	}
	seen := make(map[string]bool, len(n.Names))
	return func(i int) bool {
		was := seen[n.Names[i]]
		seen[n.Names[i]] = true
		return was
	}
}

// Word is the string under a key of an object.
func (n Node) Word(name string) (word string, ok bool) {
	i := slices.Index(n.Names, name)
	if i < 0 || n.Values[i].Kind != '"' {
		return "", false
	}
	return n.Values[i].Text, true
}

// What returns the sort of the value, for a message: "an object".
func (n Node) What() string {
	switch n.Kind {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a text"
	case '0':
		return "a number"
	case 't':
		return "true or false"
	}
	return "null"
}

// quote is a text in quotes, or what else the node is.
func (n Node) quote() string {
	if n.Kind == '"' {
		return Quote(n.Text)
	}
	return n.What()
}

// Quote is a text in quotes, shortened for a message.
func Quote(text string) string { return strconv.Quote(clip(text)) }

// Parse reads one value of JSON, and nothing behind it.
func Parse(text []byte, depth int) (Node, error) {
	if root, ok := scan(text, depth, mostValues); ok {
		return root, nil
	}
	return parseSlowly(text, depth) // to say what is wrong
}

// parseSlowly is parse by package json.
func parseSlowly(text []byte, depth int) (Node, error) {
	if !utf8.Valid(text) {
		return Node{}, errors.New("is not valid UTF-8")
	}
	if Halved(text) {
		return Node{}, errors.New(`is not JSON: a \u escape stands for half a character`)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	p := parser{dec: dec, text: text, depth: depth, left: mostValues}
	root, err := p.node(depth)
	if err == nil {
		if _, more := dec.Token(); more != io.EOF {
			err = errors.New("it goes on after its end")
		}
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = errors.New("it ends too early")
	}
	if err != nil {
		return root, fmt.Errorf("is not JSON: %w", err)
	}
	return root, nil
}

// mostValues is how many values a text may have. Each takes some hundred bytes
// while it is read, and as few as two of the text.
const mostValues = 1_000_000

type parser struct {
	dec   *json.Decoder
	text  []byte
	depth int // how deep brackets may nest
	left  int // how many values there may be yet
}

// node reads a value in which brackets may nest so much deeper.
func (p *parser) node(deeper int) (Node, error) {
	dec, text := p.dec, p.text
	if deeper < 0 {
		return Node{}, fmt.Errorf("brackets are nested deeper than %d", p.depth)
	}
	if p.left--; p.left < 0 {
		return Node{}, fmt.Errorf("there are more than %d values in it", mostValues)
	}
	before := dec.InputOffset()
	token, err := dec.Token()
	if err != nil {
		return Node{}, err
	}
	n := Node{}
	switch token := token.(type) {
	case json.Delim:
		n.Kind = byte(token)
		for dec.More() {
			if n.Kind == '{' {
				key, err := dec.Token()
				if err != nil {
					return n, err
				}
				n.Names = append(n.Names, key.(string))
			}
			v, err := p.node(deeper - 1)
			if err != nil {
				return n, err
			}
			n.Values = append(n.Values, v)
		}
		_, err = dec.Token()
	case string:
		n.Kind, n.Text = '"', token
	case json.Number:
		n.Kind, n.Text = '0', token.String()
	case bool:
		n.Kind, n.Text = 't', strconv.FormatBool(token)
	case nil:
		n.Kind = 'n'
	}
	n.raw = bytes.TrimLeft(text[before:dec.InputOffset()], " \t\r\n,:")
	return n, err
}

// Halved reports whether a string in a text of JSON has half of a surrogate pair,
// which would be read as another character than was sent.
func Halved(text []byte) bool {
	if bytes.IndexByte(text, '\\') < 0 {
		return false
	}
	high := false // the last escape was the first half
	for len(text) > 0 {
		size, unit := 1, uint64(0)
		if text[0] == '\\' && len(text) > 1 {
			if size = 2; text[1] == 'u' && len(text) >= 6 {
				size = 6
				unit, _ = strconv.ParseUint(string(text[2:6]), 16, 16)
			}
		}
		low := unit >= 0xdc00 && unit < 0xe000
		if high != low {
			return true
		}
		high = unit >= 0xd800 && unit < 0xdc00
		text = text[size:]
	}
	return high
}
