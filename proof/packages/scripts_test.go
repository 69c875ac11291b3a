package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// released is a server with one release, as GitHub serves it: its archive for this
// machine, and the checksums.
func released(t *testing.T, version string, spoil func(archive []byte) []byte) string {
	t.Helper()
	program := must.Get(os.ReadFile(filepath.Join(builtHere(t), "pawl_"+here.os+"_"+here.arch, here.exe())))(t)
	var archive bytes.Buffer
	z := gzip.NewWriter(&archive)
	w := tar.NewWriter(z)
	for _, f := range []bundled{
		{"pawl", 0o755, program}, {"pawl-server", 0o755, program}, {"LICENSE", 0o644, []byte("MIT")}, {"man/pawl.1", 0o644, []byte("page")}, {"man/pawl-add.1", 0o644, []byte("page")},
		{"completions/pawl.bash", 0o644, []byte("bash")}, {"completions/_pawl", 0o644, []byte("zsh")}, {"completions/pawl.fish", 0o644, []byte("fish")},
	} {
		must.Do(t, w.WriteHeader(&tar.Header{Name: f.name, Mode: int64(f.mode), Size: int64(len(f.content)), Typeflag: tar.TypeReg}))
		if _, err := w.Write(f.content); err != nil {
			t.Fatal(err)
		}
	}
	must.Do(t, errors.Join(w.Close(), z.Close()))
	name := fmt.Sprintf("pawl_%s_%s_%s.tar.gz", version, here.os, here.arch)
	sums := fmt.Sprintf("%064x  pawl_%s_plan9_amd64.tar.gz\n%x  %s\n", 0, version, sha256.Sum256(archive.Bytes()), name)
	content := archive.Bytes()
	if spoil != nil {
		content = spoil(content)
	}
	files := http.NewServeMux()
	for _, at := range []string{"/download/v" + version + "/", "/latest/download/"} {
		files.HandleFunc(at+"checksums.txt", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, sums) })
		files.HandleFunc(at+name, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(content) })
	}
	server := httptest.NewServer(files)
	t.Cleanup(server.Close)
	return server.URL
}

// shell runs a script of the folder packaging, with a small environment.
func shell(t *testing.T, dir string, env []string, script string, args ...string) (out string, code int) {
	t.Helper()
	if runtime.GOOS == "windows" {
		mustrun.NotHere(t, "the scripts need a POSIX shell")
	}
	for _, program := range []string{"bash", "curl", "tar"} {
		if _, err := exec.LookPath(program); err != nil {
			mustrun.Skip(t, program+" is not installed")
		}
	}
	path := must.Get(filepath.Abs(filepath.Join("../../packaging", script)))(t)
	cmd := exec.Command("bash", append([]string{path}, args...)...)
	cmd.Dir, cmd.Env = dir, append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(dir, "home"), "PACKAGING=" + filepath.Dir(filepath.Dir(path))}, env...)
	text, fault := cmd.CombinedOutput()
	var exit *exec.ExitError
	if fault != nil && !errors.As(fault, &exit) {
		t.Fatal(fault)
	}
	return string(text), cmd.ProcessState.ExitCode()
}

const installer = "devcontainer/src/pawl/install.sh"

// TestInstallScript: what the feature for development containers runs, and the action.
func TestInstallScript(t *testing.T) {
	good := released(t, "0.1.0", nil)
	dir := t.TempDir()
	for _, version := range []string{"", "VERSION=latest", "VERSION=0.1.0", "VERSION=v0.1.0"} {
		if !long.Turn(version, 4) {
			continue
		}
		prefix := filepath.Join(dir, "at "+version)
		out, code := shell(t, dir, []string{"PAWL_RELEASES=" + good, "PREFIX=" + prefix, version}, installer)
		if code != 0 || !strings.Contains(out, "pawl v") {
			t.Fatalf("%q: it ends with %d: %s", version, code, out)
		}
		for _, file := range []string{"bin/pawl", "share/man/man1/pawl.1", "share/man/man1/pawl-add.1", "share/bash-completion/completions/pawl", "share/zsh/site-functions/_pawl", "share/fish/vendor_completions.d/pawl.fish"} {
			if _, err := os.Stat(filepath.Join(prefix, file)); err != nil {
				t.Error(err)
			}
		}
	}
	spoilt := released(t, "0.1.0", func(b []byte) []byte { return append(b, 'x') })
	for _, test := range []struct{ releases, version, want string }{
		{spoilt, "0.1.0", "the checksum of pawl_0.1.0_"},
		{good, "9.9.9", "cannot download "},
		{good, "../../evil", "is not a version"},
		{good, "1;id", "is not a version"},
	} {
		prefix := filepath.Join(dir, "bad")
		out, code := shell(t, dir, []string{"PAWL_RELEASES=" + test.releases, "PREFIX=" + prefix, "VERSION=" + test.version}, installer)
		if code != 1 || !strings.Contains(out, "pawl: ") || !strings.Contains(out, test.want) {
			t.Errorf("%s: it ends with %d: %s", test.version, code, out)
		}
		if _, err := os.Stat(prefix); err == nil {
			t.Errorf("%s: something was installed", test.version)
		}
	}
}

