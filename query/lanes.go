package query

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
	Blocked  Lane = iota // waits for a task, or needs a person: tasks on hold and damaged ones, too
	Pickable             // ready, be it for somebody else only
	Doing
	Finished
	NumLanes = iota
)

func (l Lane) String() string {
	return [...]string{Blocked: "Blocked", Pickable: "Ready", Doing: "In progress", Finished: "Done"}[l]
}

// A LaneName is a lane in an envelope: blocked, ready, in_progress or
// completed.
type LaneName string

// Name is the lane in an envelope.
func (l Lane) Name() LaneName {
	return [...]LaneName{Blocked: "blocked", Pickable: "ready", Doing: "in_progress", Finished: "completed"}[l]
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

// compare is the order of the cards of a lane: what is in progress by when it
// was started, what is done from the newest on but first what nothing shows to be
// done, everything else as it is worked on.
func (l Lane) compare(a, b *pawl.Task) int {
	switch l {
	case Doing:
		return cmp.Or(a.StartedAt.Compare(b.StartedAt), cmp.Compare(a.ID, b.ID))
	case Finished:
		if is, other := a.Unshown(), b.Unshown(); is != other {
			if is {
				return -1
			}
			return 1
		}
		return a.Cursor().Compare(pawl.ByCompletion, b.Cursor())
	}
	return pawl.ByUrgency.Compare(a.Rank(), b.Rank())
}

// Lanes is a board as columns of cards, as it is at one moment.
type Lanes struct {
	Facts
	Revision pawl.Revision    `json:"revision"`
	Cards    [NumLanes][]Card `json:"cards"`
	Total    [NumLanes]int    `json:"total"`              // how many cards there are in all: not all that is done comes along, and archived tasks are not counted
	Archived int              `json:"archived,omitempty"` // how many more are done, longer ago than [Asker.Archive]
	Unshown  int              `json:"unshown,omitempty"`  // how many are completed and not shown to be done, archived ones too; the first of the cards are theirs
	Until    time.Time        `json:"until,omitzero"`     // when the next lease ends, and a card moves though nobody writes; zero: none does
	AsDone   []pawl.ID        `json:"asDone,omitempty"`   // as in [Head]
	Old      time.Time        `json:"old,omitzero"`       // as in [Head]
}

// Age marks the answer as one that was given earlier.
func (l *Lanes) Age(given time.Time) { l.Old = given }

// Aged is as in [Head].
func (l *Lanes) Aged() time.Time { return l.Old }

func (l *Lanes) suppose(done []pawl.ID) { l.AsDone = done }

// A LanesQuery chooses the cards of the board.
type LanesQuery struct {
	Tasks pawl.Query `json:"tasks,omitzero"`  // its order and pages do not matter
	Done  int        `json:"done,omitempty"`  // so many of those that are done, the newest first, and before them up to [MostUnshown] that are not shown to be; zero: none
	Reach pawl.ID    `json:"reach,omitempty"` // and if this is one of them, as many as it takes to have it, up to [MostReach]; zero: none
}

// MostReach is how many completed tasks are read to reach one of them.
const MostReach = 2_000

// MostUnshown is how many unproven completed tasks come first.
const MostUnshown = 50

// loadLanes reads the board as who sees it.
func loadLanes(r pawl.Reader, who Asker, q LanesQuery) (*Lanes, error) {
	l := &Lanes{Revision: r.Revision()}
	tasks, err := q.open(r)
	if err != nil {
		return nil, err
	}
	facts, err := loadFacts(r, who.By.Name, tasks)
	if err != nil {
		return nil, err
	}
	l.Facts = *facts
	done, err := q.done(r, who)
	if err != nil {
		return nil, err
	}
	total, archived, err := q.allDone(r, who)
	if err != nil {
		return nil, err
	}
	doubtful, err := l.unshown(r, q)
	if err != nil {
		return nil, err
	}
	for i := range doubtful {
		if who.isArchived(r, &doubtful[i]) { // it has a card
			total, archived = total+1, archived-1
		}
	}
	l.Archived = archived
	done = slices.DeleteFunc(done, func(t pawl.Task) bool {
		return slices.ContainsFunc(doubtful, func(d pawl.Task) bool { return d.ID == t.ID })
	})
	if err := l.fill(r, slices.Concat(tasks, doubtful, done)); err != nil {
		return nil, err
	}
	l.Total[Finished] = total
	return l, l.loadUntil(r)
}

// fill makes cards of tasks.
func (l *Lanes) fill(r pawl.Reader, tasks []pawl.Task) error {
	var in [NumLanes][]*pawl.Task // tasks are large, and are moved once
	for i := range tasks {
		lane := LaneOf(StateOf(&tasks[i], l.Name))
		in[lane] = append(in[lane], &tasks[i])
	}
	for lane, tasks := range in {
		slices.SortFunc(tasks, Lane(lane).compare)
		if l.Total[lane] = len(tasks); len(tasks) == 0 {
			continue
		}
		l.Cards[lane] = make([]Card, len(tasks))
		for i, t := range tasks {
			l.Cards[lane][i] = Card{Task: *t, State: StateOf(t, l.Name)}
		}
	}
	if err := l.loadDoing(r); err != nil {
		return err
	}
	if err := l.loadFailed(r); err != nil {
		return err
	}
	return l.loadWaits(r)
}

// loadCards makes cards of tasks, by their ids.
func loadCards(r pawl.Reader, name string, tasks []pawl.Task) (map[pawl.ID]*Card, error) {
	l := &Lanes{Facts: Facts{Now: r.Now(), Name: name}}
	if err := l.fill(r, tasks); err != nil {
		return nil, err
	}
	cards := make(map[pawl.ID]*Card, len(tasks))
	for lane := range l.Cards {
		for i := range l.Cards[lane] {
			cards[l.Cards[lane][i].Task.ID] = &l.Cards[lane][i]
		}
	}
	return cards, nil
}

// of is the query for tasks in some status, in brief; false: it chooses none.
func (q LanesQuery) of(status ...pawl.Status) (pawl.Query, bool) {
	query := q.Tasks
	if len(query.Status) > 0 {
		status = slices.DeleteFunc(status, func(s pawl.Status) bool { return !slices.Contains(query.Status, s) })
	}
	query.Status, query.Order, query.After, query.Limit, query.Brief = status, pawl.ByID, nil, pawl.MaxPage, true
	return query, len(status) > 0
}

// open reads the tasks of the other lanes than that of what is done.
func (q LanesQuery) open(r pawl.Reader) (tasks []pawl.Task, err error) {
	if query, any := q.of(pawl.Pending, pawl.InProgress); any {
		if tasks, err = pages(r, query); err != nil {
			return nil, err
		}
	}
	damaged, err := q.broken(r)
	return append(tasks, damaged...), err
}

// broken reads the damaged tasks that were completed before: they no longer count
// as completed.
func (q LanesQuery) broken(r pawl.Reader) ([]pawl.Task, error) {
	query, any := q.of(pawl.Completed)
	if !any {
		return nil, nil
	}
	query.Damaged = true
	return pages(r, query)
}

// allDone counts what is done, that which is archived apart.
func (q LanesQuery) allDone(r pawl.Reader, who Asker) (shown, archived int, err error) {
	query, any := q.of(pawl.Completed)
	if !any {
		return 0, 0, nil
	}
	damaged, err := q.broken(r)
	if err != nil {
		return 0, 0, err
	}
	shown, archived, err = who.counted(r, query)
	return shown - len(damaged), archived, err
}

// done reads what was done last.
func (q LanesQuery) done(r pawl.Reader, who Asker) (newest []pawl.Task, err error) {
	query, any := q.of(pawl.Completed)
	if !any {
		return nil, nil
	}
	damaged, err := q.broken(r)
	if err != nil {
		return nil, err
	}
	who.unarchived(r, &query)
	query.Order = pawl.ByCompletion
	least := q.Done
	if q.Reach != 0 {
		least = max(least, MostReach)
	}
	for {
		query.Limit = min(pawl.MaxPage, max(1, least+len(damaged)))
		page, err := r.Select(query)
		if err != nil {
			return nil, err
		}
		for _, t := range page.Tasks {
			if t.Damage == "" && least > 0 {
				newest = append(newest, t)
				least--
			}
		}
		if query.After = page.Next; query.After == nil || least == 0 {
			return q.reach(newest), nil
		}
	}
}

// unshown counts what is completed and not shown to be done, archived or not, and reads
// those of it that have a card.
func (l *Lanes) unshown(r pawl.Reader, q LanesQuery) ([]pawl.Task, error) {
	query, any := q.of(pawl.Completed)
	if !any {
		return nil, nil
	}
	query.Unshown, query.Order, query.Limit = true, pawl.ByCompletion, MostUnshown
	page, err := r.Select(query)
	if l.Unshown = page.Total; q.Done <= 0 {
		return nil, err
	}
	return page.Tasks, err
}

// reach leaves of what was read of what is done the part that is wanted.
func (q LanesQuery) reach(newest []pawl.Task) []pawl.Task {
	at := slices.IndexFunc(newest, func(t pawl.Task) bool { return t.ID == q.Reach })
	return newest[:min(len(newest), max(q.Done, at+1))]
}

// loadUntil finds the next lease that ends, be it of a task that the query does
// not choose: it may choose it then.
func (l *Lanes) loadUntil(r pawl.Reader) error {
	leased, err := pages(r, pawl.Query{Status: []pawl.Status{pawl.InProgress}, LeaseBefore: l.Now.Add(pawl.MaxLease), Brief: true})
	for i := range leased {
		if until := leased[i].Claim.Until; until.After(l.Now) && (l.Until.IsZero() || until.Before(l.Until)) {
			l.Until = until
		}
	}
	return err
}
