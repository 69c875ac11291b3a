package jsonc

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

var update = flag.Bool("update", false, "write the expected files anew")

// play does what a line says: put a.b VALUE, append a.b VALUE, remove a.b,
// element a.b N.
func play(text []byte, line string) ([]byte, error) {
	word := strings.SplitN(strings.TrimSpace(line), " ", 3)
	path := strings.Split(word[1], ".")
	switch word[0] {
	case "put":
		return Put(text, path, json.RawMessage(word[2]))
	case "append":
		return Append(text, path, json.RawMessage(word[2]))
	case "remove":
		return Remove(text, path)
	case "element":
		var n int
		fmt.Sscan(word[2], &n)
		return RemoveElement(text, path, n)
	}
	return nil, fmt.Errorf("what is %q?", line)
}

// TestStories plays testdata/*.txtar: a text before and after what the first
// lines say. With "and back" what was put goes out again, and the text is as it
// was.
func TestStories(t *testing.T) {
	stories, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(stories) < 10 {
		t.Fatalf("only %d stories, %v", len(stories), err)
	}
	for _, story := range stories {
		t.Run(strings.TrimSuffix(filepath.Base(story), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(story)
			if err != nil || len(archive.Files) != 2 {
				t.Fatal(err, "before and after are wanted")
			}
			text, before := archive.Files[0].Data, archive.Files[0].Data
			var back []string
			for line := range strings.Lines(string(archive.Comment)) {
				word := strings.Fields(line)
				switch {
				case len(word) == 0 || line[0] == '#':
				case line == "and back\n":
					undone := text
					for _, step := range back {
						if undone, err = play(undone, step); err != nil {
							t.Fatal(err)
						}
					}
					if !bytes.Equal(undone, before) {
						t.Errorf("and back it is\n%s", undone)
					}
				default:
					n := len(Elements(text, strings.Split(word[1], ".")...))
					if text, err = play(text, line); err != nil {
						t.Fatal(line, err)
					}
					step := "remove " + word[1]
					if word[0] == "append" && n > 0 {
						step = fmt.Sprintf("element %s %d", word[1], n)
					}
					back = append([]string{step}, back...)
				}
			}
			if *update {
				archive.Files[1].Data = text
				must.Do(t, os.WriteFile(story, txtar.Format(archive), 0o644))
			}
			if want := archive.Files[1].Data; !bytes.Equal(text, want) {
				t.Errorf("got\n%s\nwant\n%s", text, want)
			}
		})
	}
}

// What a story cannot show: byte order marks, ends of lines as on Windows, no
// end of the last line.
func TestBytes(t *testing.T) {
	for before, want := range map[string]string{
		"\ufeff{\"a\": 1}":              "\ufeff{\"a\": 1, \"b\": [\"x\"]}",
		"{\r\n\t\"a\": 1\r\n}\r\n":      "{\r\n\t\"a\": 1,\r\n\t\"b\": [\"x\"]\r\n}\r\n",
		"{\r\n\t\"a\": 1, // x\r\n}":    "{\r\n\t\"a\": 1, // x\r\n\t\"b\": [\"x\"],\r\n}",
		"{}":                            "{\n  \"b\": [\"x\"]\n}",
		"":                              "\n{\n  \"b\": [\"x\"]\n}\n",
		"// later":                      "// later\n{\n  \"b\": [\"x\"]\n}\n",
		"{\"a\":1 /* one */ , /*two*/}": "{\"a\":1 /* one */ , /*two*/ \"b\": [\"x\"],}",
		"{\"a\":1,\n\"c\":2}":           "{\"a\":1,\n\"c\":2,\n\"b\": [\"x\"]\n}",
	} {
		got, err := Append([]byte(before), []string{"b"}, json.RawMessage(`"x"`))
		if err != nil || string(got) != want {
			t.Errorf("%q: got %q, %v; want %q", before, got, err, want)
		}
	}
}

