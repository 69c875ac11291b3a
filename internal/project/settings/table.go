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
	Min     int64  // of an Int, a Float, or a Duration in seconds
	Max     int64
	Zero    string   // of a Duration: what 0 means; empty: it cannot be
	Unit    string   // what a number counts
	Words   []string // of a Choice
	Meaning string
	ReadBy  string  // what acts on it
	Since   string  // the first version that does
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
	Float
	Duration
	Choice
	Folder
	Checks
	AgentName
	Command
	Paths
	Agents
)

func (t Type) String() string {
	return [...]string{"bool", "int", "float", "duration", "choice", "folder", "checks", "name", "command", "paths", "agents"}[t]
}

const (
	minute = int64(time.Minute / time.Second)
	hour   = 60 * minute
	day    = int64(text.Day / time.Second)
)

// Table lists all settings, in the order in which they are shown.
var Table = slices.Concat(common, running)

var common = []Setting{
	{
		Key: "board", Type: Folder, Only: []Scope{Project, User}, Near: true,
		Meaning: "the board. For the project: the one that it uses instead of its own, in a clone only after `pawl trust` there, or `pawl join` for an address. For the user: that of projects without one; a relative folder starts at the settings file's",
		ReadBy:  "every verb", Since: "0.1",
	},
	{
		Key: "lease", Type: Duration, Default: "15m", Shared: "1h", Min: int64(pawl.MinLease / time.Second), Max: int64(pawl.MaxLease / time.Second), Zero: "never",
		Meaning: "expire an agent's claim if not renewed for this long; a person's claim does not expire",
		ReadBy:  "claim, start, the task tools", Since: "0.1",
	},
	{
		Key: "sync", Type: Choice, Default: "claims", Words: []string{"manual", "claims", "always"},
		Meaning: "when a shared board is synced; claims: when somebody claims, completes, releases, holds or reopens a task, and each minute while Pawl is used; always: after each change; manual: at `pawl sync` only. Each mode confirms and renews claims",
		ReadBy:  "every verb, the task tools, hooks", Since: "0.1",
	},
	{
		Key: "claims.offline", Type: Choice, Default: "refuse", Words: []string{"refuse", "allow"}, Only: []Scope{User},
		Meaning: "a claim on a shared board without the remote; refuse: fails; allow: counts in this clone only, and another clone can get the task, too",
		ReadBy:  "claim, start, done, the task tools", Since: "0.1",
	},
	{
		Key: "checks", Type: Checks, Only: []Scope{Project},
		Meaning: "commands that must pass before a task is completed, any task or those with one of the command's labels; a clone runs them only after `pawl trust checks` there",
		ReadBy:  "done, check, the task tools", Since: "0.1",
	},
	{
		Key: "checks.untrusted", Type: Choice, Default: "refuse", Words: []string{"refuse", "skip"}, Only: []Scope{User},
		Meaning: "when an agent completes a task with untrusted required checks; refuse: the task is on hold until a person trusts them; skip: it is completed without them, and is not shown to be done. A person is refused",
		ReadBy:  "done, the task tools", Since: "0.1",
	},
	{
		Key: "checks.trusted", Type: Checks, Only: []Scope{User},
		Meaning: "checks that may run in each of the user's clones, for machines without a person, such as CI: exact commands, with their folder, variables and times",
		ReadBy:  "done, check, run, the task tools", Since: "0.1",
	},
	{
		Key: "archive.after", Type: Duration, Default: "30d", Max: 3650 * day, Zero: "never",
		Meaning: "leave completed tasks out of lists, lanes and counts after this time; `pawl list --archived`, show, graph and log find them. No file changes",
		ReadBy:  "pawl, list, board, serve, the task tools", Since: "0.1",
	},
	{
		Key: "todo-continuation", Aliases: []string{"continuation"}, Type: Bool, Default: "true",
		Meaning: "continue an agent that stops with open todos or claimed tasks",
		ReadBy:  "hooks", Since: "0.1",
	},
	{
		Key: "continuation.attempts", Type: Int, Default: "3", Max: 100, Unit: "stops",
		Meaning: "how many stops in a row without progress Pawl answers: with notes to the agent, the last with a line for the person only",
		ReadBy:  "hooks", Since: "0.1",
	},
	{
		Key: "continuation.perPrompt", Type: Int, Default: "12", Max: 1000, Unit: "continuations",
		Meaning: "how often Pawl continues an agent in all for one prompt of its user",
		ReadBy:  "hooks", Since: "0.1",
	},
	{
		Key: "ui.showTodoPanel", Aliases: []string{"panel"}, Type: Bool, Default: "true",
		Meaning: "show the panel; off: the structured list appears inline instead",
		ReadBy:  "the todo tools, the panel", Since: "0.1",
	},
	{
		Key: "interactive", Type: Choice, Default: "auto", Words: []string{"auto", "always", "never"},
		Meaning: "whether somebody watches the session; auto: while a panel is open on it",
		ReadBy:  "the todo tools, hooks", Since: "0.1",
	},
	{
		Key: "reminders", Type: Bool, Default: "true",
		Meaning: "suggest a todo list, and remind the agent of a stale one",
		ReadBy:  "hooks", Since: "0.1",
	},
	{
		Key: "reminders.staleAfter", Type: Int, Default: "10", Min: 1, Max: 1000, Unit: "tool calls",
		Meaning: "how many tool calls without a todo update make the list stale",
		ReadBy:  "hooks", Since: "0.1",
	},
	{
		Key: "analyzer.threshold", Type: Float, Default: "0.6", Max: 1,
		Meaning: "the score at which a prompt counts as complex",
		ReadBy:  "hooks", Since: "0.1",
	},
	{
		Key: "analyzer.cooldown", Type: Duration, Default: "5m", Max: day, Zero: "no pause",
		Meaning: "the pause between two suggestions",
		ReadBy:  "hooks", Since: "0.1",
	},
	{
		Key: "analyzer.escalateAfter", Type: Int, Default: "3", Min: 1, Max: 100, Unit: "prompts",
		Meaning: "how many complex prompts in a row make the suggestion a stronger one",
		ReadBy:  "hooks", Since: "0.1",
	},
	{
		Key: "recovery.tokens", Type: Int, Default: "600", Max: 10_000, Unit: "model tokens",
		Meaning: "the length of the text that restores the plan after a start, a resume or a compaction",
		ReadBy:  "hooks", Since: "0.1",
	},
	{
		Key: "todos.store", Type: Choice, Default: "file", Words: []string{"file", "memory"},
		Meaning: "where todo lists are kept; memory: in the process only. A running server keeps the value it started with",
		ReadBy:  "todo, the todo tools, hooks", Since: "0.1",
	},
	{
		Key: "todos.keep", Type: Duration, Default: "30d", Min: hour, Max: 3650 * day,
		Meaning: "how long finished and abandoned todo lists are kept; open ones are kept for 90 days",
		ReadBy:  "todo, the todo tools, hooks", Since: "0.1",
	},
	{
		Key: "toolCalls.arguments", Type: Choice, Default: "local", Words: []string{"off", "local"}, Only: []Scope{User, Session},
		Meaning: "whether a todo keeps the paths, patterns and commands of its tool calls",
		ReadBy:  "hooks", Since: "0.1",
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

// isGroup reports whether some settings' keys begin with this and a dot.
func isGroup(name string) bool {
	return slices.ContainsFunc(Table, func(s Setting) bool { return strings.HasPrefix(s.Key, name+".") })
}
