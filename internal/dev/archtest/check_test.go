package archtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// Each rule is shown a module that breaks it in one place. Sources are written
// as "file: import import …"; a module gets what the table demands besides.
func TestEachRuleCanFail(t *testing.T) {
	const me = "example.org/pawl/"
	type story struct {
		name    string
		sources []string
		want    string // part of a fault; empty: there is none
	}
	tests := []story{
		{"nothing wrong", []string{
			"task.go: errors time example.org/pawl/internal/graph",
			"store/file/file.go: os golang.org/x/sys/unix example.org/pawl example.org/pawl/internal/taskjson",
			"internal/taskjson/read.go: encoding/json",
			"internal/ui/cli/cli.go: os github.com/spf13/cobra example.org/pawl",
			"cmd/pawl/main.go: os example.org/pawl/store/file example.org/pawl/internal/ui/cli",
			"store/storetest/run.go: testing pgregory.net/rapid example.org/pawl",
		}, ""},
		{"tests may", []string{
			"task_test.go: os testing github.com/google/go-cmp/cmp example.org/pawl/store/memory",
			"store/file/file_test.go: testing example.org/pawl/store/storetest example.org/pawl/internal/dev/mustrun",
		}, ""},

		{"root does I/O", []string{"a.go: os"}, "pure: . imports os (a.go)"},
		{"root does I/O in a file for another system", []string{"a_windows.go: os/exec"}, "imports os/exec"},
		{"root reads file systems", []string{"a.go: io/fs"}, "imports io/fs"},
		{"root uses a network", []string{"a.go: net/http"}, "imports net/http"},
		{"root calls the system", []string{"a.go: syscall"}, "imports syscall"},
		{"root logs by itself", []string{"a.go: log"}, "imports log"},
		{"root may log where it is told", []string{"a.go: log/slog"}, ""},
		{"root pulls in machinery", []string{"a.go: " + me + "internal/taskjson", "internal/taskjson/a.go: bytes"}, "quiet core: . imports ./internal/taskjson"},
		{"questions know words", []string{"query/a.go: " + me + "internal/show", "internal/show/a.go: bytes"}, "quiet questions: query imports ./internal/show"},
		{"root's graph does I/O", []string{"a.go: " + me + "internal/graph", "internal/graph/b.go: os"}, "internal/graph imports os"},
		{"todo does I/O through a helper", []string{"todo/a.go: " + me + "internal/keep", "internal/keep/a.go: os"}, "pure: todo → internal/keep imports os"},
		{"nudge knows a store", []string{"nudge/a.go: " + me + "store/memory"}, "pure: nudge imports ./store/memory"},

		{"interface knows a store", []string{"internal/ui/cli/a.go: " + me + "store/file"}, "no store in an interface: internal/ui/cli imports ./store/file"},
		{"interface knows a store through a helper", []string{"internal/ui/cli/a.go: " + me + "internal/open", "internal/open/a.go: " + me + "store/file"},
			"no store in an interface: internal/ui/cli → internal/open imports ./store/file"},
		{"tool knows a store", []string{"tool/a.go: " + me + "store/memory"}, "no store in an interface: tool imports"},
		{"mcpserver knows a store", []string{"mcpserver/a.go: " + me + "store/memory"}, "no store in an interface: mcpserver imports"},
		{"pawl links the server", []string{"cmd/pawl/a.go: " + me + "internal/boards", "internal/boards/a.go: " + me + "internal/ui/team"}, "the wall: cmd/pawl → internal/boards imports ./internal/ui/team"},
		{"interface knows an interface", []string{"internal/ui/web/a.go: " + me + "internal/ui/cli"}, "interfaces apart: internal/ui/web imports ./internal/ui/cli"},
		{"interface knows the server for agents", []string{"internal/ui/web/a.go: " + me + "mcpserver"}, "interfaces and mcpserver apart: internal/ui/web imports ./mcpserver"},
		{"server for agents knows an interface", []string{"mcpserver/a.go: " + me + "internal/ui/cli"}, "mcpserver and interfaces apart: mcpserver imports ./internal/ui/cli"},
		{"interface knows its own parts", []string{"internal/ui/web/a.go: " + me + "internal/ui/web/page", "internal/ui/web/page/a.go: html"}, ""},
		{"interface decides about trust", []string{"internal/ui/hook/a.go: " + me + "internal/project/consent"}, "one door to the project: internal/ui/hook imports ./internal/project/consent"},
		{"interface asks for the project", []string{"internal/ui/hook/a.go: " + me + "internal/project"}, ""},
		{"store knows a store", []string{"store/postgres/a.go: " + me + "store/memory"}, "stores apart: store/postgres imports ./store/memory"},
		{"todo store knows a todo store", []string{"todo/todofile/a.go: " + me + "todo/todomem"}, "todo stores apart: todo/todofile imports ./todo/todomem"},
		{"tool knows a todo store", []string{"tool/a.go: " + me + "todo/todofile"}, "no store in an interface: tool imports"},

		{"tool brings a library", []string{"tool/a.go: " + me + "internal/config", "internal/config/a.go: github.com/tailscale/hujson"}, "light library: tool → internal/config imports github.com/tailscale/hujson"},
		{"cgo", []string{"internal/graph/a.go: C"}, "no cgo: internal/graph imports C"},

		{"library without a home", []string{"internal/ui/cli/a.go: github.com/someone/spinner"}, "has no home"},
		{"library away from home", []string{"internal/ui/web/a.go: github.com/spf13/cobra"}, "at home in internal/ui/cli only"},
		{"library of one part taken for another", []string{"internal/ui/web/a.go: charm.land/lipgloss/v2"}, "at home in internal/ui/tui only"},
		{"library with two homes", []string{"internal/a/a.go: github.com/someone/else", "internal/b/a.go: github.com/someone/else"}, "imported from internal/a and internal/b"},
		{"test library shipped", []string{"internal/ui/cli/a.go: github.com/google/go-cmp/cmp"}, "is for tests"},
		{"shipped code imports testing", []string{"internal/ui/cli/a.go: testing"}, "test code: internal/ui/cli imports testing"},
		{"shipped code imports a part of testing", []string{"internal/ui/cli/a.go: testing/iotest"}, "test code: internal/ui/cli imports testing/iotest"},
		{"shipped code imports test code", []string{"internal/ui/cli/a.go: " + me + "internal/dev/mustrun"}, "test code: internal/ui/cli imports ./internal/dev/mustrun"},

		{"not in testdata", []string{"internal/graph/testdata/a.go: os C", "_old/a.go: os C", ".ci/a.go: C"}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			sources := fstest.MapFS{}
			table := Rules
			table.MinFiles = 0
			table.Bans, table.Waits = nil, nil
			table.Homes = append(slices.Clone(Rules.Homes), Home{"github.com/someone/else", AnyOne})
			table.Later = nil
			for _, pattern := range table.named() {
				sources[strings.TrimSuffix(pattern, "/...")+"/doc.go"] = source("")
			}
			sources["doc.go"] = source("")
			delete(sources, "./doc.go")
			delete(sources, ".../doc.go")
			for _, line := range test.sources {
				file, imports, _ := strings.Cut(line, ": ")
				sources[file] = source(imports)
			}
			expect(t, table, sources, test.want)
		})
	}
	for _, rule := range Rules.Rules {
		if !slices.ContainsFunc(tests, func(s story) bool { return strings.HasPrefix(s.want, rule.Name+": ") }) {
			t.Errorf("no source above breaks the rule %q", rule.Name)
		}
	}
}

