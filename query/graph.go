package query

import (
	"fmt"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
)

// A GraphQuery chooses the tasks of a graph.
type GraphQuery struct {
	Tasks pawl.Query `json:"tasks,omitzero"`  // which tasks; its order and pages do not matter
	Alone bool       `json:"alone,omitempty"` // also those that wait for nobody, and for whom nobody waits
	All   bool       `json:"all,omitempty"`   // completed tasks too
	Also  []pawl.ID  `json:"also,omitempty"`  // these completed tasks, as long as they exist

	Around pawl.ID `json:"around,omitempty"` // if not zero: this task, all that it waits for and all that wait for it, instead of Tasks
	Depth  int     `json:"depth,omitempty"`  // how many steps away from it; zero: all
	Most   int     `json:"most,omitempty"`   // refused when there are more tasks than that; zero: any number
	Fit    []Fit   `json:"fit,omitempty"`    // to be tried before Depth and Most, until one is not refused

	Waits  bool    `json:"waits,omitempty"`  // GraphTasks.Waits and Unblocks are wanted, and what is being done
	Detail pawl.ID `json:"detail,omitempty"` // this task is wanted in full, too
}

// MostFits bounds [GraphQuery.Fit]: a graph is chosen for each.
const MostFits = 10

// Fit is a [GraphQuery.Depth] with a [GraphQuery.Most].
type Fit struct {
	Depth int `json:"depth,omitempty"`
	Most  int `json:"most"`
}

// GraphTasks is the answer to a [GraphQuery]: its tasks. Where to draw them, what
// the longest chain is and which wait in a cycle follows from them.
type GraphTasks struct {
	Head    `json:"head"`
	Tasks   []pawl.Task `json:"tasks"`             // in brief; with GraphQuery.Waits the first ones in progress have their active form
	Missing []pawl.ID   `json:"missing,omitempty"` // tasks that these wait for and that are not on the board
	Alone   int         `json:"alone,omitempty"`   // number of tasks left out because they have no edges

	Waits    map[pawl.ID]Waits `json:"waits,omitempty"`
	Unblocks map[pawl.ID]int   `json:"unblocks,omitempty"` // how many open tasks wait for each open one, through others too

	Detail *Detail `json:"detail,omitempty"` // of the task GraphQuery.Detail; nil: none was asked for, or it is not on the board
	Depth  int     `json:"depth,omitempty"`  // the one of GraphQuery.Fit
}

// Waits are the tasks that keep one from being taken, as in [Card].
type Waits struct {
	First []Waited `json:"first"`
	All   int      `json:"all"`
}

// Card is a task of the graph as a card.
func (a *GraphTasks) Card(t *pawl.Task, name string) *Card {
	waits := a.Waits[t.ID]
	return &Card{Task: *t, State: StateOf(t, name), WaitFor: waits.First, Waits: waits.All}
}

func (q GraphQuery) read(r pawl.Reader, who Asker) (Answer, error) {
	if len(q.Fit) > MostFits {
		return nil, pawl.Errorf(pawl.Invalid, "%d sizes are too many to try: send at most %d", len(q.Fit), MostFits)
	}
	a := &GraphTasks{Head: headOf(r)}
	var err error
	for _, fit := range append(slices.Clone(q.Fit), Fit{q.Depth, q.Most}) {
		q.Depth, q.Most = fit.Depth, fit.Most
		if a.Tasks, a.Missing, a.Alone, err = chooseGraph(r, q); pawl.KindOf(err) != pawl.Invalid {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	if len(q.Fit) > 0 {
		a.Depth = q.Depth
	}
	if q.Detail != 0 {
		if a.Detail, err = loadDetail(r, q.Detail); err != nil && pawl.KindOf(err) != pawl.NotFound {
			return nil, err
		}
	}
	if !q.Waits {
		return a, nil
	}
	if a.Unblocks, err = unblocksAll(r, a.Tasks); err != nil {
		return nil, err
	}
	cards, err := loadCards(r, who.By.Name, a.Tasks)
	if err != nil {
		return nil, err
	}
	a.Waits = map[pawl.ID]Waits{}
	for i := range a.Tasks {
		card := cards[a.Tasks[i].ID]
		a.Tasks[i].ActiveForm = card.Task.ActiveForm
		if card.Waits > 0 {
			a.Waits[card.Task.ID] = Waits{card.WaitFor, card.Waits}
		}
	}
	return a, nil
}

// chooseGraph reads the tasks of a graph. missing are those that they wait for
// and that are not on the board; alone counts tasks that were left out because
// they have no edges.
func chooseGraph(r pawl.Reader, q GraphQuery) (tasks []pawl.Task, missing []pawl.ID, alone int, err error) {
	if q.Around != 0 {
		tasks, err = around(r, q)
	} else {
		tasks, err = selectAll(r, q)
		if err == nil {
			tasks, err = alsoDone(r, tasks, q.Also)
		}
	}
	if err != nil {
		return nil, nil, 0, err
	}
	if missing, err = missingOf(r, tasks); err != nil {
		return nil, nil, 0, err
	}
	if q.Around == 0 && !q.Alone {
		chosen := len(tasks)
		tasks = joined(tasks, missing)
		alone = chosen - len(tasks)
	}
	if n := len(tasks); q.Most > 0 && n > q.Most {
		e := pawl.Errorf(pawl.Invalid, "a graph of %d tasks is too large: at most %d are shown so", n, q.Most)
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: fmt.Sprintf("look around one task: pawl graph %d --depth 1", tasks[0].ID)}
		return nil, nil, 0, e
	}
	return tasks, missing, alone, nil
}

func selectAll(r pawl.Reader, q GraphQuery) ([]pawl.Task, error) {
	query := q.Tasks
	if !q.All {
		query.Status = []pawl.Status{pawl.Pending, pawl.InProgress}
	}
	query.Limit, query.Brief = pawl.MaxPage, true
	return pages(r, query)
}

// pages reads all that a query chooses.
func pages(r pawl.Reader, query pawl.Query) (tasks []pawl.Task, err error) {
	for {
		page, err := r.Select(query)
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, page.Tasks...)
		if query.After = page.Next; query.After == nil {
			return tasks, nil
		}
	}
}

