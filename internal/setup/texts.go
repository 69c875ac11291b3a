package setup

import (
	"io/fs"
	"strings"

	"github.com/pawl-dev/pawl/integrations"
	plugin "github.com/pawl-dev/pawl/integrations/opencode"
)

// What stands in a file of its own comes from the packages for agents' programs.

func skillText() string { return string(integrations.Skill()) }

func claudeCommands() map[string]string { return all(integrations.ClaudeCommands()) }

// opencodePlugin is the plugin, which calls us as the other agents do.
func opencodePlugin(command string) string {
	return strings.Replace(plugin.Plugin, pluginCalls+`"pawl"`, pluginCalls+string(raw(command)), 1)
}

// pluginCalls is before the command in the plugin's text.
const pluginCalls = "process.env.PAWL_BIN || "

func geminiCommands() map[string]string { return all(integrations.GeminiCommands()) }

// qwenCommands are those for Claude Code. What stands for the words of a person
// was another text in earlier versions of Qwen Code.
func qwenCommands() map[string]string {
	texts := claudeCommands()
	for name, text := range texts {
		var b strings.Builder
		for line := range strings.Lines(text) {
			switch command, ok := strings.CutSuffix(line, "$ARGUMENTS\n"); {
			case ok && strings.HasPrefix(line, "/pawl:"):
				b.WriteString(command + "{{args}}\n" + line)
			case !strings.HasPrefix(line, "allowed-tools:"):
				b.WriteString(line)
			}
		}
		texts[name] = b.String()
	}
	return texts
}

// all are the files of a folder that is part of the program, by their names.
func all(folder fs.FS) map[string]string {
	texts := map[string]string{}
	names, _ := fs.Glob(folder, "*")
	for _, name := range names {
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			panic(err) // it is in the program
		}
		texts[name] = string(text)
	}
	return texts
}

// tools are the names of Pawl's tools, for agents that allow them one by one.
var tools = []string{"todo_write", "todo_read", "todo_pause", "task_create", "task_update", "task_list", "task_get", "task_claim"}

// agentsBlock is our part of an AGENTS.md.
const agentsBlock = blockBegin + `
## Plans and todos

This project keeps its plan with Pawl, outside the conversation. Use todo_write for what only this session needs, and task_create, task_claim and task_update for what must outlive it. Before you start look at task_list; note what you learned with task_update; finish what you claimed, or release it. Without these tools the command is ` + "`pawl`" + `: ` + "`pawl ready`, `pawl claim`, `pawl done ID`" + `.
` + blockEnd + "\n"
