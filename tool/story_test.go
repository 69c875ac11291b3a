package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/internal/dev/served"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
	"github.com/pawl-dev/pawl/tool"
)

var update = flag.Bool("update", false, "write what came of each call into the stories")

// A story is what agents call, a line each, and below it what the model reads:
//
//	# What is shown.
//	> task_create {"subject":"Setup project"}
//	    Created #1 Setup project
//	> bob/s2: task_claim {}
//
// Before the colon stands the actor: name, session and agent; ada/s1 where it is
// left out. Other lines are what happens around the calls:
//
//	> new                         begins with an empty board and no lists
//	> wait 20m
//	> data                        what programs got of the call before
//	> set interactive=always panel=off lease=0
//	> panel open s1               and closed
//	> edit s1 remove 2            a person's edit of the list
//
// What a person is shown follows when it differs from what the model reads.
func TestStories(t *testing.T) { playStories(t, "testdata/*.txtar", 8, newStory) }

// The same stories with the board at the address of a server.
func TestStoriesFromAfar(t *testing.T) {
	playStories(t, "testdata/*.txtar", 8, func(t *testing.T) *story {
		s := newStory(t)
		s.far = true
		return s
	})
}

// And with its boards in a database.
func TestStoriesInDatabase(t *testing.T) {
	pgtest.Need(t)
	playStories(t, "testdata/*.txtar", 8, func(t *testing.T) *story {
		s := newStory(t)
		s.far, s.store = true, served.InDatabase(t)
		s.begin()
		return s
	})
}

var revisions = regexp.MustCompile(`(\b(?:token|revision)(?:":)? |"cursor":")\d+`)

// playStories plays the stories of a set of tools, at least so many, and asks for
// one that calls each.
func playStories(t *testing.T, glob string, least int, start func(*testing.T) *story) {
	files, err := filepath.Glob(glob)
	if err != nil || len(files) < least {
		t.Fatalf("%d stories: %v", len(files), err)
	}
	called := map[string]bool{}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s := start(t)
			want, got := string(text), s.play(string(text))
			if s.far { // each request has an op id, and is recorded though it changes nothing
				want, got = revisions.ReplaceAllString(want, "${1}…"), revisions.ReplaceAllString(got, "${1}…")
			}
			for name := range s.called {
				called[name] = true
			}
			if *update && !s.far {
				if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if got != want {
				t.Errorf("the story goes otherwise:\n%s", got)
			}
		})
	}
	for _, one := range start(t).tools {
		if !called[one.Name] {
			t.Errorf("no story calls %s", one.Name)
		}
	}
}

// story is a board, todo lists and agents around them.
type story struct {
	t        *testing.T
	mu       sync.Mutex
	now      time.Time
	board    *pawl.Board
	far      bool                                    // the tools have the board at an address
	store    func(clock func() time.Time) pawl.Store // makes an empty one; nil: in memory
	served   ask.Board
	todos    *todo.Service
	panels   map[string]func() error
	settings tool.Settings
	tools    []tool.Tool
	called   map[string]bool
	data     any
}

// noon is when stories begin.
var noon = time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)

func newStory(t *testing.T) *story {
	s := &story{t: t, called: map[string]bool{}}
	s.begin()
	return s
}

// begin is a world where nothing has happened yet.
func (s *story) begin() {
	s.now, s.panels, s.settings = noon, map[string]func() error{}, tool.DefaultSettings
	store := pawl.Store(memory.New(memory.WithClock(s.clock)))
	if s.store != nil {
		store = s.store(s.clock)
	}
	s.board, s.served = pawl.NewBoard(store), nil
	s.todos = todo.New(todomem.New(), s.clock)
	s.tools = tool.New(tool.Options{
		Board: s.open, Todos: s.todos, Now: s.clock,
		Settings: func(context.Context, string) tool.Settings { return s.settings },
	})
}

func (s *story) open(_ context.Context, by tool.Caller, _ bool) (ask.Board, string, error) {
	if s.far && by.Name != "" { // at an address everybody has a name
		if s.served == nil {
			s.served = served.Board(s.t, ask.Local(s.board))
		}
		return s.served, "", nil
	}
	return ask.Local(s.board), "", nil
}

func (s *story) clock() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// play carries a story out and returns it with what came of each line.
func (s *story) play(text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case strings.HasPrefix(line, "#"):
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(line + "\n")
		case strings.HasPrefix(line, "> "):
			b.WriteString(line + "\n")
			for said := range strings.SplitSeq(s.line(line[2:]), "\n") {
				if said != "" {
					said = "    " + said
				}
				b.WriteString(said + "\n")
			}
		}
	}
	return strings.ReplaceAll(b.String(), "\n\n\n", "\n\n")
}

