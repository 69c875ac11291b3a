package checklist_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/imports/checklist"
	"github.com/pawl-dev/pawl/internal/imports/importstest"
)

// Boxes with unusual marks are tasks: a change of which two of six tasks came once
// counted as done.
func TestOddMarks(t *testing.T) {
	for name, test := range map[string]struct {
		format *imports.Format
		text   string
	}{
		"openspec": {&checklist.OpenSpec, "## 1. Cart\n- [x] 1.1 Model\n- [>] 1.2 Deferred\n- [!] 1.3 Urgent\n- [] 1.4 Empty\n- [ x] 1.5 Padded\n- [x]1.6 No space\n"},
		"speckit":  {&checklist.SpecKit, "## Phase 1: Cart\n- [x] T001 Model\n- [>] **T002** Deferred\n- [!] **T003:** Urgent\n- [] T004 Empty\n- [ x] T005 Padded\n- [x]T006 No space\n"},
		"kiro":     {&checklist.Kiro, "- [x] 1. Model\n- [>] 2. Deferred\n- [!] 3. Urgent\n- [] 4. Empty\n- [ x] 5. Padded\n- [x]6. No space\n"},
	} {
		r, err := importstest.Text(test.format, test.text)
		if err != nil || len(r.LeftOut) > 0 {
			t.Fatal(name, err, r.LeftOut)
		}
		var got []string
		for _, task := range r.Tasks {
			if task.At.Line > 1 || name == "kiro" {
				mark, number := " ", task.Ref[strings.LastIndexByte(task.Ref, '/')+1:]
				if task.Status == pawl.Completed {
					mark = "x"
				}
				got = append(got, mark+number[len(number)-1:])
			}
		}
		if want := "x1  2  3  4 x5 x6"; strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", name, strings.Join(got, " "), want)
		}
		all := map[int]bool{}
		for i := range strings.Count(test.text, "\n") {
			if name == "kiro" || i > 0 {
				all[i+1] = true
			}
		}
		ticked, err := checklist.Tick([]byte(test.text), all)
		if err != nil || strings.Count(string(ticked), "[x]") != 5 || strings.Count(string(ticked), "[ x]") != 1 {
			t.Errorf("%s: %q, %v", name, ticked, err)
		}
	}
}

// A line that looks like a box and is no task of the format is named.
func TestCounter(t *testing.T) {
	text := "# Tasks: X\n\n## Phase 1: Setup\n- [ ] T001 A\n[ ] T002 no bullet\n- [q] T003 a letter\n- [link](x) [1] T004\n1. [see] this\n" +
		"<!-- - [ ] T005 -->\n<!-- id 3 --> - [ ] T011 behind\n<!-- x\n- [ ] T012 no\n--> - [ ] T013 ends\n<!-- y --> ```\n```\n- [ ] T006 code\n```\n```` `- [ ] T007` ````\n- [ ] T008 B\n````md\n```\n- [ ] T009 code\n````\n- [x](https://example.com) a link\n- [P] beside\n```\n- [ ] T010 in code that nothing ends\n"
	for _, f := range []*imports.Format{&checklist.SpecKit, &checklist.OpenSpec, &checklist.Kiro} {
		r := must.Get(importstest.Text(f, text))(t)
		got, tasks := []string{}, 0
		for _, left := range r.LeftOut {
			got = append(got, fmt.Sprint(left))
		}
		for _, task := range r.Tasks {
			if strings.Contains(task.Subject, "T00") {
				tasks++
			}
		}
		const is = ": boxes that are not tasks"
		want := "line 5: T002 no bullet" + is + "|line 6: T003 a letter" + is + "|line 10: T011 behind" + is + "|line 13: T013 ends" + is + "|line 27: T010 in code that nothing ends" + is
		if strings.Join(got, "|") != want || tasks != 2 {
			t.Errorf("%s: %d tasks, left out\n%q, want\n%q", f.Name, tasks, strings.Join(got, "|"), want)
		}
	}
}

// The index of a phase that was dropped is not that of the one that came after it: 11
// of 74 real files ended in a panic, and one in a wrong order.
func TestDroppedPhases(t *testing.T) {
	const basket, checkout, depends, example, polish = "## Phase 1: User Story 1 - Basket (Priority: P1)\n- [ ] T001 [US1] Basket\n", "## Phase 2: User Story 2 - Checkout\n- [ ] T002 [US2] Checkout\n",
		"## Dependencies\n- **User Story 2 (P2)**: Depends on US1\n", "## Parallel Example: User Story 1\nStart both.\n", "## Phase 3: Polish\n- [ ] T003 Manual\n"
	for text, want := range map[string]string{
		basket + checkout + depends + example:                           "T002<T001",
		basket + checkout + depends + example + polish:                  "T002<T001 T003<T002",
		checkout + depends + "## Phase 3: User Story 1 - none\nlater\n": "",
	} {
		r := must.Get(importstest.Text(&checklist.SpecKit, text))(t)
		var got []string
		for _, task := range r.Tasks {
			for _, on := range task.BlockedBy {
				if n := number(r, on); strings.HasPrefix(task.Subject, "T") && n[0] == 'T' {
					got = append(got, task.Subject[:4]+"<"+n)
				}
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s\n got %q\nwant %q", text, got, want)
		}
	}
	r, err := importstest.Text(&checklist.Kiro, "## 1. Empty\n\n## 2. Full\n- [ ] 1.1 A\n- [ ] 2.1 B\n")
	if err != nil || len(r.Tasks) != 3 || r.Tasks[1].Parent != r.Tasks[2].Parent {
		t.Errorf("kiro: %+v, %v", r, err)
	}
}

// A panic in a reader is an error that names the place.
func TestPanicIsAnError(t *testing.T) {
	f := imports.Format{Name: "x", Read: func(in *imports.Input) (*imports.Result, error) {
		in.Reading(imports.Position{File: in.Path, Line: 7})
		panic("index out of range")
	}}
	_, err := imports.Read(&f, &imports.Input{Path: "specs/a/tasks.md"})
	if pawl.KindOf(err) != pawl.Invalid || !strings.HasPrefix(fmt.Sprint(err), "specs/a/tasks.md:7 cannot be read: a fault in Pawl: index out of range") {
		t.Error(err)
	}
}
