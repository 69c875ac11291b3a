package cli

import (
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/pty"
	"github.com/pawl-dev/pawl/internal/project/settings"
)

// Only a person at a terminal agrees to something: not a known agent, and not a program that
// sets no variable, whatever flags it gives. No hint leads one of them to agree.
func TestConsents(t *testing.T) {
	for _, verb := range [][]string{
		{"trust", "checks"}, {"trust", "checks", "--yes"}, {"trust", "checks", "--yes", "--json"},
		{"trust"}, {"trust", "--json"}, {"done", "1", "--unchecked", "sure"}, {"join"},
	} {
		for _, who := range []struct {
			name string
			env  string
			tty  bool
			says string
		}{
			{"an agent", "CLAUDECODE", false, "this is an agent's command"},
			{"an agent with a terminal", "CLAUDECODE", true, "this is an agent's command"},
			{"a name", "PAWL_AGENT", true, "this is an agent's command"},
			{"a program without a terminal", "", false, "this command has no terminal"},
			{"a person", "", true, ""},
		} {
			if verb[0] == "join" && who.says == "" {
				continue // it waits for the token
			}
			t.Run(strings.Join(verb, " ")+": "+who.name, func(t *testing.T) {
				d := newMember(t)
				d.must("add", "One", "--check", "unit: ./unit")
				d.must("config", "set", "board", map[bool]string{true: shop, false: "../planning"}[verb[0] == "join"])
				if who.env != "" {
					d.env[who.env] = "1"
				}
				d.tty = who.tty
				a := d.run(verb...)
				if who.says == "" {
					if strings.Contains(a.err, "only a person") {
						t.Errorf("refused: %+v", a)
					}
					return
				}
				said := a.out + a.err
				if a.code != 2 || !strings.Contains(said, "only a person") || !strings.Contains(said, who.says) {
					t.Errorf("%+v", a)
				}
				if strings.Contains(said, " --yes") || !strings.Contains(said, "ask a person at a terminal to run: pawl ") {
					t.Errorf("the hint leads on: %s", said)
				}
				d.tty = false
				delete(d.env, who.env)
				if out := d.must("trust", "--list"); strings.Contains(out, "unit") || strings.Contains(out, "leads to") {
					t.Errorf("agreed to: %s", out)
				}
			})
		}
	}
}

// persons are by verb the commands that are a person's; an empty list: agents do all that the
// verb does, or it asks at a terminal itself. One that begins with a plus needs no terminal, but
// an agent is refused.
var persons = map[string][]string{
	"setup": {}, "plan": {}, "add": {}, "board": {}, "show": {}, "undo": {}, "serve": {}, // a page that an agent serves is an agent: TestAgentsPage
	"done":  {"done 1 --unchecked sure", "done 1 --offline"},
	"ready": {}, "claim": {"claim 1 --offline", "+claim 1 --force", "+claim 1 2 --force"}, "note": {}, "release": {"+release 1 --force"},
	"update": {"update 1 --remove-check unit", "update 1 --from none.json"},
	"check":  {}, "block": {}, "rm": {"rm 1", "+rm 1 --force"}, "import": {}, "export": {},
	"run":  {}, // approving and steering: run_test.go
	"hold": {}, "reopen": {}, "assign": {"+assign 1 --to me --force"}, "todo": {"+todo forget --session s1 --yes"},
	"join":  {"+join https://tasks.example.org/boards/other"}, // and TestJoin
	"share": {"share --stop", "share --remote upstream", "share --remote upstream --yes"},
	"sync":  {"sync --resume"}, "merge": {},
	"list": {}, "graph": {}, "log": {}, "agents": {}, "status": {},
	"init": {}, "trust": {"trust", "trust checks --yes", "trust --forget", "trust --forget elsewhere"},
	"config": {"config set checks.untrusted skip --user", "config unset checks.untrusted --user"}, // and TestPersonsSettings
	"quiet":  {}, "doctor": {},
	"demo": {}, "help": {}, "completion": {}, "version": {},
	"hook": {}, "mcp": {}, "acp": {}, "statusline": {}, "merge-file": {},
}

