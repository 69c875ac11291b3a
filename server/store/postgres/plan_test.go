package postgres_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/server/pg"
	"github.com/pawl-dev/pawl/server/store/postgres"
)

// A deed is something done to a board, of which the server's log tells how it was done.
type deed struct {
	name  string
	do    func(b *pawl.Board) error
	index string // of what is ready: this index alone has to answer
	rows  int    // looked at, at most, in one table by one statement; zero: mostRows
	times int    // how often it is done; zero: often
	sorts bool   // its rows are few: they may be sorted
}

const (
	often      = 7    // the sixth time, PostgreSQL may plan a statement for all parameters
	mostRows   = 500  // are looked at by a statement on a board of any size
	mostSorted = 100  // are sorted
	mostTidied = 5000 // results of requests are removed now and then
)

// Every statement of the usual requests finds its rows, those of its board only, by an
// index, whatever the planner knows of the tables: no table is read whole, and nothing is
// sorted or hashed that grows with the board.
func TestPlans(t *testing.T) {
	c, dsn := explaining(t)
	filled := 0
	for _, tasks := range []int{0, 10_000, 100_000} {
		c.SQL(t, dsn, fill(filled, tasks))
		filled = tasks
		for _, analyzed := range []bool{false, true} {
			if analyzed {
				c.SQL(t, dsn, "analyze")
			}
			t.Run(fmt.Sprintf("%d tasks, analyzed %v", tasks, analyzed), func(t *testing.T) {
				deeds(t, c, twoBoards(t, dsn), tasks)
			})
		}
	}
}

// A connection keeps the plans that it made while the tables were empty, until somebody
// analyzes them: a minute later at the soonest, and thousands of requests.
func TestPlansOfBefore(t *testing.T) {
	c, dsn := explaining(t)
	c.SQL(t, dsn, "vacuum analyze")
	board := twoBoards(t, dsn)
	deeds(t, c, board, 0)
	if t.Failed() {
		return
	}
	c.SQL(t, dsn, fill(0, 5_000))
	deeds(t, c, board, 5_000)
}

// explaining starts a server that logs its plans, with a database that is migrated.
func explaining(t *testing.T) (c *pgtest.Cluster, dsn string) {
	pgtest.NeedOwn(t)
	c = pgtest.Start(t, pgtest.Options{Settings: map[string]string{
		"session_preload_libraries": "auto_explain", "auto_explain.log_min_duration": "0", "auto_explain.log_format": "json",
		"auto_explain.log_analyze": "on", "auto_explain.log_timing": "off", "autovacuum": "off", "log_line_prefix": "",
	}})
	dsn = c.Database(t)
	if _, _, err := pg.Migrate(t.Context(), dsn); err != nil {
		t.Fatal(err)
	}
	return c, dsn
}

// twoBoards makes two boards unless they are there, and opens the first.
func twoBoards(t *testing.T, dsn string) *pawl.Board {
	db, err := pg.Open(t.Context(), dsn)
	must.Do(t, err)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	boards := postgres.Over(db)
	for _, name := range []string{"shop", "other"} {
		must.Do(t, boards.Make(t.Context(), name))
	}
	return pawl.NewBoard(boards.Board("shop"))
}

// deeds does all of them, often enough for a plan to become one for all parameters.
func deeds(t *testing.T, c *pgtest.Cluster, board *pawl.Board, tasks int) {
	_, read, err := c.LogFrom(0)
	must.Do(t, err)
	for _, d := range allDeeds(t, tasks) {
		failed := false
		for n := 0; n < cmp.Or(d.times, often) && !failed; n++ {
			if err := d.do(board); err != nil {
				t.Fatalf("%s: %v", d.name, err)
			}
			var log string
			if log, read, err = c.LogFrom(read); err != nil {
				t.Fatal(err)
			}
			plans := plansIn(t, log)
			if len(plans) == 0 {
				t.Fatalf("%s: the log shows no plan", d.name)
			}
			answered := false
			for _, p := range plans {
				for _, fault := range d.faults(&p.Plan) {
					failed = true
					t.Errorf("%s, time %d: %s\n%s\n%s", d.name, n+1, fault, p.Query, p.Plan.tree(""))
				}
				if p.Plan.has(func(n *node) bool { return n.Type == "Index Only Scan" && n.Index == d.index }) {
					answered = true
					if p.Plan.has(func(n *node) bool { return strings.Contains(n.Type, "Sort") }) {
						t.Errorf("%s, time %d: what %s answers is sorted\n%s", d.name, n+1, d.index, p.Plan.tree(""))
					}
				}
			}
			if d.index != "" && !answered {
				t.Errorf("%s, time %d: no statement is answered by %s alone", d.name, n+1, d.index)
			}
		}
	}
}

