package mcpserver

import (
	"context"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/say"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/tool"
)

// mostLines bounds each list of tasks in a text; a board may have 100,000.
const mostLines = 50

// read runs fn on the board as it is.
func (s *Server) read(ctx context.Context, by tool.Caller, fn func(pawl.Reader) error) error {
	board, _, err := s.o.Board(ctx, by, false)
	if err != nil {
		return err
	}
	return board.View(ctx, fn)
}

// A section is the tasks of one kind under their heading.
type section struct {
	title string
	query pawl.Query
}

// sections are those of the whole board, for the one called name. A task stands
// in the first that it belongs to.
func sections(name string) []section {
	return []section{
		{"In progress", pawl.Query{Status: []pawl.Status{pawl.InProgress}}},
		{"Ready", pawl.Query{Ready: true, For: name, Order: pawl.ByUrgency}},
		{"Waiting", pawl.Query{Status: []pawl.Status{pawl.Pending}, Blocked: true}},
		{"Held", pawl.Query{Status: []pawl.Status{pawl.Pending}, Held: true}},
		{"Assigned", pawl.Query{Status: []pawl.Status{pawl.Pending}, Owned: true}},
		{"Damaged", pawl.Query{Damaged: true}},
	}
}

func (s *Server) boardText(ctx context.Context, by tool.Caller) (string, error) {
	var w strings.Builder
	w.WriteString("# Task board\n")
	err := s.read(ctx, by, func(r pawl.Reader) error {
		shown := map[pawl.ID]bool{}
		for _, section := range sections(by.Name) {
			if err := section.write(&w, r, shown); err != nil {
				return err
			}
		}
		if len(shown) == 0 {
			w.WriteString("\nNo open tasks.\n")
		}
		return nil
	})
	return w.String(), err
}

// write lists the tasks that were not shown yet.
func (sec section) write(w *strings.Builder, r pawl.Reader, shown map[pawl.ID]bool) error {
	sec.query.Brief, sec.query.Limit = true, mostLines
	page, err := r.Select(sec.query)
	if err != nil {
		return err
	}
	headed := false
	for i := range page.Tasks {
		t := &page.Tasks[i]
		if shown[t.ID] {
			continue
		}
		if !headed {
			fmt.Fprintf(w, "\n## %s\n\n", sec.title)
			headed = true
		}
		shown[t.ID] = true
		fmt.Fprintf(w, "- %s\n", say.ListLine(t))
	}
	if page.Next != nil {
		fmt.Fprintf(w, "- and %d more\n", page.Total-len(page.Tasks))
	}
	return nil
}

func (s *Server) readyText(ctx context.Context, by tool.Caller) (string, error) {
	var w strings.Builder
	w.WriteString("# Ready tasks\n")
	err := s.read(ctx, by, func(r pawl.Reader) error {
		shown := map[pawl.ID]bool{}
		ready := section{"The most urgent first", pawl.Query{Ready: true, For: by.Name, Order: pawl.ByUrgency}}
		if err := ready.write(&w, r, shown); err != nil {
			return err
		}
		if len(shown) == 0 {
			w.WriteString("\nNothing is ready.\n")
		}
		return nil
	})
	return w.String(), err
}

func (s *Server) taskText(ctx context.Context, by tool.Caller, name string) (text string, err error) {
	board, _, err := s.o.Board(ctx, by, false)
	if err != nil {
		return "", err
	}
	id, err := board.Resolve(ctx, name)
	if err != nil {
		return "", err
	}
	err = board.View(ctx, func(r pawl.Reader) error {
		d, err := ask.LoadDetail(r, id)
		if err == nil {
			text = say.Detail(d)
		}
		return err
	})
	return text, err
}

func (s *Server) todosText(ctx context.Context, by tool.Caller) (string, error) {
	list, err := s.o.Todos.Read(ctx, by.Key())
	if err != nil {
		return "", err
	}
	text := todo.Structured(&list, s.o.Now())
	if len(list.Items) == 0 { // then it says how to write one
		text = strings.Replace(text, "todo_write", s.word.write, 1)
	}
	return text, nil
}
