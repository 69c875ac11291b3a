//go:build unix

package run_test

import (
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

// TestLimits has agents reach each limit.
func TestLimits(t *testing.T) {
	for _, d := range []deed{
		{name: "stall", settings: "run.timeout=idle 1s", first: "write f.txt half\nhang", ends: "two attempts in a row failed alike: the agent neither printed nor changed anything for 1s", attempts: 2},
		{name: "files are a sign", settings: "run.timeout=idle 3s", first: "sh for i in 1 2 3 4 5 6 7 8 9 10; do echo $i > f$i.txt; sleep 0.6; done\n" + does, ends: "completed", attempts: 1},
		{name: "ops are a sign", settings: "run.timeout=idle 3s", first: "sh for i in 1 2 3 4 5 6; do pawl note $PAWL_TASK \"still at $i\"; sleep 1; done\n" + does, ends: "completed", attempts: 1},
		{name: "progress", settings: "run.timeout=idle 3s", first: "sh :\n" + strings.Repeat("say a\nsleep 1s\n", 12) + "hang", ends: "two attempts in a row failed alike: the agent changed neither files nor tasks for 9s", attempts: 2},
		{name: "time of an attempt", settings: "run.timeout=2s", first: "write f.txt half\nhang", ends: "the attempt has used its time of 2s", attempts: 1},
		{name: "time of a task", settings: "run.timeout=task 3s", first: "append f.txt bad\nsleep 2s\ncommit bad\nexit 1", ends: "the task has used its time of 3s", attempts: 2},
		{name: "time of the run", settings: "run.timeout=run 3s", first: "write f.txt half\nhang", ends: "the run has used its time of 3s", attempts: 1},
		{name: "tokens of a task", settings: "run.budget=task 1500 tokens", first: "append f.txt bad\ntokens 900 100\nsleep 2s\ncommit bad\nexit 1", ends: "the task has used 2000 model tokens of 1500", attempts: 2},
	} {
		if !long.Turn(d.name, 10) {
			continue
		}
		t.Run(strings.ReplaceAll(d.name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			s := stage(t, planted, d.settings)
			s.add(d.first, "--check", check)
			said := s.run()
			s.ends(1, d.ends, d.attempts)
			for _, a := range s.work(1).Attempts {
				if s.read("f.txt") == "" && strings.Contains(d.first, "half") && s.git("show", a.Ref()+":f.txt") != "half" {
					t.Errorf("the work of attempt %d is lost", a.N)
				}
			}
			s.holds()
			if t.Failed() {
				t.Log(said + s.story(1))
			}
		})
	}
}

// TestSoon measures how long after its report an agent that has used too many tokens is
// ended: with -long within two seconds, grandchildren too. A busy machine gets five tries.
func TestSoon(t *testing.T) {
	t.Parallel()
	var took []time.Duration
	for _, script := range []string{"", "flood 6000000\n", "fork $TMPDIR/pid\n"} {
		for try := 1; ; try++ {
			s := stage(t, planted, "run.budget=1000 tokens")
			mark := filepath.Join(s.dir, "reported")
			s.add(script+"tokens 5000 10\ntouch "+mark+"\nhang", "--check", check)
			s.run()
			s.ends(1, "the attempt has used 5010 model tokens of 1000", 1)
			s.holds()
			reported, err := os.Stat(mark)
			s.must(err)
			var end struct{ At time.Time }
			text, err := os.ReadFile(filepath.Join(s.folder().Attempt(s.last(1).Key), "exit.json"))
			s.must(err)
			s.must(json.Unmarshal(text, &end))
			if d := end.At.Sub(reported.ModTime()); !*long.Asked || d <= 2*time.Second || try == 5 {
				if took = append(took, d); *long.Asked && d > 2*time.Second {
					t.Errorf("after %q it was ended %v after its report", script, d)
				}
				break
			}
		}
	}
	t.Log(took)
}

// TestRefused has limits that an agent's program does not tell enough for: the run does
// not begin.
func TestRefused(t *testing.T) {
	t.Parallel()
	s := stage(t, plain)
	s.set("run.agents", `{"mute": {"command": ["true"]}}`)
	s.pawl("config", "set", "run.agent", "mute", "--user")
	s.pawl("config", "set", "run.budget", "100 tokens", "--user")
	s.good(1)
	if out, code := s.ask("pawl", "run", "--yes"); code == 0 || !strings.Contains(out, "how many model tokens it uses, so run.budget cannot be kept") {
		t.Errorf("exit %d\n%s", code, out)
	}
	s.pawl("config", "set", "run.agent", "stand", "--user") // which tells its money at the end only
	s.set("run.agents", s.stand())
	s.pawl("config", "set", "run.budget", "$0.5", "--user")
	if out, code := s.ask("pawl", "run", "--yes"); code == 0 || !strings.Contains(out, "what it costs, so run.budget cannot be kept") {
		t.Errorf("exit %d\n%s", code, out)
	}
	s.pawl("config", "unset", "run.budget", "--user")
	s.write("README", "changed\n")
	if out, code := s.ask("pawl", "run", "--yes"); code == 0 || !strings.Contains(out, "not committed") {
		t.Errorf("exit %d\n%s", code, out)
	}
	s.git("checkout", "-q", "README")
	if w := s.work(1); w != nil {
		t.Errorf("there was an attempt:%s", s.story(1))
	}
	s.holds()
}

// TestReview has a person look at each attempt: one is sent back, one goes in.
func TestReview(t *testing.T) {
	t.Parallel()
	s := stage(t, planted, "run.review=before-merge")
	s.good(3)
	said := s.run("--agents", "1")
	s.ends(1, "waits for approval of attempt 1", 1)
	s.ends(2, "waits for approval of attempt 1", 1)
	if s.work(3) != nil || !strings.Contains(said, "2 attempts wait for approval, and no more begin") {
		t.Errorf("a third one began, or nobody says why not:\n%s", said)
	}
	if s.read("f1.txt") != "" {
		t.Error("it is in the target before it was approved")
	}
	if diff := s.pawl("run", "diff", "1"); !strings.Contains(diff, "+work of 1") {
		t.Errorf("the diff is %q", diff)
	}
	s.script("1", "prompt "+s.dir+"/prompt.txt\nappend f1.txt more work\ncommit more")
	s.pawl("run", "retry", "1", "--remark", "use the old interface")
	s.run("--agents", "1")
	s.ends(1, "waits for approval of attempt 2", 2)
	if prompt := s.read("../prompt.txt"); !strings.Contains(prompt, "use the old interface") {
		t.Errorf("the remark is not in the prompt:\n%s", prompt)
	}
	s.pawl("run", "approve", "1")
	s.run("--agents", "1")
	s.ends(1, "completed", 2)
	s.ends(2, "waits for approval of attempt 1", 1)
	s.pawl("run", "approve", "2")
	s.run("--agents", "1")
	s.ends(2, "completed", 1)
	s.holds()
}

// TestStopped has a person stop one attempt, then all of the run, and take a task over.
func TestStopped(t *testing.T) {
	t.Parallel()
	s := stage(t, planted)
	for range 3 {
		s.add("write half$PAWL_TASK.txt half\nignore-term", "--check", "test -f never")
	}
	r := s.start("--agents", "3")
	for id := 1; id <= 3; id++ {
		s.phase(id, runs.Running)
		s.until("its work", func() bool {
			_, err := os.Stat(filepath.Join(s.last(id).Tree, fmt.Sprintf("half%d.txt", id)))
			return err == nil
		})
	}
	s.pawl("run", "stop", "1")
	s.phase(1, runs.Held)
	dir := strings.TrimSpace(s.pawl("run", "take", "2"))
	if text, err := os.ReadFile(filepath.Join(dir, "half2.txt")); err != nil || string(text) != "half\n" {
		t.Errorf("the tree that was taken over: %q, %v", text, err)
	}
	s.pawl("run", "stop")
	r.end()
	for id := 1; id <= 3; id++ {
		if got := s.git("show", fmt.Sprintf("%s:half%d.txt", s.last(id).Ref(), id)); got != "half" {
			t.Errorf("the work on #%d is lost: %q", id, got)
		}
	}
	if got := s.status(1); !strings.Contains(got, "it was stopped by") {
		t.Errorf("#1: %s", got)
	}
	if got := s.status(2); got != "in_progress" {
		t.Errorf("#2: %s", got)
	}
	if got := s.status(3); got != "pending" {
		t.Errorf("#3: %s", got)
	}
	s.pawl("run", "clean")
	if _, err := os.Stat(dir); err != nil {
		t.Error("the tree that a person took over is gone:", err)
	}
	s.holds()
}
