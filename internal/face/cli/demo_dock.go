package cli

import (
	"bufio"
	"bytes"
	"strings"

	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/view"
)

// A dock keeps the drawing of a board below whatever else a stage shows. It is
// drawn again after each command, so that the viewer sees tasks turn ready.
// Where a cursor cannot go back, the drawing is a command like any other, at the
// beginning and at the end.
type dock struct {
	moves bool // the terminal's cursor goes where it is told
	on    bool
	lines int // that the drawing takes now
}

// drawing is the command whose output stays in the dock.
var drawing = []string{"graph", "--all"}

// follow draws the board of the scene from here on.
func (s *stage) follow() {
	if !s.dock.moves {
		s.run(drawing...)
		return
	}
	s.dock.on = true
	s.above(func() {})
	s.wait(3)
}

// part leaves the drawing as it is in the end.
func (s *stage) part() {
	if !s.dock.moves {
		s.run(drawing...)
	}
	s.dock.on, s.dock.lines = false, 0
}

// above shows something above the drawing.
func (s *stage) above(show func()) {
	if s.dock.lines > 0 {
		s.print("\x1b[%dA\x1b[J", s.dock.lines)
		s.dock.lines = 0
	}
	show()
	if !s.dock.on {
		return
	}
	text := "\n" + s.paint.as(bold, "$ pawl "+strings.Join(drawing, " ")) + "\n" + s.picture()
	s.print("%s", text)
	s.dock.lines = strings.Count(text, "\n")
}

// picture is what the command prints.
func (s *stage) picture() string {
	var out bytes.Buffer
	a := &app{env: s.env, out: bufio.NewWriter(&out), paint: s.paint, screen: s.screen}
	s.do(func() error {
		return s.board(func(b ask.Board) error {
			g, err := ask.Of(s.ctx, b, ask.Asker{}, ask.GraphQuery{All: true, Alone: true})
			if err == nil {
				a.drawGraph(view.NewGraph(g.Tasks, g.Missing, ""), &ask.Facts{Now: g.Now})
			}
			return err
		})
	})
	s.do(a.flush)
	return out.String()
}
