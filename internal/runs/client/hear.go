package client

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/pawl-dev/pawl/internal/acp"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/todo"
)

// An update is what the program says of its work. Fields that are there in other shapes for
// other kinds are read on their own.
type update struct {
	Kind    string `json:"sessionUpdate"`
	Content json.RawMessage
	Entries []acp.Entry
	Cost    struct{ Amount float64 }
	Meta    struct{ Usage usage } `json:"_meta"`
}

// A call is what is known of a call of a tool.
type call struct {
	ID        string `json:"toolCallId"`
	Kind      string // read, edit, execute, …
	Title     string // for a person
	Status    string
	Locations []struct{ Path string }
	Input     json.RawMessage `json:"rawInput"`
	Meta      struct {
		Tool string `json:"toolName"`
	} `json:"_meta"`
}

// A usage is what programs say of tokens, each in its own way.
type usage struct {
	In     int `json:"inputTokens"`
	Cached int `json:"cachedReadTokens"`
	Out    int `json:"outputTokens"`
	All    int `json:"totalTokens"`
}

func (u usage) of() agent.Usage {
	return agent.Usage{In: max(u.In, u.All-u.Out), Cached: u.Cached, Out: u.Out}
}

// prompted is the end of a turn.
type prompted struct {
	StopReason string
	Usage      usage
	Meta       struct {
		Quota struct {
			Tokens struct {
				In  int `json:"input_tokens"`
				Out int `json:"output_tokens"`
			} `json:"token_count"`
		}
	} `json:"_meta"`
}

func (p *prompted) used() agent.Usage {
	if q := p.Meta.Quota.Tokens; p.Usage == (usage{}) {
		return agent.Usage{In: q.In, Out: q.Out}
	}
	return p.Usage.of()
}

// update tells what an update says. Each leaves a line: also one that says nothing is a sign
// that the program works.
func (c *client) update(params json.RawMessage) {
	text := acp.Field(params, "update")
	var u update
	if json.Unmarshal(text, &u) != nil {
		return
	}
	said := agent.Said{More: c.more}
	switch u.Kind {
	case acp.UpdateMessage:
		var part acp.Block
		_ = json.Unmarshal(u.Content, &part) // an image has no text
		part.Text = part.Text[max(0, len(part.Text)-maxText):]
		said.Text, said.Doing, said.Usage = part.Text, agent.Line(part.Text), u.Meta.Usage.of()
		if c.more = c.more || part.Text != ""; said.Usage != (agent.Usage{}) { // which comes behind the message
			c.more = false
		}
	case acp.UpdateCall, acp.UpdateCallNews:
		is := c.know(text)
		c.more, said.More = false, false
		if is.Status == "completed" || is.Status == "failed" {
			delete(c.calls, is.ID)
			break
		}
		said.Doing, said.Plan = is.says(), is.plan()
	case acp.UpdatePlan:
		said.Plan = planOf(u.Entries)
	case "usage_update":
		said.Total, said.Usage.Money = true, u.Cost.Amount
	}
	c.tell(said)
}

// mostCalls bounds how many calls are remembered that have not ended.
const mostCalls = 256

// know adds what an update says of a call to what earlier ones have said.
func (c *client) know(text json.RawMessage) call {
	is := c.calls[acp.Text(acp.Field(text, "toolCallId"))]
	_ = json.Unmarshal(text, &is) // what is of another shape is not known
	if len(c.calls) >= mostCalls {
		clear(c.calls)
	}
	c.calls[is.ID] = is
	return is
}

// says is what a call does, for a person: no more of a command than is kept.
func (k *call) says() string {
	if k.Kind == "execute" {
		command := cmp.Or(acp.Text(acp.Field(k.Input, "command")), k.Title)
		return agent.Call("Shell", agent.JSON(map[string]string{"command": command}))
	}
	if len(k.Locations) > 0 && k.Kind != "" && k.Kind != "other" {
		return agent.Call(k.Kind, agent.JSON(map[string]string{"path": k.Locations[0].Path}))
	}
	title, _, _ := strings.Cut(k.Title, ": {") // some have the arguments behind it
	return agent.Line(todo.MaskText(title))
}

// plan is the list that a call writes: some programs tell of their list in no other way.
func (k *call) plan() *agent.Plan {
	var in struct {
		Todos []acp.Entry
		Merge bool
	}
	if json.Unmarshal(k.Input, &in) != nil || in.Merge || len(in.Todos) == 0 || in.Todos[0].Content == "" {
		return nil
	}
	return planOf(in.Todos)
}

const (
	mostTodos = 100      // of a plan
	maxText   = 64 << 10 // bytes of a part of an answer: the end of a longer one
)

func planOf(entries []acp.Entry) *agent.Plan {
	p := &agent.Plan{Todos: []agent.Todo{}}
	for _, e := range entries[:min(len(entries), mostTodos)] {
		p.Todos = append(p.Todos, agent.Todo{Content: agent.Line(todo.MaskText(e.Content)), Status: agent.Line(e.Status)})
	}
	return p
}
