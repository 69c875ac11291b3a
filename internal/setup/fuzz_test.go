package setup

import (
	"bytes"
	"slices"
	"testing"

	"github.com/pawl-dev/pawl/internal/jsonc"

	"github.com/pawl-dev/pawl/internal/agent/known"

	"github.com/pawl-dev/pawl/internal/agent"
)

// Whatever an agent's file says, a setup either leaves it alone or can be taken
// back, to the byte.
func FuzzJSON(f *testing.F) {
	for _, text := range texts[agent.KindMember] {
		f.Add([]byte(text))
	}
	f.Add([]byte(`{"hooks": {"Stop": {"a": 1}}}`))
	f.Add([]byte(`{"hooks": [1], "mcpServers": null}`))
	pieces := filesOf("claude")[1].Pieces
	pieces = append(pieces[:3:3], pieces[len(pieces)-1])
	f.Fuzz(func(t *testing.T, text []byte) { roundTrip(t, text, pieces) })
}

func FuzzTOML(f *testing.F) {
	for _, text := range texts[agent.KindTable] {
		f.Add([]byte(text))
	}
	pieces := filesOf("codex")[0].Pieces
	f.Fuzz(func(t *testing.T, text []byte) { roundTrip(t, text, pieces) })
}

func FuzzYAML(f *testing.F) {
	for _, text := range texts[agent.KindEntry] {
		f.Add([]byte(text))
	}
	pieces := filesOf("goose")[0].Pieces
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
		is, err := editorOf(p).look(now, p)
		if err != nil {
			return
		}
		if is != missing {
			continue
		}
		after, made, err := editorOf(p).put(now, p)
		if err != nil {
			return
		}
		if is, err := editorOf(p).look(after, p); is != same || err != nil {
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
		if now, err = editorOf(p.Piece).take(now, p.Piece, p.Made); err != nil {
			t.Fatal(err)
		}
		if is, err := editorOf(p.Piece).look(now, p.Piece); is == same || err != nil {
			t.Fatalf("%s is still in %q: %v", p.For, now, err)
		}
	}
	if was, ok := jsonc.Get(text); ok && pieces[0].Kind != agent.KindTable && pieces[0].Kind != agent.KindEntry {
		if is, _ := jsonc.Get(now); !jsonc.Same(is, was) {
			t.Fatalf("%q became %q", text, now)
		}
	}
}

// filesOf are the files of an agent for somebody who has nothing set.
func filesOf(name string) []File {
	d := Planner{Getenv: func(string) string { return "" }, OS: "linux", Home: "/home/ada", Command: "pawl"}
	a := known.Find(name)
	return a.Config.Files(d.place(a, d.ForUser(name)))
}
