package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/manual"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/todo"
)

var todoVerb = verb{
	name:  "todo",
	use:   "[ACTION] [POS...] [TEXT] [flags]",
	short: "show and change the todo list of a session",
	long: "A todo is a step within one session; work that must outlive the session is a task. A person can read and change an agent's list here. Pawl tells the agent about your changes at its next tool call or prompt.\n\n" +
		"--session chooses the list. Without it an agent uses its own list, and a person the project's newest; the command prints which.\n\n" +
		"--follow shows the list live on the terminal until you press q: the same todos as todo_read, in the same order. It follows the newest session of the project, but does not switch between two active sessions; --session fixes one. ? lists the keys. Meanwhile todo_write answers briefly, because you see the list here. While ui.showTodoPanel is off, it hides, and the list appears in the conversation instead. Without a terminal, prints the list once.",
	topics: todoTopics,
	kind:   "todos",
	examples: []string{
		"pawl todo",
		`pawl todo add 2 "Look at the logs first" --priority high`,
		"pawl todo done 1-3",
		"tmux split-window -h -l 50 pawl todo --follow",
	},
	max:   -1,
	build: buildTodo,
}

var todoPositions = manual.Section{Title: "Positions", Terms: []manual.Term{
	{Word: "2, last", Meaning: "a todo, counted from 1"},
	{Word: "2.1, 2.last", Meaning: "a subtask of it"},
	{Word: "1-3, 2.1-3", Meaning: "several, if the action takes several; commas work too"},
	{Word: "all, 2.all", Meaning: "all of them, or all subtasks of one"},
}}

// todoTopics are what the verb can do, and how it names todos.
func todoTopics() []manual.Section {
	return []manual.Section{todoActions().section("Actions"), todoPositions}
}

func todoActions() actions[*todoRun] {
	return actions[*todoRun]{
		{"show", "", "show the list; todo alone does the same", 0, 0, []string{"format", "follow", "theme"}, (*todoRun).show},
		{"add", "[POS] TEXT", "add a todo at this position, or at the end; at 2.last a subtask", 1, -1, []string{"priority"}, (*todoRun).add},
		{"start", "POS", "make this todo the only one in progress", 1, 1, nil, (*todoRun).start},
		{"done", "POS...", "complete todos with their subtasks; completing the last open one empties the list", 1, -1, nil, (*todoRun).done},
		{"edit", "POS [TEXT]", "change the text of a todo", 1, -1, []string{"priority", "active-form"}, (*todoRun).edit},
		{"move", "FROM TO", "move a todo or subtask to the position of another", 2, 2, nil, (*todoRun).move},
		{"remove", "POS...", "remove todos from the list", 1, -1, nil, (*todoRun).remove},
		{"undo", "[POS...]", "undo the last change of the list; a second undo restores it. With positions: make these pending again", 0, -1, nil, (*todoRun).undo},
		{"clear", "", "empty the list", 0, 0, nil, (*todoRun).clear},
		{"sessions", "", "show the lists of this project, newest first", 0, 0, []string{"all"}, (*todoRun).sessions},
		{"resume", "[SESSION|NUMBER]", "take over the todos of an earlier session, by its number in sessions, or of the newest one with open todos", 0, 1, []string{"all", "transcript"}, (*todoRun).resume},
		{"check", "[CHECK]", "show the check of the list, or give it one: a command that must pass before the list counts as done (pawl check --todos runs it)", 0, -1, []string{"none"}, (*todoRun).listCheck},
		{"forget", "", "erase what is stored of the session of --session and its subagents: lists, tool calls, history, settings, and what hooks keep. It cannot be undone, and asks first. Tasks and the board's history stay; a running session is recorded again", 0, 0, []string{"yes"}, (*todoRun).forget},
		{"promote", "POS...", "make tasks of todos, which stay in the list", 1, -1, nil, (*todoRun).promote},
	}
}

