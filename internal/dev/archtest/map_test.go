package archtest

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestMapCanFail(t *testing.T) {
	const text = "# X\n## The map\n| folder | what | imports |\n|---|---|---|\n" +
		"| **ground** | | |\n| `internal/dag` | graphs | — |\n| `.` | the rules | `internal/dag` |\n" +
		"| **above** | | |\n| `internal/a`, `internal/b` | alike | `.`, `golang.org/x/sys` |\n## Next\n| `x` | | |\n"
	good := map[string]string{
		"a.go": "example.org/pawl/internal/dag os", "internal/dag/a.go": "sort",
		"internal/a/a.go": "example.org/pawl", "internal/b/a.go": "example.org/pawl/internal/a golang.org/x/sys/unix",
		"docs/docs_test.go": "os",
	}
	tests := []struct{ name, file, imports, from, to, want string }{
		{name: "fits"},
		{name: "package without a row", file: "internal/c/a.go", want: "internal/c is not in the map"},
		{name: "row without a package", from: "`internal/dag` |", to: "`internal/dag`, `internal/gone` |", want: "internal/gone is in the map, but is not a package"},
		{name: "row twice", from: "| `.` |", to: "| `.`, `internal/a` |", want: "internal/a is in the map twice"},
		{name: "rest of a folder", from: "`internal/b` |", to: "`internal/...` |"},
		{name: "import not said", file: "internal/a/b.go", imports: "example.org/pawl/internal/dag", want: "internal/a imports internal/dag, and the map does not say so"},
		{name: "library not said", file: "internal/dag/b.go", imports: "github.com/spf13/cobra", want: "internal/dag imports github.com/spf13/cobra, and"},
		{name: "said and not imported", from: "| — |", to: "| `golang.org/x/sys` |", want: "the map says that internal/dag imports golang.org/x/sys, which it does not"},
		{name: "import of a higher layer", file: "internal/dag/b.go", imports: "example.org/pawl/internal/a", want: "internal/dag (ground) imports internal/a, which is in a higher layer (above)"},
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
			m, err := Load(sources)
			if err != nil {
				t.Fatal(err)
			}
			a, err := ReadMap(strings.Replace(text, test.from, test.to, 1))
			if err != nil {
				t.Fatal(err)
			}
			faults := strings.Join(a.Check(m, &Rules), "\n")
			if test.want == "" && faults != "" || !strings.Contains(faults, test.want) {
				t.Errorf("want a fault with %q, have:\n%s", test.want, faults)
			}
		})
	}
}

func TestMapUpdate(t *testing.T) {
	m, err := Load(fstest.MapFS{"go.mod": {Data: []byte("module example.org/pawl\n")}, "a.go": source("example.org/pawl/internal/dag os"), "internal/dag/a.go": source("")})
	if err != nil {
		t.Fatal(err)
	}
	const text = "## The map\n| **all** | | |\n| `internal/dag` | graphs | `old` |\n| `.` | rules | |\n\nText.\n"
	a, err := ReadMap(text)
	if err != nil {
		t.Fatal(err)
	}
	got := a.Update(text, m, &Rules)
	if want := "## The map\n| **all** | | |\n| `internal/dag` | graphs | — |\n| `.` | rules | `internal/dag` |\n\nText.\n"; got != want {
		t.Errorf("have:\n%s\nwant:\n%s", got, want)
	}
	if _, err := ReadMap("## The map\nText.\n"); err == nil {
		t.Error("a map without a table was read")
	}
}
