package settings

import (
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// A Setting is one row of the table: something that a person can decide.
type Setting struct {
	Key     string
	Aliases []string
	Type    Type
	Default string // as config set takes it
	Shared  string // the default of a board that is shared; empty: the same
	Min     int64  // of an Int, or a Duration in seconds
	Max     int64
	Switch  bool     // of an Int: true means the default, and false 0
	Zero    string   // of a Duration: what 0 means; empty: it cannot be
	Unit    string   // what a number counts
	Words   []string // of a Choice
	Meaning string
	ReadBy  string  // what acts on it
	Only    []Scope // where alone it may be set; nil: everywhere
	Near    bool    // the project's value counts before the user's
}

// Allows reports whether the setting may be set in a scope.
func (s *Setting) Allows(at Scope) bool { return s.Only == nil || slices.Contains(s.Only, at) }

// Type is what a setting's values are.
type Type uint8

// The types.
const (
	Bool Type = iota
	Int
	Duration
	Choice
	Folder
	Checks
	AgentName
	Command
	Paths
	Agents
	TimesOf
	BudgetOf
)

func (t Type) String() string {
	return [...]string{"bool", "int", "duration", "choice", "folder", "checks", "name", "command", "paths", "agents", "times", "budget"}[t]
}

const (
	minute = int64(time.Minute / time.Second)
	hour   = 60 * minute
	day    = int64(text.Day / time.Second)
)

// Table lists all settings, in the order in which they are shown. Those of pawl run start
// agents' programs: only the user's file may let an agent or a project do more than a person
// here has agreed to.
var Table = []Setting{
	{
		Key: "board", Type: Folder, Only: []Scope{Project, User}, Near: true,
		Meaning: "the board. For the project: the one that it uses instead of its own, in a clone only after `pawl trust` there, or `pawl join` for an address. For the user: that of projects without one; a relative folder starts at the settings file's",
		ReadBy:  "every verb",
	},
	{
		Key: "lease", Type: Duration, Default: "15m", Shared: "1h", Min: int64(pawl.MinLease / time.Second), Max: int64(pawl.MaxLease / time.Second), Zero: "never",
		Meaning: "expire an agent's claim if not renewed for this long; a person's claim does not expire",
		ReadBy:  "claim, the task tools",
	},
	{
		Key: "sync", Type: Choice, Default: "claims", Words: []string{"manual", "claims", "always"},
		Meaning: "when a shared board is synced; claims: when somebody claims, completes, releases, holds or reopens a task, and each minute while Pawl is used; always: after each change; manual: at `pawl sync` only. Each mode confirms and renews claims",
		ReadBy:  "every verb, the task tools, hooks",
	},
	{
		Key: "claims.offline", Type: Choice, Default: "refuse", Words: []string{"refuse", "allow"}, Only: []Scope{User},
		Meaning: "a claim on a shared board without the remote; refuse: fails; allow: counts in this clone only, and another clone can get the task, too",
		ReadBy:  "claim, done, the task tools",
	},
	{
		Key: "checks", Type: Checks, Only: []Scope{Project},
		Meaning: "commands that must pass before a task is completed, any task or those with one of the command's labels; a clone runs them only after `pawl trust checks` there",
		ReadBy:  "done, check, the task tools",
	},
	{
		Key: "checks.untrusted", Type: Choice, Default: "refuse", Words: []string{"refuse", "skip"}, Only: []Scope{User},
		Meaning: "when an agent completes a task with untrusted required checks; refuse: the task is on hold until a person trusts them; skip: it is completed without them, and is not shown to be done. A person is refused",
		ReadBy:  "done, the task tools",
	},
	{
		Key: "checks.trusted", Type: Checks, Only: []Scope{User},
		Meaning: "checks that may run in each of the user's clones, for machines without a person, such as CI: exact commands, with their folder, variables and times",
		ReadBy:  "done, check, run, the task tools",
	},
	{
		Key: "archive.after", Type: Duration, Default: "30d", Max: 3650 * day, Zero: "never",
		Meaning: "leave completed tasks out of lists, lanes and counts after this time; `pawl list --archived`, show, graph and log find them. No file changes",
		ReadBy:  "pawl, list, board, serve, the task tools",
	},
	{
		Key: "todo-continuation", Aliases: []string{"continuation"}, Type: Int, Switch: true, Default: "3", Max: 100, Unit: "stops",
		Meaning: "continue an agent that stops with open todos or claimed tasks: at so many stops in a row without progress, at the last with a line for the person only",
		ReadBy:  "hooks",
	},
	{
		Key: "ui.showTodoPanel", Aliases: []string{"panel"}, Type: Bool, Default: "true",
		Meaning: "show the panel; off: the structured list appears inline instead",
		ReadBy:  "the todo tools, the panel",
	},
	{
		Key: "interactive", Type: Choice, Default: "auto", Words: []string{"auto", "always", "never"},
		Meaning: "whether somebody watches the session; auto: while a panel is open on it",
		ReadBy:  "the todo tools, hooks",
	},
	{
		Key: "reminders", Type: Int, Switch: true, Default: "10", Max: 1000, Unit: "tool calls",
		Meaning: "remind the agent of a todo list without an update for so many tool calls; off: suggestions, too",
		ReadBy:  "hooks",
	},
	{
		Key: "suggestions", Type: Choice, Default: "auto", Words: []string{"auto", "on", "off"},
		Meaning: "propose a todo list for work of several steps; auto: only to a model whose vendor gives it one",
		ReadBy:  "hooks",
	},
	{
		Key: "recovery.tokens", Type: Int, Default: "600", Max: 10_000, Unit: "model tokens",
		Meaning: "the length of the text that restores the plan after a start, a resume or a compaction",
		ReadBy:  "hooks",
	},
	{
		Key: "todos.store", Type: Choice, Default: "file", Words: []string{"file", "memory"},
		Meaning: "where todo lists are kept; memory: in the process only. A running server keeps the value it started with",
		ReadBy:  "todo, the todo tools, hooks",
	},
	{
		Key: "todos.keep", Type: Duration, Default: "30d", Min: hour, Max: 3650 * day,
		Meaning: "how long finished and abandoned todo lists are kept; open ones are kept for 90 days",
		ReadBy:  "todo, the todo tools, hooks",
	},
	{
		Key: "toolCalls.arguments", Type: Choice, Default: "local", Words: []string{"off", "local"}, Only: []Scope{User, Session},
		Meaning: "whether a todo keeps the paths, patterns and commands of its tool calls",
		ReadBy:  "hooks",
	},
	{
		Key: "run.agent", Type: AgentName,
		Meaning: "which agent works on tasks, if `pawl run` does not name one: one that Pawl knows, or one of run.agents. Without it, the only one that is installed",
		ReadBy:  "run",
	},
	{
		Key: "run.agents", Type: Agents, Only: []Scope{User},
		Meaning: "your own agents for `pawl run`, by their names: the command, and how it takes its prompt and tells what it does. An entry with the name of an agent that Pawl knows replaces it",
		ReadBy:  "run",
	},
	{
		Key: "run.slots", Type: Int, Default: "2", Min: 1, Max: 16, Unit: "agents",
		Meaning: "how many agents work at once. While twice as many tasks wait for approval, no agent is started",
		ReadBy:  "run",
	},
	{
		Key: "run.permissions", Type: Choice, Default: "sandbox", Words: []string{"sandbox", "skip"}, Only: []Scope{User},
		Meaning: "what an agent may do; sandbox: what its own program allows without a question; skip: everything, with the program's own argument for that, on your account and your files",
		ReadBy:  "run",
	},
	{
		Key: "run.setup", Type: Command, Only: []Scope{Project, User},
		Meaning: "a command that prepares each new work tree within 10 minutes, such as `npm ci`; a clone runs the project's only after `pawl trust checks` there",
		ReadBy:  "run",
	},
	{
		Key: "run.copy", Type: Paths, Only: []Scope{Project, User},
		Meaning: "files that git ignores and that each new work tree gets a copy of, such as `.env`; agents can read them. A clone copies what the project names only after `pawl trust checks` there",
		ReadBy:  "run",
	},
	{
		Key: "run.review", Type: Choice, Default: "before-merge", Words: []string{"before-merge", "after", "none"}, Only: []Scope{User},
		Meaning: "when a person looks at what an agent did; before-merge: nothing is merged before that; after: it is merged, and the task waits",
		ReadBy:  "run",
	},
	{
		Key: "run.integrate", Type: Choice, Default: "squash", Words: []string{"squash", "keep", "branch", "none"},
		Meaning: "what becomes of an agent's commits when the checks have passed; squash: they get into the target branch as one commit with the task's subject; keep: as the agent's own commits if the checks pass at each of them, else as one; branch: they stay on the task's branch, and the task is completed; none: they stay there, and the task waits for a person",
		ReadBy:  "run",
	},
	{
		Key: "run.attempts", Type: Int, Default: "3", Min: 1, Max: 20, Unit: "attempts",
		Meaning: "put a task on hold after so many attempts that failed",
		ReadBy:  "run",
	},
	{
		Key: "run.timeout", Type: TimesOf, Default: "attempt 1h, task 4h, run 0, idle 10m",
		Meaning: "end an attempt, all attempts at a task, or the run after this long; 0: never; a part that is not named keeps its default. idle: end an attempt whose agent prints nothing and changes no file and no task for this long, or for three times as long if it prints",
		ReadBy:  "run",
	},
	{
		Key: "run.budget", Type: BudgetOf,
		Meaning: "end an attempt, all attempts at a task, or the run at so many dollars, as the agent's program says, or model tokens. `pawl run` refuses a limit for an agent that does not tell what it uses",
		ReadBy:  "run",
	},
}

// Find returns the setting of a key or an alias, nil when there is none.
func Find(key string) *Setting {
	for i := range Table {
		if s := &Table[i]; s.Key == key || slices.Contains(s.Aliases, key) {
			return s
		}
	}
	return nil
}

// Former says what became of an earlier key; empty: it is none.
func Former(key string) string { return former[key] }

var former = map[string]string{
	"analyzer.threshold": "is always 0.6", "analyzer.cooldown": "is always 5m", "analyzer.escalateAfter": "is always 3",
	"continuation.attempts": "is todo-continuation now", "continuation.perPrompt": "is always 12", "reminders.staleAfter": "is reminders now",
	"run.setup.timeout": "is always 10m", "run.review.max": "is always twice run.slots", "run.commits": "is run.integrate now", "run.leftovers": "is always commit",
	"run.timeout.task": "is task in run.timeout now", "run.timeout.run": "is run in run.timeout now", "run.stall": "is idle in run.timeout now",
	"run.progress": "is always three times idle in run.timeout", "run.output": "is always 256 MiB", "run.disk": "is always 1 GiB",
	"run.tokens": "is run.budget now", "run.tokens.task": "is task in run.budget now", "run.tokens.run": "is run in run.budget now",
	"run.money": "is run.budget now", "run.money.task": "is task in run.budget now", "run.money.run": "is run in run.budget now",
}

// Nearest is the key or alias that was probably meant by one that is none; empty
// when none is near.
func Nearest(key string) string {
	if i := strings.LastIndexByte(key, '.'); Find(key[i+1:]) != nil {
		return key[i+1:]
	}
	var names []string
	for _, s := range Table {
		names = append(append(names, s.Key), s.Aliases...)
		if _, last, found := strings.Cut(s.Key, "."); found && strings.EqualFold(last, key) {
			return s.Key
		}
	}
	return text.Nearest(text.Clip(key, 60), names)
}

// isGroup reports whether keys of settings, or earlier ones, begin with this and a dot.
func isGroup(name string) bool {
	for key := range former {
		if strings.HasPrefix(key, name+".") && Find(name) == nil {
			return true
		}
	}
	return slices.ContainsFunc(Table, func(s Setting) bool { return strings.HasPrefix(s.Key, name+".") })
}