func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"{\n  \"a\": 1\n  oops\n}": "3:3: ",
		"[]":                       "1:1: it must hold an object",
		"{\"b\": {}}":              "1:7: it has something else than an array at b",
		"{\"a\": \"\xff\"}":        "1:8: it is not valid UTF-8",
		"{\"a\": ":                 "ends in the middle",
		"{\n\"a\": " + strings.Repeat("[", 1<<20): "2:1005: it is nested deeper than 1000 levels",
	} {
		_, err := Append([]byte(text), []string{"b"}, json.RawMessage(`1`))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := Put([]byte("{}"), []string{"a"}, json.RawMessage(`{"a": 1}, "b": {}`)); err == nil {
		t.Error("a value that is none was put")
	}
}

// Brackets in texts and comments nest nothing, and so do those that are closed.
func TestDepth(t *testing.T) {
	open := strings.Repeat("[{", maxDepth)
	text := "// " + open + "\n{ /* " + open + " */ \"" + open + "\\\"" + open + "\": [" + strings.Repeat("[], ", maxDepth) + "1], \"b\": " +
		strings.Repeat("[", maxDepth-1) + strings.Repeat("]", maxDepth-1) + "}"
	if _, err := Put([]byte(text), []string{"a"}, json.RawMessage(`1`)); err != nil {
		t.Error(err)
	}
}

// Whatever a text is, an edit is refused or does what it says, and taking out
// what was put gives back all others.
func FuzzEdit(f *testing.F) {
	for _, text := range []string{
		"", "{}", "// x", "{\"a\": 1,}", "{\"a\": {\"b\": [1, 2 /* x */]}, \"c\": false // y\n}", "{\n\t\"a\": {\n\t\t\"b\": [\n\t\t\t1, // one\n\t\t],\n\t},\n}\n",
		"\ufeff{\r\n}", "[", "{\"a\":{\"b\":1},\"a\":{}}", "{\"\\u0061\": {\"b\": []}}", "{\"a\" /* x */ : // y\n {} /* z */, /* w */}", "{// x\n}", "{\"a\":{// x\n\"b\":[]// y\n}}",
	} {
		f.Add([]byte(text), `{"x": ["y", {"z": null}]}`)
	}
	f.Fuzz(func(t *testing.T, text []byte, value string) {
		if len(text) > 1<<14 || !json.Valid([]byte(value)) {
			return
		}
		var v any
		if json.Unmarshal([]byte(value), &v) != nil {
			return // it is too large for a number
		}
		_, fault := Parse(text)
		all, _ := Get(text)
		for _, path := range [][]string{{"a"}, {"a", "b"}, {"new"}, {"c", "d", "e"}} {
			got, err := Put(text, path, json.RawMessage(value))
			switch {
			case fault != nil && err == nil:
				t.Fatalf("%q was edited", text)
			case err != nil:
				continue
			}
			if is, ok := Get(got, path...); !ok || !Same(is, json.RawMessage(value)) {
				t.Fatalf("%v is %s in %q", path, is, got)
			}
			if _, was := Get(text, path[:1]...); was {
				continue
			}
			gone, err := Remove(got, path[:1])
			if err != nil {
				t.Fatalf("%q: %v", got, err)
			}
			if is, _ := Get(gone); !Same(is, all) {
				t.Fatalf("%q became %q and %q", text, got, gone)
			}
		}
		for _, path := range [][]string{{"a"}, {"a", "b"}, {"list"}} {
			got, err := Append(text, path, json.RawMessage(value))
			if err != nil {
				continue
			}
			n := len(Elements(text, path...))
			if is := Elements(got, path...); len(is) != n+1 || !Same(is[n], json.RawMessage(value)) {
				t.Fatalf("%v of %q", path, got)
			}
			gone, err := RemoveElement(got, path, n)
			if err != nil || len(Elements(gone, path...)) != n {
				t.Fatalf("%q: %v", gone, err)
			}
		}
		for i := range Elements(text, "a") {
			if gone, err := RemoveElement(text, []string{"a"}, i); err != nil || len(Elements(gone, "a")) != len(Elements(text, "a"))-1 {
				t.Fatalf("%d of %q: %q, %v", i, text, gone, err)
			}
		}
		if _, was := Get(text, "a"); was && bytes.Count(text, []byte("a")) == 1 {
			if gone, err := Remove(text, []string{"a"}); err != nil {
				t.Fatalf("%q: %q, %v", text, gone, err)
			}
		}
	})
}
