package cli

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"
)

func TestProgress(t *testing.T) {
	for _, c := range []struct {
		name string
		run  func(p *progress)
		want string
	}{
		{"quick", func(p *progress) { time.Sleep(900 * time.Millisecond) }, ""},
		{"long", func(p *progress) {
			time.Sleep(1500 * time.Millisecond)
			p.at("importing, %d of %d tasks made", 20, 50)
			time.Sleep(time.Second)
		}, "pawl: importing, 1 s\r\x1b[Kpawl: importing, 20 of 50 tasks made, 2 s\r\x1b[K"},
		{"somebody says something", func(p *progress) {
			time.Sleep(1500 * time.Millisecond)
			p.aside(func() { p.w.Write([]byte("made a board\n")) })
			time.Sleep(time.Second)
		}, "pawl: importing, 1 s\r\x1b[Kmade a board\npawl: importing, 2 s\r\x1b[K"},
	} {
		synctest.Test(t, func(t *testing.T) {
			var b bytes.Buffer
			p := newProgress(&b, "importing")
			c.run(p)
			p.end()
			if got := b.String(); got != c.want {
				t.Errorf("%s: %q, want %q", c.name, got, c.want)
			}
		})
	}
	nobody := (&app{env: Env{Stderr: &bytes.Buffer{}, Getenv: func(string) string { return "" }}}).progress("importing")
	nobody.at("half")
	nobody.end()
	if nobody != nil {
		t.Error("somebody watches a buffer")
	}
}
