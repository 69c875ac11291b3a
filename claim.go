package pawl

import (
	"fmt"
	"slices"
	"time"
)

func (ClaimTask) Verb() string { return VerbClaim }

func (op ClaimTask) check() []Fault {
	var f faults
	if op.ID != 0 {
		f.id("id", op.ID)
	}
	if op.Filter.Priority != nil {
		f.priority("filter.priority", *op.Filter.Priority)
	}
	f.sought("filter.owner", op.Filter.Owner)
	f.sought("filter.text", op.Filter.Text)
	if n := len(op.Filter.Labels); n > MaxLabels { // each is compared with each task
		f.add("filter.labels", "has %d labels; the most is %d", n, MaxLabels)
	}
	f.sought("filter.labels", op.Filter.Labels...)
	f.lease("lease", op.Lease)
	if op.Skip < 0 {
		f.add("skip", "is below zero")
	}
	return f
}

func (op ClaimTask) apply(x *tx) error {
	if x.by.Name == "" {
		return invalid("a claim needs the name of its owner").Say("say who you are")
	}
	if op.ID == 0 {
		return op.claimNext(x)
	}
	t, err := x.touch(op.ID)
	if err != nil {
		return err
	}
	x.res.IDs = []ID{op.ID}
	if op.Token != 0 || x.owns(t) {
		if err := x.checkToken(t, op.Token); err != nil {
			return err
		}
		if t.Claim.Live() {
			if t.Owner == x.by.Name && t.Claim.Session != x.by.Session { // the work goes on in another session
				t.Claim.Session, t.Claim.Agent = x.by.Session, x.by.Agent
			}
			t.Claim.extend(op.Lease, x.now)
			return nil
		}
		x.take(t, op.Lease) // work that lost its claim, for instance with the folder that keeps them
		return nil
	}
	if err := x.mayStart(t, op.Force); err != nil {
		return err
	}
	x.take(t, op.Lease)
	return nil
}

// claimNext claims the first ready task, and lists what its owner had claimed before.
func (op ClaimTask) claimNext(x *tx) error {
	q := op.Filter.query()
	q.Ready, q.For, q.Order, q.Limit, q.Uncounted = true, x.by.Name, ByUrgency, 1, true
	id, found, err := x.firstReady(q)
	if err == nil && found && op.Skip > 0 {
		var page Page
		q.Limit, q.Brief = MaxPage, true
		if page, err = x.Select(q); err == nil {
			id = page.Tasks[op.Skip%len(page.Tasks)].ID
		}
	}
	if err != nil {
		return err
	}
	if !found {
		why, err := nothingReady(x, q, x.by.Name, x.ours)
		if err != nil {
			return err
		}
		return why
	}
	held, err := x.Select(Query{Mine: x.by, Status: []Status{InProgress}, Brief: true, Uncounted: true})
	if err != nil {
		return err
	}
	for i := range held.Tasks {
		x.res.Holding = append(x.res.Holding, held.Tasks[i].ID)
	}
	t, err := x.touch(id)
	if err != nil {
		return err
	}
	x.res.IDs = []ID{t.ID}
	x.take(t, op.Lease)
	return nil
}

// owns reports whether the caller is the owner who works on t.
func (x *tx) owns(t *Task) bool { return t.Status == InProgress && x.ours(t.Owner, &t.Claim) }

// ours is [Actor.Owns], and holds for the sessions that are known to be the
// caller's too. For an agent ([Request.Agent]), it does not hold for a person's claim, also
// if an older client says that the agent is in the person's session.
func (x *tx) ours(owner string, c *Claim) bool {
	person := x.agent && c.Live() && !c.leased() && (c.Session != x.by.Session || Personal(c.Session))
	return x.by.owns(owner, c) && !person || owner == x.by.Name && c.Clone == "" && slices.Contains(x.same, c.Session)
}

// claimedByOther reports whether somebody else works on t.
func (x *tx) claimedByOther(t *Task) bool {
	return t.Status == InProgress && t.Owner != "" && !x.owns(t)
}

// mayEnd says why the caller cannot end the work on t, or what keeps it for
// somebody. A caller that shows the claim's token, which was checked, may end it.
func (x *tx) mayEnd(t *Task, token Revision) error {
	if x.claimedByOther(t) && token == 0 {
		return x.claimedError(t)
	}
	return nil
}

