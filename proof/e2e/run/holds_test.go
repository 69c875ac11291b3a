//go:build unix

package run_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/runs"
)

// holds demands what must be so after every scene.
func (s *scene) holds() {
	s.Helper()
	for _, fault := range s.faults() {
		s.Error(fault)
	}
}

// faults are what is not as it must be.
func (s *scene) faults() []string {
	s.Helper()
	var all []string
	all = append(all, s.untrue()...)
	all = append(all, s.history()...)
	all = append(all, s.lost()...)
	all = append(all, s.changed()...)
	all = append(all, s.left()...)
	if s.secret != "" {
		all = append(all, s.leaked()...)
	}
	return all
}

// untrue are tasks that are completed, and whose work is not in the target, or whose
// checks do not pass on exactly the files that it was completed for.
func (s *scene) untrue() (all []string) {
	s.Helper()
	cards, started := s.cards(), map[string]bool{}
	for id, w := range s.state().Tasks {
		completed := 0
		for _, a := range w.Attempts {
			if started[a.Session] {
				all = append(all, "two attempts have the session "+a.Session)
			}
			started[a.Session] = true
			if a.Phase != runs.Completed {
				continue
			}
			completed++
			if a.Commit == "" || !s.isIn(a.Commit, s.target) {
				all = append(all, string(id)+" is completed, and its commit "+a.Commit+" is not in "+s.target)
				continue
			}
			for _, fault := range s.checks(cards[int(a.ID)], a.Commit) {
				all = append(all, a.ID.String()+" is completed, and on its files "+fault)
			}
			for _, fault := range s.checks(cards[int(a.ID)], s.target) {
				all = append(all, a.ID.String()+" is completed, and on the target "+fault)
			}
		}
		if completed > 1 {
			all = append(all, string(id)+" was completed more than once")
		}
		last := w.Last()
		if card := cards[int(last.ID)]; card.Status == "completed" && completed == 0 && last.Phase != runs.Taken {
			all = append(all, last.ID.String()+" is completed, and no attempt was")
		}
	}
	return all
}

// history is what the target's history should not have: leftovers, and a task's work in
// more than one commit of the run or in none, unless agents' own commits are kept.
func (s *scene) history() (all []string) {
	s.Helper()
	for subject := range strings.SplitSeq(s.git("log", "--format=%s", s.target), "\n") {
		if strings.HasPrefix(subject, "pawl: leftovers") {
			all = append(all, "the target has a commit "+subject)
		}
	}
	made := strings.Fields(s.git("log", "--format=%(trailers:key=Pawl-Task,valueonly)", s.target))
	for _, w := range s.state().Tasks {
		a := w.Last()
		n := 0
		for _, id := range made {
			if "#"+id == a.ID.String() {
				n++
			}
		}
		if n > 1 || n == 0 && a.Phase == runs.Completed && len(a.Files) > 0 && !s.kept {
			all = append(all, a.ID.String()+" has "+strconv.Itoa(n)+" commits in the target")
		}
	}
	return all
}

