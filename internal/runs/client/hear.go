package client

import (
	"encoding/json"
	"maps"
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
	Message string `json:"messageId"`
	Entries []acp.Entry
	Plan    *acp.Plan
	Cost    struct{ Amount float64 }
	Meta    struct{ Usage usage } `json:"_meta"`
}

// A call is what is known of a call of a tool.
type call struct {
	ID        string `json:"toolCallId"`
	Kind      string // read, edit, execute, …
	Title     string // for a person
	Name      string
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
		said.Text, said.Doing, said.Usage = part.Text, agent.Line(part.Text), u.Meta.Usage.of()
		if c.more = c.more || part.Text != ""; said.Usage != (agent.Usage{}) { // which comes behind the message
			c.more = false
		}
	case acp.UpdateCall, acp.UpdateCallNews:
		var news call
		if json.Unmarshal(text, &news) != nil {
			return
		}
		is := c.know(news)
		c.more, said.More = false, false
		if news.Status == "completed" || news.Status == "failed" {
			delete(c.calls, news.ID)
			break
		}
		said.Doing, said.Plan = is.says(), is.plan()
	case acp.UpdatePlan:
		said.Plan = planOf(u.Entries)
	case acp.UpdatePlanByID:
		if u.Plan != nil && u.Plan.Entries != nil {
			said.Plan = planOf(u.Plan.Entries)
		}
	case "usage_update":
		said.Total, said.Usage.Money = true, u.Cost.Amount
	}
	c.tell(said)
}

// mostCalls bounds how many calls are remembered that have not ended.
const mostCalls = 256

// know adds what an update says of a call to what earlier ones have said.
func (c *client) know(news call) call {
	is, known := c.calls[news.ID]
	if !known {
		maps.DeleteFunc(c.calls, func(string, call) bool { return len(c.calls) >= mostCalls })
		is = news
	}
	for _, one := range []struct {
		to  *string
		new string
	}{{&is.Kind, news.Kind}, {&is.Title, news.Title}, {&is.Name, news.Name}} {
		if one.new != "" {
			*one.to = one.new
		}
	}
	if len(news.Locations) > 0 {
		is.Locations = news.Locations
	}
	if news.Meta.Tool != "" {
		is.Meta = news.Meta
	}
	if len(news.Input) > 2 { // some begin with {}
		is.Input = news.Input
	}
	c.calls[news.ID] = is
	return is
}

// says is what a call does, for a person: no more of a command than is kept.
func (k *call) says() string {
	if k.Kind == "execute" {
		if command := acp.Text(acp.Field(k.Input, "command")); command != "" {
			return agent.Call("Shell", agent.JSON(map[string]string{"command": command}))
		}
		return agent.Call("Shell", agent.JSON(map[string]string{"command": k.Title}))
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

// mostTodos and maxTodo bound a plan.
const mostTodos = 100

func planOf(entries []acp.Entry) *agent.Plan {
	p := &agent.Plan{Todos: []agent.Todo{}}
	for _, e := range entries[:min(len(entries), mostTodos)] {
		p.Todos = append(p.Todos, agent.Todo{Content: agent.Line(todo.MaskText(e.Content)), Status: agent.Line(e.Status)})
	}
	return p
}
