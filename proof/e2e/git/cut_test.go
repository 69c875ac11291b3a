//go:build unix

package git_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// A duel is two clones of which one is disturbed in each of its syncs. Its history goes
// on and on: what a disturbance leaves behind is what the next round begins with.
type duel struct {
	*team
	ada, bob *clone
	want     []string // the subjects of all tasks
	rounds   int
}

func newDuel(t *testing.T) *duel {
	w := newWorld(t, nets{})
	d := &duel{team: w.team([]string{"ada", "bob"}, "Base"), want: []string{"Base"}}
	d.ada, d.bob = d.clones[0], d.clones[1]
	return d
}

// round has both add a task, which get the same number, and note something; bob syncs,
// and ada syncs or claims while something happens to her. Then she goes on.
func (d *duel) round(disturb func(args ...string)) {
	d.Helper()
	d.rounds++
	before := fmt.Sprint("bob ", d.rounds-1)
	for _, c := range []*clone{d.bob, d.ada} {
		name := fmt.Sprint(c.who, " ", d.rounds)
		d.want = append(d.want, name)
		c.insist("add", name)
		c.insist("note", "1", "note-"+c.who+"-"+fmt.Sprint(d.rounds))
	}
	d.bob.sync()
	if claims := d.rounds%2 == 0 && d.rounds > 1; claims {
		task := d.ada.called(before)
		disturb("claim", fmt.Sprint(int64(task.ID)))
		d.reads()
		task = d.ada.called(before)
		d.ada.insist("claim", fmt.Sprint(int64(task.ID)))
		if said := d.ada.pawl("claim", fmt.Sprint(int64(task.ID))); strings.Contains(said, "here only") {
			d.Errorf("the connection is well again, and the claim is not confirmed:\n%s", said)
		}
		d.ada.insist("done", fmt.Sprint(int64(d.ada.called(before).ID)))
	} else {
		disturb("sync")
		d.reads()
	}
	d.ada.sync()
	slices.Sort(d.want)
	if diff := cmp.Diff(d.want, d.ada.subjects()); diff != "" { // each once, and not twice
		d.Errorf("ada has other tasks (-want +got):\n%s", diff)
	}
	for _, other := range d.team.decoded(d.tip()) {
		if _, known := slices.BinarySearch(d.want, other.Subject); !known {
			d.Errorf("the remote has a task %q", other.Subject)
		}
	}
}

func (d *duel) reads() {
	d.Helper()
	if out, code := d.ada.run("pawl", "list", "--all"); code != 0 {
		d.Errorf("pawl list: exit %d\n%s", code, out)
	}
}

// end checks that both have all, once.
func (d *duel) end() {
	d.Helper()
	d.settle()
	d.ada.has(d.want...)
	notes := map[string]int{}
	for _, n := range d.ada.called("Base").Notes {
		notes[n.Text]++
	}
	for i := range d.rounds {
		for _, who := range []string{"ada", "bob"} {
			if note := fmt.Sprint("note-", who, "-", i+1); notes[note] != 1 {
				d.Errorf("%s is there %d times", note, notes[note])
			}
		}
	}
	completed := map[string]bool{}
	for _, task := range d.ada.tasks() {
		completed[task.Subject] = task.Status == pawl.Completed
	}
	for i := 2; i <= d.rounds; i += 2 {
		if subject := fmt.Sprint("bob ", i-1); !completed[subject] {
			d.Errorf("%q was completed, and is so no more", subject)
		}
	}
}

// TestSyncKilledAtCalls kills a sync, or a git that it runs, just as it makes its n-th
// call that changes something: at all of them, if there are that many -kills.
func TestSyncKilledAtCalls(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		mustrun.Skip(t, "strace is not installed")
	}
	t.Parallel()
	d := newDuel(t)
	last := 0
	d.round(func(args ...string) { last = d.ada.callsOf(strace, args...) })
	died, tries := 0, min(last, max(*kills, 4))
	for i := range tries {
		n := 1 + i*last/tries
		d.round(func(args ...string) {
			trace := filepath.Join(d.dir, "trace")
			d.ada.run(strace, d.ada.traced("-o", trace, "-e", fmt.Sprintf("inject=%s:signal=KILL:when=%d", calls, n), args)...)
			text, err := os.ReadFile(trace)
			must.Do(t, err)
			if strings.Contains(string(text), "killed by SIGKILL") {
				died++
			}
		})
		if t.Failed() {
			t.Fatalf("killed at call %d of %d", n, last)
		}
	}
	d.end()
	t.Logf("%d of %d died, at each %d. of %d calls", died, tries, last/tries, last)
	if died < tries/2 {
		t.Errorf("%d died: the test did not test what it means to", died)
	}
}

// TestSyncKilled kills a sync at any moment, alone or with all that it runs.
func TestSyncKilled(t *testing.T) {
	long.Only(t)
	t.Parallel()
	d := newDuel(t)
	var took time.Duration
	d.round(func(args ...string) {
		began := time.Now()
		d.ada.pawl(args...)
		took = time.Since(began)
	})
	rnd, died, tries := rand.New(rand.NewPCG(*seed, 2)), 0, max(*kills, 4)
	for i := range tries {
		after := time.Duration(float64(took) * (float64(i) + rnd.Float64()) / float64(tries))
		d.round(func(args ...string) {
			if d.ada.kill(after, i%2 == 0, args...) {
				died++
			}
		})
		if t.Failed() {
			t.Fatalf("killed after %v of %v", after, took)
		}
	}
	d.end()
	t.Logf("%d of %d died before their end, which takes %v", died, tries, took)
	if died < tries/4 {
		t.Errorf("%d died: the test did not test what it means to", died)
	}
}

// TestConnectionCut breaks the connection to the remote after each so many bytes, on
// the way there and on the way back: what was pushed may have arrived, or not.
func TestConnectionCut(t *testing.T) {
	t.Parallel()
	d := newDuel(t)
	broken := d.ada.wire(d.remote)
	rnd := rand.New(rand.NewPCG(*seed, 3))
	met := map[string]int{}
	for i := range *cuts * 4 {
		bytes := int(40 * math.Pow(60, (float64(i/4)+rnd.Float64())/float64(*cuts))) // 40 to 2,400
		f := []fault{{Up: bytes}, {Down: bytes}, {Up: bytes, Reads: true}, {Down: bytes, Reads: true}}[i%4]
		d.round(func(args ...string) {
			broken(f)
			out, code := d.ada.run("pawl", args...)
			broken(fault{})
			if code != 0 || strings.Contains(out, "here only") {
				met[args[0]]++
			}
		})
		if t.Failed() {
			t.Fatalf("cut by %+v", f)
		}
	}
	d.end()
	t.Logf("%d rounds, of which were noticed: %v", d.rounds, met)
	if met["sync"]+met["claim"] < *cuts {
		t.Error("too few: the test did not test what it means to")
	}
}
