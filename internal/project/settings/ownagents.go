package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/jsonc"
)

// OwnAgents are a user's own agents for pawl run, by their names:
//
//	{"mine": {"command": ["my-agent", "--print"], "prompt": "stdin", "stream": "text"}}
type OwnAgents map[string]OwnAgent

// An OwnAgent is how a program is started for one prompt, and what it prints.
type OwnAgent struct {
	Command Argv   `json:"command"`
	Prompt  string `json:"prompt,omitempty"` // how it takes the prompt: one of the words of Prompts; never empty
	// Stream is the agent that Pawl knows whose lines it prints, Text or ACP.
	Stream string            `json:"stream,omitempty"`
	Resume []string          `json:"resume,omitempty"` // arguments that go on with a session, {session}
	Skip   []string          `json:"skip,omitempty"`   // arguments that let it do all without asking; for run.permissions
	Env    map[string]string `json:"env,omitempty"`    // variables of the program
}

// The ways in which a program takes its prompt: on standard input, as its last argument,
// or as the path of a file. {prompt} and {file} among its arguments say another place.
const (
	ByStdin    = "stdin"
	ByArgument = "argument"
	ByFile     = "file"
)

// Streams that are no agent's: that of a program whose lines are only for people, and that of
// one that speaks the Agent Client Protocol.
const (
	Text = "text"
	ACP  = "acp"
)

// The limits of such agents.
const (
	mostAgents = 20
	mostWords  = 64
	mostEnv    = 64
	maxValue   = 8 << 10 // bytes of a variable
)

func (o OwnAgents) String() string {
	if len(o) == 0 {
		return ""
	}
	return encode(o)
}

func (o OwnAgents) entries() OwnAgents {
	if o == nil {
		return OwnAgents{}
	}
	return o
}

// agents reads all of them, and tells all that is wrong.
func (f *faults) agents(v *jsonc.Value) OwnAgents {
	members := f.members(v, "", "must be an object of agents, such as {\"mine\": {\"command\": [\"my-agent\", \"--print\"]}}")
	if len(members) > mostAgents {
		f.add(v, "", "has %d agents; the most is %d", len(members), mostAgents)
		return nil
	}
	var all OwnAgents
	for _, m := range members {
		if !isName(m.name) {
			f.add(m.value, "", "has an agent called %s: a name has small letters, digits, - and _", quoted(m.name))
			continue
		}
		if all == nil {
			all = OwnAgents{}
		}
		all[m.name] = f.agent(m.value, "."+m.name)
	}
	return all
}

// agent reads one of them.
func (f *faults) agent(v *jsonc.Value, at string) OwnAgent {
	a := OwnAgent{Prompt: ByStdin, Stream: Text}
	before := len(*f)
	for _, m := range f.members(v, at, "must be an object with command") {
		at := at + "." + m.name
		switch m.name {
		case "command":
			a.Command = f.command(m.value, at)
		case "prompt":
			a.Prompt = f.word(m.value, at, ByStdin, ByArgument, ByFile)
		case "stream":
			a.Stream = f.word(m.value, at)
		case "resume":
			a.Resume = f.arguments(m.value, at)
			if !slices.ContainsFunc(a.Resume, func(arg string) bool { return strings.Contains(arg, "{session}") }) {
				f.add(m.value, at, "must have {session} where the session's id goes")
			}
		case "skip":
			a.Skip = f.arguments(m.value, at)
		case "env":
			a.Env = f.env(m.value, at)
		default:
			f.add(m.value, at, "is unknown: an agent has command, prompt, stream, resume, skip and env")
		}
	}
	if len(a.Command) == 0 && len(*f) == before {
		f.add(v, at, "must have a command")
	}
	return a
}

// arguments reads some arguments of a command.
func (f *faults) arguments(v *jsonc.Value, at string) []string {
	all := f.texts(v, at)
	if len(all) > mostWords {
		f.add(v, at, "has %d texts; the most is %d", len(all), mostWords)
	}
	for i, arg := range all {
		if strings.ContainsRune(arg, 0) || len(arg) > maxValue {
			f.add(v, fmt.Sprintf("%s[%d]", at, i), "must be shorter than %d bytes, without a zero byte", maxValue)
		}
	}
	return all
}

// word reads a text that is one of some, or the name of an agent.
func (f *faults) word(v *jsonc.Value, at string, words ...string) string {
	value, _ := v.Value.(jsonc.Literal)
	switch word := value.String(); {
	case len(words) > 0 && (value.Kind() != '"' || !slices.Contains(words, word)):
		f.add(v, at, "must be \"%s\" or %q", strings.Join(words[:len(words)-1], "\", \""), words[len(words)-1])
	case value.Kind() != '"' || !isName(word):
		f.add(v, at, "must be %q or the name of an agent that Pawl knows", Text)
	default:
		return word
	}
	return ""
}

// env reads variables with their values.
func (f *faults) env(v *jsonc.Value, at string) map[string]string {
	members := f.members(v, at, "must be an object of variables and their values")
	if len(members) > mostEnv {
		f.add(v, at, "has %d variables; the most is %d", len(members), mostEnv)
		return nil
	}
	var all map[string]string
	for _, m := range members {
		value, ok := m.value.Value.(jsonc.Literal)
		at := at + "." + m.name
		switch text := value.String(); {
		case !isVariable(m.name):
			f.add(m.value, at, "is not the name of a variable")
		case reserved(m.name):
			f.add(m.value, at, "is set by Pawl itself")
		case !ok || value.Kind() != '"' || len(text) > maxValue || strings.ContainsRune(text, 0):
			f.add(m.value, at, "must be a text of at most %d bytes", maxValue)
		default:
			if all == nil {
				all = map[string]string{}
			}
			all[m.name] = text
		}
	}
	return all
}

// reserved reports whether a variable is one that tells an agent, or git in it, where it
// works.
func reserved(name string) bool {
	name = strings.ToUpper(name)
	return strings.HasPrefix(name, "PAWL_") || strings.HasPrefix(name, "GIT_")
}

func isVariable(name string) bool {
	return name != "" && len(name) <= 100 && (name[0] < '0' || name[0] > '9') && !strings.ContainsFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_'
	})
}

// A named value is a member of an object.
type named struct {
	name  string
	value *jsonc.Value
}

// members are those of an object. A name that is there twice is a fault.
func (f *faults) members(v *jsonc.Value, at, wants string) (all []named) {
	obj, ok := v.Value.(*jsonc.Object)
	if !ok {
		f.add(v, at, "%s", wants)
		return nil
	}
	for i := range obj.Members {
		m := named{obj.Members[i].Name.Value.(jsonc.Literal).String(), &obj.Members[i].Value}
		if slices.ContainsFunc(all, func(o named) bool { return o.name == m.name }) {
			f.add(m.value, at, "has %s twice", quoted(m.name))
			continue
		}
		all = append(all, m)
	}
	return all
}
