package todo

import (
	"strings"
	"testing"
)

// Each row of the table finds a token of its maker, and no word.
func TestShapes(t *testing.T) {
	n := 0
	for first, rows := range shapes {
		for _, sh := range rows {
			n++
			if int(sh.prefix[0]) != first {
				t.Errorf("%s is never looked for", sh.prefix)
			}
			body := strings.Repeat("aB3xY9kQ7wZ2mN5pR8tU", 20)[:sh.least]
			if got, want := MaskText("a "+sh.prefix+body+" b"), "a "+masked+" b"; got != want {
				t.Errorf("%s: %q", sh.prefix, got)
			}
			if word := "a " + sh.prefix + strings.Repeat("word", 2) + " b"; MaskText(word) != word {
				t.Errorf("%q is taken for a token", word)
			}
		}
	}
	if n < 150 {
		t.Errorf("%d rows", n)
	}
}
