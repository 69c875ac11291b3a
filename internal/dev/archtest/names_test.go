package archtest

import (
	"testing"
	"testing/fstest"
)

func TestNamesCanFail(t *testing.T) {
	const me = `package p; import "example.org/pawl"; `
	ban := Ban{Name: "b", Why: "w", Of: []string{"tool"}, Names: []string{"pawl.Reader"}}
	still := ban
	still.Still = map[string][]string{"tool": {"pawl.Reader"}}
	gone := ban
	gone.Still = map[string][]string{"tool": {"pawl.Reader"}, "face": {"pawl.Reader"}}
	silent := ban
	silent.Why = ""
	const starts = `package p; import run "os/exec"; `
	start := Ban{Name: "b", Why: "w", Of: []string{"..."}, Names: []string{"os/exec.CommandContext" + OfName}}
	tests := []struct {
		name, file, source string
		table              Table
		want               string
	}{
		{"clean", "tool/a.go", me + "var x pawl.Task", Table{Bans: []Ban{ban}}, ""},
		{"uses it", "tool/a.go", me + "var x pawl.Reader", Table{Bans: []Ban{ban}}, "b: tool uses pawl.Reader (tool/a.go): w"},
		{"uses it by another name", "tool/a.go", `package p; import core "example.org/pawl"; var x core.Reader`, Table{Bans: []Ban{ban}}, "b: tool uses pawl.Reader"},
		{"a test uses it", "tool/a_test.go", me + "var x pawl.Reader", Table{Bans: []Ban{ban}}, ""},
		{"another package uses it", "todo/a.go", me + "var x pawl.Reader", Table{Bans: []Ban{ban}}, ""},
		{"still uses it", "tool/a.go", me + "var x pawl.Reader", Table{Bans: []Ban{still}}, ""},
		{"no longer uses it", "tool/a.go", me + "var x pawl.Task", Table{Bans: []Ban{still}}, "b: tool no longer uses pawl.Reader"},
		{"package gone", "tool/a.go", me + "var x pawl.Reader", Table{Bans: []Ban{gone}}, "the rules name face, which is not a package"},
		{"another package uses it that it is not about", "todo/a.go", me + "var x pawl.Reader", Table{Bans: []Ban{{Name: "b", Why: "w", Of: []string{"..."}, Not: []string{"todo"}, Names: ban.Names}}}, ""},
		{"calls it with a name", "tool/a.go", starts + `var c = run.CommandContext(nil, "git", "add")`, Table{Bans: []Ban{start}}, "b: tool uses os/exec.CommandContext(NAME) (tool/a.go): w"},
		{"calls it with a path", "tool/a.go", starts + `var c = run.CommandContext(nil, path, "add")`, Table{Bans: []Ban{start}}, ""},
		{"without a reason", "tool/a.go", me, Table{Bans: []Ban{silent}}, "does not say why"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			expect(t, test.table, fstest.MapFS{test.file: {Data: []byte(test.source)}, "tool/b_test.go": source("")}, test.want)
		})
	}
}