// What only a person may do, no agent does, nor a program that sets no variable and has no
// terminal. Each verb needs a decision.
func TestPersonsCommands(t *testing.T) {
	for v := range all {
		if _, decided := persons[v.name]; !decided {
			t.Errorf("pawl %s has no line in persons: may agents do all that it does?", v.name)
		}
		for _, line := range persons[v.name] {
			line, script := strings.CutPrefix(line, "+")
			d := newMember(t)
			d.must("add", "One", "--check", "unit: ./unit")
			d.must("config", "set", "board", "../planning")
			must.Do(t, os.WriteFile(d.dir+"/none.json", []byte(`{"checks": []}`), 0o644))
			r := remote{status: &withOrigin, plan: SharePlan{Remote: "upstream"}}
			d.sharing = r.functions()
			for _, agent := range []bool{true, false} {
				delete(d.env, "CLAUDECODE")
				if agent {
					d.env["CLAUDECODE"] = "1"
				} else if script {
					continue
				}
				if a := d.run(strings.Fields(line)...); a.code != 2 || !strings.Contains(a.err, "only a person ") || len(r.asked) > 0 {
					t.Errorf("pawl %s, agent %v: %+v", line, agent, a)
				}
			}
		}
	}
}

// anyones are the settings that an agent may change. Each other one is a person's, and one that
// is new needs a decision.
var anyones = strings.Fields(`lease sync checks archive.after todo-continuation ui.showTodoPanel interactive reminders suggestions recovery.tokens
	todos.store todos.keep run.agent run.slots run.integrate run.attempts run.timeout run.budget`)

func TestPersonsSettings(t *testing.T) {
	values := map[string]string{
		"board": "planning", "claims.offline": "allow", "checks.untrusted": "skip", "checks.trusted": "true", "toolCalls.arguments": "off",
		"run.agents": `{"mine": {"command": ["true"]}}`, "run.permissions": "skip", "run.setup": "true", "run.copy": ".env", "run.review": "none",
	}
	for i := range settings.Table {
		key := settings.Table[i].Key
		if slices.Contains(anyones, key) {
			continue
		}
		d := newMember(t)
		for _, args := range [][]string{{"set", key, values[key]}, {"unset", key}} {
			for _, agent := range []string{"1", ""} {
				d.env["CLAUDECODE"] = agent
				a := d.run(append(append([]string{"config"}, args...), "--user")...)
				if a.code != 2 || !strings.Contains(a.err, "only a person ") {
					t.Errorf("pawl config %q, agent %q: %+v", args, agent, a)
				}
			}
		}
	}
}

// A page is a person's if a person at a terminal serves it.
func TestAgentsPage(t *testing.T) {
	tty := pty.Open(t)
	for _, c := range []struct {
		agent string
		stdin io.Reader
		takes bool // a check away
	}{{"1", tty, false}, {"1", nil, false}, {"", nil, false}, {"", tty, true}} {
		d := newFixture(t)
		d.must("add", "One", "--check", "unit: ./unit")
		d.env["CLAUDECODE"] = c.agent
		a := &app{env: Env{Dir: d.dir, Getenv: func(key string) string { return d.env[key] }, Stdin: c.stdin}}
		_, screened := a.looked()
		board := wired(d.boards[d.dir+"/.tasks"])
		_, err := screened(t.Context(), board, pawl.Request{Op: pawl.Update{ID: 1, RemoveChecks: []string{"unit"}}})
		if (err == nil) != c.takes {
			t.Errorf("agent %q, a terminal %v: %v", c.agent, c.stdin != nil, err)
		}
		_, err = screened(t.Context(), board, pawl.Request{Op: pawl.ClaimTask{ID: 1, Force: true}})
		if refused := err != nil; refused != (c.agent != "") {
			t.Errorf("agent %q, force: %v", c.agent, err)
		}
	}
}
