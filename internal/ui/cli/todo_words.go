package cli

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/todo"
)

// todoAliases says which action is meant by a word of other programs.
var todoAliases = []struct{ words, action string }{
	{"list ls view cat get print read status", "show"},
	{"new create append insert push", "add"},
	{"set begin progress doing in_progress current focus", "start"},
	{"complete finish tick close completed", "done"},
	{"rename reword update change modify describe", "edit"},
	{"mv reorder swap order", "move"},
	{"rm delete del drop", "remove"},
	{"unset uncheck reopen pending reset revert untick", "undo"},
	{"history saved lists ls-sessions", "sessions"},
	{"load restore continue", "resume"},
	{"task export graduate", "promote"},
	{"verify verification test tests", "check"},
}

// noTodoAction refuses an unknown action, and gives the command line that was
// probably meant.
func (a *app) noTodoAction(args []string) error {
	e := pawl.Errorf(pawl.Invalid, "unknown todo action %q", text.Clip(args[0], 40)).Say("pawl help todo")
	if todo.IsPosition(args[0]) {
		return pawl.Errorf(pawl.Invalid, "%q is a position without an action: use start, done, edit, move or remove", text.Clip(args[0], 40)).Say("pawl todo show")
	}
	name := todoActionFor(strings.ToLower(args[0]))
	if text := strings.Join(args, " "); name == "" && strings.Contains(text, " ") { // a text, then
		e.Hint.Text = "pawl todo add " + quote(text)
	}
	if name != "" {
		words := "pawl todo " + name
		for _, arg := range args[1:] {
			words += " " + quote(arg)
		}
		if do := todoActions().find(name); do.takes(len(args)-1) && a.finds(do, args) {
			e.Hint.Text = words
		}
	}
	return e
}

// finds reports whether an action would find the todos that it is to change.
// Without any, undo takes back a change, and nobody meant that who writes unset.
func (a *app) finds(do *action[*todoRun], args []string) bool {
	if do.name == "undo" && len(args) == 1 {
		return false
	}
	if !strings.Contains(do.use, "POS...") && do.name != "start" || len(args) == 1 {
		return true
	}
	t := &todoRun{app: a}
	if t.reach() != nil || t.locate(context.Background()) != nil {
		return false
	}
	list, err := t.lists.Read(context.Background(), t.key)
	if err != nil {
		return false
	}
	n := list.Named(args[1:]...)
	return n == 1 || n > 0 && do.name != "start"
}

// todoActionFor is the action that somebody probably means; empty: none.
func todoActionFor(word string) string {
	meant := map[string]string{}
	var words []string
	for _, do := range todoActions() {
		meant[do.name] = do.name
		words = append(words, do.name)
	}
	for _, e := range todoAliases {
		for other := range strings.FieldsSeq(e.words) {
			meant[other] = e.action
			words = append(words, other)
		}
	}
	if action := meant[word]; action != "" {
		return action
	}
	return meant[text.Nearest(word, words)]
}

// suggestTodo are actions, then positions or sessions.
func suggestTodo(a *app, _ verb, ctx context.Context, args []string, begun string) (found []cobra.Completion, _ cobra.ShellCompDirective) {
	add := func(word, meaning string) {
		if strings.HasPrefix(word, begun) {
			found = append(found, cobra.CompletionWithDesc(word, text.Line(text.Clip(meaning, 60))))
		}
	}
	const directive = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	if len(args) == 0 {
		for _, do := range todoActions() {
			add(do.name, do.short)
		}
		return found, directive
	}
	t := &todoRun{app: a}
	do := todoActions().find(args[0])
	if do == nil || !strings.Contains(do.use, "POS") && !strings.Contains(do.use, "FROM") && do.name != "resume" || t.reach() != nil {
		return nil, directive
	}
	if do.name == "resume" {
		heads, _ := t.heads(ctx) // a shell has no use for an error
		for i, h := range heads {
			add(strconv.Itoa(i+1), headState(h)+": "+h.Title)
		}
		return found, directive
	}
	if do.max > 0 && len(args) > do.max || do.name == "edit" && len(args) > 1 || do.name == "add" && len(args) > 1 {
		return nil, directive
	}
	if t.locate(ctx) != nil {
		return nil, directive
	}
	list, _ := t.lists.Read(ctx, t.key)
	for i, item := range list.Items {
		if do.name == "done" && !item.Open() || do.name == "start" && item.Status == todo.InProgress {
			continue
		}
		add(strconv.Itoa(i+1), item.Content)
	}
	return found, directive
}
