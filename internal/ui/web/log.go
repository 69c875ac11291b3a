package web

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
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
	// by default, and at most.
	fewChanges  = 50
	mostChanges = 200
	// mostDetails is how many lines about its fields a change has.
	mostDetails = 60
	// mostWhole is how many tasks a change may have to come with their fields: an
	// import has 20,000, and a reader who wants them all reads the tasks.
	mostWhole = 100
)

func (v *visit) log(_ http.ResponseWriter, r *http.Request) (any, error) {
	a := askedOf(r)
	limit, before, task := int(a.number("limit", fewChanges)), pawl.Revision(a.number("before", 0)), a.id("task")
	if limit < 1 || limit > mostChanges {
		return nil, fault("limit", fmt.Sprintf("is %d; it goes from 1 to %d", limit, mostChanges))
	}
	board, err := v.board(r.Context())
	if err != nil {
		return nil, err
	}
	page, err := query.Of(r.Context(), board, v.asking(a), query.HistoryQuery{Task: task, Before: before, Limit: limit, Undid: true})
	if err != nil {
		return nil, err
	}
	if page.Fault != nil {
		return nil, page.Fault
	}
	return v.tell(task, &page), nil
}

// tell puts a page of history in words.
func (v *visit) tell(task pawl.ID, page *query.History) *historyJSON {
	answer := &historyJSON{Envelope: wire.NewEnvelope("history"), Revision: page.Revision, Changes: []toldJSON{}, Trimmed: page.Trimmed != nil}
	for i := range page.Sets {
		set := &page.Sets[i]
		how := show.Telling{Names: page.Names, Asked: task, Words: true}
		if undid, ok := page.Undid[set.Revision]; ok {
			how.Undid = &undid
		}
		told := toldJSON{
			ChangeSet: wire.NewChangeSet(set, page.Names, page.Origin), Line: how.Line(set), Details: details(set, page.Names),
			Undone: slices.Contains(page.Undone, set.Revision), Mine: set.By.Name == v.By.Name,
		}
		if len(set.Changes) > mostWhole {
			for k := range told.Tasks {
				told.Tasks[k].Before, told.Tasks[k].After = nil, nil
			}
		}
		answer.Changes = append(answer.Changes, told)
	}
	if page.More {
		answer.Next = page.Sets[len(page.Sets)-1].Revision
	}
	return answer
}

// details tell what became of the fields of each task.
func details(set *pawl.ChangeSet, names query.Subjects) []string {
	var lines []string
	for i := range set.Changes {
		if set.Bulk || len(lines) >= mostDetails {
			break
		}
		lines = append(lines, show.ChangeDetail(&set.Changes[i], names, inUTC)...)
	}
	if len(lines) > mostDetails {
		lines = append(lines[:mostDetails], "and more")
	}
	return lines
}
