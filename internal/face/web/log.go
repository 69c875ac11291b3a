package web

import (
	"context"
	"fmt"
	"net/http"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/say"
	"github.com/pawl-dev/pawl/internal/wire"
)

// historyJSON is a page of what happened.
type historyJSON struct {
	wire.Envelope
	Revision pawl.Revision `json:"revision"`          // of the board
	Changes  []toldJSON    `json:"changes"`           // newest first, without renewals of leases
	Next     pawl.Revision `json:"next,omitempty"`    // the value of before for the next page; absent on the last
	Trimmed  bool          `json:"trimmed,omitempty"` // older changes are no longer kept
}

// toldJSON is a change, as data and as it is told.
type toldJSON struct {
	wire.ChangeSet
	Line    string   `json:"line"`              // the change in words: "ada completed #1 Set up; ready now: #2 Write the parser"
	Details []string `json:"details,omitempty"` // the changed fields, a line each; the first 60
	Undone  bool     `json:"undone,omitempty"`  // reverted by a later change
	Mine    bool     `json:"mine"`              // made in the name in which the API acts
}

const (
	// fewChanges and mostChanges are how many changes a page of history has
	// unless said, and at most.
	fewChanges  = 50
	mostChanges = 200
	// mostDetails is how many lines about its fields a change has.
	mostDetails = 60
	// mostWhole is how many tasks a change may have to come with their fields: an
	// import has 20,000, and whoever wants to know reads the tasks.
	mostWhole = 100
)

func (s *Server) log(_ http.ResponseWriter, r *http.Request) (any, error) {
	a := askedOf(r)
	limit, before, task := int(a.number("limit", fewChanges)), pawl.Revision(a.number("before", 0)), a.id("task")
	if limit < 1 || limit > mostChanges {
		return nil, fault("limit", fmt.Sprintf("is %d; it goes from 1 to %d", limit, mostChanges))
	}
	board, err := s.board(r.Context())
	if err != nil {
		return nil, err
	}
	page, err := readPast(r.Context(), board, task, before, limit)
	if err != nil {
		return nil, err
	}
	if task != 0 && len(page.sets) == 0 && before == 0 {
		if _, err := board.Get(r.Context(), task); err != nil {
			return nil, err
		}
	}
	return s.tell(r.Context(), board, task, page)
}

// past is a page of history, newest first.
type past struct {
	sets    []pawl.ChangeSet
	undone  map[pawl.Revision]bool
	more    bool // older ones are there
	trimmed bool // older ones are no longer kept
}

func readPast(ctx context.Context, board *pawl.Board, task pawl.ID, before pawl.Revision, limit int) (*past, error) {
	page := &past{undone: map[pawl.Revision]bool{}}
	for set, err := range board.Changes(ctx, pawl.Span{Task: task, Backward: true}) {
		switch {
		case pawl.KindOf(err) == pawl.Gone && err != nil:
			page.trimmed = true
			return page, nil
		case err != nil:
			return nil, err
		}
		if set.Undoes != 0 && !page.undone[set.Revision] {
			page.undone[set.Undoes] = true
		}
		if before != 0 && set.Revision >= before || ask.Renewal(&set) {
			continue
		}
		if len(page.sets) == limit {
			page.more = true
			return page, nil
		}
		page.sets = append(page.sets, set)
	}
	return page, nil
}

// tell puts a page of history in words.
func (s *Server) tell(ctx context.Context, board *pawl.Board, task pawl.ID, page *past) (*historyJSON, error) {
	answer := &historyJSON{Envelope: wire.NewEnvelope("history"), Changes: []toldJSON{}, Trimmed: page.trimmed}
	var names ask.Subjects
	err := board.View(ctx, func(r pawl.Reader) (err error) {
		answer.Revision = r.Revision()
		names, err = ask.LoadSubjects(r, page.sets...)
		return err
	})
	if err != nil {
		return nil, err
	}
	known := map[pawl.Revision]pawl.ChangeSet{}
	for i := range page.sets {
		known[page.sets[i].Revision] = page.sets[i]
	}
	for i := range page.sets {
		set := &page.sets[i]
		how := say.Telling{Names: names, Asked: task, Words: true, Undid: ask.LoadUndid(ctx, board, set, known)}
		told := toldJSON{
			ChangeSet: wire.NewChangeSet(set, names), Line: how.Line(set), Details: details(set, names),
			Undone: page.undone[set.Revision], Mine: set.By.Name == s.By.Name,
		}
		if len(set.Changes) > mostWhole {
			for k := range told.Tasks {
				told.Tasks[k].Before, told.Tasks[k].After = nil, nil
			}
		}
		answer.Changes = append(answer.Changes, told)
	}
	if page.more {
		answer.Next = page.sets[len(page.sets)-1].Revision
	}
	return answer, nil
}

// details tell what became of the fields of each task.
func details(set *pawl.ChangeSet, names ask.Subjects) []string {
	var lines []string
	for i := range set.Changes {
		if set.Bulk || len(lines) >= mostDetails {
			break
		}
		lines = append(lines, say.ChangeDetail(&set.Changes[i], names, inUTC)...)
	}
	if len(lines) > mostDetails {
		lines = append(lines[:mostDetails], "and more")
	}
	return lines
}
