// Package external proves what holds when a program other than Pawl edits a
// board's files: it has tests only. The programs are the simple task manager
// that many agents are taught to write, git, editors, and people.
package external_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// naive is a task manager of the simplest sort: a JSON file a task, truncated
// and rewritten in place, no lock, the next id counted in memory from what it
// found when it started. Like a program in Python it keeps the keys that it
// does not know, and their order.
type naive struct {
	t    *testing.T
	dir  string
	next int
}

func startNaive(t *testing.T, dir string) *naive {
	t.Helper()
	must.Do(t, os.MkdirAll(dir, 0o755))
	highest := 0
	for _, path := range glob(t, dir) {
		id := must.Get(strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), "task_"), ".json")))(t)
		highest = max(highest, id)
	}
	return &naive{t, dir, highest + 1}
}

func glob(t *testing.T, dir string) []string {
	t.Helper()
	paths := must.Get(filepath.Glob(filepath.Join(dir, "task_*.json")))(t)
	return paths
}

func (n *naive) path(id int) string { return filepath.Join(n.dir, fmt.Sprintf("task_%d.json", id)) }

func (n *naive) create(subject string) int {
	n.t.Helper()
	task := dict{}
	task.set("id", n.next)
	task.set("subject", subject)
	task.set("description", "")
	task.set("status", "pending")
	task.set("blockedBy", []int{})
	task.set("blocks", []int{})
	task.set("owner", "")
	n.save(task)
	n.next++
	return n.next - 1
}

func (n *naive) update(id int, status string, addBlockedBy, addBlocks []int) {
	n.t.Helper()
	task := n.load(id)
	if status != "" {
		task.set("status", status)
		if status == "completed" {
			n.clear(id)
		}
	}
	if len(addBlockedBy) > 0 {
		task.set("blockedBy", append(task.ids("blockedBy"), addBlockedBy...))
	}
	if len(addBlocks) > 0 {
		task.set("blocks", append(task.ids("blocks"), addBlocks...))
		for _, other := range addBlocks {
			blocked := n.load(other)
			if by := blocked.ids("blockedBy"); !slices.Contains(by, id) {
				blocked.set("blockedBy", append(by, id))
				n.save(blocked)
			}
		}
	}
	n.save(task)
}

// clear takes a completed task out of every blockedBy.
func (n *naive) clear(id int) {
	n.t.Helper()
	for _, path := range glob(n.t, n.dir) {
		text, err := os.ReadFile(path)
		if err != nil {
			n.t.Fatal(err)
		}
		task := parse(n.t, text)
		if by := task.ids("blockedBy"); slices.Contains(by, id) {
			task.set("blockedBy", slices.DeleteFunc(by, func(b int) bool { return b == id }))
			n.save(task)
		}
	}
}

func (n *naive) load(id int) dict {
	n.t.Helper()
	text, err := os.ReadFile(n.path(id))
	if err != nil {
		n.t.Fatal(err)
	}
	return parse(n.t, text)
}

func (n *naive) save(task dict) {
	n.t.Helper()
	var id int
	if err := json.Unmarshal(task.get("id"), &id); err != nil {
		n.t.Fatal(err)
	}
	if err := os.WriteFile(n.path(id), task.text(), 0o644); err != nil { // truncates, then writes
		n.t.Fatal(err)
	}
}

// dict is a JSON object that keeps the order of its keys.
type dict []entry

type entry struct {
	key   string
	value json.RawMessage
}

func parse(t *testing.T, text []byte) (d dict) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(text))
	if _, err := dec.Token(); err != nil {
		t.Fatal(err)
	}
	for dec.More() {
		key := must.Get(dec.Token())(t)
		var value json.RawMessage
		must.Do(t, dec.Decode(&value))
		d = append(d, entry{key.(string), value})
	}
	return d
}

func (d dict) get(key string) json.RawMessage {
	for _, e := range d {
		if e.key == key {
			return e.value
		}
	}
	return nil
}

func (d dict) ids(key string) (ids []int) {
	if value := d.get(key); value != nil {
		if err := json.Unmarshal(value, &ids); err != nil {
			panic(err)
		}
	}
	return ids
}

func (d *dict) set(key string, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	for i := range *d {
		if (*d)[i].key == key {
			(*d)[i].value = text
			return
		}
	}
	*d = append(*d, entry{key, text})
}

// text is the object as Python's json.dumps(task, indent=2) lays it out.
func (d dict) text() []byte {
	var b bytes.Buffer
	b.WriteString("{")
	for i, e := range d {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, "%q:%s", e.key, e.value)
	}
	b.WriteString("}")
	var out bytes.Buffer
	if err := json.Indent(&out, b.Bytes(), "", "  "); err != nil {
		panic(err)
	}
	return out.Bytes()
}
