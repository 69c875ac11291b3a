//go:build unix

package run_test

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/runs"
)

// semantic is a scene in which two changes fit for git, and not for the program: one
// renames a function, the other one calls it by its old name.
func semantic(t *testing.T) *scene {
	s := stage(t, planted)
	s.write("lib.sh", "greet() { echo hello; }\n")
	s.write("check.sh", "#!/bin/sh\nset -e\n. ./lib.sh\nfor f in main*.sh; do . ./$f; done\n")
	s.write("main.sh", "greet\n")
	s.git("update-index", "--add", "--chmod=+x", "check.sh")
	s.save("program")
	wait := "wait " + s.dir + "/both\n"
	s.add("edit lib.sh greet welcome\nedit main.sh greet welcome\n"+wait+"commit rename", "--check", "sh -e check.sh")
	s.add("write main2.sh greet\n"+wait+"commit call", "--check", "sh -e check.sh")
	s.script("2-2", "edit main2.sh greet welcome\ncommit mend")
	return s
}

// TestSemanticConflict has the checks on the merged files find what git does not.
func TestSemanticConflict(t *testing.T) {
	t.Parallel()
	s := semantic(t)
	s.script("1-2", "sh grep -q welcome main2.sh || sed -i.bak s/greet/welcome/ main2.sh && rm -f main2.sh.bak\ncommit mend")
	s.script("2-2", "write main2.sh welcome\ncommit mend")
	r := s.start()
	s.phase(1, runs.Running)
	s.phase(2, runs.Running)
	s.write("../both", "")
	r.end()
	found := 0
	for id := 1; id <= 2; id++ {
		if got := s.status(id); got != "completed" {
			t.Errorf("#%d: %s%s", id, got, s.story(id))
		}
		for _, a := range s.work(id).Attempts {
			if a.Reason == runs.CheckFailed && a.Merged {
				found++
			}
		}
	}
	if found != 1 {
		t.Errorf("the merged files failed their check %d times", found)
	}
	s.holds()
}

// TestControlMerged shows that the look at the end of a scene sees a run that does not
// check the merged files.
func TestControlMerged(t *testing.T) {
	t.Parallel()
	s := semantic(t)
	r := s.startWith([]string{envFault + "=" + unmerged})
	s.phase(1, runs.Running)
	s.phase(2, runs.Running)
	s.write("../both", "")
	r.end()
	if faults := strings.Join(s.untrue(), "\n"); !strings.Contains(faults, "is completed, and on its files sh -e check.sh fails") {
		t.Errorf("nobody sees that a task is completed falsely: %s", faults)
	}
}

// TestControlContained shows that the look at the end of a scene sees a commit that
// pawl run clean has lost, and that the real one keeps it.
func TestControlContained(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"", uncontained} {
		s := stage(t, planted)
		s.add("append f.txt bad\ncommit bad\n", "--check", check)
		s.script("1-1", "append f.txt bad\ncommit bad\n")
		s.run()
		tree := s.last(1).Tree
		// A person goes on there, in a commit that nothing else has.
		s.succeeds("sh", "-c", `cd "$1" && echo precious > new.txt && git add new.txt && git -c user.name=Eve commit -q -m precious`, "sh", tree)
		cmd := s.command("pawl", "run", "clean")
		cmd.Env = append(cmd.Env[:len(cmd.Env):len(cmd.Env)], envFault+"="+fault)
		out, err := cmd.CombinedOutput()
		s.must(err)
		lost := strings.Join(s.lost(), "\n")
		if fault == "" && (lost != "" || !strings.Contains(string(out), "stays: it has commits that neither main nor the attempt's reference has")) {
			t.Errorf("%s\n%s", lost, out)
		}
		if fault != "" && !strings.Contains(lost, "Eve: precious") {
			t.Errorf("nobody sees that a commit is lost: %s\n%s", lost, out)
		}
		if fault == "" {
			s.holds()
		}
	}
}
