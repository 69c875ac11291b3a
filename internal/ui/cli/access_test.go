package cli

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// How often a command accesses its board, which may be far away.
func TestAccesses(t *testing.T) { testAccesses(t, newFixture(t)) }

// At an address it is as often: a question is one request.
func TestAccessesFromAfar(t *testing.T) {
	d := newFixture(t)
	d.distant = true
	testAccesses(t, d)
}

func testAccesses(t *testing.T, d *fixture) {
	d.env["CLAUDECODE"] = "1"
	for i := range 20 {
		d.must("add", "Task "+strconv.Itoa(i+1))
	}
	revision := func(back int) string { // as it was so many changes ago
		set := d.json("log", "--limit", "5")["changes"].([]any)[back].(map[string]any)
		return strconv.FormatFloat(set["revision"].(float64), 'f', -1, 64)
	}
	must.Do(t, os.WriteFile(d.dir+"/plan.md", []byte("- One\n- Two (after: One)\n"), 0o644))
	must.Do(t, os.WriteFile(d.dir+"/tasks.jsonl", []byte(`{"id":"30","subject":"Thirty","status":"pending"}`+"\n"), 0o644))
	commands := []struct {
		line     string
		accesses int
	}{
		{"", 1},
		{"status", 1},
		{"list", 1},
		{"list --all --label x --limit 5", 1},
		{"list --ready --owner bob --stale 2d", 1},
		{"list --changed-since REV", 2}, // the store records first what others did
		{"ready", 1},
		{"ready --label none", 1}, // and why nothing is, with exit code 9
		{"ready --why", 1},
		{"show 1", 1},
		{"graph", 1},
		{"graph 1 --all --depth 2", 1},
		{"agents", 1},
		{"log", 1},
		{"log 1 --limit 1", 1},
		{"log --after 0 --limit 5", 1},
		{"export", 2}, // the tasks, and the highest id given
		{"doctor", 1},
		{"add Another --after 1,2 --parent 3", 1},
		{"add Another --blocks #4", 1},
		{"update 1 --subject Uno", 1},
		{"undo REV", 2}, // what it would complete, and the undo
		{"undo", 2},
		{"undo --dry-run", 2},
		{"claim", 1},
		{"claim 2", 1},
		{"note 2 text", 1},
		{"claim --renew", 1},
		{"block 5 --by 6,7", 1},
		{"block 5 --by 6 --remove", 1},
		{"assign 8 9 --to bob", 2}, // whose they are, and the change
		{"release 2", 1},
		{"claim 2 10", 1},
		{"done 2 10", 1},
		{"undo REV", 2},
		{"undo REV", 2},
		{"reopen 2 10", 1},
		{"rm 11 --dry-run", 2}, // what it would take away
		{"rm 11", 2},
		{"undo REV", 2},
		{"hold 12 wait", 2},
		{"hold 12 wait more", 3}, // it asks whose hold it ends
		{"hold --lift 12", 3},
		{"claim 12 13", 1},
		{"release 12 13 1", 1},
		{"claim 12", 1},
		{"done", 2}, // which one, and done
		{"undo REV", 2},
		{"plan plan.md", 3}, // what is here already, and what would change
		{"plan plan.md --dry-run", 3},
		{"import tasks.jsonl --dry-run", 2},
		{"import tasks.jsonl", 2},
		{"undo REV BEFORE --dry-run", 3},
		{"undo REV BEFORE", 4}, // both or none
	}
	for _, flag := range []string{"", " --json"} {
		for _, c := range commands {
			args := strings.Fields(c.line + flag)
			if c.line+flag == "export --json" {
				c.accesses = 1 // only lines have the highest id
			}
			for i := range args {
				switch args[i] {
				case "REV":
					args[i] = revision(0)
				case "BEFORE":
					args[i] = revision(1)
				}
			}
			if a := d.run(args...); a.code != 0 && !strings.HasPrefix(c.line, "ready --label none") || d.accesses != c.accesses {
				t.Errorf("pawl %s: %d accesses, not %d\n%s%s", strings.Join(args, " "), d.accesses, c.accesses, a.out, a.err)
			}
		}
	}
}
