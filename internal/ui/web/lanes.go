package web

import (
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

// lanesJSON is the board as columns of cards.
type lanesJSON struct {
	wire.Envelope
	Revision pawl.Revision `json:"revision"`         // of the board
	Now      wire.Moment   `json:"now"`              // by the board's clock, which decides leases
	Until    wire.Moment   `json:"until,omitempty"`  // when the next lease expires: a card moves then without a write
	Lanes    []laneJSON    `json:"lanes"`            // blocked, ready, in progress, done
	Labels   []string      `json:"labels"`           // of the cards, sorted
	Owners   []string      `json:"owners"`           // of the cards, sorted
	Shared   *wire.Shared  `json:"shared,omitempty"` // how the board is shared through a git remote; absent: it is not
}

// laneJSON is a column.
type laneJSON struct {
	Lane     query.LaneName `json:"lane"`               // its name
	Title    string         `json:"title"`              // its title: In progress
	Total    int            `json:"total"`              // number of cards; more than are listed in the lane of completed tasks
	Archived int            `json:"archived,omitempty"` // of completed tasks: how many more there are, longer ago than the setting archive.after
	Unshown  int            `json:"unshown,omitempty"`  // of completed tasks: how many are not shown to be done, archived ones too
	Cards    []cardJSON     `json:"cards"`              // in order: the most urgent first, in progress the one started first, done first what is not shown to be, then the one completed last
}

// cardJSON is a task on the board.
type cardJSON struct {
	ID          pawl.ID         `json:"id"`                    // its number
	Subject     string          `json:"subject"`               // one line
	State       query.StateName `json:"state"`                 // its state
	Owner       string          `json:"owner,omitempty"`       // its owner; of a pending task, its assignee
	On          string          `json:"on,omitempty"`          // on a shared board: the other clone in which its owner works, as people call it
	Here        bool            `json:"here,omitempty"`        // on a shared board: only this clone knows the claim
	Priority    wire.Level      `json:"priority"`              // its own
	Labels      []string        `json:"labels,omitempty"`      // sorted as in its file
	Parent      pawl.ID         `json:"parent,omitempty"`      // the task that it is a part of
	Other       string          `json:"other,omitempty"`       // which task of another branch has its number until pawl merge, in words
	Why         string          `json:"why,omitempty"`         // why it cannot be claimed, or why its owner should stop, in words
	WaitsFor    []waitedJSON    `json:"waitsFor,omitempty"`    // its first open blockers
	Waits       int             `json:"waits,omitempty"`       // number of open blockers
	Unblocks    int             `json:"unblocks,omitempty"`    // of a ready task: number of open tasks that depend on it
	Doing       string          `json:"doing,omitempty"`       // of a task in progress: its active form
	Notes       int             `json:"notes,omitempty"`       // of a task in progress: number of notes
	StartedAt   wire.Moment     `json:"startedAt,omitempty"`   // when its owner started it
	CompletedAt wire.Moment     `json:"completedAt,omitempty"` // when it was completed
	Until       wire.Moment     `json:"until,omitempty"`       // when its lease expires
	Children    int             `json:"children,omitempty"`    // number of children
	Done        int             `json:"done,omitempty"`        // number of completed children
	AsDone      bool            `json:"asDone,omitempty"`      // completed only in this what-if
	Checked     pawl.Checked    `json:"checked,omitempty"`     // how far its checks and criteria show that it is done; absent: it has none
	Shown       string          `json:"shown,omitempty"`       // that a check failed, or that it is completed and not shown to be done, in words: "done, but unit failed"
	Tail        string          `json:"tail,omitempty"`        // the last lines of what the failed check printed in this clone: text
}

// waitedJSON is a neighbour of a task.
type waitedJSON struct {
	ID      pawl.ID         `json:"id"`      // its number
	Subject string          `json:"subject"` // empty if the task is missing
	State   query.StateName `json:"state"`   // its state
}

func (v *visit) lanes(_ http.ResponseWriter, r *http.Request) (any, error) {
	a := askedOf(r)
	finished := a.number("done", fewDone)
	if finished > mostDone {
		return nil, fault("done", fmt.Sprintf("is %d; the most is %d", finished, mostDone))
	}
	board, err := v.board(r.Context())
	if err != nil {
		return nil, err
	}
	selection := query.LanesQuery{Tasks: a.tasks(v.By.Name), Done: int(finished)}
	l, err := query.Of(r.Context(), board, v.asking(a), selection)
	if err != nil {
		return nil, err
	}
	answer := newLanes(&l)
	v.failedOn(r.Context(), &l, &answer)
	return answer, nil
}

// fewDone and mostDone are how many completed tasks are listed by default,
// and at most.
const (
	fewDone  = 10
	mostDone = 2_000
)

func newLanes(l *query.Lanes) lanesJSON {
	a := lanesJSON{Envelope: wire.NewEnvelope("lanes"), Revision: l.Revision, Now: wire.Time(l.Now), Until: wire.Time(l.Until), Shared: wire.NewShared(l.Shared, l.Now)}
	a.AsOf = wire.Time(l.Old)
	labels, owners := map[string]bool{}, map[string]bool{}
	for lane, cards := range l.Cards {
		column := laneJSON{Lane: query.Lane(lane).Name(), Title: query.Lane(lane).String(), Total: l.Total[lane], Cards: []cardJSON{}}
		if query.Lane(lane) == query.Finished {
			column.Archived, column.Unshown = l.Archived, l.Unshown
		}
		for i := range cards {
			card := newCard(&cards[i], l)
			card.AsDone = slices.Contains(l.AsDone, card.ID)
			column.Cards = append(column.Cards, card)
			for _, label := range card.Labels {
				labels[label] = true
			}
			if card.Owner != "" {
				owners[card.Owner] = true
			}
		}
		a.Lanes = append(a.Lanes, column)
	}
	a.Labels, a.Owners = names(labels), names(owners)
	return a
}

// names are the keys of a set, sorted.
func names(set map[string]bool) []string {
	return slices.AppendSeq([]string{}, slices.Values(slices.Sorted(maps.Keys(set))))
}

func newCard(c *query.Card, l *query.Lanes) cardJSON {
	t := &c.Task
	j := cardJSON{
		ID: t.ID, Subject: t.Subject, State: c.State.Name(), Owner: t.Owner, Priority: wire.Level(t.Priority.String()), Labels: t.Labels, Parent: t.Parent,
		Other: show.OtherBranch(t), Why: show.Why(c), Waits: c.Waits, Unblocks: l.Unblocks[t.ID], Doing: show.Doing(c), Notes: c.Notes,
		StartedAt: wire.Time(t.StartedAt), CompletedAt: wire.Time(t.CompletedAt), Until: wire.Time(t.Claim.Until),
	}
	j.Done, j.Children = c.Progress()
	if t.Damage == "" {
		j.Checked, j.Shown = show.Checked(t), show.CardChecked(t)
	}
	j.On, j.Here = show.On(t, l.Shared), show.HereOnly(t.ID, l.Shared) != ""
	for _, w := range c.WaitFor {
		j.WaitsFor = append(j.WaitsFor, waitedJSON{w.ID, w.Subject, w.State.Name()})
	}
	return j
}