func (s *story) line(line string) string {
	words := strings.Fields(line)
	switch words[0] {
	case "wait":
		d, err := time.ParseDuration(words[1])
		if err != nil {
			s.t.Fatal(err)
		}
		s.mu.Lock()
		s.now = s.now.Add(d)
		s.mu.Unlock()
		return ""
	case "data":
		text, err := json.MarshalIndent(s.data, "", "  ")
		if err != nil {
			s.t.Fatal(err)
		}
		return string(text)
	case "new":
		s.begin()
		return ""
	case "set":
		s.set(words[1:])
		return ""
	case "panel":
		s.panel(words[1], words[2])
		return ""
	case "edit":
		return s.edit(words[1], words[2:])
	}
	by := tool.Caller{Actor: pawl.Actor{Name: "ada", Session: "s1"}, Project: "/src/app"}
	if actor, rest, ok := strings.Cut(line, ": "); ok && !strings.Contains(actor, " ") {
		parts := strings.Split(actor+"//", "/")
		by.Actor = pawl.Actor{Name: parts[0], Session: parts[1], Agent: parts[2]}
		line = rest
	}
	name, args, _ := strings.Cut(line, " ")
	for _, one := range s.tools {
		if one.Name == name {
			s.called[name] = true
			return s.call(one, by, args)
		}
	}
	s.t.Fatalf("there is no tool %q", name)
	return ""
}

func (s *story) call(one tool.Tool, by tool.Caller, args string) string {
	r := one.Call(context.Background(), by, json.RawMessage(args))
	s.data = r.Data
	text := r.LLMContent
	if r.Err != nil {
		kind := pawl.KindOf(r.Err).Error()
		if _, ok := errors.AsType[*todo.StorageError](r.Err); ok {
			kind = "storage"
		}
		text = "! " + kind + "\n" + text
		return text
	}
	if r.ReturnDisplay != r.LLMContent {
		text = strings.TrimSuffix(text, "\n") + "\n[shown] " + strconv.Quote(r.ReturnDisplay)
	}
	return strings.TrimSuffix(text, "\n")
}

func (s *story) set(words []string) {
	for _, word := range words {
		key, value, _ := strings.Cut(word, "=")
		switch key {
		case "interactive":
			s.settings.Interactive = map[string]tool.Interactive{"auto": tool.Auto, "always": tool.Always, "never": tool.Never}[value]
		case "panel":
			s.settings.PanelOff = value == "off"
		case "lease":
			d, err := time.ParseDuration(value)
			if err != nil {
				s.t.Fatal(err)
			}
			s.settings.Lease = d
		default:
			s.t.Fatalf("nobody knows %q", word)
		}
	}
}

func (s *story) panel(what, session string) {
	switch what {
	case "open":
		closed, err := s.todos.Watch(context.Background(), session)
		if err != nil {
			s.t.Fatal(err)
		}
		s.panels[session] = closed
	case "closed":
		if err := s.panels[session](); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *story) edit(session string, words []string) string {
	var edit todo.Edit
	switch words[0] {
	case "remove":
		edit = todo.Remove{At: words[1:]}
	case "done":
		edit = todo.Set{At: words[1:], Status: todo.Completed}
	case "add":
		edit = todo.Add{Content: strings.Join(words[1:], " ")}
	default:
		s.t.Fatalf("nobody knows how to %q", words[0])
	}
	done, err := s.todos.Edit(context.Background(), todo.Key{Session: session}, todo.Editing{By: "A person"}, edit)
	if err != nil {
		return "! " + err.Error()
	}
	return strings.Join(done.What, "; ")
}

// Each case that was collected from other agents' tools is adopted, or a story
// says why Pawl differs.
func TestCasesAreAdopted(t *testing.T) {
	for fixture, stories := range map[string]string{"tasks.json": "cases_tasks.txtar", "llxprt.json": "cases_todos.txtar"} {
		text, err := os.ReadFile(filepath.Join("testdata/cases", fixture))
		if err != nil {
			t.Fatal(err)
		}
		var cases []struct{ ID string }
		if err := json.Unmarshal(text, &cases); err != nil || len(cases) < 25 {
			t.Fatalf("%s has %d cases: %v", fixture, len(cases), err)
		}
		told, err := os.ReadFile(filepath.Join("testdata", stories))
		if err != nil {
			t.Fatal(err)
		}
		said := map[string]bool{}
		for line := range strings.SplitSeq(string(told), "\n") {
			if ids, reason, ok := strings.Cut(strings.TrimPrefix(line, "# "), ": "); ok && strings.HasPrefix(line, "# ") && reason != "" {
				for id := range strings.SplitSeq(ids, ", ") {
					said[id] = true
				}
			}
		}
		for _, one := range cases {
			if !said[one.ID] {
				t.Errorf("%s: nothing says what becomes of %s", stories, one.ID)
			}
		}
	}
}
