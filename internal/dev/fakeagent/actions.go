package fakeagent

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// do does one line of a script.
func (a *agent) do(line string) error {
	name, rest, _ := strings.Cut(line, " ")
	if name == "" || name[0] == '#' {
		return nil
	}
	if name == "sh" {
		if runtime.GOOS == "windows" {
			return a.run("cmd", "/c", rest)
		}
		return a.run("/bin/sh", "-c", rest)
	}
	act, ok := actions()[name]
	if !ok {
		return fmt.Errorf("unknown action %q", name)
	}
	words, err := split(rest)
	if err != nil {
		return err
	}
	if len(words) < act.least {
		return fmt.Errorf("%s needs %d words or more", name, act.least)
	}
	return act.do(a, words)
}

// An action has a least number of words.
type action struct {
	least int
	do    func(a *agent, w []string) error
}

func actions() map[string]action {
	return map[string]action{
		"write":  {2, func(a *agent, w []string) error { return writeFile(w[0], w[1:], os.O_TRUNC) }},
		"append": {2, func(a *agent, w []string) error { return writeFile(w[0], w[1:], os.O_APPEND) }},
		"touch":  {1, func(a *agent, w []string) error { return writeFile(w[0], nil, os.O_APPEND) }},
		"edit":   {3, func(a *agent, w []string) error { return edit(w[0], w[1], w[2]) }},
		"rm":     {1, func(a *agent, w []string) error { return os.Remove(w[0]) }},
		"prompt": {1, func(a *agent, w []string) error { return os.WriteFile(w[0], []byte(a.prompt), 0o644) }},
		"say":    {1, func(a *agent, w []string) error { a.say(strings.Join(w, " "), usage{}); return nil }},
		"tokens": {2, (*agent).tokens},
		"sleep":  {1, sleep},
		"wait":   {1, func(a *agent, w []string) error { wait(w[0]); return nil }},
		"commit": {1, func(a *agent, w []string) error { return commit(strings.Join(w, " ")) }},
		"pawl":   {1, func(a *agent, w []string) error { return a.pawl(w...) }},
		"done":   {0, func(a *agent, w []string) error { return a.pawl("done", os.Getenv("PAWL_TASK")) }},
		"hold": {1, func(a *agent, w []string) error {
			return a.pawl("hold", os.Getenv("PAWL_TASK"), strings.Join(w, " "))
		}},
		"no-work": {0, func(a *agent, w []string) error { a.exit(0); return nil }},
		"exit":    {1, func(a *agent, w []string) error { return number(w[0], a.exit) }},
		"flood":   {1, func(a *agent, w []string) error { return number(w[0], a.flood) }},
		"hang":    {0, func(a *agent, w []string) error { select {} }},
		"ignore-term": {0, func(a *agent, w []string) error {
			signal.Ignore(syscall.SIGTERM)
			a.say("SIGTERM is ignored", usage{})
			select {}
		}},
		"signal":        {1, func(a *agent, w []string) error { return die(w[0]) }},
		"fork":          {0, func(a *agent, w []string) error { return a.child(w, false) }},
		"daemon":        {0, func(a *agent, w []string) error { return a.child(w, true) }},
		"tty":           {0, (*agent).tty},
		"edit-main":     {2, editMain},
		"rm-tree":       {0, removeTree},
		"rename-branch": {1, func(a *agent, w []string) error { return git("branch", "-m", w[0]) }},
		"detach":        {0, func(a *agent, w []string) error { return git("checkout", "-q", "--detach") }},
		"mid-rebase":    {0, func(a *agent, w []string) error { return midRebase() }},
		"config":        {2, func(a *agent, w []string) error { return git("config", w[0], w[1]) }},
		"rate-limit": {1, func(a *agent, w []string) error {
			return number(w[0], func(n int) { a.refused(time.Now().Add(time.Duration(n) * time.Second)) })
		}},
		"resume-print": {0, (*agent).resumePrint},
	}
}

func number(word string, do func(int)) error {
	n, err := strconv.Atoi(word)
	if err == nil {
		do(n)
	}
	return err
}

// writeFile writes words as a line. Without words it only makes the file.
func writeFile(name string, words []string, how int) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|how, 0o644)
	if err != nil {
		return err
	}
	if len(words) > 0 {
		_, err = file.WriteString(strings.Join(words, " ") + "\n")
	}
	return errors.Join(err, file.Close())
}

func edit(name, old, new string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if !strings.Contains(string(text), old) {
		return fmt.Errorf("%s has no %q", name, old)
	}
	return os.WriteFile(name, []byte(strings.Replace(string(text), old, new, 1)), 0o644)
}

func (a *agent) tokens(w []string) (err error) {
	var cost usage
	if cost.In, err = strconv.Atoi(w[0]); err != nil {
		return err
	}
	if cost.Out, err = strconv.Atoi(w[1]); err != nil {
		return err
	}
	if len(w) > 2 {
		if cost.dollars, err = strconv.ParseFloat(w[2], 64); err != nil {
			return err
		}
	}
	a.say("thinking", cost)
	return nil
}

func sleep(_ *agent, w []string) error {
	d, err := time.ParseDuration(w[0])
	if err == nil {
		time.Sleep(d)
	}
	return err
}

func wait(name string) {
	for {
		if _, err := os.Stat(name); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// run says what a command printed, and goes on however it ended.
func (a *agent) run(name string, args ...string) error {
	cmd := exec.Command(name, args...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		return err // it did not start
	}
	a.say(fmt.Sprintf("%sexit %d", out, cmd.ProcessState.ExitCode()), usage{})
	return nil
}

func (a *agent) pawl(args ...string) error {
	return a.run(cmp.Or(os.Getenv("PAWL_BIN"), "pawl"), args...)
}

// child leaves a process that runs until it is ended.
func (a *agent) child(w []string, daemon bool) error {
	words := []string{os.Args[0]}
	if self, err := os.Executable(); err == nil {
		words = []string{self, word}
	}
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Env = append(os.Environ(), envChild+"=1")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if daemon {
		cmd.Stdout, cmd.Stderr = nil, nil
		ownSession(cmd)
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	pid := strconv.Itoa(cmd.Process.Pid)
	a.say("started "+pid, usage{})
	if len(w) == 0 {
		return nil
	}
	return writeFile(w[0], []string{pid}, os.O_TRUNC)
}

func (a *agent) tty(w []string) error {
	file, err := os.OpenFile(terminal, os.O_RDWR, 0)
	if err != nil {
		a.say("no terminal: "+err.Error(), usage{})
		return nil
	}
	defer file.Close()
	_, _ = file.WriteString("May I? ")
	answer := make([]byte, 100)
	n, err := file.Read(answer)
	a.say("the answer is "+strings.TrimSpace(string(answer[:n])), usage{})
	return err
}

func (a *agent) resumePrint([]string) error {
	text := "started afresh"
	if a.resumed {
		text = "resumed " + a.session
	}
	a.say(text, usage{})
	return nil
}