// todoRun is one run of the verb.
type todoRun struct {
	*app
	cmd *cobra.Command

	agent      string
	priority   string
	active     string
	all        bool
	none, yes  bool
	transcript string
	follow     bool
	format     func() (string, error)
	theme      func() (string, error)

	lists   *todo.Service
	project string        // its folder
	keep    time.Duration // how long finished lists are kept
	key     todo.Key      // the list
	chosen  string        // what there is to say about the choice of it
}

func buildTodo(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	t := &todoRun{app: a, cmd: cmd}
	flags := cmd.Flags()
	flags.StringVar(&t.agent, "agent", "", "`AGENT` use the list of this subagent of the session; with --follow, begin with it")
	flags.StringVar(&t.priority, "priority", "", "`LEVEL` with add and edit: high, medium or low")
	flags.StringVar(&t.active, "active-form", "", "`TEXT` with edit: text to show while the todo is in progress: \"Writing tests\"")
	flags.BoolVar(&t.all, "all", false, "with sessions and resume: use the lists of all projects")
	flags.BoolVar(&t.none, "none", false, "with check: remove the check of the list")
	flags.BoolVarP(&t.yes, "yes", "y", false, "with forget: do not ask for confirmation")
	flags.StringVar(&t.transcript, "transcript", "", "`FILE` with resume: take the last list in this transcript of a session")
	flags.BoolVar(&t.follow, "follow", false, "with show: show the list live on the terminal")
	t.theme = choice(cmd, "theme", "auto", "`THEME` with --follow: colours for a light or a dark terminal; auto asks the terminal", "auto", "light", "dark")
	t.format = choice(cmd, "format", "text", "`FORMAT` with show: output format", "text", "markdown", "transcript", "json")
	return func(ctx context.Context, args []string) error {
		if len(args) == 0 {
			args = []string{"show"}
		}
		do := todoActions().find(args[0])
		if do == nil {
			return a.noTodoAction(args)
		}
		if do.name == "show" && len(args) > 1 {
			return pawl.Errorf(pawl.Invalid, "todo show takes no argument: it shows the whole list").Say("pawl todo show" + t.agentFlag())
		}
		if err := todoActions().check("todo", do, cmd, args[1:]); err != nil {
			return err
		}
		err := t.reach()
		if err == nil {
			err = do.run(t, ctx, args[1:])
		}
		if t.lists != nil {
			for _, problem := range t.lists.Problems() {
				t.say("%s", problem)
			}
		}
		return t.explain(err)
	}
}

// reach finds out where the lists are.
func (t *todoRun) reach() error {
	project, err := t.app.project().Root()
	if err != nil {
		return err
	}
	t.project = project
	s, err := t.settings()
	if err != nil {
		return err
	}
	t.keep = settings.Of[time.Duration](s, "todos.keep")
	if settings.Of[string](s, "todos.store") == "memory" {
		return pawl.Errorf(pawl.NotFound, "this command cannot see todo lists, because the agent's process keeps them in memory: todos.store is memory").
			Say("pawl config explain todos.store")
	}
	state, err := userdir.State(t.env.Getenv)
	if err != nil {
		return err
	}
	t.lists, err = t.env.Agents.Todos(filepath.Join(state, "todos"))
	return err
}

// explain puts an error about a list into the form that all verbs use.
func (t *todoRun) explain(err error) error {
	if storage, ok := errors.AsType[*todo.StorageError](err); ok {
		kind := pawl.Internal
		if storage.Why == todo.Full {
			kind = pawl.Unavailable
		}
		return pawl.Errorf(kind, "%s", decapital(storage.Error()))
	}
	e, ok := errors.AsType[*pawl.Error](err)
	if !ok || e.Hint.Step != pawl.HintNone {
		return err
	}
	hinted := *e
	switch e.Kind {
	case pawl.NotFound, pawl.Conflict:
		hinted.Hint = pawl.Hint{Step: pawl.HintSay, Text: "pawl todo show" + t.agentFlag()}
	case pawl.Invalid:
		hinted.Hint = pawl.Hint{Step: pawl.HintSay, Text: "pawl help todo"}
	}
	return &hinted
}

