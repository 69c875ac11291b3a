package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show/term"
)

// seen is what a pan shows of rows that say their numbers: "^ 3 4 5 v".
func seen(p pan, total, height int) string {
	f := p.draw(term.Screen{Width: 12}, total, height, func(row, width int) []cell {
		return []cell{{line: term.Line{{Text: fmt.Sprint(row)}}, width: width}}
	})
	return strings.Join(strings.Fields(plain(f)), " ")
}

func TestPan(t *testing.T) {
	const total, height = 10, 4
	p := pan(0)
	for _, c := range []struct{ press, want string }{
		{"down", "1 ^ 2 3 4 v"},
		{"pgdown", "4 ^ 5 6 7 v"},
		{"pgdown", "6 ^ 7 8 9"},
		{"down", "6 ^ 7 8 9"},
		{"up", "5 ^ 6 7 8 v"},
		{"pgup", "2 ^ 3 4 5 v"},
		{"home", "0 1 2 3 v"},
		{"up", "0 1 2 3 v"},
		{"end", "6 ^ 7 8 9"},
	} {
		var ok bool
		if p, ok = p.key(keyOf(t, c.press), total, height); !ok || seen(p, total, height) != c.want {
			t.Errorf("%s shows %q, want %q", c.press, seen(p, total, height), c.want)
		}
	}
	if _, ok := p.key(keyOf(t, "d"), total, height); ok {
		t.Error("d moves what is seen")
	}
	for row, want := range map[int]string{0: "0 1 2 3 v", 4: "4 ^ 5 6 7 v", 6: "4 ^ 5 6 7 v", 7: "4 ^ 5 6 7 v", 9: "6 ^ 7 8 9"} {
		if got := seen(pan(4).to(row, total, height), total, height); got != want {
			t.Errorf("to row %d it shows %q, want %q", row, got, want)
		}
	}
	if got := seen(pan(6), 3, height); got != "0 1 2" {
		t.Errorf("of fewer rows it shows %q", got)
	}
	if got := seen(pan(6), 0, height); got != "" {
		t.Errorf("of no rows it shows %q", got)
	}
}

// spy is a screen that notes how high it is drawn.
type spy struct {
	timelineScreen
	height int
}

func (s *spy) draw(_ *model, width, height int) frame {
	s.height = height
	return frame{row(width)}
}

// Pages of a screen are as high as the screen is.
func TestRoom(t *testing.T) {
	fly(t, func(p *pilot) {
		s := &spy{}
		p.model.screens[onTimeline] = s
		p.press("t")
		for _, height := range []int{15, 40} {
			p.send(tea.WindowSizeMsg{Width: 80, Height: height})
			if s.height != p.model.room() {
				t.Errorf("a screen of %d rows takes itself for one of %d", s.height, p.model.room())
			}
		}
	}, plan(pawl.NewTask{Subject: "Set up"}))
}
