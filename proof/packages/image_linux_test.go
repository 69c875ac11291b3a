package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
	"github.com/pawl-dev/pawl/internal/dev/source"
)

// TestImage makes what the Dockerfile describes as a folder, and runs the program in it
// as any user, with a project that is mounted. Only a Docker could build the image
// itself.
func TestImage(t *testing.T) {
	long.Only(t)
	if os.Geteuid() != 0 {
		mustrun.NotHere(t, "only root may change the root folder")
	}
	image := t.TempDir()
	text, err := os.ReadFile("../../packaging/image/Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	var env []string
	var dir, entry string
	for line := range strings.Lines(string(text)) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		args := strings.Fields(rest)
		switch word {
		case "", "#", "ARG":
		case "FROM":
			if rest != "scratch" {
				t.Fatalf("the image is from %s", rest)
			}
		case "COPY":
			copied(t, image, args)
		case "ENV":
			env = append(env, args...)
		case "WORKDIR":
			dir = rest
		case "ENTRYPOINT":
			entry = strings.Trim(rest, `["]`)
		default:
			t.Fatalf("the test does not know %s", word)
		}
	}
	project := filepath.Join(image, dir)
	must.Do(t, os.Mkdir(project, 0o755))
	if err := os.Chown(project, 1234, 1234); err != nil { // a mounted folder is its user's
		t.Fatal(err)
	}
	for folder := image; folder != "/"; folder = filepath.Dir(folder) {
		if err := os.Chmod(folder, modeOf(t, folder)|0o111); err != nil { // the user must get there
			t.Fatal(err)
		}
	}
	run := func(stdin string, args ...string) string {
		t.Helper()
		cmd := exec.Command(entry, args...)
		cmd.Path, cmd.Err, cmd.Env, cmd.Dir, cmd.Stdin = entry, nil, env, dir, strings.NewReader(stdin)
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: image, Credential: &syscall.Credential{Uid: 1234, Gid: 1234}}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("pawl %v: %v: %s", args, err, out)
		}
		return string(out)
	}
	run("", "add", "In a container")
	if out := run("", "list"); !strings.Contains(out, "#1 In a container") {
		t.Errorf("the list is %q", out)
	}
	run("", "doctor", "--ci")
	out := run(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"todo_write","arguments":{"todos":[{"content":"Look","status":"pending"}]}}}
`, "mcp")
	if !strings.Contains(out, `"id":2`) || strings.Contains(out, `"isError":true`) {
		t.Errorf("the server says %s", out)
	}
	info, err := os.Stat(filepath.Join(project, ".tasks", "task_1.json"))
	if err != nil || info.Sys().(*syscall.Stat_t).Uid != 1234 {
		t.Errorf("the task is not its user's: %v", err)
	}
}

// copied does COPY [--chmod=MODE] FROM TO.
func copied(t *testing.T, image string, args []string) {
	t.Helper()
	chmod, isChmod := strings.CutPrefix(args[0], "--chmod=")
	if isChmod {
		args = args[1:]
	}
	from, to := args[0], filepath.Join(image, args[1])
	if built, is := strings.CutPrefix(from, "$TARGETPLATFORM/"); is {
		must.Do(t, os.MkdirAll(filepath.Dir(to), 0o755))
		if built == "pawl-server" {
			must.Do(t, source.BuildServer(to, "./cmd/pawl-server"))
			return
		}
		must.Do(t, copyFile(to, filepath.Join(builtHere(t), "pawl_"+here.os+"_"+here.arch, "pawl"), 0o755))
		return
	}
	must.Do(t, os.CopyFS(to, os.DirFS(filepath.Join("../..", from))))
	if chmod != "1777" {
		t.Fatalf("the mode of %s is %s", to, chmod)
	}
	must.Do(t, os.Chmod(to, 0o777|os.ModeSticky))
}

func modeOf(t *testing.T, path string) os.FileMode {
	t.Helper()
	info := must.Get(os.Stat(path))(t)
	return info.Mode() & (os.ModePerm | os.ModeSticky)
}
