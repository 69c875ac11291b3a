package pawl

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// NothingReady says why none of the tasks that q chooses is ready for the
// caller. The kind is Idle when none of them is open; Busy when an owner works
// on one of them, or on one that they wait for, with until when; and Blocked
// when nobody does, so that nothing moves unless somebody acts. Of the query
// only Labels, Parent, Priority, Owner, Text and For count; without For it is
// about what by may claim. A claim of the next task is refused with the same
// answer. Watch from its Revision for changes of that.
func NothingReady(r Reader, by Actor, q Query) (*Error, error) {
	return nothingReady(r, q, by.Name, by.owns)
}

func nothingReady(r Reader, q Query, name string, ours func(string, *Claim) bool) (*Error, error) {
	e, err := whyNothing(r, q, name, ours)
	if e != nil {
		e.Revision = r.Revision()
	}
	return e, err
}

// standstill is why nothing is ready: the tasks in the way, by what is the
// matter with each. Each list is in the order in which it is told.
type standstill struct {
	name, taker string // the caller, and the one for whom nothing is ready

	mine     []Node // the caller works on it
	others   []Node // somebody else does: first the lease that ends first, last what has none
	free     []Node // ready, but not among those asked for
	held     []Node
	lifts    []ID   // those of held that are named, and that a person can lift
	approves []ID   // those that wait for a person's approval
	finished bool   // one of held waits for trust in its checks
	assigned []Node // to somebody else
	lost     []Node // missing or damaged
}

// mostReasons is how many reasons a sentence gives.
const mostReasons = 4

func whyNothing(r Reader, q Query, name string, ours func(string, *Claim) bool) (*Error, error) {
	filter := Query{Labels: q.Labels, Parent: q.Parent, Priority: q.Priority, Owner: q.Owner, Text: q.Text}
	filtered := len(q.Labels) > 0 || q.Parent != 0 || q.Priority != nil || q.Owner != "" || q.Text != ""
	open, err := openIDs(r, filter)
	if err != nil {
		return nil, err
	}
	if len(open) == 0 {
		e, err := nothingOpen(r, filter)
		if err != nil || !filtered {
			return e, err
		}
		return e, e.without(r, cmp.Or(q.For, name))
	}
	s := standstill{name: name, taker: cmp.Or(q.For, name)}
	if err := s.sort(r, open, ours); err != nil {
		return nil, err
	}
	reasons, err := s.reasons(r)
	if err != nil {
		return nil, err
	}
	var e *Error
	switch {
	case len(s.mine) > 0:
		e = Errorf(Busy, "nothing else is ready now: %s", reasons)
	case len(s.others) > 0:
		e = Errorf(Busy, "nothing is ready now: %s", reasons)
	default:
		e = Errorf(Blocked, "nothing is ready, and nobody works on what is in the way: %s", reasons)
	}
	for _, n := range s.named(e.Kind) {
		e.IDs = append(e.IDs, n.ID)
		if e.Kind == Busy {
			e.Workers = append(e.Workers, Holder{Name: n.Owner, Claim: n.Claim})
		}
	}
	if len(s.others) > 0 {
		e.Until = s.others[0].Claim.Until
	}
	for i := range s.others {
		if n := &s.others[i]; n.Owner == name && n.Claim.leased() && n.Claim.Clone == "" {
			e.Namesakes = append(e.Namesakes, n.Claim.Session)
		}
	}
	s.wayOut(e)
	if !filtered || len(s.free) > 0 { // which it says already
		return e, nil
	}
	return e, e.without(r, s.taker)
}

// openIDs lists the tasks of a filter that are not completed.
func openIDs(r Reader, q Query) ([]ID, error) {
	q.Status, q.Brief = []Status{Pending, InProgress}, true
	var ids []ID
	for {
		page, err := r.Select(q)
		if err != nil {
			return nil, err
		}
		for i := range page.Tasks {
			ids = append(ids, page.Tasks[i].ID)
		}
		if q.After = page.Next; q.After == nil {
			return ids, nil
		}
	}
}