// mayStart says why the caller cannot begin to work on t. A task in progress
// that nobody owns may be taken: the program that set it so left no name.
func (x *tx) mayStart(t *Task, force bool) error {
	switch {
	case t.Status == Completed:
		return t.completedError()
	case force:
		t.Hold = nil
		return nil
	case t.Status == InProgress && t.Owner != "":
		return x.claimedError(t)
	case t.Owner != "" && t.Owner != x.by.Name:
		return t.assignedError()
	case len(t.BlockedBy) > 0:
		return x.blockedError(t)
	case t.Hold != nil:
		return t.heldError()
	}
	return nil
}

func (t *Task) completedError() *Error {
	return Errorf(Conflict, "%v is completed", t.ID).About(t.ID).Next(HintReopen, t.ID)
}

func (t *Task) assignedError() *Error {
	e := Errorf(Conflict, "%v is assigned to %s", t.ID, t.Owner).About(t.ID).Next(HintNext)
	e.Holder = &Holder{Name: t.Owner}
	return e
}

func (x *tx) claimedError(t *Task) *Error {
	session := t.Claim.on()
	if session == "" && t.Claim.Session != "" {
		session = " (session " + clip(t.Claim.Session, 60) + ")"
	}
	e := Errorf(Conflict, "%v is claimed by %s%s%s", t.ID, t.Owner, session, t.Claim.until()).About(t.ID).Next(HintNext)
	e.Holder = &Holder{Name: t.Owner, Claim: t.Claim}
	e.Namesakes = x.namesakes(t.Owner, &t.Claim)
	return e
}

// namesakes is the session of a claim that the caller's name holds in another
// one: perhaps that session is the caller's as well ([Request.Sessions]).
func (x *tx) namesakes(owner string, c *Claim) []string {
	if owner == "" || owner != x.by.Name || c.Clone != "" || x.ours(owner, c) {
		return nil
	}
	return []string{c.Session}
}

// on is how an error says where another clone's claim was made; empty: in this one.
func (c *Claim) on() string {
	if c.Clone == "" {
		return ""
	}
	return " on " + CloneHost(c.Clone)
}

// until is how an error says when a lease ends; empty: it does not.
func (c *Claim) until() string {
	if c.Until.IsZero() {
		return ""
	}
	return " until " + c.Until.Format(time.RFC3339)
}

// wayOut adds a hint how to unblock work that waits for these tasks: finish the
// caller's own work, or claim a free task. The caller cannot finish somebody else's
// work; if the owner is the caller's name in another session, the error says so.
func (x *tx) wayOut(e *Error, open []ID) error {
	nodes, err := x.Reach(Dependencies, open...)
	if err != nil {
		return err
	}
	var mine, free []ID
	var namesakes []Node
	for i := range nodes {
		n := &nodes[i]
		switch {
		case n.Missing || n.Damaged || !n.Open() || len(n.BlockedBy) > 0 || n.OpenChildren > 0:
		case n.Status == InProgress && x.ours(n.Owner, &n.Claim):
			mine = append(mine, n.ID)
		case n.Status == InProgress && n.Owner != "" && n.Owner == x.by.Name && n.Claim.Clone == "":
			namesakes = append(namesakes, *n)
			e.Namesakes = append(e.Namesakes, n.Claim.Session)
		case n.Status == Pending && !n.Held && (n.Owner == "" || n.Owner == x.by.Name):
			free = append(free, n.ID)
		}
	}
	for i := range namesakes[:min(1, len(namesakes))] {
		n := &namesakes[i]
		e.Message += fmt.Sprintf("; %v is claimed by %s in another session%s", n.ID, n.Owner, n.Claim.until())
	}
	switch {
	case len(mine) > 0:
		e.Next(HintFinish, mine...)
	case len(free) > 0:
		e.Next(HintClaim, free[0])
	default:
		e.Next(HintShow, open...)
	}
	return nil
}

// blockedError names what t waits for, and says of each what is wrong with it
// where finishing it is not the way out.
func (x *tx) blockedError(t *Task) error { return x.waitsError(t, t.BlockedBy) }

