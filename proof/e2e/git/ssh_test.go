//go:build unix

package git_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// sshVar makes this test binary a program ssh: it runs the remote's side here, and
// breaks the connection as the file that the variable names says.
const sshVar = "PAWL_TEST_SSH"

// A fault is what is wrong with a connection. The zero fault is none.
type fault struct {
	Up     int           // so many bytes reach the remote; 0: all
	Down   int           // so many bytes come back from it; 0: all
	Delay  time.Duration // before anything happens
	Silent bool          // it never answers
	Denied string        // what ssh says before it fails
	Reads  bool          // what is fetched does not break, only pushes do
	Asks   bool          // it asks for a password at the terminal
}

// wire makes the remote reachable by a program ssh alone, which the clone finds in its
// PATH, and returns what breaks the connections of this clone.
func (c *clone) wire(remote string) (broken func(fault)) {
	c.Helper()
	dir := filepath.Join(c.dir, c.who, "wire")
	must.Do(c.TB, os.MkdirAll(dir, 0o755))
	self, err := os.Executable()
	must.Do(c.TB, err)
	state := filepath.Join(dir, "fault.json")
	must.Do(c.TB, os.WriteFile(filepath.Join(dir, "ssh"), []byte(fmt.Sprintf("#!/bin/sh\n%s='%s' exec '%s' \"$@\"\n", sshVar, state, self)), 0o755))
	c.vars = append(c.vars, "PATH="+dir+":"+program+":"+os.Getenv("PATH"))
	c.git("remote", "set-url", "origin", "ssh://example.org"+remote)
	broken = func(f fault) {
		c.Helper()
		text, err := json.Marshal(f)
		must.Do(c.TB, err)
		must.Do(c.TB, os.WriteFile(state+".new", text, 0o644))
		must.Do(c.TB, os.Rename(state+".new", state))
	}
	broken(fault{})
	return broken
}

// ssh is the program.
func ssh(state string, args []string) int {
	if os.Getenv("SSH_ASKPASS") != "" && os.Getenv("SSH_ASKPASS_REQUIRE") != "never" {
		fmt.Fprintln(os.Stderr, "ssh: somebody could be asked")
	}
	var f fault
	if text, err := os.ReadFile(state); err != nil || json.Unmarshal(text, &f) != nil {
		fmt.Fprintln(os.Stderr, "ssh: no state", err)
		return 255
	}
	batch := false
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		batch = batch || len(args) > 1 && strings.EqualFold(args[1], "BatchMode=yes")
		if args[0] == "-o" || args[0] == "-p" {
			args = args[1:]
		}
		args = args[1:]
	}
	command := strings.Join(args[1:], " ") // the first one is the host
	if f.Reads && strings.Contains(command, "upload-pack") {
		f = fault{}
	}
	time.Sleep(f.Delay)
	switch {
	case f.Silent || f.Asks && !batch:
		time.Sleep(10 * time.Minute)
		return 255
	case f.Asks:
		f.Denied = "ada@example.org: Permission denied (publickey,password)."
	}
	if f.Denied != "" {
		fmt.Fprintln(os.Stderr, f.Denied)
		return 255
	}
	return relay(f, command)
}

// relay runs the remote's side. If the connection breaks, that side goes on with what
// it has got, as a real one would.
func relay(f fault, command string) int {
	cmd := exec.Command("sh", "-c", command)
	cmd.Stderr = os.Stderr
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err1 != nil || err2 != nil || cmd.Start() != nil {
		return 255
	}
	broken := make(chan bool, 2)
	pass := func(to io.WriteCloser, from io.Reader, most int) {
		if most == 0 {
			io.Copy(to, from)
		} else if n, _ := io.CopyN(to, from, int64(most)); n == int64(most) {
			broken <- true
			return
		}
		to.Close()
	}
	go pass(in, os.Stdin, f.Up)
	go func() {
		pass(os.Stdout, out, f.Down)
		broken <- false
	}()
	if <-broken || cmd.Wait() != nil {
		fmt.Fprintln(os.Stderr, "Connection to example.org closed by remote host.")
		return 255
	}
	return 0
}
