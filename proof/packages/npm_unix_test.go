//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	ossignal "os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// npmHome is a user's machine with npm, which knows only a registry of the test.
type npmHome struct {
	t        *testing.T
	dir      string
	env      []string
	registry *registry
}

func newNPMHome(t *testing.T) *npmHome {
	t.Helper()
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			mustrun.Skip(t, program+" is not installed")
		}
	}
	dir, err := filepath.EvalSymlinks(t.TempDir()) // as Node does
	if err != nil {
		t.Fatal(err)
	}
	h := &npmHome{t: t, dir: dir, registry: newRegistry(t)}
	for _, name := range []string{"npmrc", "npmrc-global"} {
		must.Do(t, os.WriteFile(filepath.Join(h.dir, name), nil, 0o600))
	}
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(strings.ToLower(v), "=")
		if strings.HasPrefix(name, "npm_") || strings.HasPrefix(name, "xdg_") || strings.HasPrefix(name, "pawl_") || strings.HasPrefix(name, "claude") || strings.HasPrefix(name, "node_") {
			continue
		}
		h.env = append(h.env, v)
	}
	h.env = append(h.env, "HOME="+h.dir, "PATH="+filepath.Join(h.dir, "global", "bin")+string(os.PathListSeparator)+os.Getenv("PATH"),
		"npm_config_registry="+h.registry.url, "npm_config_prefix="+filepath.Join(h.dir, "global"), "npm_config_cache="+filepath.Join(h.dir, "cache"),
		"npm_config_userconfig="+filepath.Join(h.dir, "npmrc"), "npm_config_globalconfig="+filepath.Join(h.dir, "npmrc-global"),
		"npm_config_audit=false", "npm_config_fund=false", "npm_config_update_notifier=false", "npm_config_loglevel=error")
	return h
}

