package web

import (
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/view"
)

// lanesJSON is the board as columns of cards.
type lanesJSON struct {
	view.Envelope
	Revision pawl.Revision `json:"revision"`        // of the board
	Now      view.Moment   `json:"now"`             // by the board's clock, which decides leases
	Until    view.Moment   `json:"until,omitempty"` // when the next lease ends: a card moves then, though nobody writes
	Lanes    []laneJSON    `json:"lanes"`           // blocked, ready, in progress, done
	Labels   []string      `json:"labels"`          // of the cards, sorted
	Owners   []string      `json:"owners"`          // of the cards, sorted
}

// laneJSON is a column.
type laneJSON struct {
	Lane  view.LaneName `json:"lane"`  // which it is
	Title string        `json:"title"` // for people: In progress
	Total int           `json:"total"` // how many cards there are in all: not all that is done comes along
	Cards []cardJSON    `json:"cards"` // in order: what is next first, what was begun first, what was done last
}

// cardJSON is a task on the board.
type cardJSON struct {
	ID          pawl.ID        `json:"id"`                    // its number
	Subject     string         `json:"subject"`               // one line
	State       view.StateName `json:"state"`                 // how it stands
	Owner       string         `json:"owner,omitempty"`       // who has it, or shall
	Priority    view.Level     `json:"priority"`              // its own
	Labels      []string       `json:"labels,omitempty"`      // sorted as in its file
	Parent      pawl.ID        `json:"parent,omitempty"`      // the task that it is a part of
	Why         string         `json:"why,omitempty"`         // what keeps it from being taken, or why its owner should stop, in words
	WaitsFor    []waitedJSON   `json:"waitsFor,omitempty"`    // the first few of the open tasks that it waits for
	Waits       int            `json:"waits,omitempty"`       // how many they are in all
	Unblocks    int            `json:"unblocks,omitempty"`    // of a ready one: how many open tasks wait for it
	Doing       string         `json:"doing,omitempty"`       // of one in progress: what is being done
	Notes       int            `json:"notes,omitempty"`       // of one in progress: how many remarks it has
	StartedAt   view.Moment    `json:"startedAt,omitempty"`   // when its owner began
	CompletedAt view.Moment    `json:"completedAt,omitempty"` // when it was done
	Until       view.Moment    `json:"until,omitempty"`       // when the lease of its claim ends
	Children    int            `json:"children,omitempty"`    // how many parts it has
	Done        int            `json:"done,omitempty"`        // how many of them are completed
	AsDone      bool           `json:"asDone,omitempty"`      // completed only in what-if
}

// waitedJSON is a task that another one waits for.
type waitedJSON struct {
	ID      pawl.ID        `json:"id"`      // its number
	Subject string         `json:"subject"` // empty where the task is missing
	State   view.StateName `json:"state"`   // how it stands
}

func (s *Server) lanes(_ http.ResponseWriter, r *http.Request) (any, error) {
	a := askedOf(r)
	finished := a.number("done", fewDone)
	if finished > mostDone {
		return nil, fault("done", fmt.Sprintf("is %d; the most is %d", finished, mostDone))
	}
	board, err := s.board(r.Context())
	if err != nil {
		return nil, err
	}
	query := view.LanesQuery{Tasks: a.tasks(s.By.Name), Done: int(finished)}
	var answer lanesJSON
	err = s.look(r.Context(), board, a.ids("asDone"), func(reader pawl.Reader, done map[pawl.ID]bool) error {
		l, err := view.LoadLanes(reader, s.By.Name, query)
		if err == nil {
			answer = newLanes(l, done)
		}
		return err
	})
	return answer, err
}

// fewDone and mostDone are how many of the completed tasks come along unless said,
// and at most.
const (
	fewDone  = 10
	mostDone = 2_000
)

func newLanes(l *view.Lanes, done map[pawl.ID]bool) lanesJSON {
	a := lanesJSON{Envelope: view.NewEnvelope("lanes"), Revision: l.Revision, Now: view.Time(l.Now), Until: view.Time(l.Until)}
	labels, owners := map[string]bool{}, map[string]bool{}
	for lane, cards := range l.Cards {
		column := laneJSON{view.Lane(lane).Name(), view.Lane(lane).String(), l.Total[lane], []cardJSON{}}
		for i := range cards {
			card := newCard(&cards[i], l)
			card.AsDone = done[card.ID]
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

func newCard(c *view.Card, l *view.Lanes) cardJSON {
	t := &c.Task
	j := cardJSON{
		ID: t.ID, Subject: t.Subject, State: c.State.Name(), Owner: t.Owner, Priority: view.Level(t.Priority.String()), Labels: t.Labels, Parent: t.Parent,
		Why: c.Why(), Waits: c.Waits, Unblocks: l.Unblocks[t.ID], Doing: c.Doing(), Notes: c.Notes,
		StartedAt: view.Time(t.StartedAt), CompletedAt: view.Time(t.CompletedAt), Until: view.Time(t.Claim.Until),
	}
	j.Done, j.Children = c.Progress()
	for _, w := range c.WaitFor {
		j.WaitsFor = append(j.WaitsFor, waitedJSON{w.ID, w.Subject, w.State.Name()})
	}
	return j
}