// checks runs the checks of a task again on the files of a commit.
func (s *scene) checks(c card, commit string) (all []string) {
	s.Helper()
	dir, err := os.MkdirTemp(s.dir, "again-")
	s.must(err)
	defer os.RemoveAll(dir)
	unpack := s.command("sh", "-c", `git archive "$1" | tar -x -C "$2"`, "sh", commit, dir)
	if out, err := unpack.CombinedOutput(); err != nil {
		return []string{"git archive " + commit + ": " + string(out)}
	}
	for _, check := range c.Checks {
		cmd := s.command(check.Run[0], check.Run[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			all = append(all, strings.Join(check.Run, " ")+" fails: "+err.Error()+" "+string(out))
		}
	}
	return all
}

func (s *scene) isIn(commit, ref string) bool {
	_, code := s.ask("git", "merge-base", "--is-ancestor", commit, ref)
	return code == 0
}

// lost are commits of agents and people that no reference reaches now, and attempts
// that began and left no reference.
func (s *scene) lost() (all []string) {
	s.Helper()
	for _, w := range s.state().Tasks {
		for _, a := range w.Attempts {
			if a.Ended.IsZero() || !a.Phase.Over() {
				continue
			}
			if _, code := s.ask("git", "rev-parse", "-q", "--verify", a.Ref()); code != 0 {
				all = append(all, a.Key.String()+" has no reference")
			}
		}
	}
	reached := map[string]bool{}
	for _, id := range strings.Fields(s.git("rev-list", "--all")) {
		reached[id] = true
	}
	for line := range strings.Lines(s.git("cat-file", "--batch-all-objects", "--batch-check=%(objecttype) %(objectname)")) {
		id, is := strings.CutPrefix(strings.TrimSpace(line), "commit ")
		if !is || reached[id] {
			continue
		}
		who := s.git("show", "-s", "--format=%cn: %s", id)
		if strings.HasPrefix(who, "stand (pawl run)") && s.secret == "" || strings.HasPrefix(who, "Eve") {
			all = append(all, "no reference has the commit "+id+" "+who)
		}
	}
	return all
}

// changed is what differs in the main checkout from what it should be.
func (s *scene) changed() (all []string) {
	s.Helper()
	if branch := strings.TrimSpace(s.git("rev-parse", "--abbrev-ref", "HEAD")); branch != s.on {
		all = append(all, "the main checkout is on "+branch+", not on "+s.on)
	}
	for line := range strings.Lines(s.git("status", "--porcelain", "--untracked-files=all", "--", ".", ":!.tasks") + "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		expected := false
		for _, name := range s.extra {
			expected = expected || strings.HasSuffix(line, name)
		}
		if !expected {
			all = append(all, "the main checkout differs from HEAD: "+line)
		}
	}
	if stash := s.git("stash", "list"); stash != "" {
		all = append(all, "there is a stash: "+stash)
	}
	if now := s.standing(); !maps.Equal(now, s.shared) && !s.config {
		all = append(all, fmt.Sprintf("work trees share something else: %v, not %v", now, s.shared))
	}
	if out, code := s.ask("git", "fsck", "--connectivity-only", "--no-dangling"); code != 0 {
		all = append(all, "git fsck: "+out)
	}
	if locks, _ := filepath.Glob(filepath.Join(s.root, ".git/*.lock")); len(locks) > 0 {
		all = append(all, "there is a lock of git: "+strings.Join(locks, ", "))
	}
	return all
}

// left are processes of the scene that still run.
func (s *scene) left() []string {
	s.Helper()
	if runtime.GOOS != "linux" {
		return nil
	}
	var all []string
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if all = s.processes(); len(all) == 0 {
			return nil
		}
	}
	return all
}

// processes are those that belong to the scene, by their words, environment or folder.
func (s *scene) processes() (all []string) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		words, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		vars, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		cwd, _ := os.Readlink(filepath.Join("/proc", e.Name(), "cwd"))
		if len(words) > 0 && strings.Contains(string(words)+string(vars)+cwd, s.dir) {
			all = append(all, "process "+e.Name()+" runs: "+strings.ReplaceAll(string(words), "\x00", " "))
		}
	}
	return all
}

// leaked are references whose history has the secret.
func (s *scene) leaked() (all []string) {
	s.Helper()
	for _, id := range strings.Fields(s.git("rev-list", "--all")) {
		cmd := exec.Command("git", "grep", "-l", "-e", s.secret, id)
		cmd.Dir, cmd.Env = s.root, s.env
		if out, err := cmd.Output(); err == nil {
			all = append(all, "the secret is in "+strings.TrimSpace(string(out))+", which a reference has")
		}
	}
	return all
}

// starts is how often the program of an attempt began, by what it printed.
func (s *scene) starts(a runs.Attempt) int {
	text, _ := os.ReadFile(filepath.Join(s.folder().Attempt(a.Key), "stream.jsonl"))
	return strings.Count(string(text), `"subtype":"init"`) + strings.Count(string(text), `{"session":`)
}

// agents are the numbers of the stand-ins that work.
func (s *scene) agents() (pids []string) {
	for _, line := range s.processes() {
		if strings.Contains(line, " fakeagent --scripts ") {
			pids = append(pids, strings.Fields(line)[1])
		}
	}
	return pids
}