// agentFlag is what a hint about the same list needs beside the flags that each
// hint keeps.
func (t *todoRun) agentFlag() string {
	if t.agent == "" {
		return ""
	}
	return " --agent " + quote(t.agent)
}

// choose finds the list that is meant, and says which one it is where nobody
// named it.
func (t *todoRun) choose(ctx context.Context) error {
	err := t.locate(ctx)
	if err == nil && t.chosen != "" {
		t.say("%s", t.chosen)
	}
	return err
}

// locate finds the list that is meant. A person who names no session means the
// newest one of the project.
func (t *todoRun) locate(ctx context.Context) error {
	who := t.caller()
	t.key = todo.Key{Session: cmp.Or(t.session, who.Session), Agent: t.agent}.Normal()
	if t.named() {
		return nil
	}
	if !who.Person {
		return nil
	}
	heads, err := t.ofProject(ctx)
	if err != nil {
		return err
	}
	if t.agent != "" {
		heads = slices.DeleteFunc(heads, func(h todo.Head) bool { return h.Agent != t.key.Agent })
	}
	if len(heads) == 0 {
		return nil
	}
	newest := heads[0]
	if i := slices.IndexFunc(heads, func(h todo.Head) bool { return h.Agent == "" }); i >= 0 {
		newest = heads[i] // a subagent's list comes and goes
	}
	if newest.Key == t.key {
		return nil // the list of this very terminal
	}
	t.key = newest.Key
	t.chosen = fmt.Sprintf("this is %s, changed %s", listName(newest.Key), text.Ago(time.Now(), newest.UpdatedAt))
	return nil
}

// named reports whether somebody said which session is meant.
func (t *todoRun) named() bool { return t.session != "" || t.env.Getenv("PAWL_SESSION") != "" }

// listName says whose a list is.
func listName(key todo.Key) string {
	name := "session " + text.Clip(key.Session, 80)
	if key.Agent != "" {
		name += ", agent " + text.Clip(key.Agent, 80)
	}
	return name
}

// editing is who edits the list, for its agent to hear.
func (t *todoRun) editing() todo.Editing {
	how := todo.Editing{Project: t.project, By: "A person"}
	if who := t.caller(); !who.Person {
		how.By = "Another agent"
		if own := (todo.Key{Session: who.Session}).Normal(); own == t.key {
			how.By = ""
		}
	}
	return how
}

func (t *todoRun) show(ctx context.Context, _ []string) error {
	if t.follow {
		return t.live(ctx)
	}
	format, err := t.format()
	if err != nil {
		return err
	}
	if t.json && t.cmd.Flags().Changed("format") && format != "json" {
		return usage("todo", "--json and --format %s contradict each other: give one of them", format)
	}
	t.json = t.json || format == "json"
	if err := t.choose(ctx); err != nil {
		return err
	}
	list, err := t.lists.Read(ctx, t.key)
	switch {
	case err != nil:
		return err
	case t.json:
		return t.printJSON(newTodosJSON(&list))
	case format == "transcript":
		line, err := todo.Transcript(list.Items)
		if err != nil {
			return err
		}
		return t.printJSON(json.RawMessage(line))
	case format == "markdown":
		t.print("%s", text.Lines(todo.Simplified(list.Items)))
		return nil
	}
	person := t.caller().Person
	if len(list.Items) > 0 || !t.screen.on && !person {
		t.printList(&list)
	}
	switch {
	case len(list.Items) > 0:
	case person:
		t.say("%s has no todos: %s adds one, and %s lists the sessions of this project",
			listName(t.key), t.command("todo add TEXT"+t.agentFlag()), t.command("todo sessions"))
	default:
		t.say("%s has no todos; %s lists the sessions of this project", listName(t.key), t.command("todo sessions"))
	}
	return nil
}

// decapital makes a sentence the rest of one.
func decapital(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(r)) + text[n:]
}
