package postgres

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/server/pg"
)

// A wrongSet is a change set whose row says something else beside it.
type wrongSet struct {
	rev    pawl.Revision
	undoes bool
	tasks  []int64
}

// pairs are rows of pawl.touched.
type pairs struct {
	tasks, revs []int64
}

func (p *pairs) add(task, rev int64) { p.tasks, p.revs = append(p.tasks, task), append(p.revs, rev) }

// readHistory reads all change sets that are kept. None may be missing.
func (c *checkup) readHistory() error {
	at := c.r.trimmed
	c.unbroken = at
	hole := func(upTo pawl.Revision, why string) {
		what := fmt.Sprintf("the change set of revision %d %s", upTo, why)
		if at+1 < upTo {
			what = fmt.Sprintf("all change sets of revisions %d to %d are missing", at+1, upTo)
		}
		c.add(find{
			Problem: pawl.Problem{Kind: "history", Text: what, Mend: "take it from a backup; or " + byMend + ": then history is told from the next one on"},
			did:     fmt.Sprintf("history is told from revision %d on; what was before stays in the database", upTo+1),
		})
		c.unbroken = upTo
	}
	for more := true; more; {
		n := 0
		err := c.r.ask(func(rows pg.Rows) error {
			var is wrongSet
			var doc string
			if err := rows.Scan(&is.rev, &is.undoes, &is.tasks, &doc); err != nil {
				return err
			}
			if is.rev != at+1 {
				hole(is.rev-1, "is missing")
				at = is.rev - 1
			}
			if err := c.set(&is, doc); err != nil {
				hole(is.rev, "cannot be read: "+err.Error())
			}
			at, c.newest = is.rev, is.rev
			n++
			return nil
		}, "select rev, undoes, tasks, doc from pawl.change where board = $1 and rev > $2 order by rev limit $3", c.r.board, int64(at), setsAtOnce)
		if err != nil {
			return err
		}
		more = n == setsAtOnce
	}
	if at < c.r.revision {
		hole(c.r.revision, "is missing")
	}
	return nil
}

// set compares a row with the change set in it.
func (c *checkup) set(is *wrongSet, doc string) error {
	var set struct {
		Revision pawl.Revision
		Undoes   pawl.Revision
		Bulk     bool
		Changes  []struct {
			ID    int64
			After *struct{}
		}
	}
	if err := json.Unmarshal([]byte(doc), &set); err != nil {
		return err
	}
	if set.Revision != is.rev {
		return fmt.Errorf("it is that of revision %d", set.Revision)
	}
	right := wrongSet{rev: is.rev, undoes: set.Undoes != 0}
	for _, one := range set.Changes {
		c.lived(pawl.ID(one.ID), one.After != nil, set.Bulk)
		if !slices.Contains(right.tasks, one.ID) {
			right.tasks = append(right.tasks, one.ID)
		}
	}
	if right.undoes != is.undoes || !slices.Equal(right.tasks, is.tasks) {
		c.add(find{
			Problem: pawl.Problem{Kind: "history", Text: fmt.Sprintf("the row of revision %d does not say what its change set says: undoes, tasks", is.rev), Mend: byMend},
			did:     "the row says it",
		})
		c.wrong = append(c.wrong, right)
	}
	return nil
}

// lived keeps whether a task was there after a change set, as long as the board says
// otherwise. Of a bulk set that is not known.
func (c *checkup) lived(id pawl.ID, after, bulk bool) {
	i, named := c.at[id]
	if there := named && c.shapes[i].exists; bulk || after == there {
		delete(c.lives, id)
	} else {
		c.lives[id] = after
	}
}

// compareLives tells of tasks that are there or not without a change set that says so.
func (c *checkup) compareLives() error {
	for _, id := range slices.Sorted(maps.Keys(c.lives)) {
		p := pawl.Problem{
			Kind: "missing", IDs: []pawl.ID{id}, Text: fmt.Sprintf("%s is not on the board, and nothing in its history deletes it", id),
			Mend: "take the row from a backup, or make the task again: pawl log shows what it was",
		}
		if !c.lives[id] {
			p.Kind, p.Text, p.Mend = "history", fmt.Sprintf("%s is on the board, although history says that it was deleted", id), fmt.Sprintf("pawl rm %d, unless it is wanted", id)
		}
		c.add(find{Problem: p})
	}
	return nil
}

// readTouched compares which change sets each task has with what these name.
func (c *checkup) readTouched() error {
	named := map[int64][]int64{} // by sets whose rows are wrong
	for _, set := range c.wrong {
		named[int64(set.rev)] = set.tasks
		for _, task := range set.tasks {
			c.touched.add(task, int64(set.rev))
		}
	}
	if err := c.untold(named); err != nil {
		return err
	}
	return c.overtold(named)
}

