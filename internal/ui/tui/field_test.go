package tui

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/show/term"
)

// A line is edited as readers see it: what is one character to them goes as one.
func TestField(t *testing.T) {
	for _, c := range []struct {
		name, text, keys, want string // | is the cursor
	}{
		{"nothing", "", "backspace delete left right ctrl+w ctrl+u ctrl+k", "|"},
		{"writing", "ab", "c", "abc|"},
		{"in the middle", "ac", "left b", "ab|c"},
		{"a space", "ab", "left space", "a |b"},
		{"ends", "abc", "home x end y", "xabcy|"},
		{"ends, as in a shell", "abc", "ctrl+a x ctrl+e y", "xabcy|"},
		{"erasing", "abc", "backspace left delete", "a|"},
		{"a word", "write the  parser ", "ctrl+w", "write the  |"},
		{"two words", "write the  parser", "ctrl+w ctrl+w", "write |"},
		{"all before", "write it", "left left ctrl+u", "|it"},
		{"all after", "write it", "left left ctrl+k", "write |"},
		{"accents", "ue\u0301", "left", "u|e\u0301"},
		{"accents go with their letter", "ue\u0301", "backspace", "u|"},
		{"a family", "a👩\u200d👧b", "left backspace", "a|b"},
		{"a flag", "🇩🇪🇫🇷", "left left delete", "|🇫🇷"},
		{"half of a flag is none", "🇩🇪", "home 🇫", "🇫🇩|🇪"},
		{"flags meet", "🇫x🇷", "left backspace", "🇫🇷|"},
		{"Korean", "한글", "left ctrl+k", "한|"},
		{"keys that mean nothing", "a", "f5 ctrl+x", "a|"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newField(100, c.text)
			for name := range strings.FieldsSeq(c.keys) {
				if name != "f5" {
					f.key(keyOf(t, name))
				}
			}
			if got := f.before + "|" + f.after; got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// What is pasted becomes one line that hides nothing, and no longer than it may.
func TestPaste(t *testing.T) {
	f := newField(12, "a\r\nb\tc\x1b[31m\u202ed\u200be")
	if got, want := f.text(), "a b c[31mde"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	f.insert("123456789")
	if got, want := f.text(), "a b c[31mde1"; got != want || !f.full() {
		t.Errorf("got %q, want %q and no more", got, want)
	}
}

// A line that is too long shows where the cursor is, and that there is more.
func TestFieldWindow(t *testing.T) {
	const text = "abcdefghijklmnopqrstuvwxyz"
	for _, c := range []struct {
		name    string
		f       field
		want    string
		unicode bool
	}{
		{"at the end", field{before: text}, "‹tuvwxyz|", true},
		{"at the beginning", field{after: text}, "|abcdefgh›", true},
		{"in the middle", field{before: text[:13], after: text[13:]}, "‹hijklm|no›", true},
		{"ASCII", field{before: text[:13], after: text[13:]}, "<hijklm|no>", false},
		{"short", field{before: "ab", after: "c"}, "ab|c", true},
		{"wide", field{before: "名前名前", after: "名前名前"}, "‹前名前|名›", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, at := c.f.draw(10, c.unicode)
			got = term.Head(got, at) + "|" + lastColumns(got, term.Width(got)-at)
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func FuzzField(f *testing.F) {
	f.Add("write the parser", "left x backspace ctrl+w", 20)
	f.Add("e\u0301👩\u200d👧🇩🇪\x1b\n名", "left left delete home \u0301", 5)
	keys := []string{"left", "right", "home", "end", "backspace", "delete", "ctrl+w", "ctrl+u", "ctrl+k"}
	f.Fuzz(func(t *testing.T, text, typed string, most int) {
		most = max(0, most%100)
		l := newField(most, text)
		for i, r := range typed {
			if i%2 == 0 {
				l.insert(string(r))
			} else {
				l.key(keyOf(t, keys[int(r)%len(keys)]))
			}
		}
		if n := utf8.RuneCountInString(l.text()); n > most || !utf8.ValidString(l.text()) {
			t.Fatalf("%q has %d runes of %d", l.text(), n, most)
		}
		at := 0
		for c := range term.Characters(l.text()) {
			if at < len(l.before) {
				at += len(c)
			}
		}
		if at != len(l.before) {
			t.Fatalf("the cursor is inside of a character: %q|%q", l.before, l.after)
		}
		for _, n := range []int{8, 20, 70} {
			shown, column := l.draw(n, most%2 == 0)
			if term.Width(shown) > n || column >= n || column < 0 {
				t.Fatalf("%q is %d wide, the cursor at %d of %d", shown, term.Width(shown), column, n)
			}
		}
	})
}