// run runs a command in a folder of the home; stdin may be empty.
func (h *npmHome) run(folder, stdin string, command ...string) (stdout, stderr string, code int) {
	h.t.Helper()
	dir := filepath.Join(h.dir, folder)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		h.t.Fatal(err)
	}
	path := command[0]
	for _, v := range h.env { // the PATH of the home, not of the test
		if list, ok := strings.CutPrefix(v, "PATH="); ok && !filepath.IsAbs(path) {
			for _, d := range filepath.SplitList(list) {
				if p := filepath.Join(d, command[0]); executable(p) {
					path = p
					break
				}
			}
		}
	}
	cmd := exec.Command(path, command[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, append(h.env, "PWD="+dir), strings.NewReader(stdin)
	var out, err bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &err
	fault := cmd.Run()
	var exit *exec.ExitError
	if fault != nil && !errors.As(fault, &exit) {
		h.t.Fatalf("%v: %v", command, fault)
	}
	return out.String(), err.String(), cmd.ProcessState.ExitCode()
}

func (h *npmHome) must(folder string, command ...string) string {
	h.t.Helper()
	out, err, code := h.run(folder, "", command...)
	if code != 0 {
		h.t.Fatalf("%v ended with %d:\n%s%s", command, code, out, err)
	}
	return out
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir() && info.Mode()&0o111 != 0
}

// killed starts a command, reads the first line that it prints, sends it a signal, and
// returns how it ended. It waits until nothing holds its output now, so what runs
// under the launcher must have ended too.
func (h *npmHome) killed(signal os.Signal, stdin string, command []string) string {
	h.t.Helper()
	// A signal that got lost must not hold up all tests.
	ctx, cancel := context.WithTimeout(h.t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir, cmd.Env = filepath.Join(h.dir, "shim"), h.env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	in, err := cmd.StdinPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	_, _ = io.WriteString(in, stdin)
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); err != nil {
		h.t.Fatalf("%v prints %q and ends: %v", command, line, err)
	}
	if err := cmd.Process.Signal(signal); err != nil {
		h.t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, lines)
	_ = cmd.Wait()
	return cmd.ProcessState.String()
}

// times are what differs between two boards that get the same commands.
var times = regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z|terminal-[0-9a-f.]+|"revision":\d+`)

// TestNPM is the life of the npm package: made, packed, installed from a registry,
// used, and removed.
func TestNPM(t *testing.T) {
	h := newNPMHome(t)
	release := builtHere(t)
	packages := filepath.Join(h.dir, "packages")
	must.Do(t, build("../..", release, packages, here.String(), ""))
	version, _ := treeVersion("../..")
	for _, name := range []string{"pawl", scope + here.npmName()} {
		var packed []struct {
			Filename string
			Files    []struct{ Path string }
		}
		dir := filepath.Join(packages, "npm", filepath.FromSlash(name))
		if err := json.Unmarshal([]byte(h.must("tarballs", "npm", "pack", "--json", dir)), &packed); err != nil || len(packed) != 1 {
			t.Fatalf("npm pack says %v, %v", packed, err)
		}
		if len(packed[0].Files) != 4 { // LICENSE, README.md, package.json and the program
			t.Errorf("%s has the files %v", name, packed[0].Files)
		}
		h.registry.publish(filepath.Join(dir, "package.json"), filepath.Join(h.dir, "tarballs", packed[0].Filename))
	}
	binary := filepath.Join(release, "pawl_"+here.os+"_"+here.arch, here.exe())
	said := h.must("", binary, "version")

	t.Run("npx", func(t *testing.T) {
		if got := h.must("npx", "npx", "--yes", "pawl", "version"); got != said {
			t.Errorf("npx pawl version prints %q, the program %q", got, said)
		}
		// What npx runs is gone some day, so setup says that first, and hooks wait for a pawl
		// on the PATH.
		if got := h.must("npx", "npx", "--yes", "pawl", "setup", "claude", "--yes"); !strings.HasPrefix(got, "No pawl is on your PATH") {
			t.Errorf("npx pawl setup says %s", got)
		}
		if got := h.must("npx", "grep", "-r", "hook --agent", ".claude"); strings.Contains(got, "_npx") {
			t.Errorf("the hooks call what npx keeps: %s", got)
		}
	})

	h.must("", "npm", "install", "--global", "pawl@"+version)
	if want := "pawl v" + version; !strings.HasPrefix(h.must("", "pawl", "version"), want) || h.must("", "pawl", "--version") != h.must("", binary, "--version") {
		t.Errorf("pawl on the PATH is not %s", want)
	}
	t.Run("arguments, streams and exit codes", func(t *testing.T) {
		for _, args := range [][]string{
			{"init"}, {"add", "it's \"a\" $HOME *\\ task\n"}, {"add", "--note", ""}, {"plan", "-"}, {"list", "--json"}, {"done", "99"}, {"done", "2", "--json"}, {"nonsense"},
		} {
			stdin := ""
			if args[0] == "plan" {
				stdin = "- [ ] öne\n- [ ] two (after: öne)\n"
			}
			out, err, code := h.run("shim", stdin, append([]string{"pawl"}, args...)...)
			wantOut, wantErr, wantCode := h.run("plain", stdin, append([]string{binary}, args...)...)
			normal := func(s string) string {
				return times.ReplaceAllString(strings.ReplaceAll(strings.ReplaceAll(s, filepath.Join(h.dir, "shim"), "DIR"), filepath.Join(h.dir, "plain"), "DIR"), "TIME")
			}
			if normal(out) != normal(wantOut) || normal(err) != normal(wantErr) || code != wantCode {
				t.Errorf("pawl %q ends with %d:\n%s%s\nthe program with %d:\n%s%s", args, code, out, err, wantCode, wantOut, wantErr)
			}
		}
	})
	t.Run("a pipe that closes", func(t *testing.T) {
		if got := h.must("shim", "sh", "-c", `pawl help --json | head -c 1; pawl version | cat`); got != "{"+said {
			t.Errorf("it prints %q", got)
		}
	})
	t.Run("signals", func(t *testing.T) {
		// Under nohup a test is started with a hangup ignored, and what it starts is so,
		// too. One that it handles is not.
		hangups := make(chan os.Signal, 1)
		ossignal.Notify(hangups, syscall.SIGHUP)
		defer ossignal.Stop(hangups)
		for _, running := range []struct{ command, stdin string }{
			{"serve --addr 127.0.0.1:0 --json", ""}, // ends by itself
			{"mcp", `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"},
		} {
			for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
				want := h.killed(signal, running.stdin, append([]string{binary}, strings.Fields(running.command)...))
				got := h.killed(signal, running.stdin, append([]string{filepath.Join(h.dir, "global", "bin", "pawl")}, strings.Fields(running.command)...))
				if got != want {
					t.Errorf("pawl %s ends after %v with %q, the program with %q", running.command, signal, got, want)
				}
			}
		}
	})
	t.Run("agents do not start Node", func(t *testing.T) {
		h.must("shim", "pawl", "setup", "claude", "--yes")
		program := filepath.Join(h.dir, "global", "lib", "node_modules", "pawl", "node_modules", scope, here.npmName(), "bin", "pawl")
		found := false
		for _, at := range []string{h.dir, filepath.Join(h.dir, "shim")} {
			for _, name := range []string{"settings.json", "settings.local.json"} {
				text, _ := os.ReadFile(filepath.Join(at, ".claude", name))
				if bytes.Contains(text, []byte(" hook --agent")) {
					found = true
					if !bytes.Contains(text, []byte(program+" hook --agent")) {
						t.Errorf("the hooks do not call %s:\n%s", program, text)
					}
				}
			}
		}
		if !found {
			t.Error("setup wrote no hooks")
		}
		if _, err, code := h.run("shim", "", "pawl", "doctor", "--agents"); code != 0 {
			t.Errorf("doctor ends with %d: %s", code, err)
		}
		h.must("shim", "pawl", "setup", "claude", "--remove", "--yes")
	})
	t.Run("without optional packages", func(t *testing.T) {
		h.must("lacking", "npm", "install", "--no-save", "--omit=optional", "pawl")
		_, err, code := h.run("lacking", "", "node_modules/.bin/pawl", "version")
		if code != 1 || !strings.Contains(err, scope+here.npmName()+" is missing") || !strings.Contains(err, "hint: npm install") {
			t.Errorf("it ends with %d and says %q", code, err)
		}
		h.must("lacking", "npm", "install", "--no-save", "--include=optional", "--force", "pawl")
		if got := h.must("lacking", "node_modules/.bin/pawl", "version"); got != said {
			t.Errorf("after what the hint says it prints %q", got)
		}
	})

	h.must("", "npm", "uninstall", "--global", "pawl")
	left := h.must("", "find", filepath.Join(h.dir, "global"), "-name", "*pawl*")
	if left != "" {
		t.Errorf("npm uninstall leaves %s", left)
	}
}
