package mcpserver_test

import (
	"bufio"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
)

// FuzzLines sends lines to a server. Whatever they are, it does not panic, says
// nothing but JSON, and still answers who comes next.
func FuzzLines(f *testing.F) {
	files, err := filepath.Glob("testdata/wire/*.txtar")
	if err != nil || len(files) < 10 {
		f.Fatalf("only %d transcripts were found, %v", len(files), err)
	}
	for _, file := range files {
		archive := must.Get(txtar.ParseFile(file))(f)
		var lines []string
		for line := range strings.Lines(string(archive.Files[0].Data)) {
			if _, kind, rest := parse(strings.TrimSuffix(line, "\n")); kind == '>' {
				lines = append(lines, rest)
			}
		}
		f.Add(strings.Join(lines, "\n"))
	}
	f.Add(strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n", 3) + "[[[[")
	f.Fuzz(func(t *testing.T, said string) {
		board := pawl.NewBoard(memory.New())
		defer board.Close()
		server := newServer(query.Local(board), todo.New(todomem.New(), time.Now))
		defer server.Close()
		from, out := io.Pipe()
		ended := make(chan error, 1)
		last := `{"jsonrpc":"2.0","id":"the last one","method":"ping"}`
		go func() {
			ended <- server.Lines(t.Context(), io.NopCloser(strings.NewReader(said+"\n"+last+"\n")), out)
			out.Close()
		}()
		answered := false
		lines := bufio.NewScanner(from)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			if !json.Valid(lines.Bytes()) {
				t.Errorf("not JSON: %q", lines.Text())
			}
			answered = answered || strings.Contains(lines.Text(), `"id":"the last one"`)
		}
		if err := <-ended; err != nil {
			t.Errorf("the server ended with: %v", err)
		}
		if !answered {
			t.Errorf("the last line was not answered after %q", said)
		}
	})
}
