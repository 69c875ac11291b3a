package main

// repository is the base of links to files that are not part of the site.
const repository = "https://github.com/pawl-dev/pawl/blob/main/"

// A chapter is a group of pages in the menu.
type chapter struct {
	title string
	pages []entry
}

// An entry is a page of the menu.
type entry struct {
	source string // path in the repository
	title  string // in the menu; the page's own heading may be longer
}

// commands is the folder of the commands' help, which becomes one page.
const commands = "internal/ui/cli/testdata/help"

// contents is the menu. The first page is the site's front page.
var contents = []chapter{
	{"", []entry{{"README.md", "Pawl"}}},
	{"Use", []entry{
		{"docs/install.md", "Installing"},
		{commands, "Commands"},
		{"docs/import.md", "Importing tasks"},
		{"docs/board.md", "Board in the terminal"},
		{"docs/panel.md", "Panel beside an agent"},
		{"docs/acp.md", "Plan in an editor"},
		{"docs/serve.md", "Board in the browser"},
		{"docs/checks.md", "Checks: when a task is done"},
		{"docs/run.md", "Runs: agents work a board off"},
		{"docs/team.md", "Board for a team"},
		{"docs/many-machines.md", "Boards in PostgreSQL"},
		{"docs/git.md", "Boards and git"},
		{"docs/settings.md", "Settings"},
	}},
	{"Agents", []entry{
		{"docs/setup.md", "Setting up agents"},
		{"docs/hooks.md", "Hooks"},
		{"docs/mcp.md", "Tools over MCP"},
	}},
	{"Programs", []entry{
		{"docs/cli.md", "Command line"},
		{"docs/library.md", "Go library"},
		{"docs/api.md", "HTTP API"},
		{"internal/ui/web/testdata/reference.md", "HTTP API: reference"},
		{"docs/protocol.md", "Protocol of addresses"},
		{"docs/format.md", "Files of a board"},
	}},
	{"Inside", []entry{
		{"docs/benchmarks.md", "Measurements"},
		{"docs/reliability.md", "What is tested"},
		{"docs/comparison.md", "Compared with others"},
		{"ARCHITECTURE.md", "Architecture"},
		{"docs/decisions.md", "Decisions"},
		{"CONTRIBUTING.md", "Contributing"},
		{"CHANGELOG.md", "Changes"},
	}},
}
