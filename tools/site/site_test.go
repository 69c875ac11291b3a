package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// build makes the repository's own site.
func build(t *testing.T) map[string]string {
	t.Helper()
	s, err := load(root, contents)
	if err != nil {
		t.Fatal(err)
	}
	files, err := s.files()
	if err != nil {
		t.Fatal(err)
	}
	site := map[string]string{}
	for _, f := range files {
		site[f.name] = string(f.content)
	}
	if len(s.pages) < 16 || site["index.html"] == "" || site["search.html"] == "" {
		t.Fatalf("%d pages", len(s.pages))
	}
	return site
}

var (
	href   = regexp.MustCompile(`(?:href|src|srcset)="([^"]*)"`)
	anchor = regexp.MustCompile(` id="([^"]*)"`)
)

// TestLinks: every link of the finished site leads to a file and an anchor that
// the site has, or to another site; nothing but links leads there.
func TestLinks(t *testing.T) {
	site := build(t)
	anchors := map[string][]string{}
	for name, text := range site {
		for _, m := range anchor.FindAllStringSubmatch(text, -1) {
			if slices.Contains(anchors[name], m[1]) {
				t.Errorf("%s: two elements have the id %q", name, m[1])
			}
			anchors[name] = append(anchors[name], m[1])
		}
	}
	links := 0
	for name, text := range site {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		for _, m := range href.FindAllStringSubmatch(text, -1) {
			links++
			if strings.Contains(m[1], "://") {
				if !strings.HasPrefix(m[0], "href") {
					t.Errorf("%s loads %s", name, m[1])
				}
				continue
			}
			file, to, _ := strings.Cut(m[1], "#")
			if file == "" {
				file = name
			}
			if _, ok := site[file]; !ok {
				t.Errorf("%s: %s is not there", name, m[1])
			}
			if to != "" && !slices.Contains(anchors[file], to) {
				t.Errorf("%s: %s has no such heading", name, m[1])
			}
		}
	}
	if links < 500 {
		t.Errorf("only %d links", links)
	}
}

// TestNoScript: only the search page has a script, and it lists every section
// without it. A browser that loads nothing else shows the whole text.
func TestNoScript(t *testing.T) {
	site := build(t)
	for name, text := range site {
		if strings.HasSuffix(name, ".html") && name != "search.html" && strings.Contains(text, "<script") {
			t.Errorf("%s has a script", name)
		}
	}
	if n := strings.Count(site["search.html"], "<li data-words="); n < 200 {
		t.Errorf("the search page lists %d sections", n)
	}
	if !strings.Contains(site["style.css"], "prefers-color-scheme: dark") {
		t.Error("there is one theme")
	}
}

// TestEachFault: what would be wrong on the site stops it.
func TestEachFault(t *testing.T) {
	for _, test := range []struct{ name, page, want string }{
		{"a page that is gone", "[x](gone.md)", "gone.md leads to a file that is not there"},
		{"a heading that is gone", "[x](b.md#gone)", "b.md#gone leads to a heading that is not there"},
		{"a heading of the page itself", "[x](#gone)", "#gone leads to a heading"},
		{"a file outside", "[x](../../etc/passwd)", "leads to a file that is not there"},
		{"a picture that is gone", `<img src="gone.svg">`, "gone.svg leads to a file"},
		{"a picture in Markdown", "![x](gone.png)", "gone.png leads to a file"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := small(t, test.page)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
	if _, err := small(t, "[x](b.md#a-section-2)"); err != nil {
		t.Error(err)
	}
}

// small makes a site of two pages.
func small(t *testing.T, page string) ([]file, error) {
	t.Helper()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "docs"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"docs/a.md": page, "docs/b.md": "# B\n\n## A section (2)\n\nText.\n"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, err := load(root, []chapter{{"", []entry{{"docs/a.md", "A"}, {"docs/b.md", "B"}}}})
	if err != nil {
		t.Fatal(err)
	}
	return s.files()
}

func TestMissingInContents(t *testing.T) {
	if _, err := load(root, contents[:1]); err == nil || !strings.Contains(err.Error(), "missing in the contents") {
		t.Errorf("got %v", err)
	}
}

// TestSlugs: anchors are those of GitHub, where the same links must work.
func TestSlugs(t *testing.T) {
	p := readPage(entry{}, "", []byte("# `pawl plan`: many tasks\n\n## What comes, and why?\n\n## What comes, and why?\n\n## --json & co\n"))
	for _, want := range []string{"pawl-plan-many-tasks", "what-comes-and-why", "what-comes-and-why-1", "--json--co"} {
		if !p.anchors[want] {
			t.Errorf("no %q in %v", want, p.anchors)
		}
	}
}

func TestWords(t *testing.T) {
	p := readPage(entry{}, "", []byte("# Top\n\nA *lease* of `pawl renew`.\n\n- one\n- Two\n\n```\ncode --flag\n```\n"))
	got := p.sections[0]
	if want := "a code lease of one pawl renew two"; !strings.Contains(strings.ReplaceAll(got.words, "--flag ", ""), want) {
		t.Errorf("got %q, want %q", got.words, want)
	}
	if want := "A lease of pawl renew. one Two"; got.begin != want {
		t.Errorf("got %q, want %q", got.begin, want)
	}
	long := begin(strings.Repeat("word ", 100))
	if len(long) > mostBegin+len(" …") || !strings.HasSuffix(long, "word …") {
		t.Errorf("got %q", long)
	}
}

// TestTwice: the same sources make the same site, so that what is published
// changes only with them.
func TestTwice(t *testing.T) {
	first, second := build(t), build(t)
	for name, text := range first {
		if !bytes.Equal([]byte(text), []byte(second[name])) {
			t.Errorf("%s differs", name)
		}
	}
}
