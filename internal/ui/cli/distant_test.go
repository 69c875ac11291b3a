package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/todo/todomem"
)

// Every verb works at an address, or says why it does not and what to do instead. None
// of them shows an empty folder.
func TestVerbsAtAddress(t *testing.T) {
	type call struct {
		line string
		code int
		says string // on stdout or stderr
	}
	table := map[string][]call{
		"acp":    {{"acp --help", 0, "acp"}},
		"add":    {{"add Task", 0, "Added #3 Task"}},
		"agents": {{"agents", 0, "ada"}},
		"assign": {{"assign 2 bob", 0, "bob"}},
		"block":  {{"block 2 --by 1", 0, "#2"}, {"block 2 --by 1 --remove", 0, "#2"}},
		"board":  {{"board", 2, "needs an interactive terminal"}},
		"claim":  {{"claim 2", 0, "Owner: ada"}, {"claim 1 2", 0, "#2"}, {"claim --renew", 0, ""}},
		"completion": {
			{"completion bash", 0, "complete"}, {"__complete done ", 0, "Cart"},
		},
		"config":     {{"config get board", 0, ""}, {"config list", 0, "lease"}, {"config path", 0, "pawl.jsonc"}},
		"demo":       {{"demo --help", 0, "demo"}},
		"doctor":     {{"doctor", 0, "The board at " + shop + " has no problems"}, {"doctor --mend", 2, "run it on the server"}, {"doctor --ci", 0, "at " + shop}},
		"done":       {{"done 1", 0, "Completed #1"}},
		"export":     {{"export", 0, "Cart"}},
		"graph":      {{"graph", 0, "pawl list shows the 2 tasks"}},
		"help":       {{"help claim", 0, "claim"}},
		"hold":       {{"hold 2 later", 0, "#2"}, {"hold 2 --lift", 0, "is not on hold"}},
		"hook":       {{"hook --help", 0, "hook"}},
		"import":     {{"import", 3, ""}},
		"init":       {{"init", 2, "pawl join --leave ends the use of this one"}},
		"check":      {{"check 1", 0, "the task has no checks"}},
		"join":       {{"join", 0, "Joined " + shop}, {"join --leave", 0, "Left " + shop}},
		"list":       {{"list", 0, "Cart"}},
		"log":        {{"log", 0, "ada claimed #1 Cart"}, {"log --follow --after 0 --limit 1", 0, "Cart"}},
		"mcp":        {{"mcp --help", 0, "mcp"}},
		"merge":      {{"merge", 2, "all clones work on one board"}},
		"merge-file": {{"merge-file --help", 0, "merge-file"}},
		"note":       {{"note 1 hello", 0, "#1"}},
		"plan":       {{"plan -", 0, "Step"}},
		"quiet":      {{"quiet", 0, ""}},
		"ready":      {{"ready", 0, "Total"}, {"ready --why", 0, "Total"}},
		"release":    {{"release 1", 0, "Released #1"}},
		"reopen":     {{"reopen 2", 0, "is not completed"}},
		"rm":         {{"rm 2", 0, "#2"}},
		"serve":      {{"serve --help", 0, "serve"}},
		"run":        {{"run", 2, "needs a git repository"}, {"run status", 2, "needs a git repository"}},
		"setup":      {{"setup claude --dry-run", 0, "Nothing was written"}, {"setup --remove --dry-run", 0, ""}},
		"share":      {{"share", 2, "others take part with pawl join " + shop}, {"share --stop", 2, "others take part"}},
		"show":       {{"show 1", 0, "Cart"}},
		"status":     {{"status", 0, shop + ", as ada\nshop: 2 open"}, {"status --json", 0, `"board":"` + shop + `","as":"ada"`}},
		"statusline": {{"statusline", 0, "1 ready"}},
		"sync":       {{"sync", 0, "the server has each change at once"}, {"sync --resume", 2, "leave out --resume"}},
		"todo":       {{"todo add Step", 0, "Step"}, {"todo", 0, ""}, {"todo forget --yes", 0, ""}},
		"trust":      {{"trust", 3, "name no other board"}},
		"undo":       {{"undo", 0, "#1"}},
		"update":     {{"update 2 --priority high", 0, "#2"}},
		"version":    {{"version", 0, "pawl"}},
	}
	var joined *fixture // nil: to be made
	test := t
	for v := range all {
		if len(table[v.name]) == 0 {
			t.Errorf("nothing says what pawl %s does at an address", v.name)
		}
		for _, c := range table[v.name] {
			t.Run(c.line, func(t *testing.T) {
				if joined == nil {
					joined = newJoined(test)
					joined.env["HOME"] = test.TempDir()
					joined.sharing = (&remote{}).functions()
				}
				d := joined
				d.t, d.boards, d.todos, d.env["PAWL_SESSION"] = t, map[string]*memory.Store{}, todomem.New(), "s1"
				d.must("add", "Cart")
				d.must("add", "Total")
				d.must("claim", "1")
				d.stdin = ""
				if v.name == "plan" {
					d.stdin = "- [ ] Step\n"
				}
				args := strings.Split(c.line, " ")
				if v.name == "plan" || v.name == "statusline" {
					d.env["PAWL_SESSION"] = "s9"
				}
				d.tty = c.line == "join --leave"
				a := d.run(args...)
				if a.code != c.code || !strings.Contains(a.out+a.err, c.says) {
					t.Errorf("exit code %d, want %d and %q:\n%s%s", a.code, c.code, c.says, a.out, a.err)
				}
				for _, bad := range []string{" in  ", "in , ", "in ;", `"board":""`, "pawl_ada1"} {
					if strings.Contains(a.out+a.err, bad) {
						t.Errorf("it says %q:\n%s%s", bad, a.out, a.err)
					}
				}
				if c.code == 2 && !strings.Contains(a.err, "hint: ") {
					t.Errorf("no next step: %s", a.err)
				}
				if d.boards[""] != nil {
					t.Error("a board without a place was opened")
				}
				if c.line == "join --leave" {
					joined = nil
				}
			})
		}
	}
}

