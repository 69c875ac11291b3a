package quiet

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

func TestSet(t *testing.T) {
	now := time.Date(2026, 11, 22, 14, 2, 0, 0, time.UTC)
	until := func(hours int) Span { return Span{true, now.Add(time.Duration(hours) * time.Hour)} }
	open, none := Span{Quiet: true}, Span{}
	state := filepath.Join(t.TempDir(), "state")
	if b, err := Read(state); err != nil || b.Of("/shop", now).Quiet {
		t.Fatalf("without a file: %+v, %v", b, err)
	}
	for i, step := range []struct {
		project     string
		set         Span
		shop, other Span // what holds then
	}{
		{"", until(2), until(2), until(2)},
		{"/shop", until(3), until(3), until(2)},
		{"/shop", until(1), until(2), until(2)}, // all are quiet for longer
		{"/shop", open, open, until(2)},
		{"/shop", none, until(2), until(2)},
		{"/shop", open, open, until(2)},
		{"", open, open, open},
		{"", none, none, none},
		{"/shop", until(1), until(1), none},
		{"/other", until(0), until(1), none}, // over at once
	} {
		b, err := Set(t.Context(), state, step.project, step.set, now)
		if err != nil {
			t.Fatal(err)
		}
		read, err := Read(state)
		for _, b := range []Book{b, read} {
			if shop, other := b.Of("/shop", now), b.Of("/other", now); err != nil || shop != step.shop || other != step.other {
				t.Errorf("step %d: %+v and %+v, %v", i, shop, other, err)
			}
		}
	}
	if b, _ := Read(state); b.Of("/shop", now.Add(time.Hour)).Quiet || !b.Of("/shop", now.Add(time.Hour-time.Second)).Quiet {
		t.Error("it does not end when it should")
	}
}

// What cannot be read does not silence anybody, and the next change mends it.
func TestDamaged(t *testing.T) {
	now := time.Date(2026, 11, 22, 14, 2, 0, 0, time.UTC)
	for _, text := range []string{"", "{", `{"all": "soon"}`, `{"all": 1}`, `[]`, `{"projects": {"/shop": ""}}`} {
		state := t.TempDir()
		must.Do(t, os.WriteFile(filepath.Join(state, name), []byte(text), 0o600))
		if b, _ := Read(state); b.Of("/shop", now).Quiet {
			t.Errorf("%s is quiet", text)
		}
		if _, err := Set(t.Context(), state, "/shop", Span{Quiet: true}, now); err != nil {
			t.Fatal(err)
		}
		if b, err := Read(state); !b.Of("/shop", now).Quiet || err != nil {
			t.Errorf("%s: not mended: %v", text, err)
		}
	}
}
