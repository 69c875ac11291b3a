package archtest

// Rules is the map of this module. What it forbids, and why, is the chapter
// “What never happens” of ARCHITECTURE.md in a form that can fail.
var Rules = Table{
	Present: []string{
		".", "cmd/pawl", "internal/agent/agenttest", "internal/dev/archtest", "internal/dag", "internal/draw", "internal/face/cli", "internal/face/hook", "internal/face/tui", "internal/face/web", "internal/jsonc", "internal/jsonscan", "internal/layout",
		"internal/dev/mustrun", "internal/notify", "internal/prose", "internal/replay", "internal/dev/schema", "internal/project", "internal/project/discover", "internal/project/settings", "internal/project/trust", "internal/whois/whoistest", "mcpserver", "nudge",
		"internal/text", "store/file", "store/memory", "store/storetest", "todo", "todo/todofile", "todo/todomem", "todo/todotest", "tool",
	},
	Later: []string{
		"store/postgres",
	},
	MinFiles: 100,
	Rules: []Rule{
		{
			Name:  "quiet core",
			Why:   "the root is the vocabulary and the rules; what it imported, everybody would have to build and understand",
			Of:    []string{"."},
			Allow: []string{"std", "./internal/dag"},
		},
		{
			Name: "pure",
			Why:  "rules are functions from values to values: who reads disks, networks or the environment hands over what they need",
			Of:   []string{".", "todo", "nudge", "internal/dag", "internal/jsonscan", "internal/layout", "internal/prose", "internal/text"},
			Deep: true,
			Deny: []string{
				"os/...", "io/fs", "io/ioutil", "path/filepath", "net/...", "syscall/...", "log", "plugin", "database/sql/...",
				"third", "./store/...", "./internal/face/...", "./tool", "./mcpserver",
			},
		},
		{
			Name: "no store in a face",
			Why:  "a face that knows its store goes around Board.Do or the todo service, where the rules are; main picks the store",
			Of:   []string{"internal/face/...", "tool", "mcpserver"},
			Deep: true,
			Deny: []string{"./store/...", "./todo/todofile", "./todo/todomem"},
		},
		{
			Name:  "faces apart",
			Why:   "what two faces share belongs into internal/view or the root, where a third one finds it",
			Of:    []string{"internal/face/..."},
			Apart: "internal/face",
		},
		{
			Name: "one door to the project",
			Why:  "which board, whose trust and which settings are decided in internal/project; a second place would decide otherwise one day",
			Of:   []string{"cmd/...", "internal/face/...", "mcpserver", "tool"},
			Deny: []string{"./internal/project/discover", "./internal/project/trust"},
		},
		{
			Name:  "stores apart",
			Why:   "each store keeps the contract alone, so that each can be used, and dropped, alone",
			Of:    []string{"store/..."},
			Apart: "store",
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
		{"github.com/clipperhouse/displaywidth", "internal/draw"}, // not internal/view, which the tools for agents may use
		{"github.com/spf13/cobra", "internal/face/cli"},
		{"github.com/spf13/pflag", "internal/face/cli"},
		{"charm.land/bubbletea", "internal/face/tui"},
		{"charm.land/bubbles", "internal/face/tui"},
		{"charm.land/lipgloss", "internal/face/tui"},
		{"github.com/charmbracelet/x/term", "internal/face/tui"},
		{"github.com/sahilm/fuzzy", "internal/face/tui"},
		{"github.com/modelcontextprotocol/go-sdk", "mcpserver"},
		{"github.com/jackc/pgx", "store/postgres"},
		{"github.com/pressly/goose", "store/postgres"},
		{"github.com/fsnotify/fsnotify", "internal/notify"},
		{"github.com/tailscale/hujson", "internal/jsonc"},
		{"github.com/rogpeppe/go-internal", TestsOnly},
		{"github.com/google/go-cmp", TestsOnly},
		{"github.com/google/jsonschema-go", TestsOnly},
		{"github.com/anishathalye/porcupine", TestsOnly},
		{"go.uber.org/goleak", TestsOnly},
		{"pgregory.net/rapid", TestsOnly},
	},
	TestCode: []string{"store/storetest", "todo/todotest", "internal/dev/mustrun", "internal/agent/agenttest", "internal/dev/schema", "internal/whois/whoistest"},
}
