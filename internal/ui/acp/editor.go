package acp

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"unicode"

	msg "github.com/pawl-dev/pawl/internal/acp"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/attribution"
	"github.com/pawl-dev/pawl/internal/caller"
	"github.com/pawl-dev/pawl/nudge"
	"github.com/pawl-dev/pawl/todo"
)

// editorSays returns what the agent gets of a message of the editor. A request is remembered
// until it is answered.
func (p *proxy) editorSays(line []byte) ([]byte, func()) {
	m, ok := msg.Look(line)
	if !ok {
		return line, nil
	}
	r := request{method: m.Method, session: msg.Text(msg.Field(m.Params, "sessionId"))}
	switch m.Method {
	case msg.MethodNew, msg.MethodLoad, msg.MethodResume, msg.MethodFork:
		r.dir, r.ticket = msg.Text(msg.Field(m.Params, "cwd")), attribution.NewTicket(false)
		line = p.handIn(line, m.Params, r)
		if m.Method == msg.MethodLoad || m.Method == msg.MethodResume {
			if s := p.open(r.session, r); s != nil {
				p.mu.Lock()
				s.loading = true
				p.mu.Unlock()
			}
		}
	case msg.MethodPrompt:
		if s := p.find(r.session); s != nil {
			line = p.prompt(s, line, m.Params)
		}
	case msg.MethodCancel:
		if s := p.find(r.session); s != nil {
			p.note(func() { p.event(s, agent.Event{Event: nudge.Event{Kind: nudge.Interrupt}}) })
		}
	case msg.MethodInitialize:
		_ = json.Unmarshal(msg.Field(m.Params, "protocolVersion"), &r.version) // of an editor that says none nothing is known
	case msg.MethodClose:
	default:
		return line, nil
	}
	if m.ID != nil {
		p.mu.Lock()
		if len(p.pending) < maxPending {
			p.pending[string(m.ID)] = r
		}
		p.mu.Unlock()
	}
	return line, nil
}

// handIn adds Pawl's server to those that the agent starts for a session. One that the
// editor has there gets the ticket only.
func (p *proxy) handIn(line []byte, params json.RawMessage, r request) []byte {
	servers := msg.Field(params, "mcpServers")
	env := append([]msg.Variable{{Name: caller.EnvProxy, Value: r.ticket}}, p.Env...)
	var there json.RawMessage
	some := false
	if !msg.Elements(servers, func(server []byte) {
		some = true
		if p.ours(server) {
			there = server
		}
	}) {
		return line
	}
	if there != nil {
		variables := msg.Field(there, "env")
		has := false
		if !msg.Elements(variables, func([]byte) { has = true }) {
			return line
		}
		return within(line, variables, env[0], has)
	}
	server := msg.MCPServer{Name: "pawl", Command: p.Server[0], Args: append(p.Server[1:len(p.Server):len(p.Server)], "mcp"), Env: env}
	if filepath.IsAbs(r.dir) {
		server.Args = append(server.Args, "--project", r.dir)
	}
	p.mu.Lock()
	if p.version > msg.Version {
		server.Type = "stdio"
	}
	p.mu.Unlock()
	return within(line, servers, server, some)
}

// ours reports whether a server is Pawl's.
func (p *proxy) ours(server []byte) bool {
	if msg.Text(msg.Field(server, "name")) == "pawl" {
		return true
	}
	command := filepath.Base(msg.Text(msg.Field(server, "command")))
	mcp := false
	msg.Elements(msg.Field(server, "args"), func(arg []byte) { mcp = mcp || msg.Text(arg) == "mcp" })
	return mcp && strings.TrimSuffix(command, ".exe") == "pawl"
}

// within returns a line with one more element at the begin of an array in it.
func within(line, array []byte, element any, some bool) []byte {
	text, err := json.Marshal(element)
	if err != nil {
		return line
	}
	if some {
		text = append(text, ',')
	}
	return msg.Replace(line, array[1+bytes.IndexByte(array, '['):][:0], string(text))
}

// continueCommand is what an editor shows after a turn that leaves todos open.
const continueCommand = "pawl-continue"

const (
	// maxPrompt is how many bytes of a prompt are looked at.
	maxPrompt = 64 << 10
	// maxName is in how many bytes of a longer one a command is looked for.
	maxName = 256
)

// prompt puts before a prompt what the agent should know. A command of the agent's is left
// alone: it has to stand first.
func (p *proxy) prompt(s *session, line []byte, params json.RawMessage) []byte {
	blocks := msg.Field(params, "prompt")
	var said strings.Builder
	var first []byte // the text of the first block that has one
	some := false
	if !msg.Elements(blocks, func(block []byte) {
		some = true
		if msg.Text(msg.Field(block, "type")) != "text" || said.Len() > maxPrompt {
			return
		}
		text := msg.Field(block, "text")
		if first == nil {
			first = text
		}
		if len(text) <= maxPrompt {
			said.WriteString(msg.Text(text) + "\n")
		}
	}) {
		return line
	}
	p.mu.Lock()
	s.turns++
	embeds := p.embeds
	p.mu.Unlock()
	s.again.Store(true) // the editor may have passed over what came between turns
	select {
	case p.poke <- struct{}{}:
	default:
	}
	text := strings.TrimSpace(said.String())
	word, rest := text, ""
	if at := strings.IndexFunc(text, unicode.IsSpace); at >= 0 {
		word, rest = text[:at], text[at:]
	}
	switch word {
	case "/" + continueCommand:
		var next string
		if !p.do(func() { next = p.goOn(s, strings.TrimSpace(rest)) }) {
			return line
		}
		text, err := json.Marshal(next)
		if err != nil {
			return line
		}
		return msg.Replace(line, first, string(text))
	case "/compact", "/compress", "/summarize":
		p.note(func() { p.event(s, agent.Event{Event: nudge.Event{Kind: nudge.Compaction}}) })
	}
	if text == "" {
		word, _, _ = strings.Cut(strings.TrimLeft(strings.TrimPrefix(string(first[:min(len(first), maxName)]), `"`), " "), " ")
		word = strings.ReplaceAll(word, `\/`, "/")
	}
	if strings.HasPrefix(word, "/") && strings.Count(word, "/") == 1 { // a path is no command
		return line
	}
	var told string
	if !p.do(func() { told = p.tell(s, text) }) || told == "" {
		return line
	}
	block := msg.Block{Type: "text", Text: told}
	if embeds {
		block = msg.Block{Type: "resource", Resource: &msg.Resource{URI: "pawl://plan", MimeType: "text/plain", Text: told}}
	}
	return within(line, blocks, block, some)
}

// goOn is the prompt that /pawl-continue stands for. It is called by a job.
func (p *proxy) goOn(s *session, more string) string {
	ctx, cancel := timeLimit()
	defer cancel()
	list, _ := p.Todos.Look(ctx, s.key)
	text := "Go on with what is open in your todo list:\n\n" + todo.Simplified(list.Items)
	if more != "" {
		text += "\n" + more
	}
	if told := p.tell(s, text); told != "" {
		text = told + "\n\n" + text
	}
	return text
}
