package fakeagent

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// git runs git here, under a name of its own.
func git(args ...string) error {
	_, err := ask(args...)
	return err
}

func ask(args ...string) (string, error) {
	args = append([]string{"-c", "user.name=Stand-in", "-c", "user.email=stand-in@example.invalid", "-c", "commit.gpgSign=false"}, args...)
	out, err := exec.Command("git", args...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

func commit(message string) error {
	if err := git("add", "-A"); err != nil {
		return err
	}
	return git("commit", "-q", "-m", message)
}

// editMain writes a file of the main checkout, where the agent has no business.
func editMain(_ *agent, w []string) error {
	dir := os.Getenv("STANDIN_MAIN")
	if dir == "" {
		common, err := ask("rev-parse", "--path-format=absolute", "--git-common-dir")
		if err != nil {
			return err
		}
		dir = filepath.Dir(common)
	}
	return writeFile(filepath.Join(dir, w[0]), w[1:], os.O_TRUNC)
}

// removeTree removes the work tree that it stands in.
func removeTree(*agent, []string) error {
	top, err := ask("rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	return os.RemoveAll(top)
}

// midRebase commits a file on the branch, and leaves its rebase onto another commit with
// the same file half done.
func midRebase() error {
	const name = "conflict.txt"
	base, err := ask("rev-parse", "HEAD")
	if err != nil {
		return err
	}
	back, err := ask("rev-parse", "--abbrev-ref", "HEAD")
	if err != nil {
		return err
	}
	if back == "HEAD" {
		return fmt.Errorf("no branch is checked out")
	}
	write := func(text string) error {
		if err := writeFile(name, []string{text}, os.O_TRUNC); err != nil {
			return err
		}
		return commit(text)
	}
	if err := write("mine"); err != nil {
		return err
	}
	if err := git("checkout", "-q", "--detach", base); err != nil {
		return err
	}
	if err := write("theirs"); err != nil {
		return err
	}
	onto, err := ask("rev-parse", "HEAD")
	if err != nil {
		return err
	}
	if err := git("checkout", "-q", back); err != nil {
		return err
	}
	if git("rebase", onto) == nil {
		return fmt.Errorf("the rebase had no conflict")
	}
	return nil
}
