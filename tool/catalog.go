package tool

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"strings"
	"sync"
)

// catalog.json is what agents are told of the tools, and under which other names
// ("also") an argument is understood. A name that stands only there is
// understood and not advertised: every client pays for what is.
//
//go:embed catalog.json
var catalogText []byte

// An entry is a tool of a catalog.
type entry struct {
	Name        string
	Title       string
	Description string
	Schema      json.RawMessage
	ReadOnly    bool
	Idempotent  bool
	Destructive bool
	Core        bool
	Lenient     bool   // arguments that it does not know are passed over: nothing can go wrong by them
	Fault       string // how an error about its arguments begins; empty: "NAME cannot work as asked"
	Also        map[string][]string
	Like        string // the tool of ours whose arguments are understood as well
}

var catalog = sync.OnceValue(func() []entry { return readCatalog(catalogText) })

// readCatalog reads a file that is part of the program.
func readCatalog(text []byte) []entry {
	var entries []entry
	if err := json.Unmarshal(text, &entries); err != nil {
		panic("tool: the catalog cannot be read: " + err.Error())
	}
	for i := range entries {
		var b bytes.Buffer
		if err := json.Compact(&b, entries[i].Schema); err != nil {
			panic("tool: the schema of " + entries[i].Name + " cannot be read: " + err.Error())
		}
		entries[i].Schema = b.Bytes()
	}
	return entries
}

// runnerOf returns what carries out one of Pawl's own tools.
func runnerOf(tool string) runner {
	switch tool {
	case "todo_write":
		return (*kit).todoWrite
	case "todo_read":
		return (*kit).todoRead
	case "todo_pause":
		return (*kit).todoPause
	case "task_create":
		return (*kit).taskCreate
	case "task_update":
		return (*kit).taskUpdate
	case "task_list":
		return (*kit).taskList
	case "task_get":
		return (*kit).taskGet
	case "task_claim":
		return (*kit).taskClaim
	}
	return nil
}

// tool makes the tool of an entry, which reads its arguments by the entry's form.
func (e *entry) tool(k *kit, run runner) Tool {
	form := e.form()
	return Tool{
		Name: e.Name, Title: e.Title, Description: e.Description, Schema: bytes.Clone(e.Schema),
		ReadOnly: e.ReadOnly, Idempotent: e.Idempotent, Destructive: e.Destructive, Core: e.Core,
		run: k.runner(form, run),
	}
}

// A form is the arguments that a tool takes.
type form struct {
	tool    string
	names   []string          // as advertised, in their order
	by      map[string]string // the argument behind each folded name
	fault   string            // how an error about them begins
	reads   bool              // the tool changes nothing
	lenient bool              // unknown ones are passed over
	inner   bool              // they are those of a task in a batch
	item    *form             // the arguments of such a task
	empties bool              // null can empty an argument
}

func (e *entry) form() *form {
	f := &form{
		tool: e.Name, fault: cmp.Or(e.Fault, e.Name+" cannot work as asked"), reads: e.ReadOnly, lenient: e.Lenient,
		names: properties(e.Schema), by: map[string]string{},
	}
	for _, other := range catalog() {
		if other.Name == e.Like {
			like := other.form()
			f.by, f.item = like.by, like.item
			if other.Fault != "" {
				f.fault = other.Fault
			}
		}
	}
	for name, also := range e.Also {
		f.by[fold(name)] = name
		for _, other := range also {
			f.by[fold(other)] = name
		}
	}
	for _, name := range f.names {
		f.by[fold(name)] = name
	}
	_, f.empties = f.by["hold"]
	if f.item == nil {
		f.item = &form{inner: true, names: properties(items(e.Schema))}
	}
	f.item.tool, f.item.fault, f.item.by = f.tool, f.fault, f.by
	return f
}

// items is the schema of a task in a batch, of a tool that takes one.
func items(schema json.RawMessage) json.RawMessage {
	var object struct {
		Properties struct {
			Tasks struct{ Items json.RawMessage }
		}
	}
	if json.Unmarshal(schema, &object) != nil {
		return nil
	}
	return object.Properties.Tasks.Items
}

// properties lists the keys of a schema's properties in their order.
func properties(schema json.RawMessage) []string {
	var object struct{ Properties json.RawMessage }
	if json.Unmarshal(schema, &object) != nil {
		return nil
	}
	var names []string
	dec := json.NewDecoder(bytes.NewReader(object.Properties))
	if _, err := dec.Token(); err != nil {
		return nil
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return names
		}
		names = append(names, key.(string))
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return names
		}
	}
	return names
}

// fold makes alike what models write for the same name: blocked_by, BlockedBy,
// blocked-by.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '_' || r == '-' || r == ' ':
			return -1
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return r
	}, name)
}
