package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
)

// A search goes to a task by its number, by letters of its subject, by a part of
// its description, whether its card is there or not.
func TestSearch(t *testing.T) {
	var many []pawl.NewTask
	var done []pawl.ID
	for i := range 20 {
		many = append(many, task(fmt.Sprintf("Chore %c", 'a'+i)))
		done = append(done, pawl.ID(7+i))
	}
	fly(t, func(p *pilot) {
		for _, c := range []struct {
			text string
			want pawl.ID
		}{
			{"4", 4}, {"#12", 12}, {"tespar", 3}, {"parser write", 2}, {"grammar.md", 2}, {"名前", 4}, {"chore a", 7},
		} {
			p.press("/")
			p.sees("Go to a task")
			p.write(c.text)
			p.press("enter")
			if card := fmt.Sprintf("✔ %v ", c.want); c.want >= 7 {
				p.sees(card)
			}
			if at := p.model.task(); at != c.want {
				t.Errorf("%q leads to %v, want %v:\n%s", c.text, at, c.want, p.text())
			}
		}
		p.press("/")
		p.write("there is nothing like it")
		p.sees("Nothing matches", "0 of 26")
		p.press("enter", "esc")
	}, append(board, plan(many...), pawl.Complete{IDs: done})...)
}

// Words lead to a task in any order, and what has them as they are written comes
// before what has letters like them. Who has a task and its labels count, too.
func TestMatch(t *testing.T) {
	items := []item[int]{
		{text: "#29 Task number 28"}, {text: "#30 Task number 29"}, {text: "#31 Task number 299"}, {text: "#32 A number that is 29"},
		{text: "#33 Sidebar, which is 14 columns wide", also: "@bob +layout"}, {text: "#34 Write the sidebar"}, {text: "#35 Snide bears"},
		{text: "#36 名前 für Pläne"},
	}
	for text, want := range map[string]string{
		"":                 "29 30 31 32 33 34 35 36",
		"29":               "29 30 32 31",
		"#30":              "30",
		"number 29":        "30 29 32 31",
		"29 number":        "29 30 32 31",
		"sidebar 14":       "33",
		"14 sdbr":          "33",
		"sidebar":          "33 34 35",
		"sidebar @bob":     "33",
		"bob":              "33",
		"+layout wide":     "33",
		"PLÄNE 名":          "36",
		"wrsid":            "34",
		"nothing like it":  "",
		"number 29 number": "29 30 32 31",
		"—":                "",
	} {
		var got []string
		for _, i := range match(items, text) {
			got = append(got, items[i].text[1:3])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q finds %q, want %q", text, got, want)
		}
	}
}

func FuzzMatch(f *testing.F) {
	f.Add("#12 Write the parser", "@ada +core", "parser write")
	f.Add("名\u0301", "\x00", "— #")
	f.Fuzz(func(t *testing.T, text, also, sought string) {
		items := []item[int]{{text: "#1 other"}, {text: text, also: also}, {text: text, stays: true}}
		found := match(items, sought)
		if len(slices.Compact(slices.Sorted(slices.Values(found)))) != len(found) || !slices.Contains(found, 2) {
			t.Errorf("found %v", found)
		}
		if word := strings.ToLower(strings.Join(strings.Fields(text), " ")); !slices.Contains(match(items, word), 1) && utf8.ValidString(text) {
			t.Errorf("%q is not found by its own words", text)
		}
	})
}

// What the filter hides is shown, and the filter goes.
func TestSearchHidden(t *testing.T) {
	fly(t, func(p *pilot) {
		p.press("f")
		p.write("held")
		p.press("enter", "/")
		p.write("release")
		p.press("enter")
		p.sees("The filter was removed, because it hid #1")
		if at := p.model.task(); at != 1 {
			t.Errorf("at %v", at)
		}
	}, board...)
}

func TestSearchFrames(t *testing.T) {
	fly(t, func(p *pilot) {
		p.press("/")
		p.write("the")
		p.frames("dialogs/search")
	}, board...)
}

// Without a board there is nothing to find, and what is written stays in its
// field instead of being taken for keys.
func TestSearchNoBoard(t *testing.T) {
	fly(t, func(p *pilot) {
		p.model.board = nil
		p.press("/")
		p.write("panel")
		p.sees("No tasks yet", "panel")
		p.press("enter", "esc")
		p.seesNot("Add a task")
	})
}
