package hook

// A Dialect is how one agent's program speaks to its hooks.
type Dialect struct {
	Agent string // as --agent names it
	// Decode reads an event. name is --event, or empty where the payload says it.
	// An event that means nothing to Pawl has no Kind; it is no error. getenv is
	// the hook's environment, for what a payload lacks.
	Decode func(name string, payload []byte, getenv func(string) string) (Event, error)
	// Encode writes an answer to an event. What the program has no way to do is
	// left out; nil is nothing to print.
	Encode func(Event, Answer) []byte

	EndsTurn bool // a turn can be ended after a tool call
	Handles  bool // a prompt can be kept from the agent, with a text for the person
	Silent   bool // see nudge.Event.Silent

	// Native is the tool of the agent's own that makes a list, when every session
	// has it: TaskCreate. Empty: it has none, or may not have it.
	Native string
	// ByEntry says that the agent changes its own list entry by entry also where
	// the same tool makes them.
	ByEntry bool
	// Prints are the arguments with which the program is started to print an
	// answer and end, with no person there.
	Prints []string
	// Pauses is the tool of the agent's own by which it pauses. Empty: it has none.
	Pauses string
	// Shown is how the program shows a tool of Pawl's server to its agent:
	// "mcp__pawl__" before todo_write.
	Shown string
	// Off is how a person switches continuation off in a chat; empty: by the
	// command line.
	Off string
	// Stops is how often the program lets a hook continue its agent before it ends
	// the turn all the same; 0: as often as the hook likes. StopsIn is the variable
	// in which a person says another number.
	Stops   int
	StopsIn string
}

// dialects are all that are known, by the name of the agent.
var dialects = map[string]*Dialect{
	"claude": {
		Agent: "claude", Decode: decodeClaude, Encode: encodeClaude,
		EndsTurn: true, Handles: true, Prints: []string{"-p", "--print"},
		Native: "TaskCreate", Shown: "mcp__pawl__", Off: "/pawl:continuation off",
		Stops: 8, StopsIn: "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP",
	},
	"codex": {
		Agent: "codex", Decode: decodeCodex, Encode: encodeCodex,
		Handles: true, Prints: []string{"exec", "e", "review"}, Shown: "mcp__pawl__", // update_plan depends on the model
	},
	"qwen": {
		Agent: "qwen", Decode: decodeQwen, Encode: encodeQwen,
		Handles: true, Prints: []string{"-p", "--prompt"}, Shown: "mcp__pawl__", Off: "/pawl:continuation off", // todo_write is off by default
		Stops: 8, // stopHookBlockingCap
	},
	"vscode": {
		Agent: "vscode", Decode: decodeVSCode, Encode: encodeVSCode,
		Shown: "mcp_pawl_",
	},
	"goose": {
		Agent: "goose", Decode: decodeGoose, Encode: encodeGoose,
		Prints: []string{"run"}, Shown: "pawl__", Stops: 8, // GOOSE_STOP_HOOK_BLOCK_CAP
	},
	"crush": {
		Agent: "crush", Decode: decodeCrush, Encode: encodeCrush,
		Shown: "mcp_pawl_",
	},
	"gemini": {
		Agent: "gemini", Decode: decodeGemini, Encode: encodeGemini,
		EndsTurn: true, Handles: true, Silent: true, Prints: []string{"-p", "--prompt"},
		Native: "write_todos", Shown: "mcp_pawl_", Off: "/pawl:continuation off",
	},
	"llxprt": { // what was seen of Gemini CLI was not tried there
		Agent: "llxprt", Decode: decodeGemini, Encode: encodeGemini,
		Silent: true, Prints: []string{"-p", "--prompt"}, Native: "todo_write", Pauses: "todo_pause", Shown: "mcp_pawl_",
	},
	"copilot": {
		Agent: "copilot", Decode: decodeCopilot, Encode: encodeCopilot,
		Prints: []string{"-p", "--prompt"}, ByEntry: true, Shown: "pawl-", Stops: 8,
	},
	"opencode": {
		Agent: "opencode", Decode: decodeOpencode, Encode: encodeOpencode,
		Handles: true, Prints: []string{"run"}, Native: "todowrite", Shown: "pawl_", Off: "/pawl:continuation off",
	},
	"cursor": {
		Agent: "cursor", Decode: decodeCursor, Encode: encodeCursor,
		Handles: true, Prints: []string{"-p", "--print"}, Stops: 5, // loop_limit
	},
	"windsurf": {
		Agent: "windsurf", Decode: decodeWindsurf, Encode: encodeWindsurf,
	},
}
