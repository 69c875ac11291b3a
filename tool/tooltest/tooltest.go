// Package tooltest plays stories of the tools of agents.
//
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
// The text for a person follows if it differs from the model's.
package tooltest

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/served"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todomem"
	"github.com/pawl-dev/pawl/tool"
)

var revisions = regexp.MustCompile(`(\b(?:token|revision|undo)(?:":)? |"cursor":")\d+`)

// Play plays the stories of a set of tools. It fails if there are fewer than least,
// or if none calls some tool.
func Play(t *testing.T, glob string, least int, update bool, start func(*testing.T) *Story) {
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
			if s.Far { // each request has an op id, and is recorded though it changes nothing
				want, got = revisions.ReplaceAllString(want, "${1}…"), revisions.ReplaceAllString(got, "${1}…")
			}
			for name := range s.called {
				called[name] = true
			}
			if update && !s.Far {
				if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if got != want {
				t.Errorf("the story goes otherwise:\n%s", got)
			}
		})
	}
	for _, one := range start(t).Tools {
		if !called[one.Name] {
			t.Errorf("no story calls %s", one.Name)
		}
	}
}

// Story is a board, todo lists and agents around them.
type Story struct {
	T        *testing.T
	mu       sync.Mutex
	now      time.Time
	Board    *pawl.Board
	Far      bool                                    // the tools have the board at an address
	Store    func(clock func() time.Time) pawl.Store // makes an empty one; nil: in memory
	served   query.Board
	Todos    *todo.Service
	panels   map[string]func() error
	Settings tool.Settings
	Tools    []tool.Tool
	called   map[string]bool
	Data     any
}

// noon is when stories begin.
var noon = time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)

// New is a story in memory.
func New(t *testing.T) *Story {
	s := &Story{T: t, called: map[string]bool{}}
	s.Begin()
	return s
}

// Begin starts again with an empty board and no lists.
func (s *Story) Begin() {
	s.now, s.panels, s.Settings = noon, map[string]func() error{}, tool.DefaultSettings
	store := pawl.Store(memory.New(memory.WithClock(s.Clock)))
	if s.Store != nil {
		store = s.Store(s.Clock)
	}
	s.Board, s.served = pawl.NewBoard(store), nil
	s.Todos = todo.New(todomem.New(), s.Clock)
	s.Tools = tool.New(tool.Options{
		Board: s.Open, Todos: s.Todos, Now: s.Clock,
		Settings: func(context.Context, string) tool.Settings { return s.Settings },
	})
}

// Open is the board for a tool.
func (s *Story) Open(_ context.Context, by tool.Caller, _ bool) (query.Board, string, error) {
	if s.Far && by.Name != "" { // at an address everybody has a name
		if s.served == nil {
			s.served = served.Board(s.T, query.Local(s.Board))
		}
		return s.served, "", nil
	}
	return query.Local(s.Board), "", nil
}

// Clock is the time in the story.
func (s *Story) Clock() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// play carries a story out and returns it with what came of each line.
func (s *Story) play(text string) string {
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

func (s *Story) line(line string) string {
	words := strings.Fields(line)
	switch words[0] {
	case "wait":
		d, err := time.ParseDuration(words[1])
		if err != nil {
			s.T.Fatal(err)
		}
		s.mu.Lock()
		s.now = s.now.Add(d)
		s.mu.Unlock()
		return ""
	case "data":
		text, err := json.MarshalIndent(s.Data, "", "  ")
		if err != nil {
			s.T.Fatal(err)
		}
		return string(text)
	case "new":
		s.Begin()
		return ""
	case "set":
		s.set(words[1:])
		return ""
	case "panel":
		s.Panel(words[1], words[2])
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
	for _, one := range s.Tools {
		if one.Name == name {
			s.called[name] = true
			return s.call(one, by, args)
		}
	}
	s.T.Fatalf("unknown tool %q", name)
	return ""
}

func (s *Story) call(one tool.Tool, by tool.Caller, args string) string {
	r := one.Call(context.Background(), by, json.RawMessage(args))
	s.Data = r.Data
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

func (s *Story) set(words []string) {
	for _, word := range words {
		key, value, _ := strings.Cut(word, "=")
		switch key {
		case "interactive":
			s.Settings.Interactive = map[string]tool.Interactive{"auto": tool.Auto, "always": tool.Always, "never": tool.Never}[value]
		case "panel":
			s.Settings.PanelOff = value == "off"
		case "lease":
			d, err := time.ParseDuration(value)
			if err != nil {
				s.T.Fatal(err)
			}
			s.Settings.Lease = d
		default:
			s.T.Fatalf("nobody knows %q", word)
		}
	}
}

// Panel opens a session's panel, or closes it.
func (s *Story) Panel(what, session string) {
	switch what {
	case "open":
		closed, err := s.Todos.Watch(context.Background(), session)
		if err != nil {
			s.T.Fatal(err)
		}
		s.panels[session] = closed
	case "closed":
		if err := s.panels[session](); err != nil {
			s.T.Fatal(err)
		}
	}
}

func (s *Story) edit(session string, words []string) string {
	var edit todo.Edit
	switch words[0] {
	case "remove":
		edit = todo.Remove{At: words[1:]}
	case "done":
		edit = todo.Set{At: words[1:], Status: todo.Completed}
	case "add":
		edit = todo.Add{Content: strings.Join(words[1:], " ")}
	default:
		s.T.Fatalf("nobody knows how to %q", words[0])
	}
	done, err := s.Todos.Edit(context.Background(), todo.Key{Session: session}, todo.Editing{By: "A person"}, edit)
	if err != nil {
		return "! " + err.Error()
	}
	return strings.Join(done.What, "; ")
}