// TestFeature: a container tool finds the feature by the name of its folder, and hands
// each option to the script as a variable.
func TestFeature(t *testing.T) {
	folder := filepath.Join("../../packaging", filepath.Dir(installer))
	text := must.Get(os.ReadFile(filepath.Join(folder, "devcontainer-feature.json")))(t)
	var feature struct {
		ID, Version, Name string
		Options           map[string]struct{ Type, Default, Description string }
	}
	must.Do(t, json.Unmarshal(text, &feature))
	if feature.ID != filepath.Base(folder) || feature.Version == "" || feature.Name == "" || len(feature.Options) == 0 {
		t.Errorf("the feature is %+v", feature)
	}
	script := must.Get(os.ReadFile(filepath.Join(folder, "install.sh")))(t)
	for name, option := range feature.Options {
		if used := "${" + strings.ToUpper(name) + ":-" + option.Default + "}"; !strings.Contains(string(script), used) {
			t.Errorf("install.sh does not use %s", used)
		}
	}
}

// TestAction runs the action's steps as GitHub's runner does.
func TestAction(t *testing.T) {
	long.Only(t)
	dir := t.TempDir()
	runner := []string{
		"GITHUB_ACTIONS=true", "GITHUB_WORKSPACE=" + dir, "RUNNER_TEMP=" + filepath.Join(dir, "temp"), "GITHUB_OUTPUT=" + filepath.Join(dir, "output"),
		"GITHUB_PATH=" + filepath.Join(dir, "path"), "GITHUB_STEP_SUMMARY=" + filepath.Join(dir, "summary.md"),
	}
	read := func(name string) string {
		text := must.Get(os.ReadFile(filepath.Join(dir, name)))(t)
		return string(text)
	}
	step := func(want int, name string, env ...string) string {
		t.Helper()
		out, code := shell(t, dir, append(runner, env...), "action/pawl.sh", name)
		if code != want {
			t.Fatalf("%s ends with %d, want %d: %s", name, code, want, out)
		}
		return out
	}
	step(0, "install", "VERSION=latest", "PAWL_RELEASES="+released(t, "0.1.0", nil))
	program := filepath.Join(dir, "temp", "pawl", "bin", "pawl")
	if read("path") != filepath.Dir(program)+"\n" || read("output") != "program="+program+"\n" {
		t.Errorf("PATH gets %q, outputs are %q", read("path"), read("output"))
	}
	program = "PROGRAM=" + program

	if out := step(3, "doctor", program); !strings.Contains(out, "has no board to check") {
		t.Errorf("without a board it says %s", out)
	}
	plan := "# Shop\n1. Prices ```\n2. Cart </details> <script>\n"
	must.Do(t, os.WriteFile(filepath.Join(dir, "plan.md"), []byte(plan), 0o600))
	cmd := exec.Command(strings.TrimPrefix(program, "PROGRAM="), "plan", "plan.md")
	cmd.Dir, cmd.Env = dir, []string{"HOME=" + dir}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatal(string(out))
	}
	step(0, "summary", program)
	step(0, "doctor", program)
	summary := read("summary.md")
	for _, want := range []string{"## Pawl\n", "```mermaid\nflowchart LR\n", "t1 --> t2", "] #1 Prices", "</details>\n"} {
		if !strings.Contains(summary, want) {
			t.Errorf("the summary lacks %q:\n%s", want, summary)
		}
	}
	if fences := fences(summary); len(fences) != 6 {
		t.Errorf("the summary's blocks are %q", fences)
	}
	if out := read("output"); !strings.HasSuffix(out, "\nready=1\nopen=2\n") {
		t.Errorf("outputs are %q", out)
	}

	must.Do(t, os.WriteFile(filepath.Join(dir, ".tasks", "task_2.json"), []byte("{\n"), 0o600))
	if out := step(1, "doctor", program); !strings.Contains(out, "::error title=Pawl,file=.tasks/task_2.json,line=") {
		t.Errorf("of a damaged file it says %s", out)
	}
	step(0, "summary", program)
	step(2, "nothing")
}

// fences are the lines of Markdown that begin or end a block.
func fences(markdown string) (found []string) {
	for line := range strings.Lines(markdown) {
		if strings.HasPrefix(strings.TrimLeft(line, " "), "```") {
			found = append(found, line)
		}
	}
	return found
}
