//go:build unix

package run_test

import (
	"strings"
	"testing"
)

// TestHistory has an attempt fail before one that goes on with its work: the target gets
// one commit, by the person, and what was left stays in the attempts' references. Before,
// it got the commit whose check had failed, and both were called leftovers.
func TestHistory(t *testing.T) {
	t.Parallel()
	s := stage(t, plain)
	begin := s.git("rev-parse", "main")
	s.add("write f.txt work\n", "--check", check)
	s.script("1-1", "write f.txt bad\n")
	s.run()
	s.ends(1, "completed", 2)
	if got := s.git("rev-list", "--parents", "main", "^"+begin); got != s.git("rev-parse", "main")+" "+begin {
		t.Errorf("main got %s", got)
	}
	want := "Ada ada@example.org Ada A task\n\nPawl-Task: 1\nPawl-Check: " + check + "\nAssisted-by: stand"
	if got := s.git("log", "-1", "--format=%an %ae %cn %B", "main"); strings.TrimSpace(got) != want {
		t.Errorf("main got %q, want %q", got, want)
	}
	if got := s.git("log", "-1", "--format=%(trailers:key=Pawl-Check,valueonly)", "main"); strings.TrimSpace(got) != check {
		t.Errorf("git does not read the trailers: %q", got)
	}
	for _, a := range s.work(1).Attempts {
		if got := s.git("log", "-1", "--format=%s", a.Ref()); got != "pawl: leftovers of #1" {
			t.Errorf("attempt %d is kept as %q", a.N, got)
		}
	}
	s.holds()
}

// TestKept has agents' own commits kept: where each is good, and not where a step fails its
// check or Pawl had to commit something.
func TestKept(t *testing.T) {
	t.Parallel()
	s := stage(t, planted, "run.integrate=keep")
	s.kept = true
	begin := s.git("rev-parse", "main")
	s.add("write f1.txt work\ncommit first\nwrite more.txt more\ncommit second", "--check", "grep -q work f1.txt")
	s.add("write f2.txt bad\ncommit bad\nwrite f2.txt work\ncommit good", "--check", "grep -q work f2.txt")
	s.add("write f3.txt work\ncommit own\nwrite left.txt left", "--check", "grep -q work f3.txt")
	s.run("--agents", "1")
	for id := range 3 {
		s.ends(id+1, "completed", 1)
	}
	if got := s.git("log", "--reverse", "--format=%s", begin+"..main"); got != "first\nsecond\nA task\nA task" {
		t.Errorf("main got %q", got)
	}
	s.holds()
}
