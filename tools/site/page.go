package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
)

// markdown reads pages as GitHub shows them. Raw HTML passes: the pages are the
// repository's own, and pictures for both themes need it.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.GFM),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(html.WithUnsafe()),
)

// A page is one Markdown file of the site.
type page struct {
	entry
	name     string // file name in the site: "cli.html"
	text     []byte
	doc      ast.Node
	anchors  map[string]bool
	sections []section
}

// A section is a heading and what search finds below it.
type section struct {
	title  string
	anchor string // empty: the top of the page
	level  int
	begin  string // the first words below it
	words  string // all words below it, each once
}

// mostBegin is how many characters of a section search shows and looks at.
const mostBegin = 160

func readPage(e entry, name string, source []byte) *page {
	p := &page{entry: e, name: name, text: source, anchors: map[string]bool{}}
	context := parser.NewContext(parser.WithIDs(&slugs{taken: p.anchors}))
	p.doc = markdown.Parser().Parse(text.NewReader(source), parser.WithContext(context))
	for n := p.doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			s := section{title: plain(h, source), level: h.Level}
			if id, ok := h.AttributeString("id"); ok && h.Level > 1 {
				s.anchor = string(id.([]byte))
			}
			p.sections = append(p.sections, s)
			continue
		}
		if len(p.sections) == 0 {
			continue
		}
		s := &p.sections[len(p.sections)-1]
		below := plain(n, source)
		s.words = words(s.words + " " + below)
		if prose := n.Kind() == ast.KindParagraph || n.Kind() == ast.KindList; prose && len(s.begin) < mostBegin {
			s.begin = begin(strings.TrimSpace(s.begin + " " + below))
		}
	}
	return p
}

// words are the words of a text in lower case, each once, sorted.
func words(s string) string {
	all := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-'
	})
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}

// plain is the text of a node without its marks.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the function never fails
		switch {
		case !entering && n.Type() == ast.TypeBlock:
			b.WriteByte(' ')
		case entering && n.Type() == ast.TypeBlock && n.IsRaw():
			b.Write(n.Lines().Value(source))
		case entering && n.Kind() == ast.KindText:
			t := n.(*ast.Text)
			b.Write(t.Segment.Value(source))
			if t.SoftLineBreak() {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

// begin cuts a text after a word.
func begin(s string) string {
	r := []rune(s)
	if len(r) <= mostBegin {
		return s
	}
	cut := string(r[:mostBegin])
	if space := strings.LastIndexByte(cut, ' '); space > 0 {
		cut = cut[:space]
	}
	return cut + " …"
}

// body is the page's HTML, with each link passed through resolve.
func (p *page) body(resolve func(link string) (string, error)) ([]byte, error) {
	var faults []string
	ast.Walk(p.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the function never fails
		if !entering {
			return ast.WalkContinue, nil
		}
		if link, ok := n.(*ast.Link); ok {
			to, err := resolve(string(link.Destination))
			if err != nil {
				faults = append(faults, err.Error())
			}
			link.Destination = []byte(to)
		}
		return ast.WalkContinue, nil
	})
	var b bytes.Buffer
	if err := markdown.Renderer().Render(&b, p.text, p.doc); err != nil {
		return nil, err
	}
	body, err := resolvePictures(b.Bytes(), resolve)
	if err != nil {
		faults = append(faults, err.Error())
	}
	if len(faults) > 0 {
		return nil, fmt.Errorf("%s: %s", p.source, strings.Join(faults, "; "))
	}
	return body, nil
}

// slugs makes the anchors that GitHub makes of headings, so that a link works
// in both places.
type slugs struct{ taken map[string]bool }

func (s *slugs) Generate(value []byte, _ ast.NodeKind) []byte {
	var b strings.Builder
	for _, r := range strings.ToLower(strings.TrimSpace(string(value))) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-' || r == '_' || r >= 0x80 || '0' <= r && r <= '9' || 'a' <= r && r <= 'z':
			b.WriteRune(r)
		}
	}
	slug := b.String()
	for n := 1; s.taken[slug]; n++ {
		slug = fmt.Sprintf("%s-%d", b.String(), n)
	}
	s.taken[slug] = true
	return []byte(slug)
}

func (s *slugs) Put(value []byte) { s.taken[string(value)] = true }