func allDeeds(t *testing.T, tasks int) []deed {
	ctx := t.Context()
	ann := pawl.Actor{Name: "ann", Session: "s1"}
	do := func(ops ...pawl.Op) func(*pawl.Board) error {
		return func(b *pawl.Board) error {
			for _, op := range ops {
				if _, err := b.Do(ctx, pawl.Request{By: ann, Op: op}); err != nil {
					return err
				}
			}
			return nil
		}
	}
	var hub pawl.ID
	made := func(n int) func(*pawl.Board) error {
		return func(b *pawl.Board) error {
			tasks := []pawl.NewTask{{Subject: "hub", Ref: "hub", Priority: pawl.High}}
			for range n {
				tasks = append(tasks, pawl.NewTask{Subject: "waits", BlockedBy: []pawl.Ref{{Name: "hub"}}})
			}
			res, err := b.Do(ctx, pawl.Request{By: ann, Op: pawl.Create{Tasks: tasks}})
			if err == nil {
				hub = res.IDs[0]
			}
			return err
		}
	}
	onHub := func(op func() pawl.Op) func(*pawl.Board) error {
		return func(b *pawl.Board) error { return do(op())(b) }
	}
	page := func(q pawl.Query) func(*pawl.Board) error {
		return func(b *pawl.Board) error {
			for range 3 {
				page, err := b.Select(ctx, q)
				if err != nil || page.Next == nil {
					return err
				}
				q.After = page.Next
			}
			return nil
		}
	}
	changes := func(span func(now pawl.Revision) pawl.Span) func(*pawl.Board) error {
		return func(b *pawl.Board) error {
			var now pawl.Revision
			if err := b.View(ctx, func(r pawl.Reader) error { now = r.Revision(); return nil }); err != nil {
				return err
			}
			read := 0
			for _, err := range b.Changes(ctx, span(now)) {
				if read++; err != nil || read == 20 {
					return err
				}
			}
			return nil
		}
	}
	checks := often
	if tasks > 0 && !*long.Asked { // a check of many tasks runs most of its statements several times
		checks = 2
	}
	middle := pawl.ID(tasks/2 + 1)
	n := 0
	return []deed{
		{name: "create one", do: made(0)},
		{name: "claim the next", do: do(pawl.ClaimTask{Lease: pawl.Duration(time.Minute)}, pawl.Create{Tasks: []pawl.NewTask{{Subject: "another"}}}), index: "task_ready"},
		{name: "claim in one batch", index: "task_ready", do: func(b *pawl.Board) error {
			n++
			var batch []pawl.Request
			for i := range 10 {
				by := pawl.Actor{Name: fmt.Sprint("agent", i), Session: fmt.Sprint("s", n, "-", i)}
				batch = append(batch, pawl.Request{By: by, ID: pawl.OpID(fmt.Sprint("op", tasks, t.Name(), n, "-", i)), Op: pawl.ClaimTask{Lease: pawl.Duration(time.Minute)}},
					pawl.Request{By: by, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "another"}}}})
			}
			_, err := b.DoAll(ctx, batch...)
			return err
		}},
		{name: "claim where the name has claimed hundreds, in other sessions", times: 1, do: func(b *pawl.Board) error {
			var made [][]pawl.ID
			for range 10 {
				n++
				batch := []pawl.Request{{Op: pawl.Create{Tasks: make([]pawl.NewTask, 60)}}}
				for i := range batch[0].Op.(pawl.Create).Tasks {
					batch[0].Op.(pawl.Create).Tasks[i].Subject = "one of many"
					by := pawl.Actor{Name: "agent", Session: fmt.Sprint("s", n, "-", i)}
					batch = append(batch, pawl.Request{By: by, Op: pawl.ClaimTask{Lease: pawl.Duration(time.Hour)}})
				}
				results, err := b.DoAll(ctx, batch...)
				if err != nil {
					return err
				}
				made = append(made, nil)
				for _, claimed := range results[1:] {
					made[len(made)-1] = append(made[len(made)-1], claimed.IDs...)
				}
			}
			for _, ids := range made { // the other deeds find few at work
				if _, err := b.Do(ctx, pawl.Request{Op: pawl.Release{IDs: ids, Force: true}}); err != nil {
					return err
				}
			}
			return nil
		}},
		{name: "make, claim, renew, note and complete one", do: func(b *pawl.Board) error {
			if err := made(0)(b); err != nil {
				return err
			}
			return do(pawl.ClaimTask{ID: hub, Lease: pawl.Duration(time.Minute)}, pawl.Renew{}, pawl.AddNote{ID: hub, Text: "halfway"}, pawl.Complete{IDs: []pawl.ID{hub}}, pawl.Reopen{IDs: []pawl.ID{hub}}, pawl.Delete{IDs: []pawl.ID{hub}})(b)
		}},
		{name: "make 100 that wait", do: made(100)},
		{name: "complete what 100 wait for", do: func(b *pawl.Board) error {
			if err := made(100)(b); err != nil {
				return err
			}
			return onHub(func() pawl.Op { return pawl.Complete{IDs: []pawl.ID{hub}} })(b)
		}},
		{name: "undo", do: func(b *pawl.Board) error {
			if err := made(0)(b); err != nil {
				return err
			}
			_, err := b.Do(ctx, pawl.Request{By: ann, Op: pawl.Undo{}})
			return err
		}},
		{name: "link two", do: func(b *pawl.Board) error {
			if err := made(0)(b); err != nil {
				return err
			}
			first := hub
			if err := made(0)(b); err != nil {
				return err
			}
			return do(pawl.Update{ID: hub, AddBlockedBy: []pawl.ID{first}}, pawl.Update{ID: hub, RemoveBlockedBy: []pawl.ID{first}})(b)
		}},
		{name: "ready", do: page(pawl.Query{Ready: true, Order: pawl.ByUrgency, Limit: 20, Brief: true}), index: "task_ready"},
		{name: "ready for somebody", do: page(pawl.Query{Ready: true, For: "ann", Order: pawl.ByUrgency, Limit: 20}), index: "task_ready"},
		{name: "a page by id", do: page(pawl.Query{Limit: 20, Uncounted: true})},
		{name: "a page of open tasks by id", do: page(pawl.Query{Status: []pawl.Status{pawl.Pending, pawl.InProgress}, Limit: 20, Uncounted: true})},
		{name: "a page by completion", do: page(pawl.Query{Order: pawl.ByCompletion, Limit: 20, Uncounted: true})},
		{name: "completed and not shown", do: page(pawl.Query{Unshown: true, Limit: 20}), sorts: true},
		{name: "completed last and not shown", do: page(pawl.Query{Unshown: true, Order: pawl.ByCompletion, Limit: 20})},
		{name: "some tasks by id", do: page(pawl.Query{IDs: []pawl.ID{1, middle, middle + 1}}), sorts: true},
		{name: "a session's claims", do: page(pawl.Query{Session: "s1", Status: []pawl.Status{pawl.InProgress}}), sorts: true, rows: 2000},
		{name: "children", do: page(pawl.Query{Parent: middle}), sorts: true},
		{name: "a ref", do: page(pawl.Query{Refs: []string{"x-1"}}), sorts: true},
		{name: "ended leases", do: page(pawl.Query{LeaseBefore: time.Now()}), sorts: true},
		{name: "look in passing", index: "task_ready", sorts: true, rows: 2000, do: func(b *pawl.Board) error {
			_, err := b.Glance(ctx, pawl.GlanceQuery{Session: "s1", IDs: []pawl.ID{1, middle}, Ready: 5, For: "ann"})
			return err
		}},
		{name: "a check", rows: 30_000, times: checks, do: func(b *pawl.Board) error {
			_, err := b.Check(ctx) // the board was filled by SQL: much is said of it
			return err
		}},
		{name: "what waits for a task", do: func(b *pawl.Board) error {
			return b.View(ctx, func(r pawl.Reader) error {
				for _, dir := range []pawl.Direction{pawl.Dependents, pawl.Dependencies} {
					if _, err := r.Reach(dir, hub); err != nil {
						return err
					}
				}
				return nil
			})
		}},
		{name: "the last changes", do: changes(func(now pawl.Revision) pawl.Span { return pawl.Span{After: now - 5} })},
		{name: "the last changes, newest first", do: changes(func(pawl.Revision) pawl.Span { return pawl.Span{Backward: true} })},
		{name: "the changes of a task", do: changes(func(pawl.Revision) pawl.Span { return pawl.Span{Task: hub, Backward: true} })},
		{name: "the undos", do: changes(func(pawl.Revision) pawl.Span { return pawl.Span{Undos: true, Backward: true} })},
	}
}

