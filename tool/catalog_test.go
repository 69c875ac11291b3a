package tool_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/tool"
)

func names(tools []tool.Tool) (names []string) {
	for _, one := range tools {
		names = append(names, one.Name)
	}
	return names
}

// toolsList is what a client gets of tools: the result of tools/list as the SDK
// writes it.
func toolsList(t *testing.T, tools []tool.Tool) []byte {
	t.Helper()
	type hints struct {
		Destructive *bool `json:"destructiveHint,omitempty"`
		Idempotent  bool  `json:"idempotentHint"`
		ReadOnly    bool  `json:"readOnlyHint"`
	}
	type listed struct {
		Meta        map[string]bool `json:"_meta,omitempty"`
		Annotations hints           `json:"annotations"`
		Description string          `json:"description"`
		InputSchema json.RawMessage `json:"inputSchema"`
		Name        string          `json:"name"`
	}
	var list struct {
		TTL   int      `json:"ttlMs"`
		Scope string   `json:"cacheScope"`
		Tools []listed `json:"tools"`
	}
	list.TTL, list.Scope = 3_600_000, "private"
	for _, one := range tools {
		l := listed{nil, hints{nil, one.Idempotent || one.ReadOnly, one.ReadOnly}, one.Description, one.Schema, one.Name}
		if !one.ReadOnly {
			l.Annotations.Destructive = &one.Destructive
		}
		if one.Core {
			l.Meta = map[string]bool{"anthropic/alwaysLoad": true}
		}
		list.Tools = append(list.Tools, l)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	must.Do(t, enc.Encode(list))
	return bytes.TrimSpace(b.Bytes())
}

// Every client pays for the list of tools in each of its prompts.
func TestToolsListIsSmall(t *testing.T) {
	const most = 4_500 - len(`{"jsonrpc":"2.0","id":1000,"result":}`)
	tools := newStory(t).Tools
	list := toolsList(t, tools)
	if len(list) > most {
		t.Errorf("tools/list has %d bytes; the most is %d", len(list), most)
	}
	for _, word := range []string{"session", "outlive", "plan", "todo", "board", "checklist"} {
		if !strings.Contains(string(list), word) {
			t.Errorf("nobody who searches for %q finds the tools", word)
		}
	}
	want := []string{"todo_write", "todo_read", "todo_pause", "task_create", "task_update", "task_list", "task_get", "task_claim"}
	if got := names(tools); !slices.Equal(got, want) {
		t.Errorf("the tools are %v", got)
	}
}

// A model that is not told the words of a field makes some up.
func TestSchemasNameTheWords(t *testing.T) {
	for _, one := range newStory(t).Tools {
		for _, field := range []string{"status", "priority"} {
			for _, m := range regexp.MustCompile(`"`+field+`":(\{[^}]*\})`).FindAllStringSubmatch(string(one.Schema), -1) {
				if !strings.Contains(m[1], "enum") && !strings.Contains(m[1], "description") && !one.ReadOnly && one.Name != "task_claim" {
					t.Errorf("%s does not say which words %s takes: %s", one.Name, field, m[1])
				}
			}
		}
	}
}

func TestSchemas(t *testing.T) {
	for _, one := range newStory(t).Tools {
		var schema struct {
			Type       string
			Properties map[string]json.RawMessage
			Required   []string
		}
		if err := json.Unmarshal(one.Schema, &schema); err != nil || schema.Type != "object" || schema.Properties == nil {
			t.Errorf("the schema of %s is that of no object: %v", one.Name, err)
		}
		for _, name := range schema.Required {
			if schema.Properties[name] == nil {
				t.Errorf("%s requires %q, which is no property", one.Name, name)
			}
		}
		typed(t, one.Name, one.Schema)
		if !regexp.MustCompile(`^[a-z_]{1,64}$`).MatchString(one.Name) || one.Title == "" || one.Description == "" {
			t.Errorf("%q (%q): %s", one.Name, one.Title, one.Description)
		}
		if one.ReadOnly && one.Destructive {
			t.Errorf("%s reads and destroys", one.Name)
		}
	}
	var write struct {
		Properties struct {
			Todos struct {
				Items struct{ Required []string }
			}
		}
	}
	must.Do(t, json.Unmarshal(newStory(t).Tools[0].Schema, &write))
	if got := write.Properties.Todos.Items.Required; !slices.Equal(got, []string{"content", "status"}) {
		t.Errorf("a todo requires %v", got)
	}
}

// typed checks that each schema says its type, and each array what it holds:
// some models' interfaces refuse the whole list otherwise.
func typed(t *testing.T, where string, schema json.RawMessage) {
	t.Helper()
	var one struct {
		Type       string
		Properties map[string]json.RawMessage
		Items      json.RawMessage
	}
	if err := json.Unmarshal(schema, &one); err != nil || one.Type == "" {
		t.Errorf("%s has no type: %v", where, err)
	}
	if one.Type == "array" {
		typed(t, where+"[]", one.Items)
	}
	for name, property := range one.Properties {
		typed(t, where+"."+name, property)
	}
}

// An agent that keeps only todo lists, or only a board, gets the tools for them.
func TestHalf(t *testing.T) {
	board := tool.OneBoard(pawl.NewBoard(memory.New()))
	if got := names(tool.New(tool.Options{Board: board})); !slices.Equal(got, []string{"task_create", "task_update", "task_list", "task_get", "task_claim"}) {
		t.Errorf("for a board: %v", got)
	}
	s := newStory(t)
	if got := names(tool.New(tool.Options{Todos: s.Todos})); !slices.Equal(got, []string{"todo_write", "todo_read", "todo_pause"}) {
		t.Errorf("for todo lists: %v", got)
	}
	one := tool.New(tool.Options{Board: board})[0]
	if r := one.Call(t.Context(), tool.Caller{}, json.RawMessage(`{"subject":"x"}`)); r.Err != nil {
		t.Error(r.Err)
	}
}
