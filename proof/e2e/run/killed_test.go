//go:build unix

package run_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/runs"
)

// mixed is a scene with a bit of everything: a check that fails once, a conflict, a task
// that waits for another one.
func mixed(t *testing.T) *scene {
	s := stage(t, planted)
	s.write("shared.txt", "begin\n")
	s.save("shared")
	s.add(does, "--check", check)
	s.script("1-1", "write f.txt bad\ncommit bad\n")
	for id := 2; id <= 3; id++ {
		s.add(fmt.Sprintf("sleep 200ms\nappend shared.txt line %d\nwrite g%d.txt left", id, id), "--check", fmt.Sprintf("grep -q 'line %d' shared.txt", id))
	}
	s.add("write h.txt work\ncommit h", "--check", "grep -q work h.txt", "--blocked-by", "1")
	return s
}

// same demands that a killed scene has ended as one without a kill.
func (s *scene) same() {
	s.Helper()
	for id := range 4 {
		if got := s.status(id + 1); got != "completed" {
			s.Errorf("#%d: %s%s", id+1, got, s.story(id+1))
		}
	}
	lines := strings.Split(strings.TrimSpace(s.read("shared.txt")), "\n")
	slices.Sort(lines)
	if got := strings.Join(lines, ","); got != "begin,line 2,line 3" {
		s.Errorf("shared.txt has %s", got)
	}
	for name, want := range map[string]string{"f.txt": "work of 1\n", "g2.txt": "left\n", "g3.txt": "left\n", "h.txt": "work\n"} {
		if got := s.read(name); got != want {
			s.Errorf("%s has %q", name, got)
		}
	}
	// Each attempt's program began once: its stream begins with one line of its start.
	for _, w := range s.state().Tasks {
		for _, a := range w.Attempts {
			if n := s.starts(a); n > 1 {
				s.Errorf("%s was started %d times", a.Key, n)
			}
		}
	}
	s.holds()
}

// TestKilledAtEachRecord kills the runner at each record of its journal, before and after
// the record is written. The next run ends as one that was not killed.
func TestKilledAtEachRecord(t *testing.T) {
	step := 96 // records; some of them are a commit's share
	if *long.Asked {
		step = 1
	}
	first := mixed(t)
	first.run()
	first.same()
	records := first.state().N
	if records < 60 {
		t.Errorf("only %d records: the scene has become weak", records)
	}
	for n := 1 + records%step; n <= records+5; n += step {
		for _, after := range []string{"", "+"} {
			if !*long.Asked && (n/step)%2 == len(after) {
				continue
			}
			t.Run(fmt.Sprint(n, after), func(t *testing.T) {
				t.Parallel()
				s := mixed(t)
				if after != "" {
					s.speaks()
				}
				said := ""
				r := s.startWith([]string{envDie + "=" + fmt.Sprint(n) + after})
				if r.died() {
					said = s.run()
				}
				s.same()
				if t.Failed() {
					t.Logf("killed:\n%s\nthen:\n%s", r.said(), said)
				}
			})
		}
	}
}

// TestKilledHalfway kills the runner when a fast-forward has written the files of the main
// checkout, and has moved neither the index nor the branch.
func TestKilledHalfway(t *testing.T) {
	t.Parallel()
	s := stage(t, planted)
	s.write("f.txt", "before\n")
	s.save("before")
	s.add("write new.txt work\n"+does, "--check", check)
	script, check := work(2)
	s.add(script, "--check", check, "--blocked-by", "1")
	s.add("wait "+s.dir+"/go\nwrite g.txt work\n", "--check", "grep -q work g.txt") // is integrated after the cut
	r := s.startWith([]string{envFault + "=" + halfway})
	if !r.died() {
		t.Fatal("it was not killed")
	}
	if s.read("f.txt") == "before\n" || s.isIn(s.last(1).Commit, "main") {
		t.Error("it was killed elsewhere: the test has become weak")
	}
	s.write("../go", "")
	said := s.run()
	for id := range 3 {
		s.ends(id+1, "completed", 1)
	}
	s.holds()
	if t.Failed() {
		t.Log(said)
	}
}

