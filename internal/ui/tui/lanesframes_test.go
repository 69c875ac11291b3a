package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
)

// parser is a board with a card in every state.
func parserBoard() []pawl.Op {
	high := task("Rotate the keys", 0)
	high.BlockedBy, high.Priority, high.Labels = nil, pawl.High, []string{"core", "security"}
	child := func(subject string) pawl.NewTask {
		t := task(subject)
		t.Parent = pawl.RefID(8)
		return t
	}
	parser := task("Write the parser for the new, more lenient grammar of the query language", 1)
	parser.ActiveForm = "Writing the tokenizer"
	return []pawl.Op{
		plan(task("Set up the project"), parser, task("Write the emitter", 1), task("Join the halves", 2, 3),
			task("Document the format", 4), task("Benchmark a cold start"), task("Ship release 1.0", 2, 3, 4, 5, 6),
			task("Refactor auth middleware so that tokens are checked once"), child("Move the checks"), child("Drop the old ones"), child("Measure"),
			high, task("Ask legal about the licence of the fonts that the page uses"), task("Choose a logo")),
		pawl.Complete{IDs: []pawl.ID{1, 9}},
		pawl.ClaimTask{ID: 2},
		pawl.PutHold{IDs: []pawl.ID{13}, Reason: "waits for an answer from the foundry, which comes on Monday"},
		pawl.Assign{IDs: []pawl.ID{14}, Owner: "bob"},
	}
}

func TestLanesFrames(t *testing.T) {
	fly(t, func(p *pilot) {
		p.do(bob, pawl.ClaimTask{ID: 6, Lease: pawl.Duration(15 * time.Minute)})
		p.sleep(13 * time.Minute)
		p.model.Name = "payments"
		p.goldens("lanes/all")
		for _, name := range []string{"lanes/all-50x14", "lanes/all-30x8"} { // beside or under an editor
			var width, height int
			must.Get(fmt.Sscanf(name, "lanes/all-%dx%d", &width, &height))(t)
			p.size(width, height)
			p.fits()
			p.golden(name)
		}
		p.size(120, 40)
		p.themes("lanes/all")
		p.press("m", "right")
		p.goldens("lanes/lifted")
		p.fits()
		p.size(120, 40)
		p.themes("lanes/lifted")
		p.press("esc", "left", "c")
		p.goldens("lanes/refused")
	}, parserBoard()...)
}

// A filter is told in the heading, and the counts are what it leaves.
func TestLanesFiltered(t *testing.T) {
	fly(t, func(p *pilot) {
		p.model.Name = "payments"
		p.model.filter.query.Text = "the"
		p.run(p.model.reread())
		p.goldens("lanes/filtered")
		p.press("esc")
		p.model.filter.query.Text = "nowhere"
		p.run(p.model.reread())
		p.goldens("lanes/nothing")
	}, parserBoard()...)
}

// Subjects in all scripts, and such that would like to be something else.
func TestLanesOfStrangeTexts(t *testing.T) {
	fly(t, func(p *pilot) {
		// What the board itself refuses can stand in a file.
		strange := &p.model.lanes.Cards[query.Pickable][5].Task
		strange.Subject = "\x1b[31mred\x1b[0m \x1b]0;title\x07 and \u202eback to front\ttab\nnew line"
		damaged := &p.model.lanes.Cards[query.Pickable][7]
		damaged.State, damaged.Task.Damage = query.Damaged, "line 3: \x1b[2Jwanted a colon"
		p.goldens("lanes/strange")
		p.sees("red", "hearts ❤ in")
		p.fits()
	}, plan(
		task("解析器：支持全角字符与组合字符的宽度计算以及换行"), task("한국어 제목은 넓은 글자로 되어 있다"),
		task("e\u0301a\u030a combining "+strings.Repeat("z\u0335", 40)), task("\u0301 begins with a mark"),
		task("Family 👩‍👩‍👧‍👦, flags 🇩🇪🇫🇷 and hearts ❤️ in titles"), task("to be replaced"),
		task("עברית ועוד קצת עברית"), task(strings.Repeat("endless", 60)),
	))
}

