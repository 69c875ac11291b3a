package tui

import (
	"fmt"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// board is a small board with something of everything.
var board = []pawl.Op{
	pawl.Create{Tasks: []pawl.NewTask{
		{Subject: "Release", Priority: pawl.High, Labels: []string{"core"}},
		{Subject: "Write the parser", Parent: pawl.RefID(1), Labels: []string{"core", "parser"}, Description: "The grammar is in doc/grammar.md"},
		{Subject: "Test the parser", Parent: pawl.RefID(1), BlockedBy: []pawl.Ref{pawl.RefID(2)}, Labels: []string{"parser"}},
		{Subject: "Übersetze die 名前 of everything", Owner: "bob"},
		{Subject: "Ask for the key", Priority: pawl.Low},
		{Subject: "Set up"},
	}},
	pawl.PutHold{IDs: []pawl.ID{5}, Reason: "nobody answers"},
	pawl.Complete{IDs: []pawl.ID{6}},
	pawl.ClaimTask{ID: 2},
}

// frames compares the dialog at four sizes with testdata/NAME-SIZE.txt.
func (p *pilot) frames(name string) {
	p.t.Helper()
	for _, size := range []struct{ width, height int }{{60, 15}, {80, 24}, {120, 40}, {200, 60}} {
		p.size(size.width, size.height)
		_, _, foot, _ := p.model.parts()
		golden(p.t, fmt.Sprintf("%s-%dx%d.txt", name, size.width, size.height), plain(foot))
	}
}

// total is how many tasks the lanes have.
func (p *pilot) total() int {
	n := 0
	for lane := range query.NumLanes {
		n += p.model.lanes.Total[lane]
	}
	return n
}

// Each choice is seen at once, and its count is that of the tasks that are seen
// then.
func TestFilter(t *testing.T) {
	fly(t, func(p *pilot) {
		p.press("f")
		p.sees("Show only", "[ ] @ada", "[ ] @bob", "+core", "on hold", "high priority", "parts of #1")
		p.write("core")
		p.press("tab")
		p.sees("[x] +core", "only +core")
		if n := p.total(); n != 2 {
			t.Errorf("%d tasks are seen, want 2", n)
		}
		p.press("ctrl+u")
		p.write("high")
		p.press("tab")
		p.sees("only +core, high priority")
		p.press("enter")
		p.sees("only +core, high priority")
		p.seesNot("Show only")
		p.press("esc")
		p.seesNot("only")

		p.press("f")
		p.write("grammar")
		p.press("enter")
		p.sees(`only "grammar"`, "Write the parser")
		if n := p.total(); n != 1 {
			t.Errorf("%d tasks are seen, want 1", n)
		}
		p.press("f")
		p.sees(`[x] "grammar" in the text`)
		p.write("hold")
		p.press("tab")
		p.sees(`only on hold, "grammar"`)
		p.press("esc")
		p.sees(`only "grammar"`)
		p.seesNot("held,")
	}, board...)
}

// The number beside a choice is how many tasks are seen with it.
func TestFilterCounts(t *testing.T) {
	fly(t, func(p *pilot) {
		for _, before := range []string{"", "ready", "parser", "@ada", "grammar"} {
			p.model.filter = filter{}
			if before != "" {
				p.press("f")
				p.write(before)
				p.press("enter")
			}
			p.press("f")
			d := p.model.dialog.(*filtering)
			items := append([]item[choice](nil), d.items...)
			p.press("esc")
			if len(items) < 8 {
				t.Fatalf("%d choices", len(items))
			}
			was := p.model.filter
			for _, it := range items {
				p.model.filter = was
				if !it.on {
					p.model.filter.query = it.value.turn(was.query, "ada")
				}
				p.run(p.model.reread())
				p.sleep(gap)
				if n := fmt.Sprint(p.total()); n != it.note {
					t.Errorf("with %q, %s tasks are seen for %s, which says %s", before, n, it.text, it.note)
				}
			}
		}
	}, board...)
}

// A task that the filter hides is told to be hidden.
func TestAddHidden(t *testing.T) {
	fly(t, func(p *pilot) {
		p.press("f")
		p.write("hold")
		p.press("enter", "a")
		p.write("One more")
		p.press("enter")
		p.sees("Added #7 One more; the filter hides it")
	}, board...)
}

func TestFilterFrames(t *testing.T) {
	fly(t, func(p *pilot) {
		p.press("f")
		p.frames("dialogs/filter")
	}, board...)
}
