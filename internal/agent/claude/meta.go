package claude

import "github.com/pawl-dev/pawl/internal/agent"

// meta reads the number of the call:
//
//	{"claudecode/toolUseId": "toolu_01…"}
func meta(field func(path ...string) string) agent.Meta {
	return agent.Meta{ToolUse: field("claudecode/toolUseId")}
}