// A task in progress that is held says so, and how the hold is lifted; what is
// said beside what it waits for has whole words.
func TestCardsSayWhatMatters(t *testing.T) {
	fly(t, func(p *pilot) {
		p.press("c", "h")
		p.write("wait for legal")
		p.press("enter")
		p.sees("→ #1 Set up", "on hold: wait for legal", "ada, now", "h lift the hold  d done")
		p.press("h")
		p.seesNot("on hold: ")
		p.press("n")
		p.write("they answer on Monday")
		p.press("enter")
		p.sees("ada, now, 1 note")
		p.size(100, 30)
		p.sees("waits for #1 Set u… (+1) ")
		p.seesNot("for bob")
	}, plan(task("Set up what is needed for all"), task("Two"), task("Join", 1, 2)), pawl.Assign{IDs: []pawl.ID{3}, Owner: "bob"})
}

// A card says which task of another branch has its number, in whatever state it is.
func TestCardsSayTheOtherBranch(t *testing.T) {
	fly(t, func(p *pilot) {
		cards := 0
		for lane := range p.model.lanes.Cards {
			for i := range p.model.lanes.Cards[lane] {
				p.model.lanes.Cards[lane][i].Task.Merging = []pawl.Task{{Subject: "Retry"}}
				cards++
			}
		}
		p.size(200, 40)
		if shown := strings.Count(p.text(), " of the other branch: Retry"); cards != 4 || shown != cards {
			t.Errorf("%d of %d cards say so:\n%s", shown, cards, p.text())
		}
		p.fits()
	}, plan(task("Set up"), task("Two"), task("Join", 2), task("Done")), pawl.Start{IDs: []pawl.ID{1}}, pawl.Complete{IDs: []pawl.ID{4}})
}

// A terminal without Unicode has all of it in ASCII.
func TestLanesInASCII(t *testing.T) {
	fly(t, func(p *pilot) {
		p.model.Unicode = false
		p.goldens("lanes/ascii")
		p.fits()
		p.press("m", "right")
		for i, r := range p.text() {
			if r > '~' {
				t.Fatalf("%q at %d is not ASCII:\n%s", r, i, p.text())
			}
		}
	}, parserBoard()...)
}

// sixty is a board as people have them.
func sixty() []pawl.Op {
	var all []pawl.NewTask
	for i := range 60 {
		t := task(fmt.Sprintf("Task %d: do the %dth part of what there is to do", i+1, i+1))
		if i >= 30 {
			t.BlockedBy = []pawl.Ref{pawl.RefID(pawl.ID(i - 9))}
		}
		all = append(all, t)
	}
	ids := make([]pawl.ID, 14)
	for i := range ids {
		ids[i] = pawl.ID(i + 1)
	}
	return []pawl.Op{plan(all...), pawl.Complete{IDs: ids}, pawl.Start{IDs: []pawl.ID{15, 16, 17}}}
}

// Each lane scrolls by itself, and says how much of it is cut off.
func TestLanesOfSixty(t *testing.T) {
	fly(t, func(p *pilot) {
		p.press("pgdown")
		p.goldens("lanes/sixty")
		p.fits()
		for _, size := range sizes {
			p.size(size.width, size.height)
			s := p.model.screens[onLanes].(*lanesScreen)
			for range 4 {
				for _, key := range []string{"home", "end", "pgup", "pgup", "down", "pgdown", "up", "pgdown"} {
					p.press(key)
					if id := s.at.String() + " "; s.at != 0 && !strings.Contains(p.text(), id) {
						t.Fatalf("after %s the reader's card %sis not seen:\n%s", key, id, p.text())
					}
				}
				p.press("tab")
			}
		}
	}, sixty()...)
}

// themes compares what a terminal gets, in both themes, with testdata/NAME-dark.txt
// and so on. ‹1;38;2;…› is a change of colour.
func (p *pilot) themes(name string) {
	p.t.Helper()
	f, _ := p.model.frame()
	for _, dark := range []bool{true, false} {
		th, word := newTheme(dark), "light"
		if dark {
			word = "dark"
		}
		var b strings.Builder
		for line := range strings.Lines(th.paint(f, p.model.Unicode) + "\n") {
			for {
				before, rest, found := strings.Cut(line, "\x1b[")
				b.WriteString(before)
				if !found {
					break
				}
				code, after, _ := strings.Cut(rest, "m")
				b.WriteString("‹" + code + "›")
				line = after
			}
		}
		golden(p.t, name+"-"+word+".txt", b.String())
	}
}