// alsoDone adds those of ids that are completed.
func alsoDone(r pawl.Reader, tasks []pawl.Task, ids []pawl.ID) ([]pawl.Task, error) {
	in := make(map[pawl.ID]bool, len(tasks))
	for i := range tasks {
		in[tasks[i].ID] = true
	}
	ids = slices.DeleteFunc(slices.Clone(ids), func(id pawl.ID) bool { return in[id] })
	more, _, err := present(r, ids)
	for i := range more {
		if more[i].Status == pawl.Completed {
			tasks = append(tasks, more[i])
		}
	}
	return tasks, err
}

// around walks from one task both ways, but does not turn round: what else waits
// for its blockers is not about it.
func around(r pawl.Reader, q GraphQuery) ([]pawl.Task, error) {
	if _, err := r.Get(q.Around); err != nil {
		return nil, err
	}
	found, also := map[pawl.ID]bool{q.Around: true}, map[pawl.ID]bool{}
	for _, id := range q.Also {
		also[id] = true
	}
	for _, step := range []func(n *pawl.Node) []pawl.ID{
		func(n *pawl.Node) []pawl.ID { return append(slices.Clone(n.Blockers), n.Children...) },
		func(n *pawl.Node) []pawl.ID { return waiters(n.Blocks, n.Parent) },
	} {
		seen := map[pawl.ID]bool{q.Around: true}
		wave := []pawl.ID{q.Around}
		for depth := 0; len(wave) > 0 && (q.Depth == 0 || depth < q.Depth); depth++ {
			nodes, err := r.Nodes(wave...)
			if err != nil {
				return nil, err
			}
			var next []pawl.ID
			for i := range nodes {
				for _, id := range step(&nodes[i]) {
					if !seen[id] {
						seen[id] = true
						next = append(next, id)
					}
				}
			}
			if wave, err = there(r, next, q.All, also); err != nil {
				return nil, err
			}
			for _, id := range wave {
				found[id] = true
			}
		}
	}
	return r.Briefs(slices.Sorted(maps.Keys(found))...)
}

// there keeps the ids of tasks that are on the board, and are open unless
// completed ones are wanted, all or some of them.
func there(r pawl.Reader, ids []pawl.ID, all bool, some map[pawl.ID]bool) ([]pawl.ID, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	nodes, err := r.Nodes(ids...)
	if err != nil {
		return nil, err
	}
	var kept []pawl.ID
	for i := range nodes {
		if !nodes[i].Missing && (all || nodes[i].Open() || some[nodes[i].ID]) {
			kept = append(kept, nodes[i].ID)
		}
	}
	return kept, nil
}

// missingOf lists the tasks that these wait for and that are not on the board.
func missingOf(r pawl.Reader, tasks []pawl.Task) ([]pawl.ID, error) {
	in := map[pawl.ID]bool{}
	for i := range tasks {
		in[tasks[i].ID] = true
	}
	unknown := map[pawl.ID]bool{}
	for i := range tasks {
		for _, id := range tasks[i].BlockedBy {
			if !in[id] {
				unknown[id] = true
			}
		}
	}
	if len(unknown) == 0 {
		return nil, nil
	}
	nodes, err := r.Nodes(slices.Sorted(maps.Keys(unknown))...)
	if err != nil {
		return nil, err
	}
	var missing []pawl.ID
	for i := range nodes {
		if nodes[i].Missing {
			missing = append(missing, nodes[i].ID)
		}
	}
	return missing, nil
}

// joined keeps the tasks that have an edge to another one of them, or to a
// missing one.
func joined(tasks []pawl.Task, missing []pawl.ID) []pawl.Task {
	place := make(map[pawl.ID]int, len(tasks))
	for i := range tasks {
		place[tasks[i].ID] = i
	}
	has := make([]bool, len(tasks))
	for i := range tasks {
		for _, ids := range [][]pawl.ID{tasks[i].Blockers, tasks[i].Children} {
			for _, id := range ids {
				if j, in := place[id]; in {
					has[i], has[j] = true, true
				}
			}
		}
		has[i] = has[i] || slices.ContainsFunc(tasks[i].BlockedBy, func(id pawl.ID) bool { return slices.Contains(missing, id) })
	}
	var kept []pawl.Task
	for i := range tasks {
		if has[i] {
			kept = append(kept, tasks[i])
		}
	}
	return kept
}
