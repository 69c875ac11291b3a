package query

import (
	"slices"

	"github.com/pawl-dev/pawl"
)

// OverviewQuery asks for the number of tasks in each state, and for the first ones
// in progress and ready.
type OverviewQuery struct {
	Working  int  `json:"working,omitempty"`  // so many of Overview.Working are wanted, at most 50
	Ready    int  `json:"ready,omitempty"`    // so many of Overview.Ready, at most 50
	Held     int  `json:"held,omitempty"`     // so many of Overview.Held, at most 50
	Merging  int  `json:"merging,omitempty"`  // so many of Overview.Merging, at most 50
	Unshown  int  `json:"unshown,omitempty"`  // so many of Overview.Unshown, at most 50
	Last     bool `json:"last,omitempty"`     // Overview.Last is wanted
	Edges    bool `json:"edges,omitempty"`    // Overview.Waiting is wanted
	Unblocks bool `json:"unblocks,omitempty"` // Overview.Unblocks is wanted
}

// Overview is the answer to an [OverviewQuery].
type Overview struct {
	Head     `json:"head"`
	Counts   Counts          `json:"counts"`
	Working  []pawl.Task     `json:"working,omitempty"`  // in progress, the most urgent first
	Ready    []pawl.Task     `json:"ready,omitempty"`    // for the asker, the most urgent first
	Held     []pawl.Task     `json:"held,omitempty"`     // on hold, the most urgent first
	Merging  []pawl.Task     `json:"merging,omitempty"`  // with tasks of another branch beside them ([pawl.Task.Merging]), by id
	Unshown  []pawl.Task     `json:"unshown,omitempty"`  // completed and not shown to be done, the newest first
	Last     *pawl.Task      `json:"last,omitempty"`     // the one that was completed last, in brief; nil: none was, or some are open
	Cycles   [][]pawl.ID     `json:"cycles,omitempty"`   // the tasks of each cycle that files of other programs have made, until the next change cuts it
	Waiting  []pawl.ID       `json:"waiting,omitempty"`  // which of the tasks in Blocks of these are open
	Unblocks map[pawl.ID]int `json:"unblocks,omitempty"` // how many open tasks wait for each of Ready, through others too
}

// Counts is the number of tasks in each state; a task on hold that also waits counts twice,
// and a damaged one in the state that was last known of it.
type Counts struct {
	Open       int `json:"open"`       // not completed
	Ready      int `json:"ready"`      // can be claimed by the caller now
	InProgress int `json:"inProgress"` // in progress
	Blocked    int `json:"blocked"`    // pending, and waiting for a blocker or a child
	Held       int `json:"held"`       // on hold
	Completed  int `json:"completed"`  // done, without archived ones
	Damaged    int `json:"damaged"`    // their files cannot be read; never ready or blocked, but the tasks that wait for them are blocked
	Merging    int `json:"merging"`    // tasks with one of another branch under the same number, which counts nowhere until pawl merge
	Archived   int `json:"archived"`   // done, longer ago than the setting archive.after
	Unshown    int `json:"unshown"`    // done, and their checks and criteria do not show it; archived ones too
}

// mostFirst bounds a section of an overview.
const mostFirst = 50

func (q OverviewQuery) read(r pawl.Reader, who Asker) (Answer, error) {
	o := &Overview{Head: headOf(r)}
	for _, part := range []struct {
		query pawl.Query
		total *int
		first int
		tasks *[]pawl.Task
	}{
		{pawl.Query{Status: []pawl.Status{pawl.Pending, pawl.InProgress}}, &o.Counts.Open, 0, nil},
		{pawl.Query{Blocked: true}, &o.Counts.Blocked, 0, nil},
		{pawl.Query{Held: true, Order: pawl.ByUrgency}, &o.Counts.Held, q.Held, &o.Held},
		{pawl.Query{Damaged: true}, &o.Counts.Damaged, 0, nil},
		{pawl.Query{Merging: true}, &o.Counts.Merging, q.Merging, &o.Merging},
		{pawl.Query{Unshown: true, Order: pawl.ByCompletion}, &o.Counts.Unshown, q.Unshown, &o.Unshown},
		{pawl.Query{Status: []pawl.Status{pawl.InProgress}, Order: pawl.ByUrgency}, &o.Counts.InProgress, q.Working, &o.Working},
		{pawl.Query{Ready: true, For: who.By.Name, Order: pawl.ByUrgency}, &o.Counts.Ready, q.Ready, &o.Ready},
	} {
		part.query.Limit, part.query.Brief = min(max(part.first, 1), mostFirst), part.first <= 0
		page, err := r.Select(part.query)
		if err != nil {
			return nil, err
		}
		if *part.total = page.Total; part.first > 0 {
			*part.tasks = page.Tasks
		}
	}
	var err error
	if o.Cycles, err = pawl.Cycles(r); err != nil {
		return nil, err
	}
	if o.Counts.Completed, o.Counts.Archived, err = who.counted(r, pawl.Query{Status: []pawl.Status{pawl.Completed}}); err != nil {
		return nil, err
	}
	if q.Last && o.Counts.Open == 0 && o.Counts.Completed+o.Counts.Archived > 0 {
		page, err := r.Select(pawl.Query{Status: []pawl.Status{pawl.Completed}, Order: pawl.ByCompletion, Limit: 1, Brief: true})
		if err != nil {
			return nil, err
		}
		if len(page.Tasks) > 0 {
			o.Last = &page.Tasks[0]
		}
	}
	if q.Edges {
		if o.Waiting, err = waitingFor(r, slices.Concat(o.Working, o.Ready, o.Held)); err != nil {
			return nil, err
		}
	}
	if q.Unblocks {
		facts, err := loadFacts(r, who.By.Name, o.Ready)
		if err != nil {
			return nil, err
		}
		o.Unblocks = facts.Unblocks
	}
	return o, nil
}

func (OverviewQuery) kind() string              { return "overview" }
func (OverviewQuery) answer(a Answer) *Overview { return a.(*Overview) }
func (*Overview) answers() string               { return "overview" }
