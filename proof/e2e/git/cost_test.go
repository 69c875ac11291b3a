//go:build unix

package git_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

var (
	measure = flag.Bool("measure", false, "hold syncs to the processor time that they may take, on a machine with nothing else to do")
	syncs   = flag.Int("syncs", 4, "how many syncs the test of sizes makes")
)

// cpu runs pawl some times and returns the least processor time of it and of all the
// programs that it waited for.
func (c *clone) cpu(times int, before func(), args ...string) time.Duration {
	c.Helper()
	var all []time.Duration
	for range times {
		if before != nil {
			before()
		}
		cmd := c.command("pawl", args...)
		if out, err := cmd.CombinedOutput(); err != nil {
			c.Fatalf("pawl %v: %v\n%s", args, err, out)
		}
		all = append(all, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	}
	return slices.Min(all)
}

// hookCPU is cpu of an agent's hook.
func (c *clone) hookCPU(times int) time.Duration {
	c.Helper()
	var all []time.Duration
	for range times {
		cmd := c.command("pawl", "hook", "--agent", "claude")
		cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"hook_event_name":"UserPromptSubmit","session_id":"s","cwd":%q,"transcript_path":"","prompt":"go on"}`, c.root))
		must.Do(c.TB, cmd.Run())
		all = append(all, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	}
	return slices.Min(all)
}

// TestCost holds a sync without news and a full one at 1,000 tasks to their limits, with
// all the programs that run for them.
func TestCost(t *testing.T) {
	if !*measure {
		mustrun.NotHere(t, "with -measure only, which .ci/long gives")
	}
	const times = 20
	team := newWorld(t, nets{}).project("ada", "bob")
	ada, bob := team.clones[0], team.clones[1]
	var plan strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&plan, "- [ ] Task %d of a plan that is long enough to be one\n", i)
		if i%500 == 499 {
			cmd := ada.command("pawl", "plan", "-", "--parallel") // a plan's file would be synced, too
			cmd.Stdin = strings.NewReader(plan.String())
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("pawl plan: %v\n%s", err, out)
			}
			plan.Reset()
		}
	}
	hook := ada.hookCPU(times)
	for _, c := range team.clones {
		c.pawl("share", "--yes")
		c.pawl("config", "set", "sync", "manual")
	}
	team.settle()
	version := ada.cpu(times, nil, "version")
	tip := fmt.Sprint(team.tip())
	nothing := ada.cpu(times, nil, "sync")
	if fmt.Sprint(team.tip()) != tip {
		t.Error("a sync without news changes the remote")
	}
	n := 0
	full := ada.cpu(times, func() {
		n++
		bob.pawl("update", "7", "--desc", fmt.Sprint("changed ", n))
		bob.sync()
		ada.pawl("update", "9", "--desc", fmt.Sprint("changed ", n))
	}, "sync")
	sends := ada.cpu(times, func() { n++; ada.pawl("update", "9", "--desc", fmt.Sprint("changed ", n)) }, "sync")
	takes := ada.cpu(times, func() { n++; bob.pawl("update", "7", "--desc", fmt.Sprint("changed ", n)); bob.sync() }, "sync")
	ada.pawl("config", "set", "sync", "claims")
	claim := ada.cpu(times, nil, "claim")
	shared := ada.hookCPU(times)
	t.Logf("a hook %v, of a shared board %v; pawl version %v; a sync without news %v more, one that only sends %v, only takes %v, a full one %v, a claim %v",
		hook, shared, version, nothing-version, sends-version, takes-version, full-version, claim-version)
	team.settle()
	if shared-hook > 2*time.Millisecond {
		t.Errorf("a hook takes %v, and took %v before the board was shared", shared, hook)
	}
	if nothing-version > 10*time.Millisecond {
		t.Errorf("a sync without news takes %v beyond %v", nothing-version, version)
	}
	if full-version > 80*time.Millisecond {
		t.Errorf("a full sync takes %v beyond %v", full-version, version)
	}
}

// TestSizes makes many syncs that each send a change, and looks at what they leave.
func TestSizes(t *testing.T) {
	long.Only(t)
	team := newWorld(t, nets{}).team([]string{"ada", "bob"}, "Base")
	ada, bob := team.clones[0], team.clones[1]
	for i := range *syncs {
		c := []*clone{ada, bob}[i%2]
		c.pawl("note", "1", fmt.Sprint("note ", i))
		c.sync()
		if i%1000 == 999 {
			t.Logf("%d syncs: ada %d kB, bob %d kB, remote %d kB", i+1, ada.size(ada.path(".git/pawl"))/1000,
				bob.size(bob.path(".git/pawl"))/1000, ada.size(filepath.Join(team.dir, "remote.git"))/1000)
		}
	}
	if size := ada.size(ada.path(".git/pawl")); size > 25_000_000 {
		t.Errorf("%d syncs take %d kB", *syncs, size/1000)
	}
	team.settle()
}
