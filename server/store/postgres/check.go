package postgres

import (
	"context"
	"fmt"
	"slices"

	"github.com/pawl-dev/pawl"
)

// Check returns the problems of the board at one moment. A task's document is
// authoritative: Check derives its columns, its copies in other tasks, its place in the
// order and the counters from the documents, and compares.
func (s *Store) Check(ctx context.Context) ([]pawl.Problem, error) {
	var c *checkup
	err := s.oneCheck(ctx, func() error {
		return s.View(ctx, func(r pawl.Reader) error {
			c = newCheckup(r.(*reader))
			return c.run()
		})
	})
	if err != nil {
		return nil, err
	}
	return c.problems(), nil
}

// oneCheck runs one check at a time: each has the shape of all tasks in memory.
func (s *Store) oneCheck(ctx context.Context, run func() error) error {
	select {
	case s.db.checks <- struct{}{}:
		defer func() { <-s.db.checks }()
		return run()
	case <-ctx.Done():
		return alive(ctx)
	}
}

// How much one query reads. Rows are checked one by one, and only the shape of each is
// kept.
const (
	tasksAtOnce = 2000
	setsAtOnce  = 2000
	pairsAtOnce = 20_000
)

// mostTold is how many problems of one kind are listed one by one.
const mostTold = 500

// A checkup is what is found out about a board.
type checkup struct {
	r      *reader
	shapes []shape           // by id, but for those without a row
	at     map[pawl.ID]int32 // where in shapes
	texts  map[string]string // owners, each once
	finds  []find

	free      map[string]int64 // how many tasks are free, by owner
	freeWrong bool

	lastID pawl.ID       // the highest id that somebody has
	token  pawl.Revision // the highest token that a claim has

	lives              map[pawl.ID]bool // tasks of which the board says otherwise
	newest             pawl.Revision    // the last change set
	unbroken           pawl.Revision    // after it no set is missing
	wrong              []wrongSet       // what stands beside a set is not what it says
	touched, untouched pairs            // of pawl.touched: to be added, and to be removed

	// The values that the board's row must get; zero: it stays as it is.
	mendRev    pawl.Revision
	mendLastID pawl.ID
	trims      bool // trimmed has to be what unbroken is
}

// A find is a problem, and what mending does about it.
type find struct {
	pawl.Problem
	did  string    // empty: nothing
	rows []pawl.ID // these are written as they have to be
}

func newCheckup(r *reader) *checkup {
	return &checkup{r: r, at: map[pawl.ID]int32{}, texts: map[string]string{}, free: map[string]int64{}, lives: map[pawl.ID]bool{}}
}

func (c *checkup) run() error {
	for _, step := range []func() error{c.readTasks, c.compareGraph, c.readFree, c.readHistory, c.compareLives, c.readTouched, c.numbers} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (c *checkup) add(f find) { c.finds = append(c.finds, f) }

// byMend is the next step where mending can do it.
const byMend = "pawl doctor --mend"

// problems are those that are told: of many of one kind the first ones, and how many
// there are.
func (c *checkup) problems() []pawl.Problem {
	var told []pawl.Problem
	for _, f := range fewOf(c.finds) {
		told = append(told, f.Problem)
	}
	return told
}

func fewOf(finds []find) []find {
	var told []find
	kinds := map[string]int{}
	var order []string
	for _, f := range finds {
		if kinds[f.Kind] == 0 {
			order = append(order, f.Kind)
		}
		if kinds[f.Kind]++; kinds[f.Kind] <= mostTold {
			told = append(told, f)
		}
	}
	for _, kind := range order {
		if n := kinds[kind] - mostTold; n > 0 {
			i := slices.IndexFunc(finds, func(f find) bool { return f.Kind == kind })
			more := find{Problem: pawl.Problem{Kind: kind, Text: fmt.Sprintf("%d more like these", n), Mend: finds[i].Mend}}
			if finds[i].did != "" {
				more.did = "so were these"
			}
			told = append(told, more)
		}
	}
	return told
}
