package file

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// rewriteSteps are a workload whose files are rewritten as a merge does it, and
// made what they were again: tasks move, come, change and go, one of them claimed.
var rewriteSteps = []any{
	pawl.Create{Tasks: []pawl.NewTask{
		{Ref: "a", Subject: "parse"},
		{Ref: "b", Subject: "transform", BlockedBy: []pawl.Ref{pawl.RefName("a"), pawl.RefName("c")}},
		{Ref: "c", Subject: "rest"},
	}},
	pawl.ClaimTask{Lease: pawl.Duration(time.Hour)},
	joinStep,
	pawl.Renew{},
	pawl.Create{Tasks: []pawl.NewTask{{Subject: "later"}}},
	partStep,
	pawl.Complete{IDs: []pawl.ID{1}},
}

// joinStep moves #1 to #9, because an older task is #1, and removes #3.
func joinStep(s *Store) error {
	_, err := s.Rewrite(context.Background(), Why{By: by, Verb: pawl.VerbMerge}, func(f Files) (Rewriting, error) {
		if f.Tasks[9] != nil {
			return Rewriting{}, nil
		}
		moved, made := renumber(f.Tasks[1], 9)
		waits := []byte(strings.Replace(string(f.Tasks[2]), "[1, 3]", "[9, 3]", 1))
		return Rewriting{
			Tasks: map[pawl.ID][]byte{1: []byte(taskText(1, "elder", -60, "")), 2: waits, 3: nil, 9: moved},
			Mark:  12, Moved: []Move{{1, 9, made}},
		}, nil
	})
	return err
}

func partStep(s *Store) error {
	ctx := context.Background()
	var merge pawl.ChangeSet
	for set, err := range s.Changes(ctx, pawl.Span{Backward: true}) {
		if err != nil {
			return err
		}
		if set.Verb == pawl.VerbMerge {
			merge = set
			break
		}
	}
	done, err := s.Rewritten(ctx, merge.Revision)
	if err != nil {
		return err
	}
	_, err = s.Rewrite(ctx, Why{By: by, Verb: pawl.VerbMerge, Undoes: merge.Revision}, done.Back)
	return err
}

// renumber gives the text of a task another number, and says when it was made.
func renumber(text []byte, to pawl.ID) ([]byte, time.Time) {
	file, err := taskjson.Decode(text)
	if err != nil {
		return nil, time.Time{}
	}
	return []byte(strings.Replace(string(text), `"id": `+file.Task.ID.String()[1:], `"id": `+to.String()[1:], 1)), file.Task.CreatedAt
}

func working(t *testing.T, on []any) {
	was := steps
	steps = on
	t.Cleanup(func() { steps = was })
}

// TestRewriteSteps is what the workload makes of the board when nothing goes wrong.
func TestRewriteSteps(t *testing.T) {
	working(t, rewriteSteps)
	d := newDisk()
	var before map[string]string
	for i := range steps {
		d.now += 1e9
		if i == 2 {
			before = filesOf(d)
		}
		if err := apply(simStore(t, d.process()), i); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
		tasks := see(t, d)
		switch i {
		case 2, 3, 4:
			moved := tasks[9]
			if moved.Subject != "parse" || moved.Claim.Session != by.Session || moved.Claim.Token == 0 || time.Duration(moved.Claim.Lease) != time.Hour || tasks[1].Claim.Live() {
				t.Fatalf("after step %d, #9 is %+v, and #1 is %+v", i, moved, tasks[1])
			}
			if b := tasks[2].BlockedBy; !slices.Equal(b, []pawl.ID{9, 3}) || len(tasks[1].Blocks) != 0 {
				t.Errorf("after step %d, #2 waits for %v", i, b)
			}
			if _, there := tasks[3]; there || i == 2 && d.text(waterName) != "12" {
				t.Errorf("after step %d, #3 is there: %v, and the highest number is %q", i, there, d.text(waterName))
			}
		case 5:
			delete(before, taskName(13))
			now := filesOf(d)
			delete(now, taskName(13))
			if !maps.Equal(before, now) || !tasks[1].Claim.Live() || tasks[1].Claim.Session != by.Session {
				t.Errorf("the way back made %v of %v; #1 is %+v", now, before, tasks[1])
			}
		}
	}
}

func filesOf(d *disk) map[string]string {
	files := map[string]string{}
	for name, n := range d.root.names {
		if n.kind == kindRegular && name != lockName {
			files[name] = string(n.data)
		}
	}
	return files
}

// TestRewriteCrashes lets a process die at every call of a rewriting and of the way
// back, with and without a power cut, and then in recoveries too.
func TestRewriteCrashes(t *testing.T) {
	working(t, rewriteSteps)
	everyCrash(t)
}

func everyCrash(t *testing.T) {
	tr := traceOf(t, sound)
	for at := 0; at < tr.calls; at += stride() {
		c := scenario{crashes: []int{at}, power: []bool{at%2 == 0}, seed: uint64(at)}
		if *long.Asked {
			c.seed = rand.Uint64()
		}
		if _, problem := c.run(t, tr, sound, usual); problem != "" {
			t.Fatalf("%v: %s", c, problem)
		}
	}
	for _, prepare := range []func(*disk){sound, noExchange} {
		if fired, c, problem := hunt(t, *faults, prepare, usual); problem != "" || fired < *faults/2 {
			t.Fatalf("%v: %s, %d crashes", c, problem, fired)
		}
	}
}

// TestRewriteFaults lets every call fail.
func TestRewriteFaults(t *testing.T) {
	working(t, rewriteSteps)
	everyFault(t)
}

func everyFault(t *testing.T) {
	tr := traceOf(t, sound)
	causes := []error{syscall.EIO, syscall.ENOSPC, syscall.EROFS, syscall.EDQUOT, errShort}
	total := 0
	for at := 1; at < tr.calls; at += stride() {
		for _, sticky := range []bool{false, true} {
			fired, problem := fault(t, tr, sound, at, causes[at%len(causes)], sticky)
			if problem != "" {
				t.Fatalf("call %d, %v, sticky %v: %s", at, causes[at%len(causes)], sticky, problem)
			}
			if fired {
				total++
			}
		}
	}
	if total < tr.calls/stride() {
		t.Fatal("too few of the faults happened")
	}
	t.Logf("%d faults in %d calls", total, tr.calls)
}