// faults are what is wrong with a plan.
func (d *deed) faults(plan *node) (found []string) {
	tidies := plan.Relation == "op" && plan.Type == "ModifyTable"
	// As many as have ended since the last write, which on a slow machine are some hundred
	// here: their ids are put in order.
	leases := plan.has(func(n *node) bool { return n.Index == "task_lease" })
	plan.has(func(n *node) bool {
		big := n.Relation == "task" || n.Relation == "change" || n.Relation == "touched" || n.Relation == "op" || n.Relation == "free_count"
		most := mostRows
		if d.rows != 0 {
			most = d.rows
		}
		switch looked := int((n.Rows + n.Removed) * n.Loops); {
		case big && strings.HasSuffix(n.Type, "Scan") && n.Type != "Tid Scan" && !strings.Contains(n.Cond, "board = "):
			found = append(found, "rows of "+n.Relation+" are sought on all boards")
		case big && n.Type == "Seq Scan":
			found = append(found, "the table "+n.Relation+" is read whole")
		case strings.HasPrefix(n.Type, "Hash") && n.Type != "HashAggregate", n.Type == "Merge Join":
			found = append(found, n.Type)
		case strings.Contains(n.Type, "Sort") && int(n.Rows*n.Loops) > mostSorted && !d.sorts && !tidies && !leases:
			found = append(found, fmt.Sprintf("%g rows are sorted", n.Rows*n.Loops))
		case big && looked > most && !(tidies && looked <= mostTidied):
			found = append(found, fmt.Sprintf("%d rows of %s are looked at", looked, n.Relation))
		}
		return false
	})
	return found
}

