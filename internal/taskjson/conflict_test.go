package taskjson

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// Each case has a text and its two sides; without them it has none.
func TestSides(t *testing.T) {
	paths, err := filepath.Glob("testdata/sides/*.txtar")
	if err != nil || len(paths) < 15 {
		t.Fatalf("%d cases, %v", len(paths), err)
	}
	for _, path := range paths {
		archive := must.Get(txtar.ParseFile(path))(t)
		part := map[string][]byte{}
		for _, f := range archive.Files {
			part[f.Name] = f.Data
		}
		for name, with := range map[string]func([]byte) []byte{
			"as it is":   func(text []byte) []byte { return text },
			"with CRLF":  func(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")) },
			"with a BOM": func(text []byte) []byte { return append([]byte("\uFEFF"), text...) },
			"no newline": func(text []byte) []byte { return bytes.TrimSuffix(text, []byte("\n")) },
		} {
			if name == "with a BOM" && bytes.HasPrefix(part["text"], []byte("<<<")) {
				continue // then it stands behind the first conflict line, or on one side
			}
			base, ours, theirs, ok := Sides(with(part["text"]))
			_, want := part["ours"]
			if ok != want {
				t.Errorf("%s %s: ok is %v, want %v", path, name, ok, want)
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
					t.Errorf("%s %s: %s is\n%q\nwant\n%q", path, name, which, got, want)
				}
			}
		}
	}
}

func FuzzSides(f *testing.F) {
	f.Add([]byte("<<<<<<< a\n{\"id\":1}\n||||||| b\n{\"id\":1}\n=======\n{\"id\":1}\n>>>>>>> c\n"))
	f.Add([]byte("<<<<<<<\r\n1\r\n=======\r\n2\r\n>>>>>>>"))
	f.Fuzz(func(t *testing.T, text []byte) {
		base, ours, theirs, ok := Sides(text)
		if !ok {
			if base != nil || ours != nil || theirs != nil {
				t.Fatalf("not ok, and yet %q %q %q", base, ours, theirs)
			}
			return
		}
		if len(ours)+len(theirs) > 2*len(text) || base != nil && !isTask(base) {
			t.Fatalf("%q has the sides %q and %q from %q", text, ours, theirs, base)
		}
		if _, err := Decode(text); err == nil {
			t.Fatalf("a task that is in conflict: %q", text)
		}
		if _, _, _, again := Sides(ours); again {
			t.Fatalf("a side with sides: %q", ours)
		}
		Mark(text)
	})
}
