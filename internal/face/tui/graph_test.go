package tui

import (
	"fmt"
	"testing"

	"github.com/pawl-dev/pawl"
)

// release is a plan in which much hangs together, and #9 alone.
var release = plan(
	task("Set up the project"),       // 1
	task("Parse the config", 1),      // 2
	task("Write the emitter", 1),     // 3
	task("Join the halves", 2, 3),    // 4
	task("Measure Größe of 名前 🦀", 4), // 5
	task("Write the manual", 4),      // 6
	task("Tag the release", 5, 6),    // 7
	task("Choose a logo"),            // 8
	task("Water the plants"),         // 9
	task("Print stickers", 8),        // 10
)

func TestGraphFrames(t *testing.T) {
	for _, size := range [][2]int{{60, 15}, {80, 24}, {120, 40}, {200, 60}} {
		fly(t, func(p *pilot) {
			p.size(size[0], size[1])
			name := fmt.Sprintf("-%dx%d", size[0], size[1])
			p.press("g", "G")
			p.press("end", "home", "j", "j")
			p.golden("graph/whole" + name)
			p.press("space")
			p.golden("graph/ego" + name)
		}, release, pawl.Start{IDs: []pawl.ID{1}})
	}
}
