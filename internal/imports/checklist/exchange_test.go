package checklist_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/imports/checklist"
	"github.com/pawl-dev/pawl/internal/imports/importstest"
	"github.com/pawl-dev/pawl/store/memory"
)

// shared is a file and a board that exchange what they have.
type shared struct {
	*testing.T
	format *imports.Format
	place  string
	text   string
	board  *pawl.Board
}

func share(t *testing.T, format *imports.Format, place, text string) *shared {
	s := &shared{t, format, place, text, pawl.NewBoard(memory.New())}
	s.sync()
	return s
}

func (s *shared) do(by string, op pawl.Op) {
	s.Helper()
	if _, err := s.board.Do(context.Background(), pawl.Request{By: pawl.Actor{Name: by}, Op: op}); err != nil {
		s.Fatal(err)
	}
}

func (s *shared) tasks() []pawl.Task {
	page := must.Get(s.board.Select(context.Background(), pawl.Query{}))(s)
	return page.Tasks
}

// sync does what pawl sync does with one file, as ada.
func (s *shared) sync() *imports.Exchange {
	s.Helper()
	root := importstest.Files(s, s.place, s.text)
	in := imports.Input{Root: root, Path: s.place, Place: s.place}
	defer in.Close()
	r := must.Get(imports.Read(s.format, &in))(s)
	board := s.tasks()
	x := r.Exchange(s.format, board, s.place, func(t *pawl.Task) string {
		if t.Owner == "ada" {
			return ""
		}
		return "it is " + t.Owner + "'s"
	}, time.Unix(1e9, 0))
	for _, own := range x.Own {
		s.do("ada", pawl.Complete{IDs: []pawl.ID{own.ID}})
	}
	if len(x.Own) > 0 {
		board = s.tasks()
	}
	text := must.Get(checklist.Tick([]byte(s.text), x.Tick))(s)
	s.text = string(text)
	s.do("ada", pawl.Import{Tasks: r.Merge(s.format, board)})
	return x
}