// nothingOpen tells apart why a filter chooses no open task.
func nothingOpen(r Reader, filter Query) (*Error, error) {
	var fit, all, open int
	for _, c := range []struct {
		into *int
		q    Query
	}{
		{&fit, filter},
		{&all, Query{}},
		{&open, Query{Status: []Status{Pending, InProgress}}},
	} {
		var err error
		if *c.into, err = total(r, c.q); err != nil {
			return nil, err
		}
	}
	switch {
	case all == 0:
		return Errorf(Idle, "nothing is left to claim: the board has no tasks").Next(HintCreate), nil
	case open == 0 && all == 1:
		return Errorf(Idle, "nothing is left to claim: the only task is completed"), nil
	case open == 0:
		return Errorf(Idle, "nothing is left to claim: all %d tasks are completed", all), nil
	case fit == 0:
		return Errorf(Idle, "nothing is left to claim that fits: no task does").Next(HintList), nil
	case fit == 1:
		return Errorf(Idle, "nothing is left to claim that fits: the only one is completed").Next(HintList), nil
	}
	return Errorf(Idle, "nothing is left to claim that fits: all %d are completed", fit).Next(HintList), nil
}

// total counts what a query chooses.
func total(r Reader, q Query) (int, error) {
	q.Brief, q.Limit = true, 1
	page, err := r.Select(q)
	return page.Total, err
}

