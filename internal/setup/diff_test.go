package setup

import (
	"strings"
	"testing"
)

// Of a file that is written on one line only what is around the change is shown.
func TestDiffLongLine(t *testing.T) {
	much := strings.Repeat("é", 1<<20)
	old := "{\"a\": \"" + much + "\", \"b\": \"" + much + "\"}"
	for _, end := range []string{"", "\n", "\r\n"} {
		got := Diff("x", []byte(old+end), []byte(strings.Replace(old, "\"b\"", "\"new\": 1, \"b\"", 1)+end))
		if !strings.Contains(got, "\n-… éé") || !strings.Contains(got, "é\", \"b\": \"é") || !strings.Contains(got, "é\", \"new\": 1, \"b\": \"éé") || len(got) > 1000 {
			t.Errorf("it is %.2000q", got)
		}
	}
	if got := Diff("x", []byte(old+"\n"), []byte(old+"\nnew\n")); !strings.Contains(got, "é …\n+new\n") || len(got) > 2*maxLine {
		t.Errorf("beside a long line: %.2000q", got)
	}
}

// A change is shown as patch reads it.
func TestDiff(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"a\nb\nc\nd\ne\nf\n", "a\nb\nc\nd\nX\nf\n", "--- x\n+++ x\n@@ -2,5 +2,5 @@\n b\n c\n d\n-e\n+X\n f\n"},
		{"a", "a\nb\n", "--- x\n+++ x\n@@ -1,1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b\n"},
		{"", "a\n", "--- x\n+++ x\n@@ -0,0 +1,1 @@\n+a\n"},
	} {
		if got := Diff("x", []byte(c.old), []byte(c.new)); got != c.want {
			t.Errorf("got\n%s\nwant\n%s", got, c.want)
		}
	}
}
