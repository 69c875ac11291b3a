package docs_test

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

var update = flag.Bool("update", false, "write into the pages what their blocks are made from")

// TestLibrary holds docs/library.md to the examples that it shows, and the
// examples, as they stand there, to what the page says that they print.
func TestLibrary(t *testing.T) {
	name := filepath.Join(root, "docs", "library.md")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := readPage(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range p.parts {
		switch b := part.block; {
		case b == nil:
		case b.kind == "" && strings.HasPrefix(b.fence, "```go"):
			t.Errorf("nothing holds this block to what compiles:\n%s", b.text)
		case b.kind != "" && b.kind != "shell":
			if b.text, err = b.source(); err != nil {
				t.Error(err)
			}
		}
	}
	if t.Failed() {
		return
	}
	programs := p.blocks("program")
	if len(programs) < 3 || len(p.blocks("shell")) == 0 || len(p.blocks("func")) < 2 {
		t.Fatalf("only %d programs: is this the page?", len(programs))
	}
	bin := build(t, programs)
	projects := map[string]project{}
	for i, b := range programs {
		at := project{t.TempDir(), bin}
		projects[b.file+" "+b.name] = at
		t.Run(b.file, func(t *testing.T) { at.run(t, strconv.Itoa(i), b) })
	}
	for _, b := range p.blocks("shell") {
		at, ok := projects[b.file+" "+b.name]
		if !ok {
			t.Errorf("no program of %s %s is on the page", b.file, b.name)
			continue
		}
		t.Run("shell", func(t *testing.T) { b.text = at.shell(t, b.text) })
	}
	switch diff := cmp.Diff(string(text), p.String()); {
	case diff == "" || t.Failed():
	case *update:
		must.Do(t, os.WriteFile(name, []byte(p.String()), 0o644))
	default:
		t.Errorf("docs/library.md is stale: go test ./docs -update (-have +want):\n%s", diff)
	}
}
