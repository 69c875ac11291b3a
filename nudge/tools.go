package nudge

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/todo"
)

// maxNamed is how many todos a text names for which another tool is needed.
const maxNamed = 5

// update is by what todos of a list are kept up to date, for a sentence:
//
//	TaskUpdate
//	mcp__pawl__todo_write and merge: true
//	TaskUpdate, and those that it does not know (as "Document") with pawl todo done N (N is its place: 3)
//
// An agent whose own list is kept here as well has no entry there for what a
// person added, nor for what a conversation before left.
func (t Tools) update(todos []*todo.Item, list []todo.Item) string {
	own := cmp.Or(t.Update, t.Write)
	if t.Others == "" && t.Shell == "" {
		return own
	}
	var others []*todo.Item
	for _, it := range todos {
		if !it.Native() {
			others = append(others, it)
		}
	}
	if len(others) == 0 {
		return own
	}
	with := t.Others + " and merge: true"
	if t.Others == "" {
		var places []string
		for i := range list {
			if len(places) < maxNamed && slices.ContainsFunc(others, func(it *todo.Item) bool { return it.ID == list[i].ID }) {
				places = append(places, strconv.Itoa(i+1))
			}
		}
		with = fmt.Sprintf("%s (N is its place: %s)", t.Shell, strings.Join(places, ", "))
	}
	if len(others) == len(todos) || own == "" {
		return with
	}
	return fmt.Sprintf("%s, and those that it does not know (as \"%s\") with %s", own, line(others[0].Content, maxName), with)
}
