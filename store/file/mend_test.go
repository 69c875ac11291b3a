package file

import (
	"context"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
)

const brokenText = `{"id": 2, "subject": "tw`

// ill is a board with a file that cannot be read, and one that is silent about
// an edge that holds.
func ill(t testing.TB) *disk {
	t.Helper()
	d := board(t, chain("one", "two", "three"), create("four"), pawl.ClaimTask{ID: 4})
	d.now += 1e9
	d.put(taskName(2), brokenText)
	d.put(taskName(4), strings.Replace(d.text(taskName(4)), `"blockedBy": []`, `"blockedBy": [1]`, 1))
	comeBy(t, d)
	return d
}

func mend(t testing.TB, d *disk, dry bool) []pawl.Mended {
	t.Helper()
	d.now += 1e9
	mended, err := simStore(t, d.process()).Mend(context.Background(), by, dry)
	if err != nil {
		t.Fatal(err)
	}
	return mended
}

// kept reports whether the broken text is still somewhere.
func kept(d *disk) bool {
	if d.text(taskName(2)) == brokenText {
		return true
	}
	for _, dir := range []string{lostDir, tmpDir} {
		_, _, n, _ := d.find(dir)
		for _, file := range n.names {
			if string(file.data) == brokenText {
				return true
			}
		}
	}
	return false
}

func TestMend(t *testing.T) {
	d := ill(t)
	before := len(changeSets(t, d))
	if got := mend(t, d, true); len(got) != 2 || d.text(taskName(2)) != brokenText || len(changeSets(t, d)) != before {
		t.Errorf("a dry run: %+v", got)
	}
	if got := mend(t, d, false); len(got) != 2 || got[0].Problem.Kind != "damaged" || got[1].Problem.Kind != "one-sided" {
		t.Errorf("mended %+v", got)
	}
	tasks := see(t, d)
	if tasks[2].Subject != "two" || len(tasks[3].BlockedBy) != 1 || len(tasks[4].BlockedBy) != 1 || !tasks[4].Claim.Live() {
		t.Errorf("the board is %+v", tasks)
	}
	if !kept(d) || !strings.Contains(d.text(taskName(1)), `"blocks": [2, 4]`) {
		t.Errorf("kept %v; the blocker's file is %s", lost(d), d.text(taskName(1)))
	}
	problems, err := simStore(t, d.process()).Check(context.Background())
	if err != nil || len(problems) != 1 || problems[0].Kind != "displaced" {
		t.Errorf("left are %+v, %v", problems, err)
	}
	sets := changeSets(t, d)
	if last := sets[len(sets)-1]; last.Verb != "mend" || last.By != by {
		t.Errorf("the last change is %+v", last)
	}
	if got := mend(t, d, false); len(got) != 0 {
		t.Errorf("mended once more: %+v", got)
	}
}

// However far a process comes that mends, nothing is lost, and the next one
// brings it to its end.
func TestMendAndDie(t *testing.T) {
	deaths := 0
	for n := 1; ; n++ {
		d := ill(t)
		calls := 0
		d.before = func(int, string, string) error {
			if calls++; calls == n {
				return errDead
			}
			return nil
		}
		died := func() (died bool) {
			defer func() {
				if r := recover(); r != nil && r != (crash{}) {
					panic(r)
				} else if r != nil {
					died = true
				}
			}()
			d.now += 1e9
			_, _ = simStore(t, d.process()).Mend(context.Background(), by, false)
			return false
		}()
		d.before = nil
		if !died {
			break
		}
		deaths++
		if !kept(d) {
			t.Fatalf("death at call %d: the text that could not be read is gone", n)
		}
		mend(t, d, false)
		if tasks := see(t, d); tasks[2].Subject != "two" || len(tasks[4].BlockedBy) != 1 || !strings.Contains(d.text(taskName(1)), `"blocks": [2, 4]`) || !kept(d) {
			t.Fatalf("death at call %d: the board is %+v", n, tasks)
		}
	}
	if deaths < 30 {
		t.Errorf("only %d deaths", deaths)
	}
}
