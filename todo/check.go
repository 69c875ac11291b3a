package todo

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
)

// maxFaults is how many faults of one list are told one by one: a model that
// made more of them made the same one over and over.
const maxFaults = 20

// faults collects what is wrong with a list, the first fault of each place.
type faults struct {
	list []pawl.Fault
	at   map[string]bool
}

func (f *faults) add(path, format string, args ...any) {
	if f.at[path] {
		return
	}
	if f.at == nil {
		f.at = map[string]bool{}
	}
	f.at[path] = true
	if len(f.list) < maxFaults {
		f.list = append(f.list, pawl.Fault{Path: path, Problem: fmt.Sprintf(format, args...)})
	}
}

func (f *faults) err() error {
	if len(f.at) == 0 {
		return nil
	}
	if more := len(f.at) - len(f.list); more > 0 {
		f.list = append(f.list, pawl.Fault{Problem: fmt.Sprintf("and %d more", more)})
	}
	return &pawl.Error{Kind: pawl.Invalid, Message: "Invalid todo data", Faults: f.list}
}

// A checker holds the todos of a draft to what a todo must be, one by one and in
// order.
type checker struct {
	faults
	merge bool
	ids   map[string]int // the todo that was given this id
}

func place(i int) string { return fmt.Sprintf("todos.%d", i) }

func (c *checker) item(i int, it *DraftItem) {
	at := place(i)
	c.id(at, ".id", it.ID)
	if it.ID != "" {
		if c.ids == nil {
			c.ids = map[string]int{}
		}
		if first, ok := c.ids[it.ID]; ok {
			c.add(at+".id", "%s is the id of %s already: give each todo its own", quoted(it.ID), place(first))
		} else {
			c.ids[it.ID] = i
		}
	}
	switch {
	case it.Content != "":
		c.text(at, ".content", it.Content)
	case c.merge && it.Said.ID && !it.Said.Content:
	case it.Said.Content:
		c.add(at+".content", "must not be blank")
	case c.merge:
		c.add(at+".content", "is required, or the id of a todo that is there")
	case it.Said.ID:
		c.add(at+".content", "is required (with merge: true an id is enough to change a todo)")
	default:
		c.add(at+".content", "is required")
	}
	c.text(at, ".activeForm", it.ActiveForm)
	c.status(at, ".status", it.Status)
	switch it.Priority {
	case High, Medium, Low, "":
	default:
		c.add(at+".priority", "%s is not a priority: use high, medium or low", quoted(string(it.Priority)))
	}
}

// subtask checks one subtask of a todo, whose others had the ids.
func (c *checker) subtask(at string, sub *Subtask, ids map[string]bool) {
	if c.id(at, ".id", sub.ID); ids[sub.ID] {
		c.add(at+".id", "%s is the id of another subtask already: give each its own", quoted(sub.ID))
	}
	if sub.ID != "" {
		ids[sub.ID] = true
	}
	if sub.Content == "" {
		c.add(at+".content", "must not be blank")
	}
	c.text(at, ".content", sub.Content)
	c.status(at, ".status", sub.Status)
}

// subtasks checks those of a draft that did not come from a reader, which checks
// each where it was given.
func (c *checker) subtasks(at string, subtasks []Subtask) {
	if len(subtasks) > MaxSubtasks {
		c.tooManySubtasks(at)
		return
	}
	ids := map[string]bool{}
	for s := range subtasks {
		c.subtask(fmt.Sprintf("%s.%d", at, s), &subtasks[s], ids)
	}
}

func (c *checker) tooMany(n int) {
	c.add("todos", "has %d todos, and a list holds at most %d: plan the next steps, and keep the rest as tasks", n, MaxItems)
}

func (c *checker) tooManySubtasks(at string) {
	c.add(at, "has more than %d subtasks: make todos of some", MaxSubtasks)
}

func (c *checker) id(at, field, id string) {
	if n := utf8.RuneCountInString(id); n > MaxID {
		c.add(at+field, "has %d characters, and at most %d are kept", n, MaxID)
	}
	if !utf8.ValidString(id) || strings.ContainsFunc(id, unicode.IsControl) {
		c.add(at+field, "holds control characters")
	}
}

func (c *checker) text(at, field, text string) {
	if n := utf8.RuneCountInString(text); n > MaxContent {
		c.add(at+field, "has %d characters, and at most %d are kept: put the rest into a file", n, MaxContent)
	}
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		c.add(at+field, "is not text: it holds a NUL or bytes that are not UTF-8")
	}
}

func (c *checker) status(at, field string, status Status) {
	switch status {
	case Pending, InProgress, Completed, "":
	default:
		c.add(at+field, "%s is not a status: use pending, in_progress or completed", quoted(string(status)))
	}
}
