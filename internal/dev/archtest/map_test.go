package archtest

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

func TestMapCanFail(t *testing.T) {
	const text = "# X\n## The map\n| folder | what |\n|---|---|\n" +
		"| **ground** | |\n| `internal/graph` | graphs |\n| `.` | the rules |\n" +
		"| **above** | |\n| `internal/a`, `internal/b` | alike |\n## Next\n| `x` | |\n"
	good := map[string]string{
		"a.go": "example.org/pawl/internal/graph os", "internal/graph/a.go": "sort",
		"internal/a/a.go": "example.org/pawl", "internal/b/a.go": "example.org/pawl/internal/a golang.org/x/sys/unix",
		"docs/docs_test.go": "os",
	}
	tests := []struct{ name, file, imports, from, to, want string }{
		{name: "fits"},
		{name: "package without a row", file: "internal/c/a.go", want: "internal/c is not in the map"},
		{name: "row without a package", from: "`internal/graph` |", to: "`internal/graph`, `internal/gone` |", want: "internal/gone is in the map, but is not a package"},
		{name: "row twice", from: "| `.` |", to: "| `.`, `internal/a` |", want: "internal/a is in the map twice"},
		{name: "rest of a folder", from: "`internal/b` |", to: "`internal/...` |"},
		{name: "import of a higher layer", file: "internal/graph/b.go", imports: "example.org/pawl/internal/a", want: "internal/graph (ground) imports internal/a, which is in a higher layer (above)"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			sources := fstest.MapFS{"go.mod": {Data: []byte("module example.org/pawl\n")}}
			for file, imports := range good {
				sources[file] = source(imports)
			}
			if test.file != "" {
				sources[test.file] = source(test.imports)
			}
			m := must.Get(Load(sources))(t)
			a := must.Get(ReadMap(strings.Replace(text, test.from, test.to, 1)))(t)
			faults := strings.Join(a.Check(m, &Rules), "\n")
			if test.want == "" && faults != "" || !strings.Contains(faults, test.want) {
				t.Errorf("want a fault with %q, have:\n%s", test.want, faults)
			}
		})
	}
}

func TestMapImports(t *testing.T) {
	m := must.Get(Load(fstest.MapFS{
		"go.mod": {Data: []byte("module example.org/pawl\n")}, "a.go": source("example.org/pawl/internal/graph github.com/spf13/cobra os"), "internal/graph/a.go": source(""),
	}))(t)
	a := must.Get(ReadMap("## The map\n| **all** | |\n| `internal/graph` | graphs |\n| `.` | rules |\n\nText.\n"))(t)
	if got, want := a.Imports(m, &Rules), "internal/graph: \n.: internal/graph github.com/spf13/cobra\n"; got != want {
		t.Errorf("have:\n%s\nwant:\n%s", got, want)
	}
	if _, err := ReadMap("## The map\nText.\n"); err == nil {
		t.Error("a map without a table was read")
	}
}
