package merge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// Each case has the files of a board by their numbers. What comes of it is in the
// report: the lines that are other than before, and what is told of it.
func TestApart(t *testing.T) {
	cases(t, "apart", 15, func(t *testing.T, part map[string][]byte) {
		b := boardIn(part)
		after, report := Apart(b)
		expect(t, part, "report", fmt.Appendf(nil, "%s%s\n", told(b, after), tale(report)), true)
		checkApart(t, b)
	})
}

// boardIn is the board of a case.
func boardIn(part map[string][]byte) Board {
	b := Board{Tasks: map[pawl.ID][]byte{}, Mark: taskjson.Mark(part[".highwatermark"])}
	for name, text := range part {
		if id, err := strconv.Atoi(name); err == nil {
			b.Tasks[pawl.ID(id)] = text
		}
	}
	return b
}

// told are the files of a board that are not as they were.
func told(was, is Board) string {
	var s strings.Builder
	for _, id := range slices.Sorted(maps.Keys(is.Tasks)) {
		if !bytes.Equal(was.Tasks[id], is.Tasks[id]) {
			fmt.Fprintf(&s, "%s", is.Tasks[id])
		}
	}
	for _, id := range slices.Sorted(maps.Keys(was.Tasks)) {
		if is.Tasks[id] == nil {
			fmt.Fprintf(&s, "%v is gone\n", id)
		}
	}
	return s.String()
}

func tale(r Report) string {
	text, _ := json.MarshalIndent(r, "", " ")
	return string(text)
}

// checkApart checks what holds for any board.
func checkApart(t failer, b Board) {
	t.Helper()
	after, _ := Apart(b)
	again, report := Apart(after)
	if !report.Empty() || !sameBoard(again, after) {
		t.Fatalf("apart again says %s and changes\n%s", tale(report), told(after, again))
	}
	subjects := func(b Board) []string {
		var all []string
		for _, text := range b.Tasks {
			versions, _ := versionsOf(text)
			for _, v := range versions {
				all = append(all, v.task.Subject)
			}
		}
		slices.Sort(all)
		return slices.Compact(all)
	}
	if was, is := subjects(b), subjects(after); len(is) < len(was) {
		t.Fatalf("of %q only %q are left", was, is)
	}
	if after.Mark != b.Mark {
		t.Fatalf("the mark becomes %v", after.Mark)
	}
	for id, text := range after.Tasks {
		file, err := taskjson.Decode(text)
		if err != nil {
			if !bytes.Equal(text, b.Tasks[id]) {
				t.Fatalf("%v cannot be read any more: %v\n%s", id, err, text)
			}
			continue
		}
		if file.Task.Merging != nil {
			t.Fatalf("%v still holds other tasks:\n%s", id, text)
		}
	}
}

func FuzzApart(f *testing.F) {
	eachCase(f, "apart", func(_ string, part map[string][]byte) {
		b := boardIn(part)
		f.Add(b.Tasks[12], b.Tasks[13], b.Tasks[20])
	})
	f.Fuzz(func(t *testing.T, one, two, three []byte) {
		b := Board{Tasks: map[pawl.ID][]byte{12: one, 13: two}}
		if len(three) > 0 {
			b.Tasks[20] = three
		}
		after, _ := Apart(b)
		if again, _ := Apart(after); !sameBoard(again, after) {
			t.Fatalf("apart again changes\n%s", told(after, again))
		}
	})
}

// A board that holds two tasks in one file is merged with one that has taken them
// apart: what it gave numbers to keeps them.
func TestBoardsTakesApart(t *testing.T) {
	elder := []byte(`{"id": 12, "subject": "Write docs", "createdAt": "2026-11-20T09:00:00.000Z"}` + "\n")
	both := []byte(`{"id": 12, "subject": "Write docs", "createdAt": "2026-11-20T09:00:00.000Z", "merging": [{"id": 12, "subject": "Retry hooks", "createdAt": "2026-11-20T10:00:00.000Z"}]}` + "\n")
	moved := []byte(`{"id": 15, "subject": "Retry hooks", "was": [12], "createdAt": "2026-11-20T10:00:00.000Z"}` + "\n")
	ours := Board{Tasks: map[pawl.ID][]byte{12: both}}
	want := Board{Tasks: map[pawl.ID][]byte{12: elder, 15: moved}}
	theirs := want
	for _, base := range [][]Board{nil, {ours}} {
		for range 2 {
			merged, _ := Boards(base, ours, theirs)
			if !sameBoard(merged, want) {
				t.Errorf("with %d bases it is\n%s", len(base), told(want, merged))
			}
			ours, theirs = theirs, ours
		}
	}
}

// Two boards that each hold two tasks in one file, each with another one below, get
// the same numbers for the same tasks.
func TestBoardsTakeApartAlike(t *testing.T) {
	task := func(id pawl.ID, subject string, hour int, others ...[]byte) []byte {
		text := fmt.Appendf(nil, `{"id": %d, "subject": %q, "createdAt": "2026-11-20T%02d:00:00.000Z"}`, id, subject, hour)
		whole, err := taskjson.Join(text, others)
		must.Do(t, err)
		return whole
	}
	y, z := task(12, "Y", 10), task(13, "Z", 9)
	ours := Board{Tasks: map[pawl.ID][]byte{12: task(12, "E", 8, y), 13: task(13, "F", 8)}}
	theirs := Board{Tasks: map[pawl.ID][]byte{12: task(12, "E", 8, y), 13: task(13, "F", 8, z)}}
	merged, _ := Boards(nil, ours, theirs)
	swapped, _ := Boards(nil, theirs, ours)
	if !sameBoard(merged, swapped) {
		t.Errorf("the sides count:\n%s", told(merged, swapped))
	}
	for id, subject := range map[pawl.ID]string{12: "E", 13: "F", 14: "Z", 15: "Y"} {
		if file, err := taskjson.Decode(merged.Tasks[id]); err != nil || file.Task.Subject != subject || len(merged.Tasks) != 4 {
			t.Errorf("#%d is %s, want %s", id, merged.Tasks[id], subject)
		}
	}
}

// Of two boards that hold the same two tasks in one file, just one has the younger task
// in a file of its own, too. It does not matter which one is ours.
func TestBoardsTakeApartCopies(t *testing.T) {
	cart := pawl.Task{ID: 1, Subject: "Cart", CreatedAt: at(1)}
	moved := cart
	moved.ID, moved.Was, moved.Description = 3, ids(1), "d"
	both, err := taskjson.Join(board(pawl.Task{ID: 3, Subject: "Elder", CreatedAt: at(0)}).Tasks[3], [][]byte{board(moved).Tasks[3]})
	must.Do(t, err)
	ours, theirs := board(cart), board()
	ours.Tasks[3], theirs.Tasks[3] = both, both
	bothWays(t, nil, ours, theirs)
}
