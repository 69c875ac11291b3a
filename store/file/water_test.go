package file

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

const conflicted = "<<<<<<< HEAD\n12\n=======\n15\n>>>>>>> bob\n"

// Git may leave two numbers in .highwatermark, when both sides of a merge have raised it. None of
// the ids up to the higher one comes again, and the next that writes the number heals the file.
func TestWaterWithConflict(t *testing.T) {
	d := board(t, create("one", "two"))
	d.put(waterName, conflicted)
	must.Do(t, simStore(t, d.process()).View(context.Background(), func(r pawl.Reader) error {
		if r.LastID() != 15 {
			t.Errorf("the highest number is %d, not 15", r.LastID())
		}
		return nil
	}))
	problems, err := simStore(t, d.process()).Check(context.Background())
	if err != nil || len(problems) != 1 || problems[0].Kind != "conflicted" || problems[0].File != waterName || !strings.Contains(problems[0].Text, "15") {
		t.Errorf("the problems are %v, %v", problems, err)
	}
	do(t, d, create("new"))
	if tasks := see(t, d); tasks[16].Subject != "new" {
		t.Fatalf("the new task has another number than 16: %v", tasks)
	}
	do(t, d, pawl.Delete{IDs: []pawl.ID{16}})
	if got := d.text(waterName); got != "16" {
		t.Errorf("the number is %q", got)
	}
}

// A commit that raises the number above all tasks writes it down: what git or a lost .pawl
// leaves of the board gives none of them again.
func TestWaterOfAnImport(t *testing.T) {
	d := board(t, create("gone"))
	do(t, d, pawl.Delete{IDs: []pawl.ID{1}})
	in := pawl.ImportTask{ID: 3, CreatedAt: time.Unix(1, 0), NewTask: pawl.NewTask{Subject: "three"}}
	do(t, d, pawl.Import{Tasks: []pawl.ImportTask{in}, LastID: 7})
	if got := d.text(waterName); got != "7" {
		t.Errorf("the number is %q", got)
	}
}

// A rewriting raises the number, or heals the file.
func TestRewriteWater(t *testing.T) {
	for _, c := range []struct {
		is   string
		mark pawl.ID
		want string
	}{
		{"", 9, "9"}, {"7", 9, "9"}, {"9\n", 9, "9\n"}, {"10", 9, "10"}, {conflicted, 9, "15"}, {conflicted, 20, "20"}, {"", 0, ""}, {"nonsense", 3, "3"},
	} {
		d := board(t, create("one"))
		if c.is != "" {
			d.put(waterName, c.is)
		}
		rewrite(t, d, func(Files) (Rewriting, error) { return Rewriting{Mark: c.mark}, nil })
		if got := d.text(waterName); got != c.want {
			t.Errorf("%q and %d make %q, want %q", c.is, c.mark, got, c.want)
		}
		do(t, d, create("two"))
		if _, ok := see(t, d)[max(c.mark, 1)+1]; !ok && c.mark > 10 {
			t.Errorf("%q and %d: the next number is another", c.is, c.mark)
		}
	}
}
