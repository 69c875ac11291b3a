package wire

import (
	"bytes"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/text"
)

// What is shown goes through package text, whichever way it takes.
func TestNothingActs(t *testing.T) {
	const evil = "\x1b[2J\u202eevil"
	var b bytes.Buffer
	must.Do(t, WriteJSON(&b, map[string]string{"s": evil}))
	for _, got := range []string{text.Line(evil), text.Lines(evil), b.String()} {
		if strings.ContainsAny(got, "\x1b\u202e") {
			t.Errorf("%q reaches a terminal", got)
		}
	}
}

func TestClip(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"äöüß", 3, "äö…"}, {"", 3, ""}} {
		if got := text.Clip(c.in, c.n); got != c.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
	}
}