// untold finds change sets that the history of a task lacks.
func (c *checkup) untold(named map[int64][]int64) error {
	from := int64(-1 << 63)
	for more := true; more; {
		more = false
		err := c.r.ask(func(rows pg.Rows) error {
			var rev int64
			var task *int64
			var there bool
			if err := rows.Scan(&rev, &task, &there); err != nil {
				return err
			}
			from, more = max(from, rev), true
			if task != nil && !there && named[rev] == nil {
				c.touched.add(*task, rev)
				c.unlike(*task, rev, "is missing")
			}
			return nil
		}, `select c.rev, one, exists (select from pawl.touched t where t.board = $1 and t.task = one and t.rev = c.rev offset 0) from
			(select rev, tasks from pawl.change where board = $1 and rev > $2 order by rev limit $3) c left join lateral unnest(c.tasks) one on true`, c.r.board, from, setsAtOnce)
		if err != nil {
			return err
		}
	}
	return nil
}

// overtold finds change sets in the history of a task that do not change it.
func (c *checkup) overtold(named map[int64][]int64) error {
	task, rev := int64(-1<<63), int64(-1<<63)
	for more := true; more; {
		n := 0
		err := c.r.ask(func(rows pg.Rows) error {
			var told bool
			if err := rows.Scan(&task, &rev, &told); err != nil {
				return err
			}
			n++
			if set, is := named[rev]; is {
				told = slices.Contains(set, task)
			}
			if !told {
				c.untouched.add(task, rev)
				c.unlike(task, rev, "names a change set that does not change it")
			} else {
				c.count(pawl.ID(task))
			}
			return nil
		}, `select t.task, t.rev, coalesce((select t.task = any(c.tasks) from pawl.change c where c.board = $1 and c.rev = t.rev), false) from
			(select task, rev from pawl.touched where board = $1 and (task, rev) > ($2, $3) order by task, rev limit $4) t`, c.r.board, task, rev, pairsAtOnce)
		if err != nil {
			return err
		}
		more = n == pairsAtOnce
	}
	return nil
}

func (c *checkup) unlike(task, rev int64, how string) {
	c.add(find{
		Problem: pawl.Problem{Kind: "history", IDs: []pawl.ID{pawl.ID(task)}, Text: fmt.Sprintf("the row of pawl.touched for %s and revision %d %s", pawl.ID(task), rev, how), Mend: byMend},
		did:     "the history of the task is told from its change sets",
	})
}

// readFree compares the numbers of free tasks with those that were counted.
func (c *checkup) readFree() error {
	was := map[string]int64{}
	err := c.r.ask(func(rows pg.Rows) error {
		var owner string
		var n int64
		err := rows.Scan(&owner, &n)
		was[owner] = n
		if _, counted := c.free[owner]; !counted {
			c.free[owner] = 0
		}
		return err
	}, "select owner, n from pawl.free_count where board = $1 and n <> 0", c.r.board)
	if err != nil {
		return err
	}
	for _, owner := range slices.Sorted(maps.Keys(c.free)) {
		if was[owner] == c.free[owner] {
			continue
		}
		whose := "without an owner"
		if owner != "" {
			whose = "assigned to " + owner
		}
		c.freeWrong = true
		c.add(find{
			Problem: pawl.Problem{Kind: "counter", Text: fmt.Sprintf("the database counts %d free tasks %s, and the number of them is %d", was[owner], whose, c.free[owner]), Mend: byMend},
			did:     "they were counted again",
		})
	}
	return nil
}

// numbers compares the board's row with what is there.
func (c *checkup) numbers() error {
	counter := func(did, format string, args ...any) {
		c.add(find{Problem: pawl.Problem{Kind: "counter", Text: fmt.Sprintf(format, args...), Mend: byMend}, did: did})
	}
	if c.lastID > c.r.lastID {
		c.mendLastID = c.lastID
		counter("new ids count on from there", "%s was given, and the board says that %s was the last id", c.lastID, c.r.lastID)
	}
	rev := c.r.revision
	if c.newest > rev {
		rev = c.newest
		counter("revisions count on from there", "there is a change set of revision %d, and the board says that %d was the last one", c.newest, c.r.revision)
	}
	if c.token > rev {
		rev = c.token
		c.unbroken = rev
		counter(fmt.Sprintf("revisions count on from there, and history is told from revision %d on", rev+1), "a claim has the token %d, and the board says that %d was its last revision", c.token, c.r.revision)
	}
	if rev != c.r.revision {
		c.mendRev = rev
	}
	if c.r.trimmed > rev {
		c.unbroken = rev
		counter(fmt.Sprintf("history is told from revision %d on", rev+1), "the board says that history up to revision %d is not kept, and its last one is %d", c.r.trimmed, rev)
	}
	c.trims = c.unbroken != c.r.trimmed
	if c.r.origin > min(c.unbroken, rev) {
		c.add(find{Problem: pawl.Problem{
			Kind: "counter", Text: fmt.Sprintf("short revisions such as @1 count from %d, and the board has earlier ones", c.r.origin),
			Mend: fmt.Sprintf("update pawl.board set origin = … where id = %d: the revision from a backup, or 0", c.r.board),
		}})
	}
	return nil
}
