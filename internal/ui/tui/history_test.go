package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
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
			if _, err := b.Do(t.Context(), pawl.Request{By: me, Op: op}); err != nil {
				t.Fatal(err)
			}
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
				if err := b.View(t.Context(), func(r pawl.Reader) error { last = r.Revision(); return nil }); err != nil {
					t.Fatal(err)
				}
				if _, err := b.Undo(t.Context(), me, last); err != nil {
					t.Fatal(err)
				}
			}
			var err error
			if known, err = of.read(t.Context(), query.Local(b), query.Asker{By: me}, known); err != nil {
				t.Fatal(err)
			}
			whole, err := of.read(t.Context(), query.Local(b), query.Asker{By: me}, nil)
			if err != nil {
				t.Fatal(err)
			}
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
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Of the board that was in this place before nothing is told.
func TestHistoryOfAnotherBoard(t *testing.T) {
	var known *history
	of := span{want: 10, clock: show.Clock{Now: time.Now(), Zone: time.UTC}}
	for _, changes := range []int{5, 2} {
		b := pawl.NewBoard(memory.New())
		for range changes {
			if _, err := b.Do(t.Context(), pawl.Request{By: me, Op: plan(task("Set up"))}); err != nil {
				t.Fatal(err)
			}
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
		if err := b.Close(); err != nil {
			t.Error(err)
		}
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

// The longest timeline and the longest task are drawn with each key.
func BenchmarkFrames(b *testing.B) {
	m := &model{Options: Options{Terminal: Terminal{Unicode: true}, Live: show.Live{By: me}}, width: 120, height: 40, now: time.Now(), why: map[pawl.ID]string{}}
	h := &history{more: true}
	for i := range mostHistory {
		id := pawl.ID(mostHistory - i)
		h.told = append(h.told, told{
			set: pawl.ChangeSet{Revision: pawl.Revision(id), At: m.now.Add(-time.Duration(i) * time.Hour), By: me, Verb: "create",
				Changes: []pawl.Change{{ID: id, After: &pawl.Task{ID: id, Subject: "Write the parser of the language"}}}},
		})
	}
	b.Run("timeline", func(b *testing.B) {
		s := &timelineScreen{told: past{history: h}, top: mostHistory / 2}
		for b.Loop() {
			s.draw(m, m.width, m.height)
		}
	})
	d := &query.Detail{Task: pawl.Task{ID: 1, Subject: "Long", Description: strings.Repeat("word äöü ", pawl.MaxDescription/12)}}
	for i := range pawl.MaxNotes {
		d.Task.Notes = append(d.Task.Notes, pawl.Note{By: "ada", Text: strings.Repeat(fmt.Sprint("note ", i, " "), 80)})
	}
	s := &detailScreen{visit: visit{at: 1}, found: &detailRead{at: 1, detail: d}, told: past{history: h, of: span{task: 1}}}
	b.Run("task", func(b *testing.B) {
		for b.Loop() {
			s.draw(m, m.width, m.height)
		}
	})
	b.Run("task anew", func(b *testing.B) {
		for b.Loop() {
			s.page = detailPage{}
			s.draw(m, m.width, m.height)
		}
	})
}