// An explained statement, as auto_explain logs it.
type explained struct {
	Query string `json:"Query Text"`
	Plan  node
}

type node struct {
	Type     string  `json:"Node Type"`
	Relation string  `json:"Relation Name"`
	Index    string  `json:"Index Name"`
	Rows     float64 `json:"Actual Rows"`
	Loops    float64 `json:"Actual Loops"`
	Removed  float64 `json:"Rows Removed by Filter"`
	Cond     string  `json:"Index Cond"`
	Plans    []node
}

// has reports whether a node, or one below it, is what is sought.
func (n *node) has(sought func(*node) bool) bool {
	return sought(n) || slices.ContainsFunc(n.Plans, func(below node) bool { return below.has(sought) })
}

func (n *node) tree(indent string) string {
	text := fmt.Sprintf("%s%s %s %s rows %g and %g removed, %g times\n", indent, n.Type, n.Relation, n.Index, n.Rows, n.Removed, n.Loops)
	for i := range n.Plans {
		text += n.Plans[i].tree(indent + "  ")
	}
	return text
}

// plansIn are the plans of Pawl's statements in a piece of the log.
func plansIn(t *testing.T, log string) (all []explained) {
	t.Helper()
	for i, entry := range strings.Split(log, "plan:\n") {
		end := strings.Index(entry, "\n\t}\n") // the lines of a plan are indented
		if i == 0 || end < 0 || !strings.Contains(entry[:end], "pawl.") {
			continue
		}
		var e explained
		if err := json.Unmarshal([]byte(entry[:end+3]), &e); err != nil {
			t.Fatalf("%v: %s", err, entry)
		}
		all = append(all, e)
	}
	return all
}

// fill is SQL that brings two boards from so many tasks to so many: most are ready, some
// done or in progress, with history.
func fill(from, to int) string {
	if to <= from {
		return ""
	}
	return fmt.Sprintf(`
		insert into pawl.task (board, id, rev, doc, status, priority, rank_u, rank_h, free, owner, claim, session, clone, lease_until, expired, held,
			parent, children, open_children, blocks, blockers, blocked_by, labels, ref, was, sign, done, done_at, search, unshown)
		select b.id, i, i, json_build_object('id', i, 'subject', 'task ' || i, 'status', s.status), s.status, 0, 0, -(i %% 3), s.status = 'pending', case when s.status = 'completed' then 'ann' else '' end, null,
			case when s.status = 'in_progress' then 'old' || i else '' end, '', case when s.status = 'in_progress' then 4102444800000 end, 0, false,
			0, '{}', 0, '{}', '{}', '{}', '{}', case when i %% 50 = 0 then 'y-' || i else '' end, '{}', i,
			case when s.status = 'completed' then i else 0 end, case when s.status = 'completed' then i end, 'task ' || i, s.status = 'completed' and i %% 2000 = 0
		from pawl.board b, generate_series(%[1]d + b.last_id, %[2]d + b.last_id) i,
			lateral (select case i %% 10 when 0 then 'completed' when 1 then case when i %% 100 = 1 then 'in_progress' else 'pending' end else 'pending' end as status) s;
		insert into pawl.change (board, rev, nonce, undoes, tasks, doc)
		select id, i, gen_random_uuid(), i %% 100 = 0, array[i], json_build_object('revision', i, 'verb', 'create') from pawl.board, generate_series(rev + 1, rev + %[3]d) i;
		insert into pawl.touched (board, task, rev) select board, tasks[1], rev from pawl.change on conflict do nothing;
		insert into pawl.op (board, op, result, at) select id, 'old ' || i, '', i from pawl.board, generate_series(rev + 1, rev + %[3]d) i;
		update pawl.board b set rev = rev + %[3]d, last_id = (select max(id) from pawl.task t where t.board = b.id);
		delete from pawl.free_count;
		insert into pawl.free_count (board, owner, n) select board, owner, count(*) from pawl.task where free group by board, owner;
		`, 1, to-from, to-from)
}
