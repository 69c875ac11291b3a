package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

// tells is what a history says, without words.
func tells(h *history) []string {
	var lines []string
	for i := range h.told {
		lines = append(lines, fmt.Sprint(h.told[i].set.Revision, h.told[i].undone, len(h.told[i].fields)))
	}
	return lines
}

// The news are added to what is known as if all had been read at once: on a
// board that keeps all, and on one that forgets more between two readings than
// it keeps.
func TestHistoryOfNews(t *testing.T) {
	for _, kept := range []int{memory.DefaultHistory, 7} {
		b := pawl.NewBoard(memory.New(memory.WithHistory(kept)))
		do := func(op pawl.Op) {
			must.Get(b.Do(t.Context(), pawl.Request{By: me, Op: op}))(t)
		}
		do(plan(task("Set up")))
		of := span{want: 10, clock: show.Clock{Now: time.Now(), Zone: time.UTC}}
		var known *history
		trimmed := false
		for i := range 40 {
			for range i % 14 {
				do(pawl.AddNote{ID: 1, Text: fmt.Sprint("round ", i)})
			}
			if i%5 == 4 {
				var last pawl.Revision
				must.Do(t, b.View(t.Context(), func(r pawl.Reader) error { last = r.Revision(); return nil }))
				must.Get(b.Undo(t.Context(), me, last))(t)
			}
			var err error
			if known, err = of.read(t.Context(), query.Local(b), query.Asker{By: me}, known); err != nil {
				t.Fatal(err)
			}
			whole := must.Get(of.read(t.Context(), query.Local(b), query.Asker{By: me}, nil))(t)
			if got, want := fmt.Sprint(tells(known)[:len(whole.told)]), fmt.Sprint(tells(whole)); got != want {
				t.Fatalf("round %d: news give\n%s\nall at once is\n%s", i, got, want)
			}
			for j := range known.told[1:] {
				if rev := known.told[j].set.Revision; rev != known.told[j+1].set.Revision+1 {
					t.Fatalf("round %d: there is a hole before %d", i, rev)
				}
			}
			if len(known.told) == len(whole.told) && known.more != whole.more {
				t.Fatalf("round %d: more %v, want %v", i, known.more, whole.more)
			}
			trimmed = trimmed || whole.trimmed
		}
		if trimmed != (kept == 7) {
			t.Errorf("of a board that keeps %d changes it is said that older ones are trimmed: %v", kept, trimmed)
		}
		must.Do(t, b.Close())
	}
}

// Of the board that was in this place before nothing is told.
func TestHistoryOfAnotherBoard(t *testing.T) {
	var known *history
	of := span{want: 10, clock: show.Clock{Now: time.Now(), Zone: time.UTC}}
	for _, changes := range []int{5, 2} {
		b := pawl.NewBoard(memory.New())
		for range changes {
			must.Get(b.Do(t.Context(), pawl.Request{By: me, Op: plan(task("Set up"))}))(t)
		}
		for range 2 { // and no change twice
			var err error
			if known, err = of.read(t.Context(), query.Local(b), query.Asker{By: me}, known); err != nil {
				t.Fatal(err)
			}
			if len(known.told) != changes || known.trimmed {
				t.Errorf("of %d changes %d are told, trimmed: %v", changes, len(known.told), known.trimmed)
			}
		}
		must.Do(t, b.Close())
	}
}

// A reader who goes on does not wait for the history of the task before, and is
// not told that its reading was broken off.
func TestHistoryOfAnother(t *testing.T) {
	fly(t, func(p *pilot) {
		p.open(1)
		m := p.model
		s := m.screens[onDetail].(*detailScreen)
		began := s.recall(m)
		s.show(m, 2)
		if s.recall(m) != nil {
			t.Fatal("two histories are read at a time")
		}
		s.show(m, 1)
		if s.recall(m) != nil {
			t.Fatal("two histories are read at a time")
		}
		if msg := began().(pastMsg); msg.err == nil {
			t.Error("what nobody waits for was read to the end")
		} else {
			p.send(msg)
		}
		if m.notice.text != "" {
			t.Errorf("it says %q", m.notice.text)
		}
		s.take(m, &detailRead{at: 2, gone: true}) // of the task in between
		p.sees("#1 One", "ada added #1, #2 Two")
	}, pawl.Create{Tasks: []pawl.NewTask{task("One"), task("Two")}})
}

// A change is told in the width that there is, with all of its numbers as long
// as that goes.
func TestToldInWidths(t *testing.T) {
	at := func(id pawl.ID) pawl.Change {
		return pawl.Change{ID: id, Fields: []pawl.Field{pawl.FieldStatus}, Before: &pawl.Task{ID: id}, After: &pawl.Task{ID: id, Status: pawl.Completed}}
	}
	tell := told{
		set:   pawl.ChangeSet{By: pawl.Actor{Name: "ada"}, Verb: "complete", Changes: []pawl.Change{at(1), at(2)}, Ready: []pawl.ID{30}},
		names: query.Subjects{1: strings.Repeat("long ", 10), 2: "Short", 30: "Größe von 名前 messen und ausgeben"},
	}
	for width := 10; width < 160; width++ {
		for _, tell.undone = range []bool{false, true} {
			line := tell.line((&model{}).sc(width), 0)
			if n := len([]rune(line)); n > width {
				t.Errorf("%d: %q", width, line)
			}
			if width > 75 && (!strings.Contains(line, "#2") || !strings.Contains(line, "#30")) {
				t.Errorf("%d: %q leaves out what there is room for", width, line)
			}
			if tell.undone != strings.HasSuffix(line, "(undone)") {
				t.Errorf("%d: undone %v, but %q", width, tell.undone, line)
			}
		}
	}
}
