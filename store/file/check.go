package file

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// Check returns the problems of the board. It changes nothing.
func (s *Store) Check(ctx context.Context) ([]pawl.Problem, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.leave()
	r, err := s.present(ctx)
	if err != nil {
		return nil, err
	}
	c := checkup{table: r.table}
	c.table.each(func(row row) bool {
		e := row.open()
		c.entries = append(c.entries, e)
		return true
	})
	var damaged []pawl.ID
	for _, e := range c.entries {
		if e.damage != "" {
			damaged = append(damaged, e.id)
		}
	}
	if c.remedies, err = s.remedies(ctx, damaged); err != nil {
		return nil, s.unreadable(err)
	}
	if err := s.checkUnread(&c); err != nil {
		return nil, s.unreadable(err)
	}
	for _, e := range c.entries {
		c.file(e)
		c.merging(e)
		c.references(e)
		c.sides(e)
	}
	c.cycles()
	c.twice()
	mark, _ := s.water()
	c.numbers(mark)
	if err := s.checkNames(&c); err != nil {
		return nil, s.unreadable(err)
	}
	if err := s.checkJournal(&c); err != nil {
		return nil, s.unreadable(err)
	}
	return c.problems, nil
}

type checkup struct {
	table    *table
	entries  []*entry
	remedies map[pawl.ID]*remedy // of the damaged ones
	problems []pawl.Problem
}

func (c *checkup) add(p pawl.Problem) { c.problems = append(c.problems, p) }

func (c *checkup) file(e *entry) {
	if e.damage == "" {
		return
	}
	p := pawl.Problem{Kind: "damaged", IDs: []pawl.ID{e.id}, File: taskName(e.id)}
	p.Text = strings.TrimPrefix(e.damage, p.File+":")
	if line, rest, ok := strings.Cut(p.Text, ":"); ok {
		if column, rest, ok := strings.Cut(rest, ":"); ok {
			l, err1 := strconv.Atoi(line)
			col, err2 := strconv.Atoi(column)
			if err1 == nil && err2 == nil {
				p.Line, p.Column, p.Text = l, col, rest
			}
		}
	}
	p.Text = strings.TrimSpace(p.Text)
	if c.remedies[e.id].merging {
		p.Kind = "conflicted"
	}
	p.Mend = c.remedies[e.id].says()
	c.add(p)
}

// checkUnread finds open tasks whose checks or criteria cannot be read. Only the files
// have them, so it reads each file unless the index says that its task has no
// requirements.
func (s *Store) checkUnread(c *checkup) error {
	for _, e := range c.entries {
		if e.status == pawl.Completed || e.damage != "" || e.conflicted || e.checked.state() == pawl.NotChecked {
			continue
		}
		is, err := s.look(e.id)
		if err != nil {
			return err
		}
		for _, f := range taskjson.Unread(is.text) {
			c.add(pawl.Problem{
				Kind: "unreadable", IDs: []pawl.ID{e.id}, File: taskName(e.id), Line: f.Line, Column: f.Column,
				Text: fmt.Sprintf("%s; until then nothing shows that %s is done", f.Problem, e.id),
				Mend: fmt.Sprintf("put it right in an editor, or with the version of Pawl that wrote it; a person can complete the task as it is: pawl done %d --unchecked REASON", e.id),
			})
		}
	}
	return nil
}

func (c *checkup) references(e *entry) {
	for _, id := range e.blockedBy {
		if c.table.get(id) == nil {
			c.add(pawl.Problem{
				Kind: "missing", IDs: []pawl.ID{e.id, id}, File: taskName(e.id),
				Text: fmt.Sprintf("%s waits for %s, which is not on the board", e.id, id),
				Mend: fmt.Sprintf("bring %s back (what removed it is in its log, and can be undone), or end the edge", taskName(id)),
			})
		}
	}
	if e.parent != 0 && c.table.get(e.parent) == nil {
		c.add(pawl.Problem{
			Kind: "missing", IDs: []pawl.ID{e.id, e.parent}, File: taskName(e.id),
			Text: fmt.Sprintf("the parent of %s is %s, which is not on the board", e.id, e.parent),
			Mend: fmt.Sprintf("bring %s back, or give %s another parent", taskName(e.parent), e.id),
		})
	}
}