// A table that no longer fits the module is a fault too: its rules would pass
// because they guard nothing.
func TestTableCanFail(t *testing.T) {
	sources := fstest.MapFS{"a.go": source("os"), "store/file/a.go": source("")}
	rule := Rule{Name: "r", Why: "w", Of: []string{"store/file"}, Deny: []string{"net"}}
	tests := []struct {
		name  string
		table Table
		want  string
	}{
		{"fits", Table{Rules: []Rule{rule}}, ""},
		{"rule about what is still to come", Table{Later: []string{"store/postgres"}, Rules: []Rule{{Name: "r", Why: "w", Of: []string{"store/postgres"}}}}, ""},
		{"package has come", Table{Later: []string{"store/file"}}, "package store/file has come"},
		{"rule about nothing", Table{Rules: []Rule{{Name: "r", Why: "w", Of: []string{"store/memory"}}}}, "the rules name store/memory, which is not a package"},
		{"denies nothing", Table{Rules: []Rule{{Name: "r", Why: "w", Of: []string{"store/file"}, Deny: []string{"./store/memory"}}}}, "the rules name store/memory, which is not a package"},
		{"home nowhere", Table{Homes: []Home{{"golang.org/x/term", "internal/term"}}}, "the rules name internal/term"},
		{"rule without a reason", Table{Rules: []Rule{{Name: "r", Of: []string{"store/file"}}}}, "does not say why"},
		{"source not found", Table{MinFiles: 3}, "only 2 files were found"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { expect(t, test.table, sources, test.want) })
	}
}

// Modules within the module, tools/ for one, are somebody else's business.
func TestNestedModuleIsPassedOver(t *testing.T) {
	sources := fstest.MapFS{"a.go": source(""), "tools/go.mod": {}, "tools/a.go": source("C")}
	expect(t, Table{MinFiles: 1, Rules: []Rule{{Name: "no cgo", Why: "w", Of: []string{"..."}, Deny: []string{"C"}}}}, sources, "")
}

// expect checks the fake module and wants one fault that contains want, or none.
func expect(t *testing.T, table Table, sources fstest.MapFS, want string) {
	t.Helper()
	sources["go.mod"] = &fstest.MapFile{Data: []byte("module example.org/pawl\n\ngo 1.26\n")}
	m := must.Get(Load(sources))(t)
	faults := table.Check(m)
	found := want == "" && len(faults) == 0
	for _, fault := range faults {
		found = found || want != "" && strings.Contains(fault, want)
	}
	if !found {
		t.Errorf("want a fault with %q, have:\n\t%s", want, strings.Join(faults, "\n\t"))
	}
}

func source(imports string) *fstest.MapFile {
	var b strings.Builder
	b.WriteString("package p\n")
	for _, path := range strings.Fields(imports) {
		fmt.Fprintf(&b, "import _ %q\n", path)
	}
	return &fstest.MapFile{Data: []byte(b.String())}
}
