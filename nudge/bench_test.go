package nudge_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/nudge"
	"github.com/pawl-dev/pawl/todo"
)

// What an event costs, besides the facts that it asks for. A hook has 1 ms for
// all that it does.
func BenchmarkDecide(b *testing.B) {
	s := newSession(b)
	for i := range 20 {
		s.facts.List.Items = append(s.facts.List.Items, todo.Item{Content: fmt.Sprintf("Write the parser, part %d", i), Status: todo.Pending})
	}
	s.play("owned #12 Refactor auth")
	s.play("ready 7 #20 Write the printer | #21 Write the docs")
	said := strings.Repeat("I have read the file and changed it in `parser.go`.\n\n- one\n- two\n\n```\ngo test ./...\n```\n", 20)
	for name, e := range map[string]nudge.Event{
		"start":  {Kind: nudge.Start, Source: nudge.Resume},
		"prompt": {Kind: nudge.Prompt, Text: "Fix the build, please."},
		"begins": {Kind: nudge.CallBegins},
		"ends":   {Kind: nudge.CallEnds},
		"stop":   {Kind: nudge.Stop, Text: said},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				nudge.Needs(s.state, e, s.settings)
				nudge.Decide(s.state, e, s.facts, s.settings, time.Time{})
			}
		})
	}
}
