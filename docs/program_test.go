package docs_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// build makes programs of the blocks as they stand on the page, and the command,
// and returns where they are: the first as 0, and so on.
func build(t *testing.T, blocks []*block) string {
	compiler, err := exec.LookPath("go")
	if err != nil {
		mustrun.Skip(t, "go is not installed")
	}
	dir := t.TempDir()
	args := []string{"build", "-ldflags=-s -w", "-o", dir, "-overlay", filepath.Join(dir, "overlay.json"), "./cmd/pawl"}
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for i, b := range blocks {
		source := filepath.Join(dir, fmt.Sprint(i, ".go"))
		must.Do(t, os.WriteFile(source, []byte(b.text), 0o600))
		overlay.Replace[filepath.Join(root, "docs", fmt.Sprint(i), "main.go")] = source
		args = append(args, fmt.Sprint("./docs/", i))
	}
	text, err := json.Marshal(overlay)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "overlay.json"), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(compiler, args...)
	cmd.Dir, cmd.Env = root, outside
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// A project is a folder in which a program of a page runs.
type project struct{ dir, programs string }

// run runs a program. What prints nothing talks to a client, and is given one.
func (p project) run(t *testing.T, program string, b *block) {
	output := block{kind: "output", file: b.file, name: b.name}
	want := must.Get(output.source())(t)
	if want == "" {
		p.serve(t, program)
		return
	}
	if diff := cmp.Diff(want, p.command(t, program)); diff != "" {
		t.Errorf("it prints something else (-want +got):\n%s", diff)
	}
}

func (p project) prepare(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(p.programs, program), args...)
	cmd.Dir = p.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "SystemRoot=" + os.Getenv("SystemRoot")}
	for name, value := range home(p.dir) {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return cmd
}

// command runs a program and returns what it prints.
func (p project) command(t *testing.T, program string, args ...string) string {
	t.Helper()
	var said strings.Builder
	cmd := p.prepare(program, args...)
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", program, strings.Join(args, " "), err, out, &said)
	}
	return strings.ReplaceAll(string(out), "\r\n", "\n")
}

// serve connects to a server on its standard input and output, and calls a tool.
func (p project) serve(t *testing.T, program string) {
	client := mcp.NewClient(&mcp.Implementation{Name: "reader"}, nil)
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: p.prepare(program)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{
		Name: "task_create", Arguments: map[string]any{"subject": "Write the parser"},
	})
	if err != nil || result.IsError {
		t.Fatalf("%+v, %v", result, err)
	}
	if _, err := os.Stat(filepath.Join(p.dir, ".tasks", "task_1.json")); err != nil {
		t.Error(err)
	}
}

// shell plays the commands of a block in the project, and returns it with what
// they print:
//
//	$ pawl list
//	[ ] #1 Write the parser
func (p project) shell(t *testing.T, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if words, ok := strings.CutPrefix(line, "$ pawl "); ok {
			b.WriteString(line + p.command(t, "pawl", strings.Fields(words)...))
		}
	}
	if b.Len() == 0 {
		t.Error("the block has no commands")
	}
	return b.String()
}