// sides finds edges that hold even though the file at one end does not name them,
// and those that ended even though a file still does.
func (c *checkup) sides(e *entry) {
	if e.damage != "" || e.conflicted {
		return
	}
	for _, ended := range []struct {
		said, holds []pawl.ID
		key         string
	}{{e.said.blockedBy, e.blockers, "blockedBy"}, {e.said.blocks, e.blocks, "blocks"}} {
		for _, other := range ended.said {
			if other != e.id && !slices.Contains(ended.holds, other) {
				c.add(pawl.Problem{
					Kind: "one-sided", IDs: []pawl.ID{e.id, other}, File: taskName(e.id),
					Text: fmt.Sprintf("the file of %s still names %s in %s; that edge was ended in the file of %s", e.id, other, ended.key, other),
					Mend: "the file is brought in line when it is written next, or mended; if the edge should hold, add it again",
				})
			}
		}
	}
	for _, earlier := range e.said.blockedBy {
		// The edge holds but no longer blocks. Programs that look for an empty
		// blockedBy do not know that.
		if b := c.table.get(earlier); e.isOpen() && b != nil && !b.awaited() && slices.Contains(e.blockers, earlier) {
			c.add(pawl.Problem{
				Kind: "outdated", IDs: []pawl.ID{e.id, earlier}, File: taskName(e.id),
				Text: fmt.Sprintf("the file of %s still names %s in blockedBy, although %s is completed", e.id, earlier, earlier),
				Mend: "the file is brought in line when it is written next, or mended",
			})
		}
	}
	for _, later := range e.blocks {
		l := c.table.get(later)
		if l == nil || l.damage != "" || l.conflicted || later == e.id {
			continue
		}
		p := pawl.Problem{Kind: "one-sided", IDs: []pawl.ID{e.id, later}, Mend: "the file is brought in line when it is written next, or mended"}
		switch {
		case !slices.Contains(e.said.blocks, later):
			p.File, p.Text = taskName(e.id), fmt.Sprintf("%s waits for %s, but the file of %s does not say so", later, e.id, e.id)
		case e.isOpen() && l.isOpen() && !slices.Contains(l.said.blockedBy, e.id):
			p.File, p.Text = taskName(later), fmt.Sprintf("%s waits for %s, but the file of %s does not say so", later, e.id, later)
		default:
			continue
		}
		c.add(p)
	}
}

func (c *checkup) cycles() {
	for _, ids := range c.table.cycles() {
		p := pawl.Problem{Kind: "cycle", IDs: ids, Mend: "end one of these edges; the next change of the board cuts one"}
		var names []string
		for _, id := range ids {
			names = append(names, id.String())
		}
		p.Text = strings.Join(names, ", ") + " wait for one another, so none of them can become ready"
		if len(names) == 1 {
			p.Text = names[0] + " waits for itself, so it can never become ready"
		}
		c.add(p)
	}
}

// checkNames finds files that look like tasks and are none, and those that were
// set aside.
func (s *Store) checkNames(c *checkup) error {
	names, err := s.list(".")
	if err != nil {
		return err
	}
	for _, name := range names {
		if _, ok := parseTaskName(name); !ok && strings.HasPrefix(name, "task_") && strings.HasSuffix(name, ".json") {
			c.add(pawl.Problem{
				Kind: "misnamed", File: name,
				Text: fmt.Sprintf("the file is not a task of this board: those are called task_12.json, with numbers up to %d", pawl.MaxID),
				Mend: "rename it to a number that is free, inside and outside, or remove it",
			})
		}
	}
	if text, _, err := s.fs.Read(waterName, maxWater); err == nil && conflictedWater(text) {
		c.add(pawl.Problem{
			Kind: "conflicted", File: waterName,
			Text: fmt.Sprintf("git has left the numbers of two branches in it; the highest, %d, counts", taskjson.Mark(text)),
			Mend: "merge the board: pawl merge",
		})
	} else if _, wrong := s.water(); wrong != "" {
		c.add(pawl.Problem{
			Kind: "counter", File: waterName,
			Text: wrong + ", so it is passed over, and new ids count on from those that are on the board",
			Mend: "remove it: Pawl writes it when it is needed",
		})
	}
	names, err = s.list(lostDir)
	if err != nil {
		return err
	}
	for _, name := range names {
		p := pawl.Problem{
			Kind: "displaced", File: lostDir + "/" + name,
			Text: "this text was in the place of a task's file when another one was put there",
			Mend: "take over what is missing from it, then remove it",
		}
		digits, _, _ := strings.Cut(strings.TrimPrefix(name, "task_"), ".")
		if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
			p.IDs = []pawl.ID{pawl.ID(n)}
		}
		c.add(p)
	}
	return nil
}
