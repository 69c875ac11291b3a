package main

import (
	"strings"
	"testing"
	"time"
)

// A mark differs from the next one at each place, or a terminal would be sent a
// part of it only.
func TestMark(t *testing.T) {
	for n := range 100 {
		a, b := []rune(mark(n)), []rune(mark(n+1))
		if len(a) != len(b) {
			t.Fatalf("%q, %q", string(a), string(b))
		}
		for i := range a {
			if a[i] == b[i] {
				t.Fatalf("%q and %q are alike at %d", string(a), string(b), i)
			}
		}
	}
}

func TestSubject(t *testing.T) {
	got, err := subject([]byte("{\n  \"id\": 1,\n  \"subject\": \"a \\\"b\\\", c\",\n  \"status\": \"pending\"\n}\n"), `x"y`)
	const want = "{\n  \"id\": 1,\n  \"subject\": \"x\\\"y\",\n  \"status\": \"pending\"\n}\n"
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
	for _, text := range []string{"{}", `{"subject": "x"}`} {
		if got, err := subject([]byte(text), "y"); err == nil {
			t.Errorf("%s became %s", text, got)
		}
	}
}

func TestWatched(t *testing.T) {
	w := &watched{
		Name: "`pawl board`", Start: 5 * time.Millisecond, Idle: 1.25,
		Seen:  []sighting{sightingOf("an editor", []time.Duration{10e6, 201e6, 20e6})},
		Burst: burst{Took: time.Second, Frames: 22, CPU: 40}, Peak: 20 << 20,
	}
	const want = `| ` + "`pawl board`" + ` | measured | limit | |
|---|---:|---:|---|
| from its start to the first frame | 5.00 ms | | |
| an editor, until it stands on the screen: median / worst of 20 | 20 / 201 ms | 200 ms | **over** |
| processor while nothing happens for 20s | 1.25 % | 1 % | **over** |
| frames while 1,000 changes come in 1.0 s | 22 | 22 | green |
| processor | 40 % | | |
| peak memory | 20.0 MiB | | |
`
	if got := (screens{w, w}).String(); got != want+"\n"+want {
		t.Errorf("got\n%s", got)
	}
	w.Burst.Frames++
	if !strings.Contains(w.String(), "| 23 | 22 | **over** |") {
		t.Errorf("23 frames a second are well:\n%s", w)
	}
}
