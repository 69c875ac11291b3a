package setup

import (
	"bytes"
	"slices"
	"testing"

	"github.com/pawl-dev/pawl/internal/jsonc"
)

// Whatever an agent's file says, a setup either leaves it alone or can be taken
// back, to the byte.
func FuzzJSON(f *testing.F) {
	for _, text := range texts[Member] {
		f.Add([]byte(text))
	}
	f.Add([]byte(`{"hooks": {"Stop": {"a": 1}}}`))
	f.Add([]byte(`{"hooks": [1], "mcpServers": null}`))
	pieces := claude.files(place{Setup{Agent: "claude", Scope: User, Command: "pawl"}, func(string) string { return "" }, "linux", "/home/ada"})[1].Pieces
	pieces = append(pieces[:3:3], pieces[len(pieces)-1])
	f.Fuzz(func(t *testing.T, text []byte) { roundTrip(t, text, pieces) })
}

func FuzzTOML(f *testing.F) {
	for _, text := range texts[Table] {
		f.Add([]byte(text))
	}
	pieces := codex.files(place{Setup{Agent: "codex", Scope: User, Command: "pawl"}, func(string) string { return "" }, "linux", "/home/ada"})[0].Pieces
	f.Fuzz(func(t *testing.T, text []byte) { roundTrip(t, text, pieces) })
}

func FuzzYAML(f *testing.F) {
	for _, text := range texts[Entry] {
		f.Add([]byte(text))
	}
	pieces := goose.files(place{Setup{Agent: "goose", Scope: User, Command: "pawl"}, func(string) string { return "" }, "linux", "/home/ada"})[0].Pieces
	f.Fuzz(func(t *testing.T, text []byte) { roundTrip(t, text, pieces) })
}

// roundTrip puts all pieces into a text, looks that they are there and that
// putting them in again would change nothing, and takes them out.
func roundTrip(t *testing.T, text []byte, pieces []Piece) {
	if len(text) > 1<<14 {
		return
	}
	text = append([]byte{}, text...) // a file that is there
	now := bytes.Clone(text)
	var in []placed
	for _, p := range pieces {
		is, err := p.editor().look(now, p)
		if err != nil {
			return
		}
		if is != missing {
			continue
		}
		after, made, err := p.editor().put(now, p)
		if err != nil {
			return
		}
		if is, err := p.editor().look(after, p); is != same || err != nil {
			t.Fatalf("%s is not there in %q: %v, %v", p.For, after, is, err)
		}
		in = append(in, placed{Piece: p, Made: made})
		now = after
	}
	f := Filed{Before: sum(text), After: sum(now), Undo: difference(text, now)}
	if before, ok := f.before(now); !ok || !bytes.Equal(before, text) {
		t.Fatalf("%q comes back as %q", text, before)
	}
	for _, p := range slices.Backward(in) {
		var err error
		if now, err = p.editor().take(now, p.Piece, p.Made); err != nil {
			t.Fatal(err)
		}
		if is, err := p.editor().look(now, p.Piece); is == same || err != nil {
			t.Fatalf("%s is still in %q: %v", p.For, now, err)
		}
	}
	if was, ok := jsonc.Get(text); ok && pieces[0].Kind != Table && pieces[0].Kind != Entry {
		if is, _ := jsonc.Get(now); !jsonc.Same(is, was) {
			t.Fatalf("%q became %q", text, now)
		}
	}
}
