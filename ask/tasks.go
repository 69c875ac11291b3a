package ask

import "github.com/pawl-dev/pawl"

// TasksQuery asks for a page of tasks.
type TasksQuery struct {
	Query    pawl.Query `json:"query"`
	Edges    bool       `json:"edges,omitempty"`    // Tasks.Waiting is wanted
	Unblocks bool       `json:"unblocks,omitempty"` // Tasks.Unblocks is wanted
	Totals   bool       `json:"totals,omitempty"`   // Tasks.Totals is wanted
	Open     bool       `json:"open,omitempty"`     // if the query chooses more than a page, choose only what is not completed
}

// Tasks is the answer to a [TasksQuery].
type Tasks struct {
	Head     `json:"head"`
	Page     pawl.Page       `json:"page"`
	Waiting  []pawl.ID       `json:"waiting,omitempty"`  // which of the tasks in Blocks of an open task of the page are open
	Unblocks map[pawl.ID]int `json:"unblocks,omitempty"` // how many open tasks wait for each ready one, through others too
	Totals   *Totals         `json:"totals,omitempty"`
	Open     bool            `json:"open,omitempty"` // the page has only what is not completed, as TasksQuery.Open asked for
}

// Totals are how many tasks a query chooses, wherever they stand: its Status,
// Ready, Blocked and Held do not count.
type Totals struct {
	Pending    int `json:"pending"`
	InProgress int `json:"inProgress"`
	Completed  int `json:"completed"`
	Ready      int `json:"ready"`   // of the pending ones, for Query.For
	Blocked    int `json:"blocked"` // of the pending ones
	Damaged    int `json:"damaged"` // of the pending ones
}

func (q TasksQuery) totals(r pawl.Reader) (*Totals, error) {
	t := &Totals{}
	for _, one := range []struct {
		into   *int
		narrow func(*pawl.Query)
	}{
		{&t.InProgress, func(q *pawl.Query) { q.Status = []pawl.Status{pawl.InProgress} }},
		{&t.Pending, func(q *pawl.Query) { q.Status = []pawl.Status{pawl.Pending} }},
		{&t.Completed, func(q *pawl.Query) { q.Status = []pawl.Status{pawl.Completed} }},
		{&t.Ready, func(q *pawl.Query) { q.Ready = true }},
		{&t.Blocked, func(q *pawl.Query) { q.Blocked = true }},
		{&t.Damaged, func(q *pawl.Query) { q.Damaged, q.Status = true, []pawl.Status{pawl.Pending} }},
	} {
		query := q.Query
		query.Status, query.Ready, query.Blocked, query.Held, query.After, query.Limit, query.Brief = nil, false, false, false, nil, 1, true
		one.narrow(&query)
		page, err := r.Select(query)
		if err != nil {
			return nil, err
		}
		*one.into = page.Total
	}
	return t, nil
}

func (q TasksQuery) read(r pawl.Reader, who Asker) (Answer, error) {
	a := &Tasks{Head: headOf(r)}
	var err error
	if a.Page, err = r.Select(q.Query); err != nil {
		return nil, err
	}
	if q.Open && a.Page.Next != nil {
		a.Open, q.Query.Status = true, []pawl.Status{pawl.Pending, pawl.InProgress}
		if a.Page, err = r.Select(q.Query); err != nil {
			return nil, err
		}
	}
	if q.Totals {
		if a.Totals, err = q.totals(r); err != nil {
			return nil, err
		}
	}
	if q.Edges {
		if a.Waiting, err = waitingFor(r, a.Page.Tasks); err != nil {
			return nil, err
		}
	}
	if q.Unblocks {
		facts, err := LoadFacts(r, who.By.Name, a.Page.Tasks)
		if err != nil {
			return nil, err
		}
		a.Unblocks = facts.Unblocks
	}
	return a, nil
}

// waitingFor are the open tasks that wait for open ones of these.
func waitingFor(r pawl.Reader, tasks []pawl.Task) (open []pawl.ID, err error) {
	var ids []pawl.ID
	for i := range tasks {
		if tasks[i].Open() {
			ids = append(ids, tasks[i].Blocks...)
		}
	}
	if ids = unknown(ids, map[pawl.ID]bool{}); len(ids) == 0 {
		return nil, nil
	}
	nodes, err := r.Nodes(ids...)
	for _, n := range nodes {
		if n.Open() {
			open = append(open, n.ID)
		}
	}
	return open, err
}

func (TasksQuery) kind() string           { return "tasks" }
func (TasksQuery) answer(a Answer) *Tasks { return a.(*Tasks) }
func (*Tasks) answers() string            { return "tasks" }
