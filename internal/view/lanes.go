package view

import (
	"cmp"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
)

// A Lane is a column of the board.
type Lane uint8

// The lanes, from left to right.
const (
	Blocked  Lane = iota // waits for a task, or needs a person: what is held or damaged, too
	Pickable             // ready, be it for somebody else only
	Doing
	Finished
	NumLanes = iota
)

func (l Lane) String() string {
	return [...]string{Blocked: "Blocked", Pickable: "Ready", Doing: "In progress", Finished: "Done"}[l]
}

// LaneOf returns the lane of a task in this state.
func LaneOf(s State) Lane {
	switch s {
	case Done:
		return Finished
	case Working:
		return Doing
	case Ready, Taken:
		return Pickable
	}
	return Blocked
}

// Lanes is a board as columns of cards, as it is at one moment.
type Lanes struct {
	Facts
	Revision pawl.Revision
	Cards    [NumLanes][]Card
	Total    [NumLanes]int // how many cards there are in all: not all that is done comes along
	Until    time.Time     // when the next lease ends, and a card moves though nobody writes; zero: none does
}

// A Card is a task on the board.
type Card struct {
	Task    pawl.Task // in brief
	State   State
	WaitFor []Brief // the first few of the open tasks that keep it from being taken, by id
	Waits   int     // how many they are in all
}

// A LanesQuery chooses the cards of the board.
type LanesQuery struct {
	Tasks pawl.Query // its status, order and pages do not matter
	Done  int        // so many of those that are done, the newest first
}

// mostWaitFor is how many of the tasks that it waits for a card names.
const mostWaitFor = 3

// LoadLanes reads the board as the one called name sees it. Cards are in the
// order in which they are worked on; what is in progress by when it was started,
// and what is done from the newest on.
func LoadLanes(r pawl.Reader, name string, q LanesQuery) (*Lanes, error) {
	tasks, err := selectAll(r, GraphQuery{Tasks: q.Tasks, All: true})
	if err != nil {
		return nil, err
	}
	l := &Lanes{Revision: r.Revision()}
	facts, err := LoadFacts(r, name, tasks)
	if err != nil {
		return nil, err
	}
	l.Facts = *facts
	for i := range tasks {
		card := Card{Task: tasks[i], State: StateOf(&tasks[i], name)}
		lane := LaneOf(card.State)
		l.Cards[lane] = append(l.Cards[lane], card)
	}
	for lane := range l.Cards {
		cards := l.Cards[lane]
		slices.SortStableFunc(cards, func(a, b Card) int {
			switch Lane(lane) {
			case Doing:
				return cmp.Or(a.Task.StartedAt.Compare(b.Task.StartedAt), cmp.Compare(a.Task.ID, b.Task.ID))
			case Finished:
				return cmp.Or(b.Task.CompletedAt.Compare(a.Task.CompletedAt), cmp.Compare(b.Task.ID, a.Task.ID))
			}
			return pawl.ByUrgency.Compare(a.Task.Rank(), b.Task.Rank())
		})
		l.Total[lane] = len(cards)
	}
	done := l.Cards[Finished]
	l.Cards[Finished] = done[:min(q.Done, len(done))]
	return l, nil
}
