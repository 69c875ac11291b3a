package agent

// programs are those that speak the Agent Client Protocol, with what people call them.
var programs = []struct {
	title   string
	command []string
}{
	{"Claude Code", []string{"claude-agent-acp"}}, {"Claude Code", []string{"claude-code-acp"}}, {"Codex", []string{"codex-acp"}}, {"Gemini CLI", []string{"gemini", "--acp"}},
	{"Qwen Code", []string{"qwen", "--acp"}}, {"Copilot CLI", []string{"copilot", "--acp"}}, {"opencode", []string{"opencode", "acp"}},
}

// Editor is the Config of an editor, whose file lists the programs that it starts. Each one
// that is installed gets an entry of its own, with Pawl before it: the editor's stay.
func Editor(title string, home func(Place) string, file func(Place) string, first Value) Config {
	pieces := func(p Place) (all []Piece) {
		for _, a := range programs {
			if p.Look == nil || p.Look(a.command[0]) == "" || len(all) > 0 && all[len(all)-1].Path[1] == a.title+" with Pawl" {
				continue
			}
			entry := append(append(Value{}, first...), "command", p.Command, "args", append([]string{"acp", "--"}, a.command...), "env", Value{})
			all = append(all, Member("agents", entry, "agent_servers", a.title+" with Pawl"))
		}
		return all
	}
	return Config{
		Home: home, Asks: true,
		NoProject: title + " reads the agents that it starts from the user's settings only",
		Files:     func(p Place) []File { return []File{{Path: file(p), Pieces: pieces(p)}} },
		Needs: func(p Place) string {
			if len(pieces(p)) > 0 {
				return ""
			}
			return "no program that " + title + " could start is on PATH: install one that speaks the Agent Client Protocol, such as claude-agent-acp or codex-acp"
		},
		Steps: func(Place) []string {
			return []string{"begin a thread with one of the agents called … with Pawl; after another agent was installed, run this setup again"}
		},
	}
}
