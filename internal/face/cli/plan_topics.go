package cli

import "github.com/pawl-dev/pawl/internal/manual"

// planTopics are the two languages of internal/plan.
var planTopics = []manual.Section{
	{
		Title: "Markdown",
		Block: []string{
			"- [ ] Parser {#parser}",
			"  - [ ] Grammar !high",
			"    All of it, with comments.",
			"  - [ ] Errors (after: Grammar)",
			"- [ ] Docs (after: parser, #12) (labels: text) @ada",
			"- [x] Name",
		},
		Terms: []manual.Term{
			{Word: "- [ ] TEXT", Meaning: "a task; so is a plain bullet (- * +), a numbered item, and a heading where a text has no list"},
			{Word: "- [x] TEXT", Meaning: "done already, so it makes no task, and whoever waits for it does not"},
			{Word: "indentation", Meaning: "an item that is indented further is a child of the one above; the parent waits for it"},
			{Word: "text under an item", Meaning: "its description"},
			{Word: "(after: X, Y)", Meaning: "waits for X and Y; also blocked by, depends on, waits for, needs, with a colon or without. On a parent its leaves wait"},
			{Word: "(blocks: X)", Meaning: "X waits for it"},
			{Word: "(priority: high)", Meaning: "or !high: high, medium or low"},
			{Word: "(labels: a, b)", Meaning: "labels"},
			{Word: "(owner: ada)", Meaning: "or @ada at the end: assigned to ada"},
			{Word: "(parent: X)", Meaning: "a child of X, which may be on the board: #12"},
			{Word: "(ref: NAME)", Meaning: "or {#NAME}: a name to speak of it in this plan"},
			{Word: "sequential", Meaning: "on a line of its own above the list: the same as --chain"},
		},
	},
	{
		Title: "Names",
		Terms: []manual.Term{
			{Word: "X", Meaning: "a task of the plan: its ref, its number in a numbered list, its subject, or a beginning of the subject that no other has"},
			{Word: "#12", Meaning: "a task of the board; in JSON also 12, if that is no ref"},
		},
	},
	{
		Title: "JSON",
		Block: []string{
			`{"tasks": [`,
			`  {"ref": "parser", "subject": "Parser", "children": ["Grammar", "Errors"]},`,
			`  {"subject": "Docs", "blockedBy": ["parser", 12], "priority": "high"}`,
			`]}`,
		},
		Terms: []manual.Term{
			{Word: "tasks", Meaning: "the list; a list alone, or one task alone, is a plan too. A text in it is a subject"},
			{Word: "subject", Meaning: "what is to be done; the only field that must be there"},
			{Word: "ref", Meaning: "a name to speak of it in this plan"},
			{Word: "blockedBy, blocks", Meaning: "refs, subjects or ids. Given to a parent, its leaves wait"},
			{Word: "parent, children", Meaning: "a ref, subject or id; tasks that are nested"},
			{Word: "description, activeForm, priority, labels, owner, metadata", Meaning: "as tasks have them; a field that is not known is kept in metadata"},
			{Word: "status", Meaning: "completed leaves the task out; any other is pending"},
			{Word: "sequential", Meaning: "true, beside tasks: the same as --chain"},
		},
	},
}
