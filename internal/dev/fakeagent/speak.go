package fakeagent

import (
	"encoding/json"
	"os"

	"github.com/pawl-dev/pawl/internal/acp"
)

// listen hears a client of the Agent Client Protocol until it sends the prompt. Later it
// ends when its turn is cancelled.
func (a *agent) listen() error {
	for {
		line, err := a.spoken.Next()
		if err != nil {
			return err
		}
		m, _ := acp.Look(line.Text)
		id := append(json.RawMessage{}, m.ID...)
		switch m.Method {
		case acp.MethodInitialize:
			a.answer(id, map[string]any{"protocolVersion": acp.Version, "agentCapabilities": map[string]any{"loadSession": true}})
		case acp.MethodNew:
			a.answer(id, acp.Session{SessionID: a.session})
		case acp.MethodLoad:
			a.session, a.resumed = acp.Text(acp.Field(m.Params, "sessionId")), true
			a.answer(id, object{})
		case acp.MethodPrompt:
			var in acp.Prompt
			if err := json.Unmarshal(m.Params, &in); err != nil {
				return err
			}
			a.prompt, a.asked = in.Prompt[0].Text, id
			go func() {
				for line, err := a.spoken.Next(); err == nil; line, err = a.spoken.Next() {
					if m, _ := acp.Look(line.Text); m.Method == acp.MethodCancel {
						a.answer(id, acp.Prompted{StopReason: acp.Cancelled})
						os.Exit(0)
					}
				}
			}()
			return nil
		default:
			a.answer(id, object{})
		}
	}
}

func (a *agent) answer(id json.RawMessage, result any) {
	_, _ = os.Stdout.Write(acp.Response(id, result))
}

// speak is a line of the stream as the protocol has it; nil: it has none.
func (a *agent) speak(o object) object {
	switch o["type"] {
	case "assistant":
		message := o["message"].(object)
		cost := message["usage"].(usage)
		return object{"jsonrpc": "2.0", "method": acp.MethodUpdate, "params": object{"sessionId": a.session, "update": object{
			"sessionUpdate": acp.UpdateMessage, "content": message["content"].([]object)[0],
			"_meta": object{"usage": object{"inputTokens": cost.In, "outputTokens": cost.Out}},
		}}}
	case "result":
		if o["is_error"] == true {
			return object{"jsonrpc": "2.0", "id": a.asked, "error": object{"code": -32603, "message": o["result"]}}
		}
		return object{"jsonrpc": "2.0", "id": a.asked, "result": acp.Prompted{StopReason: acp.EndTurn}}
	}
	return nil
}
