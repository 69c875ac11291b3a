package address

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"https://pawl.example.org/boards/shop":      "https://pawl.example.org/boards/shop",
		"https://Pawl.Example.org:443/boards/shop/": "https://pawl.example.org/boards/shop",
		"https://10.0.0.7:7350/boards/a.b-c_9":      "https://10.0.0.7:7350/boards/a.b-c_9",
		"https://[2001:db8::1]:7350/boards/x":       "https://[2001:db8::1]:7350/boards/x",
		"http://127.0.0.1:7350/boards/x":            "http://127.0.0.1:7350/boards/x",
		"http://localhost/boards/x":                 "http://localhost/boards/x",
		"http://[::1]:80/boards/x":                  "http://[::1]/boards/x",
	} {
		a, err := Parse(text)
		if err != nil || a.String() != want {
			t.Errorf("%s: got %v, %v", text, a, err)
		}
		if again, err := Parse(a.String()); err != nil || again != a {
			t.Errorf("%s is read as %v, %v", a, again, err)
		}
	}
	for _, text := range []string{
		"", "shop", "https://", "https:///boards/x", "ftp://h/boards/x", "http://example.org/boards/x", "https://h/boards/", "https://h/boards",
		"https://h/board/x", "https://h/boards/a/b", "https://h/boards/..", "https://h/boards/.x", "https://h/boards/A", "https://h/boards/con",
		"https://h/boards/com1.x", "https://h/boards/x.", "https://h/boards/x?token=secret", "https://h/boards/x#secret", "https://h/boards/%78",
		"https://ada:secret@h/boards/x", "https://h/boards/" + strings.Repeat("x", MaxName+1), "https://h\x7f/boards/x", "https://secret:secret/boards/x",
	} {
		a, err := Parse(text)
		if err == nil {
			t.Errorf("%q is read as %v", text, a)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: the error repeats it: %v", text, err)
		}
	}
}
