//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// launcher is the launcher beside a package for this platform, whose program is a text
// for sh; without a text there is no package.
func (h *npmHome) launcher(program string) string {
	h.t.Helper()
	modules := filepath.Join(h.dir, "tree", "node_modules")
	if err := os.RemoveAll(filepath.Dir(modules)); err != nil {
		h.t.Fatal(err)
	}
	dir := filepath.Join(modules, filepath.FromSlash(scope+here.npmName()), "bin")
	to := filepath.Join(modules, "pawl", "bin", "pawl.js")
	for _, d := range []string{dir, filepath.Dir(to)} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			h.t.Fatal(err)
		}
	}
	if err := copyFile(to, "../../packaging/npm/pawl.js", 0o755); err != nil {
		h.t.Fatal(err)
	}
	if program != "" {
		if err := os.WriteFile(filepath.Join(dir, "pawl"), []byte(program), 0o755); err != nil {
			h.t.Fatal(err)
		}
	}
	return to
}

// faked is an option of Node that runs a line of JavaScript before the launcher.
func (h *npmHome) faked(line string) string {
	h.t.Helper()
	path := filepath.Join(h.dir, "fake.js")
	if err := os.WriteFile(path, []byte(line), 0o600); err != nil {
		h.t.Fatal(err)
	}
	return "--require=" + path
}

// A Node that can become another program does, by the program's path and with all
// arguments; no process stays.
func TestLauncherBecomesTheProgram(t *testing.T) {
	h := newNPMHome(t)
	js := h.launcher("#!/bin/sh\necho not this way\n")
	fake := h.faked(`process.execve = (file, args, env) => { console.log(JSON.stringify([file === args[0], args.slice(1), env === process.env])); process.exit(7) }`)
	out, err, code := h.run("", "", "node", fake, js, "add", "--json", "two words")
	if out != `[true,["add","--json","two words"],true]`+"\n" || code != 7 {
		t.Errorf("it ends with %d and prints %q %q", code, out, err)
	}
}

// Older ones wait for it, and end as it does.
func TestLauncherEndsAsTheProgram(t *testing.T) {
	h := newNPMHome(t)
	no := h.faked(`process.execve = undefined`)
	for program, want := range map[string]string{
		"exit 10":          "exit status 10",
		"kill -TERM $$":    "signal: terminated",
		"kill -KILL $$":    "signal: killed",
		"kill -PIPE $$":    "exit status 141", // which Node ignores
		`[ "$1" = "a b" ]`: "exit status 0",
	} {
		js := h.launcher("#!/bin/sh\n" + program + "\n")
		cmd := exec.Command("node", no, js, "a b")
		cmd.Env = h.env
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil || cmd.ProcessState.String() != want {
			t.Errorf("%s: it ends with %v %s, want %q", program, err, out, want)
		}
	}
}

// A launcher that stays is called pawl, which internal/caller passes over on its way to
// the agent: else each call would come from another one.
func TestLauncherIsNoAgent(t *testing.T) {
	h := newNPMHome(t)
	if runtime.GOOS != "linux" {
		mustrun.NotHere(t, "names of processes are read from /proc")
	}
	js := h.launcher("#!/bin/sh\ncat /proc/$PPID/comm\n")
	if out, err, code := h.run("", "", "node", h.faked(`process.execve = undefined`), js); out != "pawl\n" || code != 0 {
		t.Errorf("the launcher is called %q: %d, %s", out, code, err)
	}
}

// Where nothing can be started, it says why, and what would help.
func TestLauncherExplains(t *testing.T) {
	h := newNPMHome(t)
	for _, test := range []struct{ name, before, program, want, hint string }{
		{"no package", "", "", "is missing: npm was told to leave out optional packages", "npm install"},
		{"no build", `Object.defineProperty(process, "platform", { value: "freebsd" })`, "", "there is no build for freebsd-", "go install"},
		{"another system", `Object.defineProperty(process, "platform", { value: process.platform === "darwin" ? "linux" : "darwin" })`, "#!/bin/sh\n", "installed on another system, which got " + scope + here.npmName(), "npm install"},
		{"another processor", `process.execve = undefined`, "#!/no/such/loader\n", "cannot start ", "with a Node for this processor"},
		{"not executable", `const fs = require("fs"); fs.accessSync = (f) => { const e = new Error("EACCES: permission denied"); e.code = "EACCES"; throw e }`, "#!/bin/sh\n", "permission denied", "chmod +x"},
	} {
		js := h.launcher(test.program)
		if test.name == "another system" {
			dir := filepath.Join(filepath.Dir(filepath.Dir(filepath.Dir(js))), filepath.FromSlash(scope+here.npmName()))
			must.Do(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte("{}"), 0o600))
		}
		out, err, code := h.run("", "", "node", h.faked(test.before), js, "version")
		if code != 1 || out != "" || !strings.Contains(err, test.want) || !strings.Contains(err, "pawl: hint: ") || !strings.Contains(err, test.hint) {
			t.Errorf("%s: it ends with %d and says %q", test.name, code, err)
		}
		for line := range strings.Lines(err) {
			if !strings.HasPrefix(line, "pawl: ") {
				t.Errorf("%s: the line %q is not Pawl's", test.name, line)
			}
		}
	}
}
