package fakeagent

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// usage is what a message, or all of them, have cost.
type usage struct {
	In  int `json:"input_tokens"`
	Out int `json:"output_tokens"`

	dollars float64
}

// object is a line of the stream.
type object map[string]any

func (a *agent) print(o object) {
	o["session_id"] = a.session
	if a.spoken != nil {
		if o = a.speak(o); o == nil {
			return
		}
	}
	line, err := json.Marshal(o)
	if err != nil {
		broken(err)
	}
	if _, err := a.out.Write(append(line, '\n')); err != nil {
		os.Exit(exitBroken) // nobody listens
	}
}

func (a *agent) begin() {
	dir, _ := os.Getwd()
	a.print(object{"type": "system", "subtype": "init", "cwd": dir, "model": "stand-in", "tools": []string{}, "permissionMode": "acceptEdits"})
}

// say prints a message of the agent with its usage, as Claude Code does, and the total
// cost so far, which Claude Code prints only at the end.
func (a *agent) say(text string, cost usage) {
	a.turns++
	a.said = text
	a.usage.In += cost.In
	a.usage.Out += cost.Out
	a.usage.dollars += cost.dollars
	line := object{"type": "assistant", "message": object{
		"id": "msg_" + strconv.Itoa(a.turns), "type": "message", "role": "assistant", "model": "stand-in",
		"content": []object{{"type": "text", "text": text}}, "usage": cost,
	}}
	if cost.dollars > 0 {
		line["total_cost_usd"] = a.usage.dollars
	}
	a.print(line)
}

// exit prints the result and ends.
func (a *agent) exit(code int) {
	a.result(code, a.said)
	os.Exit(code)
}

func (a *agent) result(code int, text string) {
	kind := "success"
	if code != 0 {
		kind = "error_during_execution"
	}
	a.print(object{
		"type": "result", "subtype": kind, "is_error": code != 0, "result": text, "num_turns": a.turns,
		"total_cost_usd": a.usage.dollars, "usage": a.usage,
	})
}

// refused prints what Claude Code does when its provider refuses.
func (a *agent) refused(until time.Time) {
	a.print(object{"type": "rate_limit_event", "rate_limit_info": object{
		"status": "rejected", "resetsAt": until.Unix(), "rateLimitType": "five_hour", "isUsingOverage": false,
	}})
	text := fmt.Sprintf("Claude AI usage limit reached|%d", until.Unix())
	a.print(object{"type": "assistant", "error": "rate_limit", "message": object{
		"id": "msg_limit", "type": "message", "role": "assistant", "model": "<synthetic>",
		"content": []object{{"type": "text", "text": text}}, "usage": usage{},
	}})
	a.result(1, text)
	os.Exit(1)
}

const floodLine = 64 << 10 // of text

// flood prints messages of so many bytes together.
func (a *agent) flood(bytes int) {
	for ; bytes > 0; bytes -= floodLine {
		a.say(strings.Repeat("x", min(bytes, floodLine)), usage{})
	}
	a.said = ""
}
