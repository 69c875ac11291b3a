// Peers measures Pawl and other trackers for coding agents at the same work: the
// same plan in each one's own files, and the commands that an agent runs most.
//
//	go -C tools run ./peers -tasks 1000 -runs 10 \
//	  -pawl PATH -backlog PATH -task-master PATH
//
// It prints a table of CPU time (user and system, median) and peak memory
// (median) of whole processes, and how many of ten tasks that ten processes add
// at once are there afterwards, each with an id of its own. A tracker without a
// path is left out. Everything happens in a temporary folder, the home folder too.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

func main() {
	tasks := flag.Int("tasks", 1000, "`number` of tasks")
	runs := flag.Int("runs", 10, "`number` of runs of each command")
	programs := map[string]*string{}
	for _, p := range peers {
		programs[p.name] = flag.String(p.name, "", "`path` of the program")
	}
	flag.Parse()
	if err := measureAll(*tasks, *runs, programs); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

// A peer is a tracker: how its board is made, and what each kind of work is called.
type peer struct {
	name     string
	version  []string
	make     func(dir string, run runner, plan []task) error
	commands map[string][]string
	add      []string // adds a task with the subject {subject}
	// added returns the id of each task of the project by its subject.
	added func(dir string) (map[string]string, error)
}

// works are the measured operations, in the order of the table.
var works = []string{"next task", "list", "show one", "complete one"}

// runner runs a tracker's program in its project.
type runner func(args ...string) (string, syscall.Rusage, error)

func measureAll(tasks, runs int, programs map[string]*string) error {
	plan := makePlan(tasks)
	fmt.Printf("| %d tasks | %s | %d added at once |\n|---|%s---|\n", tasks, strings.Join(works, " | "), atOnce, strings.Repeat("---|", len(works)))
	for _, p := range peers {
		program := *programs[p.name]
		if program == "" {
			continue
		}
		if err := measure(p, program, plan, runs); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}

func measure(p peer, program string, plan []task, runs int) error {
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "peers-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	run := in(dir, program)
	for _, args := range [][]string{{"init", "-q"}, {"config", "user.name", "Ada"}, {"config", "user.email", "ada@example.org"}} {
		if out, _, err := in(dir, "git")(args...); err != nil {
			return fmt.Errorf("git: %w: %s", err, out)
		}
	}
	version, _, err := run(p.version...)
	if err != nil {
		return err
	}
	if err := p.make(dir, run, plan); err != nil {
		return err
	}
	row := []string{p.name + " " + strings.TrimPrefix(firstLine(version), p.name+" ")}
	for _, work := range works {
		var cpu []time.Duration
		var memory []int64
		for i := range runs {
			var args []string
			for _, arg := range p.commands[work] {
				args = append(args, strings.ReplaceAll(arg, "{open}", fmt.Sprint(plan[len(plan)-1-i].id)))
			}
			out, used, err := run(args...)
			if err != nil {
				return fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, out)
			}
			cpu = append(cpu, time.Duration(used.Utime.Nano()+used.Stime.Nano()))
			memory = append(memory, used.Maxrss)
		}
		row = append(row, fmt.Sprintf("%d ms, %d MiB", median(cpu).Milliseconds(), median(memory)>>10))
	}
	kept, err := addAtOnce(p, dir, run)
	if err != nil {
		return err
	}
	fmt.Printf("| %s | %d kept |\n", strings.Join(row, " | "), kept)
	return nil
}

// atOnce is how many processes add a task at the same time.
const atOnce = 10

// addAtOnce returns how many of the tasks added at once are there afterwards. Of
// those that got the same id one counts.
func addAtOnce(p peer, dir string, run runner) (int, error) {
	subject := func(i int) string { return fmt.Sprintf("Added at once %c", 'A'+i) }
	var all sync.WaitGroup
	for i := range atOnce {
		all.Go(func() {
			var args []string
			for _, arg := range p.add {
				args = append(args, strings.ReplaceAll(arg, "{subject}", subject(i)))
			}
			_, _, _ = run(args...) // one that fails and says so has lost its task, too
		})
	}
	all.Wait()
	found, err := p.added(dir)
	if err != nil {
		return 0, err
	}
	ids := map[string]bool{}
	for i := range atOnce {
		if id := found[subject(i)]; id != "" {
			ids[id] = true
		}
	}
	return len(ids), nil
}

// in runs a program in a project, with a home folder beside it.
func in(dir, program string) runner {
	return func(args ...string) (string, syscall.Rusage, error) {
		cmd := exec.Command(program, args...)
		cmd.Dir = dir
		home, err := os.MkdirTemp("", "peers-home-")
		if err != nil {
			return "", syscall.Rusage{}, err
		}
		defer os.RemoveAll(home)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "USER=ada", "NO_COLOR=1", "CI=1"}
		out, err := cmd.CombinedOutput()
		var used syscall.Rusage
		if cmd.ProcessState != nil {
			used = *cmd.ProcessState.SysUsage().(*syscall.Rusage)
		}
		return string(out), used, err
	}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

func median[T int64 | time.Duration](all []T) T {
	slices.Sort(all)
	return all[len(all)/2]
}
