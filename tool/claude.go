package tool

import (
	_ "embed"
	"strconv"
	"sync"

	"github.com/pawl-dev/pawl"
)

// claude.json is the catalog of the tools that have Claude Code's names and
// schemas, with what its users miss: edges can be removed, and a list of many
// tasks has pages. Each understands, beyond what it advertises, what the tool of
// ours that it is like understands.
//
//go:embed claude.json
var claudeText []byte

var claudeCatalog = sync.OnceValue(func() []entry { return readCatalog(claudeText) })

var claudeNames = names{get: "TaskGet", list: "TaskList", update: "TaskUpdate", create: "TaskCreate", texts: true}

// claudeRunner returns what carries out a tool under its name in Claude Code.
func claudeRunner(tool string) runner {
	switch tool {
	case "TodoWrite":
		return (*kit).claudeWrite
	case "TaskCreate":
		return (*kit).claudeCreate
	case "TaskUpdate":
		return (*kit).claudeUpdate
	case "TaskList":
		return (*kit).claudeList
	case "TaskGet":
		return (*kit).claudeGet
	}
	return nil
}

// Claude returns the tools under the names and schemas of Claude Code's own, for
// models that learned those: TodoWrite, TaskCreate, TaskUpdate, TaskList and
// TaskGet, in this order. Without a board, or without todo lists, those that need
// them are left out.
//
// They do the same as Pawl's own, on the same lists and the same board: a blocked
// task cannot be started, and another agent's task cannot be taken. Programs get
// the results in Claude Code's shapes, with ids as texts.
func Claude(o Options) []Tool {
	k := newKit(o)
	k.names = claudeNames
	k.names.checks = o.Complete != nil
	var tools []Tool
	for _, e := range claudeCatalog() {
		if todos := e.Name == "TodoWrite"; todos && o.Todos == nil || !todos && o.Board == nil {
			continue
		}
		tools = append(tools, e.tool(k, claudeRunner(e.Name)))
	}
	return tools
}

func decimal(id pawl.ID) string { return strconv.FormatInt(int64(id), 10) }

// decimals is never nil: programs get a list.
func decimals(ids []pawl.ID) []string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = decimal(id)
	}
	return texts
}
