package file_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/store/file"
)

// told makes a board with a history of n commits, in segments of so many bytes.
func told(t testing.TB, n int, size int64, text string) (dir string, revs []pawl.Revision) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), ".tasks")
	s := open(t, dir)
	file.Long(s, size)
	for i := range n {
		op := pawl.Create{Tasks: []pawl.NewTask{{Subject: fmt.Sprint("Task ", i+1), Description: text}}}
		r, err := pawl.NewBoard(s).Do(context.Background(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: op})
		must.Do(t, err)
		revs = append(revs, r.Revision)
	}
	return dir, revs
}

func spanOf(s *file.Store, span pawl.Span, most int) (revs []pawl.Revision, err error) {
	for set, err := range s.Changes(context.Background(), span) {
		if err != nil {
			return revs, err
		}
		if revs = append(revs, set.Revision); len(revs) == most {
			break
		}
	}
	return revs, nil
}

// Whatever became of the newest lines and segments, history before them can be
// read: it is not looked for there.
func TestHistoryBeforeDamage(t *testing.T) {
	dir, revs := told(t, 40, 4<<10, "")
	s := open(t, dir)
	files, err := filepath.Glob(filepath.Join(dir, ".pawl", "journal", "*.jsonl"))
	if err != nil || len(files) < 4 {
		t.Fatal(files, err)
	}
	want, err := spanOf(s, pawl.Span{Backward: true}, 0)
	if err != nil || len(want) != len(revs) {
		t.Fatal(want, err)
	}
	slices.SortFunc(files, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	if err := errors.Join(os.Remove(files[3]), os.Mkdir(files[3], 0o700)); err != nil { // which nobody can read
		t.Fatal(err)
	}
	for _, name := range append(files[2:3:3], files[4:]...) {
		text, err := os.ReadFile(name)
		must.Do(t, err)
		lines := strings.SplitAfter(string(text), "\n")
		lines[1] = strings.Replace(lines[1], "ada", "eve", 1) // the checksum is no longer right
		must.Do(t, os.WriteFile(name, []byte(strings.Join(lines, "")), 0o600))
	}
	if _, err := spanOf(s, pawl.Span{Backward: true}, 0); err == nil {
		t.Fatal("the damage was not noticed")
	}
	read := 0
	for i, before := range revs {
		old, err := spanOf(s, pawl.Span{Before: before, Backward: true}, 0)
		if err != nil {
			if i < 10 {
				t.Errorf("before %d, which is intact: %v", before, err)
			}
			continue
		}
		read++
		if !slices.Equal(old, want[len(want)-i:]) {
			t.Errorf("before %d: %v", before, old)
		}
		if forward, err := spanOf(s, pawl.Span{Before: before}, 0); err != nil || len(forward) != i {
			t.Errorf("before %d: %d forward, %v", before, len(forward), err)
		}
	}
	if read < 10 || read == len(revs) {
		t.Errorf("%d of %d could be read", read, len(revs))
	}
}
