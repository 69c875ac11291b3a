package text

import (
	"strings"
	"testing"
)

func TestCut(t *testing.T) {
	for _, c := range []struct {
		s          string
		n          int
		head, tail string
	}{
		{"", 3, "", ""},
		{"abc", 3, "abc", "abc"},
		{"abcdef", 3, "abc", "def"},
		{"abcdef", 0, "", ""},
		{"abcdef", -1, "", ""},
		{"名前と住所", 4, "名前", "住所"},
		{"名前と住所", 5, "名前", "住所"},
		{"u\u0308ber u\u0308", 1, "u\u0308", "u\u0308"},
		{"👩\u200d💻👍🏽", 2, "👩\u200d💻", "👍🏽"},
		{"🇩🇪🇫🇷", 3, "🇩🇪", "🇫🇷"},
		{"⚠\ufe0f a", 2, "⚠\ufe0f", " a"},
	} {
		if got := Head(c.s, c.n); got != c.head {
			t.Errorf("Head(%q, %d) = %q, want %q", c.s, c.n, got, c.head)
		}
		if got := Tail(c.s, c.n); got != c.tail {
			t.Errorf("Tail(%q, %d) = %q, want %q", c.s, c.n, got, c.tail)
		}
	}
}

func FuzzCut(f *testing.F) {
	for _, s := range []string{"plain", "名前と住所", "👩\u200d💻 done", "\u0301 mark first", "\xff\xfe", "🇩🇪🇩", "\u200d\u200d", "한글\u1112\u1161\u11ab"} {
		f.Add(s, 7)
	}
	f.Fuzz(func(t *testing.T, s string, n int) {
		head, tail := Head(s, n), Tail(s, n)
		if !strings.HasPrefix(s, head) || !strings.HasSuffix(s, tail) {
			t.Errorf("%q and %q are not the ends of %q", head, tail, s)
		}
		if w := max(Width(head), Width(tail)); w > max(n, 0) {
			t.Errorf("%q in %d columns is %q and %q, of %d", s, n, head, tail, w)
		}
		if Width(s) <= n && (head != s || tail != s) {
			t.Errorf("%q fits %d columns and is cut to %q and %q", s, n, head, tail)
		}
	})
}
