package cli

import "github.com/pawl-dev/pawl/internal/manual"

// planTopics are the two languages of internal/plan.
func planTopics() []manual.Section {
	return []manual.Section{
		{
			Title: "Markdown",
			Block: []string{
				"- [ ] Parser {#parser}",
				"  - [ ] Grammar !high",
				"    All of it, with comments.",
				"    check: go test ./grammar",
				"    accept: the docs say so",
				"  - [ ] Errors (after: Grammar)",
				"- [ ] Docs (after: parser, #12) (labels: text) @ada",
				"- [x] Name",
			},
			Terms: []manual.Term{
				{Word: "- [ ] TEXT", Meaning: "a task; so is a plain bullet (- * +) and a numbered item. In a text with check boxes, an item without one is a task only in a list with boxes or with (after: …); below another item it is description, or with --deep a task"},
				{Word: "- [x] TEXT", Meaning: "a completed task"},
				{Word: "- [ ] #3 TEXT", Meaning: "in a file that was planned before: the new text of task 3, if it is open and nobody has claimed it"},
				{Word: "1. TEXT", Meaning: "numbered items run in order: each depends on those before it. So do Phase 1, Step 1, Wave 1, T001. An item with (after: …) depends only on the tasks that it names"},
				{Word: "[P]", Meaning: "consecutive [P] items do not depend on each other, nor do the items of a wave"},
				{Word: "# Heading", Meaning: "the parent of the items below it. A single # at the top is a title; headings such as Tasks or Steps are not parents; in a text without a list, headings are tasks"},
				{Word: "Context, Notes, Risks …", Meaning: "items below such headings are not tasks, unless they have a box. The last line of output names the items left out"},
				{Word: "check: COMMAND", Meaning: "below a task: a command that must pass before it is done; also \"check: NAME: COMMAND\", or a list below checks:. plan does not run it"},
				{Word: "accept: TEXT", Meaning: "below a task: a criterion that must be ticked before it is done; also a list below accept:, with or without boxes"},
				{Word: "Done when:", Meaning: "or Acceptance criteria:, below a task: items with boxes are its criteria, - [x] a ticked one; items without are notes. Without such a line a nested box is a task"},
				{Word: "Verification: TEXT", Meaning: "a note of the parent, unless it has a box. Nothing is run"},
				{Word: "indentation", Meaning: "an item indented further is a child of the one above, and the parent cannot be completed before it"},
				{Word: "text under an item", Meaning: "its description"},
				{Word: "(after: X, Y)", Meaning: "depends on X and Y; also written blocked by, depends on, waits for or needs, with or without a colon. On a parent it applies to its leaves"},
				{Word: "(blocks: X)", Meaning: "X depends on it"},
				{Word: "(priority: high)", Meaning: "or !high: high, medium or low"},
				{Word: "(labels: a, b)", Meaning: "labels"},
				{Word: "(owner: ada)", Meaning: "or @ada at the end: assigned to ada"},
				{Word: "(parent: X)", Meaning: "a child of X, or of a task on the board: #12"},
				{Word: "(ref: NAME)", Meaning: "or {#NAME}: a name for it in this plan"},
				{Word: "sequential, parallel", Meaning: "on a line of its own above the list: the same as --chain, --parallel"},
			},
		},
		{
			Title: "Names",
			Terms: []manual.Term{
				{Word: "X", Meaning: "a task of the plan: its ref, its number in a numbered list (in its own list first), Phase 2, T012, its subject, or a unique beginning of its subject"},
				{Word: "#12", Meaning: "a task of the board; in JSON also 12, unless a ref is called 12"},
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
				{Word: "tasks", Meaning: "the list; a list alone or one task alone works too. A string in it is a subject"},
				{Word: "subject", Meaning: "what is to be done; the only required field"},
				{Word: "ref", Meaning: "a name for it in this plan"},
				{Word: "blockedBy, blocks", Meaning: "refs, subjects or ids. On a parent it applies to its leaves"},
				{Word: "parent, children", Meaning: "a ref, subject or id; nested tasks"},
				{Word: "description, activeForm, priority, labels, owner, metadata", Meaning: "as in a task; unknown fields go into metadata"},
				{Word: "checks", Meaning: "commands that must pass: texts, or objects with name, run (a list of words), dir, timeout, env, expect, optional"},
				{Word: "accept", Meaning: "criteria: texts, or objects with text and done"},
				{Word: "status", Meaning: "completed: a completed task; any other: pending. A task with checks is open until they have passed"},
				{Word: "sequential", Meaning: "true, beside tasks: the same as --chain"},
			},
		},
	}
}