func (x *tx) waitsError(t *Task, blockers []ID) error {
	nodes, err := x.Nodes(blockers...)
	if err != nil {
		return err
	}
	var open, lost []ID
	for i := range nodes {
		if nodes[i].Missing || nodes[i].Damaged {
			lost = append(lost, nodes[i].ID)
		} else {
			open = append(open, nodes[i].ID)
		}
	}
	if len(open) == 0 {
		return Errorf(Blocked, "%v is blocked by %s: missing or damaged", t.ID, joinIDs(lost)).About(blockers...).Next(HintDiagnose)
	}
	e := Errorf(Blocked, "%v is blocked by %s (not completed)", t.ID, joinIDs(open)).About(blockers...)
	if len(lost) > 0 {
		e.Message += "; and by " + joinIDs(lost) + ": missing or damaged"
	}
	if err := x.wayOut(e, open); err != nil {
		return err
	}
	return e
}

// checkToken is [Task.checkToken], and refuses a bound caller the token of another
// name's claim, which anybody can read.
func (x *tx) checkToken(t *Task, token Revision) error {
	if err := t.checkToken(token); err != nil {
		return err
	}
	if token != 0 && x.bound && t.Owner != x.by.Name {
		return x.claimedError(t)
	}
	return nil
}

// checkToken refuses a token that is not the one of the task's claim: the
// claim that it came from has ended, and perhaps somebody else has the task. The
// token of another clone's claim is good there alone.
func (t *Task) checkToken(token Revision) error {
	if token == 0 || token == t.Claim.Token && t.Claim.Clone == "" {
		return nil
	}
	e := Errorf(Conflict, "token %d is not the current token of %v", token, t.ID).About(t.ID).Next(HintShow, t.ID)
	if t.Owner != "" {
		e.Message += "; owner: " + t.Owner + t.Claim.on()
		e.Holder = &Holder{Name: t.Owner, Claim: t.Claim}
	}
	return e
}

// take makes the caller the owner of t, under a new token.
func (x *tx) take(t *Task, lease Duration) {
	if t.Status != InProgress {
		t.StartedAt = x.now
	}
	t.Status, t.Owner = InProgress, oneLine(x.by.Name)
	t.Claim = Claim{Session: x.by.Session, Agent: x.by.Agent, Token: x.token}
	t.Claim.extend(lease, x.now)
}

// extend renews the lease at now. A new lease replaces the one that the claim has.
func (c *Claim) extend(lease Duration, now time.Time) {
	if lease != 0 {
		c.Lease = lease
	}
	if c.Lease != 0 {
		c.Until = now.Add(time.Duration(c.Lease))
	}
}

func (Start) Verb() string { return VerbStart }

func (op Start) check() []Fault {
	var f faults
	f.some("ids", op.IDs)
	f.lease("lease", op.Lease)
	return f
}

func (op Start) apply(x *tx) error {
	if x.by.Name == "" {
		return invalid("to start a task is to own it, which needs a name").Say("say who you are")
	}
	return x.each(op.IDs, func(t *Task) error {
		if owns := x.owns(t); owns && t.Claim.Live() {
			return nil
		} else if !owns {
			if err := x.mayStart(t, op.Force); err != nil {
				return err
			}
		}
		x.take(t, op.Lease) // also of work that lost its claim, as [ClaimTask] does
		return nil
	})
}

func (Renew) Verb() string { return VerbRenew }

func (op Renew) check() []Fault {
	var f faults
	f.ids("ids", op.IDs)
	f.lease("lease", op.Lease)
	return f
}

// renews reports whether t is claimed in the caller's session, which a bound caller
// has with its own name only.
func (x *tx) renews(t *Task) bool {
	return t.Claim.Of(x.by.Session) && (!x.bound || t.Owner == x.by.Name)
}

func (op Renew) apply(x *tx) error {
	ids := op.IDs
	if len(ids) == 0 {
		if x.by.Session == "" {
			return invalid("a renewal needs tasks or a session")
		}
		page, err := x.Select(Query{Session: x.by.Session, Status: []Status{InProgress}})
		if err != nil {
			return err
		}
		for _, t := range page.Tasks {
			if x.renews(&t) {
				ids = append(ids, t.ID)
			}
		}
	}
	return x.each(ids, func(t *Task) error {
		if err := x.checkToken(t, op.Token); err != nil {
			return err
		}
		if !t.Claim.Live() || t.Status != InProgress {
			return Errorf(Conflict, "%v has no active claim", t.ID).About(t.ID).Next(HintShow, t.ID)
		}
		if op.Token == 0 && !x.owns(t) && !x.renews(t) {
			return x.claimedError(t)
		}
		t.Claim.extend(op.Lease, x.now)
		return nil
	})
}
