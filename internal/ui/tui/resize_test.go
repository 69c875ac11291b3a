package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
)

// Whatever is open while the terminal changes its size, all of it fits, and
// without Unicode it is ASCII.
func TestResize(t *testing.T) {
	for _, unicode := range []bool{true, false} {
		for _, open := range []string{
			"", "g", "G g", "G g G", "t", "t v", "enter", "enter tab enter", "?", "a", "a tab", "n", "h", "l", "l tab", "/", "/ p", "f", "f tab", "D", "m", "m right",
			"d", "d d", "x", "g ?", "g D", "enter n", "t u",
		} {
			t.Run(fmt.Sprintf("%s,%t", strings.ReplaceAll(open, " ", "-"), unicode), func(t *testing.T) {
				long.Seldom(t, 3)
				fly(t, func(p *pilot) {
					p.model.Unicode = unicode
					p.press(strings.Fields(open)...)
					for _, size := range [][2]int{
						{60, 15}, {61, 16}, {79, 19}, {80, 24}, {119, 29}, {120, 30}, {200, 60}, {400, 15}, {60, 100}, {30, 8}, {29, 8}, {30, 7}, {52, 12}, {53, 13}, {40, 40}, {200, 8}, {10, 3}, {1, 1}, {120, 15}, {60, 15},
					} {
						p.size(size[0], size[1])
						p.fits()
						if i := strings.IndexFunc(p.text(), func(r rune) bool { return r > '~' }); !unicode && i >= 0 {
							t.Errorf("%v shows %q:\n%s", size, p.text()[i:i+3], p.text())
						}
						p.press("down", "up")
						p.do(reviewer, pawl.AddNote{ID: 1, Text: fmt.Sprint(size)})
						p.sleep(gap)
					}
					p.size(120, 40)
					p.press("esc", "esc", "esc", "b")
					p.sees("Set up")
				}, plan(
					task("Set up the project and all that belongs to it, which is more than goes into one line of a card"), task("Parse", 1), task("Emit", 1),
					task("Join", 2, 3), task("Tag", 4), task("Alone"), pawl.NewTask{Subject: "Part", Parent: pawl.RefID(6), Description: strings.Repeat("much to say ", 400)},
				), pawl.Start{IDs: []pawl.ID{6}}, pawl.PutHold{IDs: []pawl.ID{5}, Reason: strings.Repeat("because ", 40)})
			})
		}
	}
}

// What nobody sees nobody does: on a terminal that is too small only quitting
// works.
func TestTooSmall(t *testing.T) {
	fly(t, func(p *pilot) {
		p.size(29, 40)
		p.sees("Pawl needs 30×8, not 29×40")
		p.press("d", "a")
		p.send(tea.MouseClickMsg{X: 3, Y: 3, Button: tea.MouseLeft}, tea.MouseWheelMsg{Button: tea.MouseWheelDown})
		p.size(30, 8)
		p.sees("Ready 1", "✔ 0")
		p.seesNot("Add a task")
		p.size(30, 7)
		p.press("q")
		if !p.over {
			t.Error("q does not quit")
		}
	}, plan(task("Set up")))
}
