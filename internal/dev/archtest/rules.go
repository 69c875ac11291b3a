package archtest

// Rules is the map of this module: the chapter “What never happens” of
// ARCHITECTURE.md in a form that can fail.
var Rules = Table{
	MinFiles: 100,
	Rules: []Rule{
		{
			Name:  "quiet core",
			Why:   "the root is the vocabulary and the rules; what it imported, everybody would have to build and understand",
			Of:    []string{"."},
			Allow: []string{"std", "./internal/graph", "./internal/strictjson"},
		},
		{
			Name:  "quiet questions",
			Why:   "questions and answers are data for programs anywhere; words, layout and stores belong to those who ask or answer",
			Of:    []string{"query", "query/querytest"},
			Allow: []string{"std", ".", "./query", "./internal/epoch", "./internal/merge", "./internal/share", "./internal/strictjson"}, // epoch: of heads; merge: its report is a part of an outcome; share: its status is one of an answer
		},
		{
			Name: "pure",
			Why:  "rules are functions from values to values: who reads disks, networks or the environment hands over what they need",
			Of:   []string{".", "query", "todo", "nudge", "internal/graph", "internal/jsonscan", "internal/prose", "internal/strictjson", "internal/text"},
			Deep: true,
			Deny: []string{
				"os/...", "io/fs", "io/ioutil", "path/filepath", "net/...", "syscall/...", "log", "plugin", "database/sql/...",
				"third", "./store/...", "./internal/ui/...", "./tool", "./mcpserver",
			},
		},
		{
			Name: "the wall",
			Why:  "most who install pawl need neither a team's server nor a database: those are in the module server",
			Of:   []string{"cmd/pawl"},
			Deep: true,
			Deny: []string{"./server/...", "./internal/ui/team"},
		},
		{
			Name: "no store in an interface",
			Why:  "an interface that knows its store goes around Board.Do or the todo service, where the rules are; main picks the store",
			Of:   []string{"internal/ui/...", "tool", "mcpserver"},
			Deep: true,
			Deny: []string{"./store/...", "./server/...", "./todo/todofile", "./todo/todomem"},
		},
		{
			Name:  "interfaces apart",
			Why:   "what two interfaces share belongs into query, internal/show or the root, where a third one finds it",
			Of:    []string{"internal/ui/..."},
			Apart: "internal/ui",
		},
		{
			Name: "interfaces and mcpserver apart",
			Why:  "as above: agents' calls and people's commands meet in tool, query and cmd/pawl",
			Of:   []string{"internal/ui/..."},
			Deny: []string{"./mcpserver"},
		},
		{
			Name: "mcpserver and interfaces apart",
			Why:  "a program that embeds the server must not get a page or a terminal with it",
			Of:   []string{"mcpserver"},
			Deep: true,
			Deny: []string{"./internal/ui/..."},
		},
		{
			Name: "one door to the project",
			Why:  "which board, whose trust and which settings are decided in internal/project; a second place would decide otherwise one day",
			Of:   []string{"cmd/...", "internal/ui/...", "mcpserver", "tool"},
			Deny: []string{"./internal/project/discover", "./internal/project/consent"},
		},
		{
			Name:   "stores apart",
			Why:    "each store keeps the contract alone, so that each can be used, and dropped, alone",
			Of:     []string{"store/..."},
			Except: []string{"store/storetest"}, // it compares each with memory
			Apart:  "store",
		},
		{
			Name:  "todo stores apart",
			Why:   "each keeps the contract of package todo alone",
			Of:    []string{"todo/todofile", "todo/todomem"},
			Apart: "todo",
		},
		{
			Name:   "light library",
			Why:    "a Go agent embeds this without a process, and must not get anybody's dependencies with it",
			Of:     []string{".", "store/file", "todo/...", "nudge", "tool"},
			Except: []string{"todo/todotest"},
			Deep:   true,
			Allow:  []string{"std", "./...", "golang.org/x/sys/..."},
		},
		{
			Name: "no cgo",
			Why:  "the binary is static and cross-compiles from anywhere",
			Of:   []string{"..."},
			Deny: []string{"C"},
		},
	},
	Homes: []Home{
		{"golang.org/x/sys", Anywhere},
		{"github.com/clipperhouse/displaywidth", "internal/show/term"}, // not internal/show, which the tools for agents may use
		{"github.com/spf13/cobra", "internal/ui/cli"},
		{"github.com/spf13/pflag", "internal/ui/cli"},
		{"charm.land/bubbletea", "internal/ui/tui"},
		{"charm.land/lipgloss", "internal/ui/tui"},
		{"github.com/charmbracelet/x/term", "internal/ui/tui"},
		{"github.com/sahilm/fuzzy", "internal/ui/tui"},
		{"github.com/modelcontextprotocol/go-sdk", "mcpserver"},
		{"github.com/jackc/pgx", "server/pg"},
		{"github.com/pressly/goose", "server/pg"},
		{"github.com/fsnotify/fsnotify", "store/file/notify"},
		{"github.com/tailscale/hujson", "internal/jsonc"},
		{"github.com/rogpeppe/go-internal", TestsOnly},
		{"github.com/google/go-cmp", TestsOnly},
		{"github.com/google/jsonschema-go", TestsOnly},
		{"github.com/Shopify/toxiproxy", TestsOnly},
		{"github.com/rs/zerolog", TestsOnly},
		{"github.com/anishathalye/porcupine", TestsOnly},
		{"go.uber.org/goleak", TestsOnly},
		{"pgregory.net/rapid", TestsOnly},
	},
	Bans: []Ban{
		{
			Name:  "data in, data out",
			Why:   "what an interface asks of a board is data both ways, so that a server can answer: see package query",
			Of:    []string{"internal/ui/...", "tool", "mcpserver"},
			Names: []string{"pawl.Board", "pawl.NewBoard", "pawl.Reader", "pawl.Store"},
			Still: map[string][]string{
				"tool": {"pawl.Board"}, // OneBoard takes one of an embedder
			},
		},
		{
			Name:  "no clock",
			Why:   "rules get the time as a value: a store's clock decides leases, and tests say what time it is",
			Of:    []string{".", "query", "todo", "nudge", "internal/graph", "internal/jsonscan", "internal/prose", "internal/strictjson", "internal/text"},
			Names: []string{"time.Now", "time.Since", "time.Until", "time.Sleep"},
		},
		{
			Name: "one runner of git",
			Why:  "a repository may name programs that git starts: internal/git asks it without those, and no other package starts it; what else is started is listed here",
			Of: []string{
				".", "query/...", "cmd/...", "integrations/...", "internal/agent/...", "internal/boards", "internal/caller", "internal/checks/...", "internal/ui/...", "internal/filelock", "internal/gitdir", "internal/gitexclude",
				"internal/plan", "internal/project/...", "internal/rewrite", "internal/runs/...", "internal/setup", "internal/supervise", "internal/userdir", "internal/attribution", "mcpserver", "nudge", "server/...", "store/...", "todo/...", "tool",
			},
			Names: []string{"os/exec.Command", "os/exec.CommandContext", "os.StartProcess", "syscall.Exec", "golang.org/x/sys/unix.Exec"},
			Still: map[string][]string{
				"internal/checks/run":   {"os/exec.Command"},                           // a check of a task, once a person of this clone trusts it
				"internal/supervise":    {"os/exec.Command"},                           // what pawl run is told to run, and a keeper for it
				"internal/runs/program": {"os/exec.Command", "os/exec.CommandContext"}, // a trial of an agent's program, in a folder of its own
				"internal/runs/client":  {"os/exec.CommandContext"},                    // the agent's program of an attempt, in the place of which it is supervised
				"cmd/pawl":              {"os/exec.Command", "syscall.Exec"},           // pawl-server; the agent that a person has pawl acp start
				"internal/boards":       {"os/exec.Command"},                           // pawl itself, to sync a shared board in the background, or to speak to a server
				"internal/ui/cli":       {"os/exec.CommandContext"},                    // the browser; pawl itself, as the agents of the demo; git in the repository that a demo makes
				"internal/ui/tui":       {"os/exec.CommandContext"},                    // the person's editor
			},
		},
		{
			Name:  "one finder of programs",
			Why:   "PATH may lead into a project, which brings programs along: package lookup takes none of them",
			Of:    []string{"..."},
			Not:   []string{"internal/dev/...", "proof/..."},
			Names: []string{"os/exec.LookPath", "os/exec.Command" + OfName, "os/exec.CommandContext" + OfName},
		},
		{
			Name:  "patient renames",
			Why:   "Windows does not replace a file that somebody has open for a moment: filelock.Rename tries again",
			Of:    []string{".", "cmd/...", "internal/ui/...", "internal/rewrite", "internal/setup", "internal/userdir", "internal/attribution", "mcpserver", "store/...", "todo/..."},
			Names: []string{"os.Rename"},
			Still: map[string][]string{
				"internal/ui/hook": {"os.Rename"}, // a log that is too long; the next event tries again, and an agent waits for this one
			},
		},
	},
	Waits: map[string]string{
		"example_worker_test.go: wait":                         "is a user's program, which does so",
		"internal/checks/run/run_test.go: TestTimeout":         "a check that does not end: the limit is always reached",
		"internal/checks/run/run_test.go: TestTimeoutOfAll":    "a check that does not end: the limit is always reached",
		"proof/chaos/database_test.go: TestUnknown":            "a database that is not reached again: the limit is always reached",
		"proof/chaos/database_test.go: TestHangs":              "a database that hangs: the limit is always reached",
		"proof/chaos/database_test.go: TestServersHang":        "a database that hangs for a while, which nobody waits for",
		"proof/chaos/line_test.go: blow":                       "is the weather",
		"proof/crowd/kill_test.go: TestKill":                   "kills at a moment that nothing in the program decides",
		"proof/e2e/server/hostile_client_test.go: pass":        "lets a raid last, and asserts nothing of that",
		"proof/e2e/server/numbers.go: Paced":                   "works at a pace that was asked for",
		"proof/e2e/server/numbers.go: Sees":                    "works at a pace that was asked for",
		"proof/e2e/server/postgres_test.go: TestFailover":      "bounds how long clients wait, by what a request may take",
		"proof/e2e/git/cost_test.go: TestCost":                 "compares times only with -measure",
		"proof/e2e/git/kill_test.go: kill":                     "kills at a moment that nothing in the program decides",
		"proof/e2e/git/race_test.go: race":                     "works for as long as -work says",
		"proof/e2e/git/race_test.go: TestRace":                 "works for as long as -work says",
		"proof/e2e/git/ssh_test.go: ssh":                       "is a remote that is slow, or never answers",
		"internal/dev/fakeagent/actions.go: sleep":             "is an agent that takes its time, because its script says so",
		"internal/dev/tmux/tmux.go: Close":                     "waits no longer for a device, which may have become somebody else's",
		"proof/e2e/run/agents_test.go: TestHooks":              "waits whether git runs what it must not",
		"proof/e2e/run/target_test.go: TestPersonCommits":      "is a person who commits now and then",
		"internal/ui/hook/distant_test.go: post":               "a server that hangs: the patience is always at its end",
		"internal/ui/hook/log_unix_test.go: TestLogThatBlocks": "a log that cannot be written: the last word is always cut off",
		"internal/ui/team/lost_test.go: TestLostUnknown":       "a server that fails: the patience is always at its end",
		"internal/git/late_test.go: TestLateByTheCaller":       "a limit in the past: it is always reached",
		"internal/git/network_test.go: TestNeverAnswers":       "a remote that never answers: the limit is always reached",
		"server/pg/lineage_test.go: TestLeftBehind":            "no server may be used: the limit is always reached",
		"server/pg/tx_test.go: TestErrors":                     "a query that takes longer: the limit is always reached",
		"server/pg/tx_test.go: TestSilentConnection":           "a connection that does not answer: half the limit is always reached",
		"internal/remote/line_test.go: TestServerAway":         "a server that hangs: the patience is always at its end",
		"internal/remote/line_test.go: TestWhatToDoNext":       "a server that hangs: the patience is always at its end",
		"internal/remote/slow_test.go: Read":                   "is called in a bubble",
		"internal/remote/slow_test.go: Write":                  "is called in a bubble",
		"internal/remote/slow_test.go: slowLine":               "is called in a bubble",
		"internal/remote/slow_test.go: TestStuckAnswer":        "an answer that stops: the patience is always at its end",
		"internal/ui/acp/proxy_test.go: sleep":                 "is called in a bubble",
		"internal/ui/team/batch_hang_test.go: DoAll":           "is called in a bubble",
		"internal/ui/tui/panelwatcher_test.go: sleep":          "is called in a bubble",
		"internal/ui/tui/pilot_test.go: TestFollowsTheBoard":   "is called in a bubble",
		"internal/ui/tui/pilot_test.go: sleep":                 "is called in a bubble",
		"internal/runs/engine/engine_test.go: history":         "is called in a bubble",
		"mcpserver/http_test.go: close":                        "is called in a bubble",
		"mcpserver/wire_test.go: deed":                         "is called in a bubble",
		"tool/complete_test.go: lasting":                       "is called in a bubble",
		"internal/runs/engine/changing_test.go: dieAfter":      "is called in a bubble",
		"internal/runs/engine/stop_test.go: at":                "is called in a bubble",
		"internal/runs/engine/world_test.go: live":             "is called in a bubble",
		"store/file/hostile_test.go: TestLockIsHeld":           "a lock that is held: the limit is always reached",
		"store/storetest/check_views.go: ends":                 "looks at goroutines now and then; only one that hangs decides",
		"store/storetest/trial.go: atRandom":                   "ends random moves, whatever came of them",
		"todo/todotest/model.go: runModel":                     "ends random moves, whatever came of them",
	},
	TestCode: []string{"query/querytest", "internal/agent/agenttest", "internal/dev/...", "internal/imports/importstest", "proof/...", "server/internal/dev/...", "internal/attribution/attributiontest", "store/storetest", "todo/todotest", "tool/tooltest"},
}
