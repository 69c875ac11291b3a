package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed layout.html search.html style.css search.js
var assets embed.FS

var layouts = template.Must(template.ParseFS(assets, "layout.html", "search.html"))

// A site is all pages of the contents.
type site struct {
	root     string
	chapters []chapter
	pages    []*page
	bySource map[string]*page
	pictures map[string]string // name in the site → path in the repository
}

// A file is one file of the finished site.
type file struct {
	name    string
	content []byte
}

// load reads the pages of the contents. It fails if a page of docs/ is not
// among them.
func load(root string, chapters []chapter) (*site, error) {
	s := &site{root: root, chapters: chapters, bySource: map[string]*page{}, pictures: map[string]string{}}
	for _, c := range chapters {
		for _, e := range c.pages {
			source, err := read(filepath.Join(root, filepath.FromSlash(e.source)))
			if err != nil {
				return nil, err
			}
			name := "index.html"
			if len(s.pages) > 0 {
				name = strings.ToLower(strings.TrimSuffix(path.Base(e.source), ".md")) + ".html"
				if e.source == commands {
					name = "commands.html"
				}
			}
			p := readPage(e, name, source)
			s.pages = append(s.pages, p)
			s.bySource[e.source] = p
		}
	}
	docs, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(docs) == 0 {
		return nil, errors.Join(err, fmt.Errorf("no pages in %s", filepath.Join(root, "docs")))
	}
	for _, doc := range docs {
		if source := "docs/" + filepath.Base(doc); s.bySource[source] == nil {
			return nil, fmt.Errorf("%s is missing in the contents (contents.go)", source)
		}
	}
	return s, nil
}

// read returns the text of a page; of [commands] a heading and the help of each.
func read(path string) ([]byte, error) {
	if !strings.HasSuffix(filepath.ToSlash(path), commands) {
		return os.ReadFile(path)
	}
	files, err := filepath.Glob(filepath.Join(path, "*.txt"))
	if err != nil || len(files) == 0 {
		return nil, errors.Join(err, fmt.Errorf("no help in %s", path))
	}
	text := []byte("# Commands\n\n`pawl help COMMAND` prints the same.\n")
	for _, file := range files {
		help, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		text = fmt.Appendf(text, "\n## %s\n\n```\n%s```\n", name, help)
	}
	return text, nil
}

// view is what the layouts show.
type view struct {
	Title    string
	Name     string // file name of the page
	Body     template.HTML
	Chapters []menu
	Sections []section // headings of the second level
	Found    []found   // on the search page
}

type menu struct {
	Title string
	Pages []*page
}

// found is a section as the search page lists it.
type found struct {
	Page, Title, Link, Begin, Words string
}

// Title and Name are for the layouts.
func (p *page) Title() string { return p.title }
func (p *page) Name() string  { return p.name }

// Title, Anchor are for the layouts.
func (s section) Title() string  { return s.title }
func (s section) Anchor() string { return s.anchor }

// files makes the whole site.
func (s *site) files() ([]file, error) {
	var files []file
	var faults []error
	for _, p := range s.pages {
		body, err := p.body(s.resolver(p))
		if err != nil {
			faults = append(faults, err)
			continue
		}
		title := p.title + " · Pawl"
		if p.name == "index.html" {
			title = "Pawl: the task memory of coding agents"
		}
		content, err := s.render("layout.html", view{Title: title, Name: p.name, Body: template.HTML(body), Sections: p.second()})
		if err != nil {
			return nil, err
		}
		files = append(files, file{p.name, content})
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	found := s.index()
	search, err := s.render("search.html", view{Title: "Search · Pawl", Name: "search.html", Found: found})
	if err != nil {
		return nil, err
	}
	files = append(files, file{"search.html", search})
	for _, name := range []string{"style.css", "search.js"} {
		content, err := assets.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name, content})
	}
	for name, source := range s.pictures {
		content, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(source)))
		if err != nil {
			return nil, err
		}
		files = append(files, file{name, content})
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files, nil
}

func (s *site) render(layout string, v view) ([]byte, error) {
	for _, c := range s.chapters {
		m := menu{Title: c.title}
		for _, e := range c.pages {
			m.Pages = append(m.Pages, s.bySource[e.source])
		}
		v.Chapters = append(v.Chapters, m)
	}
	var b bytes.Buffer
	err := layouts.ExecuteTemplate(&b, layout, v)
	return b.Bytes(), err
}

// second are the page's headings of the second level, as far as they help: a
// page with one or two needs no list of them.
func (p *page) second() []section {
	second := slices.DeleteFunc(slices.Clone(p.sections), func(s section) bool { return s.level != 2 })
	if len(second) < 3 {
		return nil
	}
	return second
}

// index lists all sections for the search page.
func (s *site) index() []found {
	var all []found
	for _, p := range s.pages {
		for _, sec := range p.sections {
			link := p.name
			if sec.anchor != "" {
				link += "#" + sec.anchor
			}
			all = append(all, found{Page: p.title, Title: sec.title, Link: link, Begin: sec.begin, Words: sec.words})
		}
	}
	return all
}
