//go:build unix

package git_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl"
)

// TestDay: three people share a board through a bare repository while they work on its
// code: each has agents that plan, claim and complete tasks, and that change, delete and
// connect them; now and then somebody is offline. Nothing that was acknowledged is lost,
// nothing is done twice, and git sees nothing of it.
func TestDay(t *testing.T) {
	t.Parallel()
	begin := *seed
	if begin == 0 {
		begin = uint64(time.Now().UnixNano())
	}
	t.Logf("-seed %d", begin)
	w := newWorld(t, nets{})
	team := w.project("ada", "bob", "eve")
	first := team.clones[0]
	plain := team.machine("carl") // has no Pawl
	first.git("clone", "-q", team.remote, plain.root)
	size, looks := plain.size(plain.path(".git")), plain.print()

	first.pawl("init")
	first.add("Plan the day")
	l := newLedger()
	l.mixed = true
	l.added("", nil, "") // what was there before
	var broken []func(fault)
	before := map[*clone]print{}
	for _, c := range team.clones {
		broken = append(broken, c.wire(team.remote))
		before[c] = c.print()
		c.pawl("share", "--yes")
	}
	for l.round = 1; l.round <= *days; l.round++ {
		var group sync.WaitGroup
		for i, c := range team.clones {
			group.Go(func() { c.day(l, begin+uint64(100*l.round+i), broken[i]) })
		}
		group.Wait()
		if t.Failed() {
			return
		}
		team.settle()
		l.check(first)
		if t.Failed() {
			t.Fatalf("after day %d", l.round)
		}
	}
	for _, c := range team.clones {
		after := c.print()
		if c.who != "ada" { // she has written code
			if diff := cmp.Diff(before[c], after); diff != "" {
				t.Errorf("%s's repository has changed (-before +after):\n%s", c.who, diff)
			}
		}
		if out := c.git("log", "--all", "--format=", "--name-only"); strings.Contains(out, ".tasks") {
			t.Errorf("%s: the history of the code has the board:\n%s", c.who, out)
		}
		if after.Config != before[c].Config || after.Status != "" {
			t.Errorf("%s: git's view has changed:\n%s\n%s", c.who, after.Config, after.Status)
		}
	}
	plain.git("fetch", "-q")
	plain.git("fetch", "-q", "--prune", "--tags")
	fresh := team.machine("fred")
	plain.git("clone", "-q", "--no-local", team.remote, fresh.root)
	if out := fresh.git("for-each-ref"); strings.Contains(out, "pawl") {
		t.Errorf("a new clone has got the board:\n%s", out)
	}
	if after := plain.print(); after.Refs == looks.Refs { // but for ada's code
		if diff := cmp.Diff(looks, after); diff != "" {
			t.Errorf("a clone without Pawl has changed:\n%s", diff)
		}
	}
	if now := plain.size(plain.path(".git")); now > size+200_000 { // the code that ada pushed
		t.Errorf("a clone without Pawl has %d kB, and had %d", now/1000, size/1000)
	}
	done := 0
	for k, n := range l.completed {
		if done++; n > 1 && !l.tasks[k].open { // who reopens a task lets it be done again
			t.Errorf("%s was completed %d times", k, n)
		}
	}
	t.Logf("%d changes, %d tasks, %d of them claimed and done once, %d left, %d of %d numbers in texts late",
		l.count, len(l.tasks), done, len(first.tasks()), l.late, l.mentions)
	if l.late > 3+l.mentions/10 {
		t.Error("texts have old numbers")
	}
	if done == 0 && l.count >= 100 { // in a shorter one chance may have left nothing
		t.Error("nothing was claimed and done: the test did not test what it means to")
	}
}

// day is what happens in one clone.
func (c *clone) day(l *ledger, seed uint64, broken func(fault)) {
	var group sync.WaitGroup
	agents := 2
	for i := range agents {
		a := &worker{clone: c, ledger: l, name: fmt.Sprint(c.who, i), rnd: rand.New(rand.NewPCG(seed, uint64(i)))}
		group.Go(func() {
			for n := range max(*changes/2, 1) {
				if i == 0 && n%2 == 1 {
					a.work()
				} else {
					a.step()
				}
				if i == 1 {
					c.moment(a.rnd, broken)
				}
			}
		})
	}
	group.Wait()
	broken(fault{})
}

// moment is what a person does between two steps of an agent.
func (c *clone) moment(rnd *rand.Rand, broken func(fault)) {
	switch rnd.IntN(8) {
	case 0:
		broken(fault{Denied: "ssh: connect to host example.org port 22: Network is unreachable"})
	case 1, 2:
		broken(fault{})
	case 3:
		c.run("pawl", "sync")
	case 4:
		broken(fault{Down: 200 + rnd.IntN(2000)})
	case 5:
		if c.who == "ada" {
			name := fmt.Sprint("feature-", rnd.Uint32())
			c.git("checkout", "-q", "-b", name)
			c.write(name+".txt", "code\n")
			c.git("add", "-A")
			c.git("commit", "-q", "-m", "Code")
			c.git("checkout", "-q", "main")
			c.git("merge", "-q", "--no-ff", "--no-edit", name)
		}
	}
}

// work claims a task and completes it, as an agent does that is told by exit codes.
func (a *worker) work() {
	out, err := a.command("pawl", "claim", "--json", "--as", a.name, "--session", a.name).Output()
	if err != nil {
		return // nothing is ready, or somebody else has it
	}
	var c struct {
		Tasks []struct {
			ID     pawl.ID
			Labels []string
			Claim  struct {
				Token     pawl.Revision
				Confirmed time.Time
			}
		}
	}
	if err := json.Unmarshal(out, &c); err != nil || len(c.Tasks) != 1 {
		a.Errorf("%s: pawl claim says %v\n%s", a.name, err, out)
		return
	}
	k, token := "", c.Tasks[0].Claim.Token
	if i := slices.IndexFunc(c.Tasks[0].Labels, func(l string) bool { return strings.HasPrefix(l, "k-") }); i >= 0 {
		k = c.Tasks[0].Labels[i]
	}
	confirmed := !c.Tasks[0].Claim.Confirmed.IsZero()
	if !a.runs("done", fmt.Sprint(int64(c.Tasks[0].ID)), "--token", fmt.Sprint(int64(token))) || !a.ledger.has(k) {
		return
	}
	a.ledger.wrote(k, func(e *entry) {
		e.done = true
		if confirmed {
			a.ledger.completed[k]++
		}
	})
}
