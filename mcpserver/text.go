package mcpserver

import (
	"context"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/tool"
)

// mostLines bounds each list of tasks in a text; a board may have 100,000.
const mostLines = 50

// inquire asks the caller's board a question.
func inquire[A any](ctx context.Context, s *Server, by tool.Caller, q query.Asks[A]) (A, error) {
	board, _, err := s.o.Board(ctx, by, false)
	if err != nil {
		var none A
		return none, err
	}
	return query.Of(ctx, board, query.Asker{By: by.Actor}, q)
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
		{"On hold", pawl.Query{Status: []pawl.Status{pawl.Pending}, Held: true}},
		{"Assigned", pawl.Query{Status: []pawl.Status{pawl.Pending}, Owned: true}},
		{"Damaged", pawl.Query{Damaged: true}},
	}
}

func (s *Server) boardText(ctx context.Context, by tool.Caller) (string, error) {
	return s.sectionsText(ctx, by, "# Task board\n", "\nNo open tasks.\n", sections(by.Name))
}

func (s *Server) readyText(ctx context.Context, by tool.Caller) (string, error) {
	ready := section{"The most urgent first", pawl.Query{Ready: true, For: by.Name, Order: pawl.ByUrgency}}
	return s.sectionsText(ctx, by, "# Ready tasks\n", "\nNothing is ready.\n", []section{ready})
}

// sectionsText lists tasks under a title. Where there are none it says so.
func (s *Server) sectionsText(ctx context.Context, by tool.Caller, title, none string, sections []section) (string, error) {
	var q query.PagesQuery
	for _, section := range sections {
		section.query.Brief, section.query.Limit = true, mostLines
		q.Queries = append(q.Queries, section.query)
	}
	answer, err := inquire(ctx, s, by, q)
	if err != nil {
		return "", err
	}
	var w strings.Builder
	w.WriteString(title)
	shown := map[pawl.ID]bool{}
	for i := range sections {
		sections[i].write(&w, &answer.Pages[i], answer.Shared, shown)
	}
	if len(shown) == 0 {
		w.WriteString(none)
	}
	return w.String(), nil
}

// write lists the tasks that were not shown yet.
func (sec section) write(w *strings.Builder, page *pawl.Page, shared *share.Status, shown map[pawl.ID]bool) {
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
		fmt.Fprintf(w, "- %s\n", show.ListLine(t, shared))
	}
	if page.Next != nil {
		fmt.Fprintf(w, "- and %d more\n", page.Total-len(page.Tasks))
	}
}

func (s *Server) taskText(ctx context.Context, by tool.Caller, name string) (text string, err error) {
	answer, err := inquire(ctx, s, by, query.TaskQuery{Names: []string{name}})
	if err != nil {
		return "", err
	}
	if fault := answer.Tasks[0].Fault; fault != nil {
		return "", fault
	}
	return show.Detail(answer.Tasks[0].Detail, answer.Shared), nil
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
