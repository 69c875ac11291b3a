// Peers measures Pawl and other trackers for coding agents at the same work: the
// same plan in each one's own files, and the commands that an agent runs most.
//
//	go -C tools run ./peers -tasks 1000 -runs 10 \
//	  -pawl PATH -backlog PATH -task-master PATH
//
// It prints a table of CPU time (user and system, median) and peak memory
// (median) of whole processes. A tracker without a path is left out. Everything
// happens in a temporary folder, the home folder too.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
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
}

// works are the kinds of work, in the order of the table.
var works = []string{"next task", "list", "show one", "complete one"}

// runner runs a tracker's program in its project.
type runner func(args ...string) (string, syscall.Rusage, error)

func measureAll(tasks, runs int, programs map[string]*string) error {
	plan := makePlan(tasks)
	fmt.Printf("| %d tasks | %s |\n|---|%s\n", tasks, strings.Join(works, " | "), strings.Repeat("---|", len(works)))
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
	fmt.Printf("| %s |\n", strings.Join(row, " | "))
	return nil
}

// in runs a program in a project, with a home folder beside it.
func in(dir, program string) runner {
	return func(args ...string) (string, syscall.Rusage, error) {
		cmd := exec.Command(program, args...)
		cmd.Dir = dir
		home := dir + "-home"
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "USER=ada", "NO_COLOR=1", "CI=1"}
		out, err := cmd.CombinedOutput()
		defer os.RemoveAll(home)
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
