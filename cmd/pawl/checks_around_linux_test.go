package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// An agent completes no task that only the project's checks hold, or that had a trusted
// check, and puts no other one in its place: by no command, no tool and no server.
func TestNoWayAroundTrustedChecks(t *testing.T) {
	y := newYard(t)
	y.program("check", "exit 1")
	agent := func(code int, says string, args ...string) {
		t.Helper()
		if is, said := y.says(true, args...); is != code || !strings.Contains(said, says) {
			t.Errorf("an agent's pawl %q: exit code %d, want %d and %q\n%s", args, is, code, says, said)
		}
	}
	open := func(id int) {
		t.Helper()
		if got := y.task(id).Status; got == pawl.Completed {
			t.Errorf("#%d is %s", id, got)
		}
	}
	y.must("add", "Asked by the project")
	y.must("add", "Had a check")
	y.must("done", "1", "2")
	agent(0, "", "export", "done.jsonl")
	agent(0, "", "reopen", "1")
	agent(0, "", "reopen", "2")
	y.must("update", "2", "--check", "unit: ./check")
	y.write(".tasks/pawl.jsonc", `{"checks": [{"name": "all", "run": ["./check", "all"], "labels": ["page"]}]}`)
	y.must("update", "1", "--add-label", "page")
	y.trust()
	agent(2, "only a person may take the check unit from #2", "update", "2", "--remove-check", "unit")
	y.alter(2, "\n    {\n      \"name\": \"unit\",\n      \"run\": [\"./check\"]\n    }\n  ", "") // as git or an editor may

	agent(0, "still open: #1, because an import completes no task that has checks or criteria", "import", "done.jsonl")
	open(1)
	open(2)
	agent(8, "#1 is not shown to be done: all has not run", "undo", "@4")
	agent(8, "#2 needed unit", "undo", "@5")
	agent(2, "only a person may remove #2, which needs unit", "rm", "2")
	agent(2, "ask a person to run pawl rm 1", "rm", "1")
	agent(2, "only a person may override claims", "rm", "1", "--force")
	y.write("specs/001-x/tasks.md", "# Tasks\n\n- [ ] T001 Planned\n")
	agent(0, "", "import", "specs/001-x/tasks.md")
	y.must("update", "3", "--add-label", "page")
	y.write("specs/001-x/tasks.md", "# Tasks\n\n- [x] T001 Planned\n")
	agent(0, "still open: #3, because an import completes no task that has checks or criteria", "import", "specs/001-x/tasks.md")
	open(3)

	c := speak(t, y.command(true, "mcp"), "ada")
	for id := 1; id <= 2; id++ {
		for _, status := range []string{"completed", "deleted"} {
			c.ask("tools/call", fmt.Sprintf(`{"name":"task_update","arguments":{"taskId":"%d","status":%q}}`, id, status))
			open(id)
		}
	}
	must.Do(t, c.end())
	s := y.serveWeb(t)
	for id := 1; id <= 2; id++ {
		for _, status := range []string{"completed", "deleted"} {
			_, said := s.said("POST", "", fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"task_update","arguments":{"taskId":"%d","status":%q},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"claude-code","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`, id, status),
				"MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: task_update")
			if !strings.Contains(said, `"isError":true`) {
				t.Errorf("a tool of the page's server says of #%d: %s", id, said)
			}
			open(id)
		}
	}
	y.must("rm", "1", "2") // a person may
}