// is checks the board: "x #1, #2, > #3" is not needed, a mark and a subject are.
func (s *shared) is(want ...string) {
	s.Helper()
	var got []string
	for _, t := range s.tasks() {
		mark := map[pawl.Status]string{pawl.Pending: "-", pawl.InProgress: ">", pawl.Completed: "x"}[t.Status]
		got = append(got, mark+" "+t.Subject)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		s.Errorf("the board has\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func (s *shared) file(want string) {
	s.Helper()
	if s.text != want {
		s.Errorf("the file is\n%q\nwant\n%q", s.text, want)
	}
}

const cart = "\uFEFF## Phase 1: Setup  \r\n* [ ] T001 Project \t\r\n- [X] T002 Lint\r\n\r\n## Phase 2: Build\r\n- [ ] T003 Model"

// Whatever is ticked, no other byte of the file changes.
func TestTicksChangeNothingElse(t *testing.T) {
	s := share(t, &checklist.SpecKit, "specs/001-cart/tasks.md", cart)
	s.file(cart)
	s.is("- Setup", "- T001 Project", "x T002 Lint", "- Build", "- T003 Model")
	s.do("bob", pawl.Complete{IDs: []pawl.ID{2}, Force: true})
	s.do("bob", pawl.Complete{IDs: []pawl.ID{5}})
	s.do("bob", pawl.Reopen{IDs: []pawl.ID{3}})
	x := s.sync()
	s.file(strings.NewReplacer("[ ]", "[x]", "[X]", "[ ]").Replace(cart))
	if len(x.Ticked) != 2 || len(x.Unticked) != 1 {
		t.Errorf("%d ticked, %d unticked", len(x.Ticked), len(x.Unticked))
	}
	s.is("- Setup", "x T001 Project", "- T002 Lint", "x Build", "x T003 Model")
	if x := s.sync(); len(x.Tick) > 0 {
		t.Errorf("ticked again: %v", x.Tick)
	}
}

// Ticks and lines that the file gained come to the board; one that is gone takes
// nothing with it, and what both sides did is done.
func TestFileGains(t *testing.T) {
	s := share(t, &checklist.SpecKit, "specs/001-cart/tasks.md", cart)
	s.text = strings.Replace(s.text, "* [ ] T001", "* [x] T001", 1) + "\n- [ ] T004 Receipt\n"
	s.do("bob", pawl.Complete{IDs: []pawl.ID{2}, Force: true})
	s.sync()
	s.is("x Setup", "x T001 Project", "x T002 Lint", "- Build", "- T003 Model", "- T004 Receipt")
	s.text = strings.Replace(s.text, "- [ ] T004 Receipt\n", "", 1)
	s.text = strings.Replace(s.text, "[ ] T003 Model", "[x] T003 The model", 1)
	x := s.sync()
	s.is("x Setup", "x T001 Project", "x T002 Lint", "- Build", "x T003 The model", "- T004 Receipt")
	if len(x.Gone) != 1 || x.Gone[0].ID != 6 {
		t.Errorf("gone: %v", x.Gone)
	}
	s.text = strings.Replace(s.text, "* [x] T001", "* [ ] T001", 1)
	s.sync()
	s.is("- Setup", "- T001 Project", "x T002 Lint", "- Build", "x T003 The model", "- T004 Receipt")
}

// A ticked box takes a task from nobody who works on it, until that work ends.
func TestTickedWhileClaimed(t *testing.T) {
	s := share(t, &checklist.SpecKit, "specs/001-cart/tasks.md", cart)
	s.do("bob", pawl.ClaimTask{ID: 2})
	s.text = strings.Replace(s.text, "* [ ] T001", "* [x] T001", 1)
	for range 2 {
		if x := s.sync(); len(x.Against) != 1 || !strings.Contains(x.Against[0].Why, "bob") || len(x.Tick) > 0 {
			t.Errorf("%+v", x)
		}
	}
	s.is("- Setup", "> T001 Project", "x T002 Lint", "- Build", "- T003 Model")
	s.do("bob", pawl.Release{IDs: []pawl.ID{2}})
	s.sync()
	s.is("x Setup", "x T001 Project", "x T002 Lint", "- Build", "- T003 Model")

	s = share(t, &checklist.SpecKit, "specs/001-cart/tasks.md", cart)
	s.do("ada", pawl.ClaimTask{ID: 2})
	s.text = strings.Replace(s.text, "* [ ] T001", "* [x] T001", 1)
	s.sync() // ada's own
	s.is("x Setup", "x T001 Project", "x T002 Lint", "- Build", "- T003 Model")
}

// A line that is inserted moves the numbers below it, and no task's state.
func TestRenumbered(t *testing.T) {
	s := share(t, &checklist.OpenSpec, "openspec/changes/x/tasks.md", "## 1. A\n- [ ] 1.1 one\n- [x] 1.2 two\n")
	s.do("bob", pawl.AddNote{ID: 4, Text: "of two"})
	s.text = "## 1. A\n- [ ] 1.1 zero\n- [ ] 1.2 one\n- [x] 1.3 two\n"
	s.sync()
	s.is("- x", "- A", "- 1.2 one", "x 1.3 two", "- 1.1 zero")
	if two := s.tasks()[3]; len(two.Notes) != 1 {
		t.Errorf("the note is not at %s", two.Subject)
	}
	s.do("bob", pawl.Complete{IDs: []pawl.ID{5}})
	s.sync()
	s.file("## 1. A\n- [x] 1.1 zero\n- [ ] 1.2 one\n- [x] 1.3 two\n")
}

// Boxes are found by their lines; a text that has changed since is refused.
func TestTick(t *testing.T) {
	for _, test := range []struct {
		text string
		set  map[int]bool
		want string
	}{
		{"- [ ] a\n1. [ ] b\n\t+ [x] c\n", map[int]bool{1: true, 2: true, 3: false}, "- [x] a\n1. [x] b\n\t+ [ ] c\n"},
		{"\uFEFF- [ ]* a", map[int]bool{1: true}, "\uFEFF- [x]* a"},
		{"- [X] a\r\n- [ ]\r\n", map[int]bool{1: true, 2: true}, "- [X] a\r\n- [x]\r\n"},
		{"- [ ] a\n", map[int]bool{2: true}, ""},
		{"a [ ] b\n", map[int]bool{1: true}, ""},
		{"- [ ] \xff\n", map[int]bool{1: true}, ""},
	} {
		got, err := checklist.Tick([]byte(test.text), test.set)
		if string(got) != test.want || (err != nil) != (test.want == "") {
			t.Errorf("%q: %q, %v", test.text, got, err)
		}
	}
}

// Whatever a text holds, ticking all of its boxes and taking the ticks back
// changes what is in boxes and nothing else, and the lines stay the same.
func FuzzTick(f *testing.F) {
	for _, text := range []string{cart, "- [ ] a\n1. [ ] b\n\t+ [x] c\n", "```\n- [ ] a\n", "<!--\n- [ ] a\n-->\r\n* [-] b", "---\na: b\n---\n- [ ]* c\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		set := map[int]bool{}
		for _, l := range checklist.Lines(bytes.TrimPrefix(text, []byte("\uFEFF"))) {
			if l.Box != 0 {
				set[l.No] = true
			}
		}
		ticked, err := checklist.Tick(text, set)
		if err != nil {
			if pawl.KindOf(err) != pawl.Invalid { // not UTF-8
				t.Fatalf("a line with a box is not found again: %v", err)
			}
			return
		}
		were, are := bytes.SplitAfter(text, []byte("\n")), bytes.SplitAfter(ticked, []byte("\n"))
		if len(were) != len(are) {
			t.Fatalf("%d lines became %d", len(were), len(are))
		}
		for i, line := range were {
			if !set[i+1] {
				if !bytes.Equal(line, are[i]) {
					t.Fatalf("line %d has no box: %q became %q", i+1, line, are[i])
				}
				continue
			}
			before, rest, _ := bytes.Cut(line, []byte("["))
			_, after, _ := bytes.Cut(rest, []byte("]")) // a box may hold nothing: it becomes longer
			mark, is := bytes.CutPrefix(are[i], append(bytes.Clone(before), '['))
			mark, ends := bytes.CutSuffix(mark, append([]byte("]"), after...))
			if !is || !ends || !bytes.EqualFold(bytes.TrimSpace(mark), []byte("x")) {
				t.Fatalf("line %d: %q became %q", i+1, line, are[i])
			}
		}
	})
}