// TestAdopted kills the runner while agents work. One goes on meanwhile, one ends.
func TestAdopted(t *testing.T) {
	t.Parallel()
	s := stage(t, plain)
	go1, go2 := s.dir+"/go1", s.dir+"/go2"
	s.add("wait "+go1+"\n"+does, "--check", check)
	s.add("wait "+go2+"\nwrite g.txt work\ncommit g", "--check", "grep -q work g.txt")
	r := s.start()
	s.phase(1, runs.Running)
	s.phase(2, runs.Running)
	r.kill()
	s.write("../go1", "")
	s.until("the end of the first agent", func() bool { return len(s.agents()) == 1 })
	before := s.agents()
	r = s.start()
	s.phase(1, runs.Completed)
	if got := s.agents(); !slices.Equal(got, before) {
		t.Errorf("agents are %v, and were %v", got, before)
	}
	s.write("../go2", "")
	r.end()
	for id := range 2 {
		s.ends(id+1, "completed", 1)
	}
	s.holds()
}

// TestSecondRunner has a second runner, and a person who claims what the first one might.
func TestSecondRunner(t *testing.T) {
	t.Parallel()
	s := stage(t, plain)
	mark := s.dir + "/go"
	s.add("wait "+mark+"\n"+does, "--check", check)
	s.add("write g.txt work\ncommit g", "--check", "grep -q work g.txt", "--blocked-by", "1")
	r := s.start("--agents", "1")
	s.phase(1, runs.Running)
	if out, code := s.ask("pawl", "run", "--yes"); code == 0 || !strings.Contains(out, "a run of this board is at work already") {
		t.Errorf("a second run: exit %d\n%s", code, out)
	}
	if out, code := s.ask("pawl", "claim", "1"); code == 0 {
		t.Errorf("a person got the task of an attempt: %s", out)
	}
	s.write("../go", "")
	r.end()
	for id := range 2 {
		s.ends(id+1, "completed", 1)
	}
	s.holds()
}

// TestClaimRace has persons claim the tasks that the run begins: each has one winner.
func TestClaimRace(t *testing.T) {
	t.Parallel()
	s := stage(t, planted)
	n := 4
	if *long.Asked {
		n = 24
	}
	s.good(n)
	r := s.start()
	mine := map[int]bool{}
	for id := n; id >= 1; id-- {
		if _, code := s.ask("pawl", "claim", fmt.Sprint(id)); code == 0 {
			mine[id] = true
		}
	}
	t.Logf("the person got %d of %d", len(mine), n)
	r.end()
	for id := 1; id <= n; id++ {
		status, w := s.status(id), s.work(id)
		worked := w != nil && !w.Last().Started.IsZero()
		if want := map[bool]string{true: "in_progress", false: "completed"}[mine[id]]; status != want || worked == mine[id] {
			t.Errorf("#%d is %s, claimed by a person: %t, by an agent: %t", id, status, mine[id], worked)
		}
	}
	s.holds()
}

// TestOneFile has agents add a line each to one file: all lines are there in the end.
func TestOneFile(t *testing.T) {
	long.Only(t)
	t.Parallel()
	const n = 8
	s := stage(t, planted, "run.attempts=20", fmt.Sprintf("run.slots=%d", n))
	s.write("shared.txt", "begin\n")
	s.save("shared")
	for id := 1; id <= n; id++ {
		s.add(fmt.Sprintf("sleep 300ms\nappend shared.txt line %d\ncommit line %d", id, id), "--check", fmt.Sprintf("grep -q 'line %d$' shared.txt", id))
	}
	retried := 0
	for range 3 * n {
		s.run()
		held := 0
		for id := 1; id <= n; id++ {
			if s.status(id) != "completed" {
				s.pawl("run", "retry", fmt.Sprint(id))
				held++
			}
		}
		if retried += held; held == 0 {
			break
		}
	}
	conflicts := 0
	for id := 1; id <= n; id++ {
		for _, a := range s.work(id).Attempts {
			if a.Reason == runs.Conflict {
				conflicts++
			}
		}
		if text := s.read("shared.txt"); strings.Count(text, fmt.Sprintf("line %d\n", id)) != 1 {
			t.Errorf("line %d is lost: %q", id, text)
		}
	}
	t.Logf("%d conflicts, %d holds lifted", conflicts, retried)
	if conflicts == 0 {
		t.Error("there was no conflict: the test has become weak")
	}
	s.holds()
}
