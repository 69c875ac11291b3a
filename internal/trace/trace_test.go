package trace_test

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/trace"
)

func TestServer(t *testing.T) {
	dir := t.TempDir()
	noon := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	asked := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n" + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"todo_write","arguments":{"todos":[]}}}` + "\nnonsense\n"
	answers := `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"todo_write"},{"name":"task_create"}]}}` + "\n" +
		`{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"## Todo List"}]}}` + "\n" + `{"jsonrpc":"2.0","id":3,"error":{"code":1}}` + "\n"
	var printed strings.Builder
	in, out := trace.Server(dir, strings.NewReader(asked), &printed, func() time.Time { return noon })
	got, err := io.ReadAll(in)
	if err != nil || string(got) != asked {
		t.Errorf("%v, the server reads %q", err, got)
	}
	for i := range answers { // as small as parts can be
		if _, err := io.WriteString(out, answers[i:i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if printed.String() != answers {
		t.Errorf("the client reads %q", printed.String())
	}
	seen, err := trace.Read(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := []trace.Line{
		{At: noon, Method: "tools/list"},
		{At: noon, Method: "tools/call", Tool: "todo_write"},
		{At: noon, Method: "tools", Tools: []string{"todo_write", "task_create"}},
		{At: noon, Method: "result", Text: "## Todo List"},
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Error(diff)
	}
	if after, err := trace.Read(dir, 3); err != nil || len(after) != 1 || after[0].Method != "result" {
		t.Errorf("after three: %v, %v", after, err)
	}
}

// A hook that was killed leaves half a line, and seeing nothing is not an error.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	if seen, err := trace.Read(dir, 5); err != nil || len(seen) != 0 {
		t.Errorf("%v, %v of nothing", seen, err)
	}
	must.Do(t, os.WriteFile(trace.File(dir), []byte(`{"event":"Stop"}`+"\n"+`{"event":"St`), 0o600))
	if seen, err := trace.Read(dir, 0); err != nil || len(seen) != 1 || seen[0].Event != "Stop" {
		t.Errorf("%v, %v", seen, err)
	}
}

func TestDir(t *testing.T) {
	abs := t.TempDir()
	for value, want := range map[string]string{"": "", "here": "", abs: abs} {
		if got := trace.Dir(func(string) string { return value }); got != want {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
}
