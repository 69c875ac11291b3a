package terminal

import (
	"bytes"
	"os"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

func TestFilesAndBuffersAreNone(t *testing.T) {
	f := must.Get(os.Open(os.DevNull))(t)
	defer f.Close()
	if Is(f) {
		t.Error("the null device was taken for a terminal: it is a character device too")
	}
	if Is(&bytes.Buffer{}) || Is(nil) {
		t.Error("something that is no file was taken for a terminal")
	}
}

// env makes an environment of pairs.
func env(pairs ...string) func(string) string {
	return func(key string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == key {
				return pairs[i+1]
			}
		}
		return ""
	}
}

// Colours on a terminal are the story colour.txtar.
func TestColourElsewhere(t *testing.T) {
	for _, c := range []struct {
		env  []string
		want bool
	}{
		{nil, false},
		{[]string{"FORCE_COLOR", "1"}, true},
		{[]string{"FORCE_COLOR", "3", "TERM", "dumb"}, true},
		{[]string{"FORCE_COLOR", "0"}, false},
		{[]string{"FORCE_COLOR", "false"}, false},
		{[]string{"CLICOLOR_FORCE", "1"}, true},
		{[]string{"CLICOLOR_FORCE", "0"}, false},
		{[]string{"CLICOLOR", "1"}, false},
		{[]string{"NO_COLOR", "1", "FORCE_COLOR", "1"}, false},
		{[]string{"FORCE_COLOR", "0", "CLICOLOR_FORCE", "1"}, false},
	} {
		if got := Colour(&bytes.Buffer{}, env(c.env...)); got != c.want {
			t.Errorf("%v: %v, want %v", c.env, got, c.want)
		}
	}
}

func TestUnicode(t *testing.T) {
	for _, c := range []struct {
		env  []string
		want bool
	}{
		{[]string{"LANG", "de_DE.UTF-8"}, true},
		{[]string{"LANG", "C.utf8"}, true},
		{[]string{"LANG", "C"}, false},
		{[]string{"LANG", "de_DE.UTF-8", "LC_ALL", "POSIX"}, false},
		{[]string{"LANG", "C", "LC_CTYPE", "en_US.UTF-8"}, true},
		{[]string{"LANG", "de_DE.ISO-8859-1"}, false},
	} {
		if got := Unicode(env(c.env...)); got != c.want {
			t.Errorf("%v: %v, want %v", c.env, got, c.want)
		}
	}
}

func TestWidthElsewhere(t *testing.T) {
	for _, c := range []struct {
		columns string
		want    int
	}{{"", 80}, {"120", 120}, {"0", 80}, {"-3", 80}, {"wide", 80}, {"5", minWidth}, {"99999999", maxWidth}} {
		if got := Width(&bytes.Buffer{}, env("COLUMNS", c.columns)); got != c.want {
			t.Errorf("COLUMNS=%s gives %d, want %d", c.columns, got, c.want)
		}
	}
}
