package taskjson

import (
	"testing"

	"github.com/pawl-dev/pawl"
)

func TestMark(t *testing.T) {
	for text, want := range map[string]pawl.ID{
		"":        0,
		"12\n":    12,
		" 12\r\n": 12,
		"<<<<<<< HEAD\n12\n=======\n15\n>>>>>>> bob\n":                           15,
		"<<<<<<< HEAD\r\n120\r\n||||||| 5a3c\r\n9\r\n=======\r\n15\r\n>>>>>>> b": 120,
		"12\n2251799813685249\n":                                                 12, // so large that nobody could count on
		"2251799813685248\n":                                                     2251799813685248,
		"99999999999999999999999\n":                                              0,
		"-3\n":                                                                   0,
		"0x1f\n1e3\n\"7\"\n+4\n1_0\n":                                            0,
		"{\"id\": 3}\n":                                                          0,
		"\x00\xff\n3":                                                            3,
	} {
		if got := Mark([]byte(text)); got != want {
			t.Errorf("the mark of %q is %d, want %d", text, got, want)
		}
	}
	if got := Mark([]byte("3"), nil, []byte("7\n"), []byte("5")); got != 7 {
		t.Errorf("of several texts the highest is %d", got)
	}
}

func TestMarks(t *testing.T) {
	for _, c := range []struct{ ours, theirs, want string }{
		{"3\n", "12\n", "12\n"},
		{"3", "3\n", "3\n"},
		{"3", "3", "3"},
		{"12", "3\n", "12"},
		{"3\n", "x", ""},
		{"", "3\n", ""},
		{"3\n4\n", "3\n", ""},
	} {
		for range 2 {
			got, ok := Marks([]byte(c.ours), []byte(c.theirs))
			if string(got) != c.want || ok != (c.want != "") {
				t.Errorf("%q and %q make %q, %v; want %q", c.ours, c.theirs, got, ok, c.want)
			}
			c.ours, c.theirs = c.theirs, c.ours
		}
	}
}