// An answer that was given earlier is marked as such, on stderr once, and in JSON.
func TestOldAnswers(t *testing.T) {
	d := newJoined(t)
	d.must("add", "Cart")
	d.team.away = time.Now().Add(-time.Minute)
	d.team.old = time.Now().Add(-time.Hour)
	a := d.run("show", "1")
	if a.code != 0 || strings.Count(a.err, "pawl: as of ") != 1 || !strings.Contains(a.err, ": https://tasks.example.org does not answer since ") || !strings.Contains(a.out, "Cart") {
		t.Errorf("show: %+v", a)
	}
	asOf := `"asOf":"` + d.team.old.UTC().Format("2006-01-02T15:04:05.000Z") + `"`
	for _, line := range []string{"show 1 --json", "list --json", "status --json", "agents --json", "graph --json"} {
		if a := d.run(strings.Fields(line)...); a.code != 0 || !strings.Contains(a.out, asOf) {
			t.Errorf("%s: %+v", line, a)
		}
	}
	if a := d.run("version", "--json"); strings.Contains(a.out, "asOf") {
		t.Errorf("version: %s", a.out)
	}
}

// Doctor asks the server: whether it answers, for how long the token holds, and what
// its clock says.
func TestDoctorAtAddress(t *testing.T) {
	for _, test := range []struct {
		name string
		set  func(m *team)
		code int
		says []string
	}{
		{"well", func(*team) {}, 0, []string{"you are ada, with a token for reading and working, until 2027-02-21", "has no problems"}},
		{"away", func(m *team) { m.away = time.Now() }, 1, []string{"does not answer"}},
		{"revoked", func(m *team) { clear(m.tokens) }, 1, []string{"this token is not valid", "mend: ask for another one"}},
		{"expires", func(m *team) {
			h := m.tokens["pawl_ada1_secret"]
			h.Expires = h.Now.Add(50 * time.Hour)
			m.tokens["pawl_ada1_secret"] = h
		}, 1, []string{"the token of ada expires in 2 d", "mend: ask for another token"}},
		{"clock", func(m *team) {
			h := m.tokens["pawl_ada1_secret"]
			h.Now = h.Now.Add(time.Hour)
			m.tokens["pawl_ada1_secret"] = h
		}, 1, []string{"behind the server's, which decides leases"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newJoined(t)
			test.set(d.team)
			a := d.run("doctor")
			for _, part := range test.says {
				if !strings.Contains(a.out, part) {
					t.Errorf("it does not say %q:\n%s", part, a.out)
				}
			}
			if a.code != test.code {
				t.Errorf("exit code %d, want %d:\n%s%s", a.code, test.code, a.out, a.err)
			}
			if a := d.run("doctor", "--json"); a.code != test.code || !strings.Contains(a.out, `"server":{"answers":`) {
				t.Errorf("--json: %+v", a)
			}
		})
	}
}
