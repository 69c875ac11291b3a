package main

import (
	"archive/zip"
	"bufio"
	"bytes"
	"debug/macho"
	"encoding/binary"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// apple is the least that is a program of macOS.
func apple(cpu macho.Cpu, text string) []byte {
	head := make([]byte, 32)
	for i, n := range []uint32{0xfeedfacf, uint32(cpu), 0, uint32(macho.TypeExec)} {
		binary.LittleEndian.PutUint32(head[4*i:], n)
	}
	return append(head, text...)
}

// allBuilt is a release for all systems. The program of this machine is real; the
// others are not programs.
func allBuilt(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, p := range platforms {
		content := []byte("a program for " + p.String())
		if p.os == "darwin" {
			content = apple(map[string]macho.Cpu{"amd64": macho.CpuAmd64, "arm64": macho.CpuArm64}[p.arch], p.String())
		}
		path := filepath.Join(dir, "pawl_"+p.os+"_"+p.arch+"_v1", p.exe())
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		if p == here {
			must.Do(t, copyFile(path, filepath.Join(builtHere(t), "pawl_"+p.os+"_"+p.arch, p.exe()), 0o755))
		} else if err := os.WriteFile(path, content, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestBundle installs the bundle as a desktop client does, and calls a tool.
func TestBundle(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		mustrun.NotHere(t, "the other programs of the bundle are not real")
	}
	to := t.TempDir()
	must.Do(t, build("../..", allBuilt(t), to, "", ""))
	dir := unzip(t, filepath.Join(to, "pawl.mcpb"))

	text := must.Get(os.ReadFile(filepath.Join(dir, "manifest.json")))(t)
	var m struct {
		Version string
		Server  struct {
			Type       string
			EntryPoint string `json:"entry_point"`
			Config     struct {
				Command   string
				Args      []string
				Overrides map[string]struct{ Command string } `json:"platform_overrides"`
			} `json:"mcp_config"`
		}
		Compatibility struct{ Platforms []string }
		Asked         map[string]struct{ Required bool } `json:"user_config"`
	}
	must.Do(t, json.Unmarshal(text, &m))
	version, _ := treeVersion("../..")
	if m.Version != version || m.Server.Type != "binary" || !m.Asked["project"].Required {
		t.Errorf("the manifest is %+v", m)
	}
	commands := []string{m.Server.Config.Command}
	for _, system := range m.Compatibility.Platforms {
		if system != "darwin" {
			commands = append(commands, m.Server.Config.Overrides[system].Command)
		}
	}
	for _, command := range append(commands, "${__dirname}/"+m.Server.EntryPoint) {
		if info, err := os.Stat(strings.Replace(command, "${__dirname}", dir, 1)); err != nil || info.Mode()&0o111 == 0 {
			t.Errorf("the manifest starts %s: %v", command, err)
		}
	}

	project := t.TempDir()
	var args []string
	for _, a := range m.Server.Config.Args {
		args = append(args, strings.ReplaceAll(a, "${user_config.project}", project))
	}
	cmd := exec.Command(strings.Replace(m.Server.Config.Overrides["linux"].Command, "${__dirname}", dir, 1), args...)
	cmd.Dir, cmd.Env = "/", []string{"HOME=" + t.TempDir()}
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"desktop","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"task_create","arguments":{"tasks":[{"subject":"From the desktop"}]}}}
`)
	out := must.Get(cmd.Output())(t)
	answers := 0
	for in := bufio.NewScanner(bytes.NewReader(out)); in.Scan(); {
		var answer struct {
			ID     int
			Error  any
			Result struct{ IsError bool }
		}
		if err := json.Unmarshal(in.Bytes(), &answer); err != nil || answer.Error != nil || answer.Result.IsError {
			t.Errorf("the server says %s", in.Text())
		}
		answers++
	}
	if task, err := os.ReadFile(filepath.Join(project, ".tasks", "task_1.json")); answers != 2 || !bytes.Contains(task, []byte("From the desktop")) {
		t.Errorf("%d answers, and the project has %q, %v", answers, task, err)
	}
}

func unzip(t *testing.T, path string) string {
	t.Helper()
	z := must.Get(zip.OpenReader(path))(t)
	defer z.Close()
	dir := t.TempDir()
	for _, f := range z.File {
		to := filepath.Join(dir, filepath.FromSlash(f.Name))
		must.Do(t, os.MkdirAll(filepath.Dir(to), 0o755))
		r := must.Get(f.Open())(t)
		content := must.Get(io.ReadAll(r))(t)
		must.Do(t, os.WriteFile(to, content, f.Mode().Perm()))
	}
	return dir
}

// TestUniversal: macOS finds each part, unchanged.
func TestUniversal(t *testing.T) {
	dir := t.TempDir()
	parts := map[macho.Cpu][]byte{macho.CpuAmd64: apple(macho.CpuAmd64, "one"), macho.CpuArm64: apple(macho.CpuArm64, strings.Repeat("other", 9000))}
	paths := []string{filepath.Join(dir, "amd64"), filepath.Join(dir, "arm64")}
	for i, cpu := range []macho.Cpu{macho.CpuAmd64, macho.CpuArm64} {
		must.Do(t, os.WriteFile(paths[i], parts[cpu], 0o600))
	}
	fat := must.Get(universal(paths...))(t)
	f := must.Get(macho.NewFatFile(bytes.NewReader(fat)))(t)
	if len(f.Arches) != 2 {
		t.Fatalf("it has %d parts", len(f.Arches))
	}
	for _, a := range f.Arches {
		if a.Offset%(1<<a.Align) != 0 || !bytes.Equal(fat[a.Offset:a.Offset+a.Size], parts[a.Cpu]) {
			t.Errorf("%v is not as it was, at %d", a.Cpu, a.Offset)
		}
	}
	must.Do(t, os.WriteFile(paths[0], []byte("\x7fELF, not of macOS"), 0o600))
	if _, err := universal(paths...); err == nil || !strings.Contains(err.Error(), "not a program of macOS") {
		t.Errorf("of a program for Linux it says %v", err)
	}
}
