package file

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// rewrite calls Rewrite in a process of its own.
func rewrite(t testing.TB, d *disk, fn func(Files) (Rewriting, error)) pawl.Revision {
	t.Helper()
	d.now += 1e9
	rev, err := simStore(t, d.process()).Rewrite(context.Background(), Why{By: by, Verb: pawl.VerbMerge}, fn)
	must.Do(t, err)
	return rev
}

func texts(all map[pawl.ID]string) func(Files) (Rewriting, error) {
	return func(Files) (Rewriting, error) {
		w := Rewriting{Tasks: map[pawl.ID][]byte{}}
		for id, text := range all {
			w.Tasks[id] = nil
			if text != "" {
				w.Tasks[id] = []byte(text)
			}
		}
		return w, nil
	}
}

// taskText is a task's file as somebody else has it, made so many seconds after noon.
func taskText(id pawl.ID, subject string, second int, more string) string {
	return fmt.Sprintf("{\n  \"id\": %d,\n  \"subject\": %q,\n  \"description\": \"\",\n  \"status\": \"pending\",\n  \"blockedBy\": [],\n  \"blocks\": [],\n  \"owner\": \"\",\n  \"createdAt\": %q%s\n}\n",
		id, subject, noon.Add(time.Duration(second)*time.Second).Format(time.RFC3339), more)
}

// TestRewrite gives many files new texts as one change set, with what somebody
// else did to the files before.
func TestRewrite(t *testing.T) {
	d := board(t, chain("one", "two", "three", "four"))
	d.now += 1e9
	d.swap(taskName(3), strings.Replace(d.text(taskName(3)), `"three"`, `"drei"`, 1))
	before := sets(t, simStore(t, d.process()))
	seven := taskText(7, "seven", 5, "")
	rev := rewrite(t, d, func(f Files) (Rewriting, error) {
		if len(f.Tasks) != 4 || !strings.Contains(string(f.Tasks[3]), "drei") || f.LastID != 4 {
			t.Errorf("the files are %s", f.Tasks)
		}
		return texts(map[pawl.ID]string{
			1: "", 2: strings.Replace(strings.Replace(d.text(taskName(2)), `"two"`, `"zwei"`, 1), "    1\n", "", 1),
			7: seven,
		})(f)
	})
	tasks := see(t, d)
	if len(tasks) != 4 || tasks[2].Subject != "zwei" || tasks[3].Subject != "drei" || tasks[7].Subject != "seven" || d.text(taskName(7)) != seven {
		t.Fatalf("the board is %+v", tasks)
	}
	s := simStore(t, d.process())
	if after := sets(t, s); len(after) != len(before)+1 || after[len(after)-1] != "merge " {
		t.Fatalf("history is %q after %q", after, before)
	}
	var ids []pawl.ID
	for set, err := range s.Changes(context.Background(), pawl.Span{After: rev - 1}) {
		must.Do(t, err)
		for _, c := range set.Changes {
			ids = append(ids, c.ID)
		}
		if set.By != by {
			t.Errorf("the set is by %v", set.By)
		}
	}
	if fmt.Sprint(ids) != "[#1 #2 #3 #7]" {
		t.Errorf("the set is about %v", ids)
	}
	do(t, d, create("eight"))
	if see(t, d)[8].Subject != "eight" {
		t.Error("the next number is not 8")
	}
}
