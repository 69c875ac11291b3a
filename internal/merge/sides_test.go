package merge

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pawl-dev/pawl/internal/taskjson"
)

// cases plays each file in testdata/DIR; there must be some.
func cases(t *testing.T, dir string, least int, play func(t *testing.T, part map[string][]byte)) {
	t.Helper()
	n := 0
	eachCase(t, dir, func(name string, part map[string][]byte) {
		n++
		t.Run(name, func(t *testing.T) { play(t, part) })
	})
	if n < least {
		t.Errorf("%d cases in testdata/%s, want at least %d", n, dir, least)
	}
}

// eachCase reads the cases. Under "" is the path of one.
func eachCase(t testing.TB, dir string, do func(name string, part map[string][]byte)) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", dir, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		part := map[string][]byte{"": []byte(path)}
		for _, f := range archive.Files {
			part[f.Name] = f.Data
		}
		do(strings.TrimSuffix(filepath.Base(path), ".txtar"), part)
	}
}

func writeFile(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// Each case has a text and its two sides; without them it has none.
func TestSides(t *testing.T) {
	cases(t, "sides", 15, func(t *testing.T, part map[string][]byte) {
		for name, with := range map[string]func([]byte) []byte{
			"as it is":   func(text []byte) []byte { return text },
			"with CRLF":  func(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")) },
			"with a BOM": func(text []byte) []byte { return mended(text, "\uFEFF", "") },
			"no newline": func(text []byte) []byte { return bytes.TrimSuffix(text, []byte("\n")) },
		} {
			if name == "with a BOM" && bytes.HasPrefix(part["text"], []byte("<<<")) {
				continue // then it stands behind the first conflict line, or on one side
			}
			base, ours, theirs, ok := conflict(with(part["text"]))
			_, want := part["ours"]
			if ok != want {
				t.Errorf("%s: ok is %v, want %v", name, ok, want)
				continue
			}
			for which, got := range map[string][]byte{"base": base, "ours": ours, "theirs": theirs} {
				want := with(part[which])
				if part[which] == nil {
					want = nil
				}
				if name == "no newline" {
					want, got = bytes.TrimSuffix(want, []byte("\n")), bytes.TrimSuffix(got, []byte("\n"))
				}
				if !bytes.Equal(got, want) {
					t.Errorf("%s: %s is\n%q\nwant\n%q", name, which, got, want)
				}
			}
		}
	})
}

func mended(text []byte, before, after string) []byte {
	return append(append([]byte(before), text...), after...)
}

func FuzzSides(f *testing.F) {
	f.Add([]byte("<<<<<<< a\n{\"id\":1}\n||||||| b\n{\"id\":1}\n=======\n{\"id\":1}\n>>>>>>> c\n"))
	f.Add([]byte("<<<<<<<\r\n1\r\n=======\r\n2\r\n>>>>>>>"))
	f.Fuzz(func(t *testing.T, text []byte) {
		base, ours, theirs, ok := conflict(text)
		if !ok {
			if base != nil || ours != nil || theirs != nil {
				t.Fatalf("not ok, and yet %q %q %q", base, ours, theirs)
			}
			return
		}
		if len(ours)+len(theirs) > 2*len(text) || base != nil && !isTask(base) {
			t.Fatalf("%q has the sides %q and %q from %q", text, ours, theirs, base)
		}
		if _, err := taskjson.Decode(text); err == nil {
			t.Fatalf("a task that is in conflict: %q", text)
		}
		if _, _, again := Sides(ours); again {
			t.Fatalf("a side with sides: %q", ours)
		}
		Mark(text)
	})
}