// without adds what would be ready without the filter, for one who has nothing
// better to do than to wait or to look.
func (e *Error) without(r Reader, taker string) error {
	ready, err := total(r, Query{Ready: true, For: taker})
	if err != nil || ready == 0 {
		return err
	}
	e.Message += fmt.Sprintf("; without the filter %d %s ready", ready, isAre(ready))
	if e.Hint.Step == HintWait || e.Hint.Step == HintList {
		e.Next(HintNext)
	}
	return nil
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// sort sorts what the open tasks wait for, themselves among it, through what is
// open only.
func (s *standstill) sort(r Reader, open []ID, ours func(string, *Claim) bool) error {
	nodes, err := r.Reach(Dependencies, open...) // in id order
	if err != nil {
		return err
	}
	at := make(map[ID]*Node, len(nodes))
	for i := range nodes {
		at[nodes[i].ID] = &nodes[i]
	}
	counts := make(map[ID]bool, len(nodes))
	for todo := slices.Clone(open); len(todo) > 0; {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if n := at[id]; n != nil && n.Open() && !counts[id] {
			counts[id] = true
			todo = append(append(todo, n.BlockedBy...), n.Children...)
		}
	}
	for _, n := range nodes {
		waits := len(n.BlockedBy) > 0 || n.OpenChildren > 0
		switch {
		case !counts[n.ID]:
		case n.Missing || n.Damaged:
			s.lost = append(s.lost, n)
		case n.Status == InProgress && ours(n.Owner, &n.Claim):
			s.mine = append(s.mine, n)
		case n.Status == InProgress:
			s.others = append(s.others, n)
		case waits:
		case n.Held:
			s.held = append(s.held, n)
		case n.Owner != "" && n.Owner != s.taker:
			s.assigned = append(s.assigned, n)
		default:
			s.free = append(s.free, n)
		}
	}
	slices.SortStableFunc(s.others, func(a, b Node) int {
		if a.Claim.Until.IsZero() != b.Claim.Until.IsZero() { // the year 1 is before any lease
			return b.Claim.Until.Compare(a.Claim.Until)
		}
		return a.Claim.Until.Compare(b.Claim.Until)
	})
	return nil
}

// named are the tasks that an answer of the kind is about.
func (s *standstill) named(k Kind) []Node {
	if k == Busy {
		return slices.Concat(s.mine, s.others)
	}
	return slices.Concat(s.free, s.held, s.assigned, s.lost)
}

// reasons is what is in the way, as a sentence of few parts.
func (s *standstill) reasons(r Reader) (string, error) {
	var why []string
	if len(s.mine) > 0 {
		why = append(why, fmt.Sprintf("%s %s claimed by you", joinIDs(nodeIDs(s.mine)), isAre(len(s.mine))))
	}
	rest := slices.Concat(s.others, s.free, s.held, s.assigned, s.lost)
	shown := min(len(rest), mostReasons-len(why))
	for i := range rest[:shown] {
		text, err := s.inTheWay(r, &rest[i])
		if err != nil {
			return "", err
		}
		why = append(why, text)
	}
	if more := len(rest) - shown; more > 0 {
		why = append(why, fmt.Sprintf("and %d more", more))
	}
	if len(why) == 0 {
		return "the open tasks wait for one another", nil
	}
	return strings.Join(why, "; "), nil
}

// inTheWay says what is the matter with a task that keeps others back.
func (s *standstill) inTheWay(r Reader, n *Node) (string, error) {
	const most = 60 // of a name: a sentence, not a dump
	switch {
	case n.Missing:
		return fmt.Sprintf("%v is missing", n.ID), nil
	case n.Damaged:
		return fmt.Sprintf("%v is damaged", n.ID), nil
	case n.Status == InProgress && n.Owner == "":
		return fmt.Sprintf("%v is in progress, and nobody owns it", n.ID), nil
	case n.Status == InProgress:
		session := n.Claim.on()
		if session == "" && n.Owner == s.name { // agents of a kind have one name
			session = " in another session"
		}
		return fmt.Sprintf("%v is claimed by %s%s%s", n.ID, clip(n.Owner, most), session, n.Claim.until()), nil
	case n.Held:
		tasks, err := r.Briefs(n.ID)
		if err != nil || tasks[0].Hold == nil {
			return fmt.Sprintf("%v is on hold", n.ID), err
		}
		if hold := tasks[0].Hold; hold.Approval() {
			s.approves = append(s.approves, n.ID)
			return tasks[0].heldError().Message, nil
		}
		s.lifts = append(s.lifts, n.ID)
		s.finished = s.finished || tasks[0].Hold.Finished()
		return fmt.Sprintf("%v is on hold: %s", n.ID, clip(oneLine(tasks[0].Hold.Reason), 80)), nil
	case n.Owner != "" && n.Owner != s.taker:
		return fmt.Sprintf("%v is assigned to %s", n.ID, clip(n.Owner, most)), nil
	}
	return fmt.Sprintf("%v is ready, but does not fit", n.ID), nil
}

// wayOut hints at what gets things going: what the caller can do, else to wait
// while others are at work, else what a person can do.
func (s *standstill) wayOut(e *Error) {
	var finish, unowned []ID
	for _, n := range s.mine {
		if len(n.BlockedBy) == 0 && n.OpenChildren == 0 {
			finish = append(finish, n.ID)
		}
	}
	for _, n := range s.others {
		if n.Owner == "" {
			unowned = append(unowned, n.ID)
		}
	}
	switch {
	case len(finish) > 0:
		e.Next(HintFinish, finish...)
	case len(s.free) > 0:
		e.Next(HintClaim, s.free[0].ID)
	case len(s.others) > len(unowned):
		e.Next(HintWait)
	case len(unowned) > 0:
		e.Next(HintClaim, unowned[0])
	case s.finished:
		e.Say(trustChecks)
	case len(s.approves) > 0:
		e.Next(HintApprove, s.approves...)
	case len(s.lifts) > 0:
		e.Next(HintLift, s.lifts...)
	case len(s.assigned) > 0:
		e.Next(HintAssign, nodeIDs(s.assigned)...)
	case len(s.mine) > 0:
		e.Next(HintShow, s.mine[0].ID)
	default:
		e.Next(HintDiagnose)
	}
}

func nodeIDs(nodes []Node) []ID {
	ids := make([]ID, len(nodes))
	for i := range nodes {
		ids[i] = nodes[i].ID
	}
	return ids
}
