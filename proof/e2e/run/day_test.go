//go:build unix

package run_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/runs"
)

// TestDay works off twelve tasks in a Go repository with two slots: one conflict, one
// check that fails, one rate limit, one approval, one kill of the runner.
func TestDay(t *testing.T) {
	long.Only(t)
	t.Parallel()
	s := stage(t, plain, "run.attempts=4")
	s.write("go.mod", "module example.org/calc\n\ngo 1.24\n")
	s.write("calc.go", "package calc\n\n// Ops has operations by their names.\nvar Ops = map[string]func(a, b int) int{\n}\n")
	s.save("program")
	for n := 1; n <= 12; n++ {
		words := []string{"--check", fmt.Sprintf("go test -count=1 -run '^TestOp%d$' ./...", n)}
		if n > 4 {
			words = append(words, "--blocked-by", fmt.Sprint(n-4))
		}
		wrong := n
		if n == 5 {
			wrong++
		}
		writes := fmt.Sprintf("say working on %d\ntokens 1200 300 0.02\nwrite op%d.go \"package calc\\n\\nfunc Op%d(a, b int) int { return a + b + %d }\"\n", n, n, n, wrong) +
			fmt.Sprintf("write op%d_test.go \"package calc\\n\\nimport \\\"testing\\\"\\n\\nfunc TestOp%d(t *testing.T) {\\n\\tif Op%d(1, 2) != 3+%d {\\n\\t\\tt.Fatal(\\\"wrong\\\")\\n\\t}\\n}\"\n", n, n, n, n) +
			"sleep 300ms\n"
		if n == 3 || n == 4 { // both add a line at one place
			writes += fmt.Sprintf("edit calc.go \"int{\\n\" \"int{\\n\\t\\\"op%d\\\": Op%d,\\n\"\nwait %s/both%d\n", n, n, s.dir, n)
		}
		s.add(writes+fmt.Sprintf("commit add operation %d", n), words...)
	}
	text, err := os.ReadFile(filepath.Join(s.scripts, "5.txt"))
	s.must(err)
	s.script("5-1", string(text))
	s.script("5", "resume-print\nedit op5.go \"b + 6 }\" \"b + 5 }\"\ncommit mend operation 5")
	s.script("6-1", "rate-limit 3")
	s.write("../both3", "")
	began := time.Now()
	r := s.start("--agents", "2")
	s.phase(4, runs.Running)
	s.phase(3, runs.Completed, runs.Merged, runs.Integrating)
	s.phase(3, runs.Completed)
	killed := time.Since(began)
	r.kill() // while the agent of 4 works
	s.write("../both4", "")
	r = s.start("--agents", "2", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11")
	r.end()
	s.set("run.review", "before-merge")
	s.run("12")
	if got := s.status(12); !strings.Contains(got, "waits for approval") {
		t.Errorf("#12: %s", got)
	}
	s.pawl("run", "approve", "12")
	s.run("12")
	for id := 1; id <= 12; id++ {
		if got := s.status(id); got != "completed" {
			t.Errorf("#%d: %s%s", id, got, s.story(id))
		}
	}
	for id, want := range map[int]runs.Reason{4: runs.Conflict, 5: runs.CheckFailed, 6: runs.RateLimit} {
		if got := s.work(id).Attempts[0].Reason; got != want {
			t.Errorf("the first attempt at #%d failed by %s, not by %s", id, got, want)
		}
	}
	s.holds()
	t.Logf("killed after %v\n%s", killed.Round(time.Millisecond), s.line(began))
}

// line tells what the journal has, with the seconds since the beginning.
func (s *scene) line(began time.Time) string {
	s.Helper()
	file, err := os.Open(filepath.Join(s.folder().Path, "journal.jsonl"))
	s.must(err)
	defer file.Close()
	var b strings.Builder
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r runs.Record
		s.must(json.Unmarshal(lines.Bytes(), &r))
		what := string(r.Kind)
		switch {
		case r.Pause != nil:
			what += " " + r.Pause.Agent + " " + r.Pause.Why
		case r.Attempt != nil:
			switch r.Attempt.Phase {
			case runs.Running, runs.Failed, runs.Waiting, runs.Approved, runs.Merged, runs.Completed:
			default:
				continue
			}
			what = fmt.Sprintf("%v attempt %d %s", r.ID, r.Attempt.N, r.Attempt.Phase)
			if r.Attempt.Phase == runs.Failed {
				what += ": " + string(r.Reason) + ", " + r.Why
			}
		}
		fmt.Fprintf(&b, "%6.1f s  %s\n", r.At.Sub(began).Seconds(), what)
	}
	return b.String()
}
