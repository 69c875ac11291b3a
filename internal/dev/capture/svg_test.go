package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// mostBytes is how large a picture may be: people read pages over slow lines.
const mostBytes = 60_000

// checkSVG holds a picture to what all are: well-formed, of bounded size, and
// with nothing that runs, loads or leads elsewhere. It returns its words.
func checkSVG(t *testing.T, svg string) string {
	t.Helper()
	if len(svg) > mostBytes {
		t.Errorf("%d bytes, at most %d", len(svg), mostBytes)
	}
	var words strings.Builder
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return words.String()
		}
		if err != nil {
			t.Fatalf("no XML: %v\n%s", err, svg)
		}
		switch token := token.(type) {
		case xml.CharData:
			words.Write(token)
			words.WriteByte(' ')
		case xml.StartElement:
			if !slices.Contains([]string{"svg", "title", "style", "rect", "text", "path", "g"}, token.Name.Local) {
				t.Errorf("there is a <%s>", token.Name.Local)
			}
			for _, a := range token.Attr {
				if a.Name.Local == "href" || strings.HasPrefix(a.Name.Local, "on") || strings.Contains(a.Value, "url(") {
					t.Errorf("<%s> has %s=%q", token.Name.Local, a.Name.Local, a.Value)
				}
			}
		}
	}
}

// The pictures of the documentation are there in both themes, and show what they
// are for.
func TestPictures(t *testing.T) {
	if len(scenes) < 2 {
		t.Fatalf("only %d scenes", len(scenes))
	}
	want := map[string]bool{}
	for _, scene := range scenes {
		if len(scene.shows) == 0 {
			t.Errorf("%s shows nothing", scene.name)
		}
		for _, theme := range themes {
			name := scene.name + "-" + theme.name + ".svg"
			want[name] = true
			svg, err := os.ReadFile(filepath.Join("../../../docs", name))
			if err != nil {
				t.Errorf("%v: go run ./internal/dev/capture makes it", err)
				continue
			}
			words := checkSVG(t, string(svg))
			for _, text := range append(scene.shows, scene.title) {
				if !strings.Contains(words, text) {
					t.Errorf("%s does not show %q", name, text)
				}
			}
			if !strings.Contains(string(svg), theme.ground) {
				t.Errorf("%s is not %s", name, theme.name)
			}
		}
	}
	found := must.Get(filepath.Glob("../../../docs/*.svg"))(t)
	for _, name := range found {
		if !want[filepath.Base(name)] {
			t.Errorf("nothing draws %s", name)
		}
	}
}

func TestDraw(t *testing.T) {
	for name, c := range map[string]struct{ screen, want string }{
		"letters":            {"a b", `<text x="12" y="26" textLength="25.2" lengthAdjust="spacingAndGlyphs">a b</text>`},
		"dangerous letters":  {"<&>", `>&lt;&amp;&gt;</text>`},
		"colour":             {"\x1b[38;2;1;2;255mx\x1b[39my", `fill="#0102ff">x</text>`},
		"bold":               {"\x1b[1mx\x1b[0my", `font-weight="600">x</text>`},
		"ground":             {"\x1b[48;2;255;0;0m  \x1b[49m", `<rect x="12" y="12" width="16.8" height="19" fill="#ff0000"/>`},
		"reverse":            {"\x1b[7mx", `<rect x="12" y="12" width="8.4" height="19" fill="#e6edf3"/>`},
		"a wide letter":      {"語x", `<text x="28.8" y="26" textLength="8.4"`},
		"a combining letter": {"e\u0301x", "\">e\u0301</text>"},
		"a line":             {"─", `<path transform="translate(12 12)" d="M0 8.9H8.4V10.1H0z"/>`},
		"the second row":     {"\nx", `y="45"`},
		"words apart":        {"a  b", `<text x="37.2" y="26" textLength="8.4" lengthAdjust="spacingAndGlyphs">b</text>`},
		"a style ends":       {"\x1b[1ma\x1b[0m b", `<text x="28.8" y="26" textLength="8.4" lengthAdjust="spacingAndGlyphs">b</text>`},
	} {
		g, err := parse(c.screen)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		svg := picture{themes[1], name, 80}.draw(g)
		checkSVG(t, svg)
		if !strings.Contains(svg, c.want) {
			t.Errorf("%s: no %s in\n%s", name, c.want, svg)
		}
	}
}

// Of several screens the rows that are the same are drawn once, and who does not
// want movement sees the last one.
func TestFilm(t *testing.T) {
	var frames []grid
	for _, screen := range []string{"same\none\n", "same\ntwo\n", "same\nthree\n"} {
		g := must.Get(parse(screen))(t)
		frames = append(frames, g)
	}
	svg := picture{themes[0], "film", 80}.draw(frames...)
	words := strings.Fields(checkSVG(t, svg))
	if got := slices.DeleteFunc(words, func(w string) bool { return len(w) > 5 || len(w) < 3 }); !slices.Equal(got, []string{"film", "same", "one", "two", "three"}) {
		t.Errorf("it shows %q", got)
	}
	for _, part := range []string{
		`<g class="f" style="animation-delay:-9s">`, `<g class="f" style="animation-delay:-3s">`, "f 9s step-end infinite", "33.33%",
		".f:last-child{visibility:visible}", "@media(prefers-reduced-motion:reduce){.f{animation:none}}",
	} {
		if !strings.Contains(svg, part) {
			t.Errorf("no %s in\n%s", part, svg)
		}
	}
	if strings.Count(svg, `class="f"`) != 3 || strings.Count(svg, ">same<") != 1 {
		t.Errorf("not three frames around one row:\n%s", svg)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{
		"\x1b[5mx", "\x1b[38;5;1mx", "\x1b[38;2;1;2mx", "\x1b[38;2;1;2;256mx", "\x1b[1", "\x1b]0;t\x07", "a\tb", "\xff",
		strings.Repeat("x", mostColumns+1), strings.Repeat("\n", mostRows+1),
	} {
		if g, err := parse(text); err == nil {
			t.Errorf("%q became %v", text, g)
		}
	}
}

// Whatever is a screen is drawn as an SVG that holds its letters.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"", "a b\n\n<c>", "\x1b[1;38;2;1;2;3;48;2;4;5;6mx\x1b[0m ─│ 語 e\u0301", "\x1b[7m \x1b[27m"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := parse(text)
		if err != nil || len(text) > 1000 {
			return
		}
		svg := picture{themes[0], "", mostColumns}.draw(g)
		if err := xml.Unmarshal([]byte(svg), new(struct{})); err != nil {
			t.Fatalf("%v\n%s", err, svg)
		}
		for _, row := range g {
			for _, glyph := range row {
				if k := kindOf(glyph.text); k == sign && !strings.Contains(svg, escape(glyph.text)) {
					t.Fatalf("no %q in\n%s", glyph.text, svg)
				}
			}
		}
	})
}
