package storetest

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
)

// A turn is one request at work.
type turn struct {
	tasks draft
	last  pawl.ID
	now   time.Time
	by    pawl.Actor
	token pawl.Revision
	came  expected
	shown map[pawl.ID][]string // sums of the checks whose runs the request itself brings
}

// run carries out an op.
func (t *turn) run(op pawl.Op, m *model) (string, error) {
	switch op := op.(type) {
	case pawl.Undo:
		if op.Revision > m.rev() {
			return "undo", pawl.NotFound
		}
		return "undo", t.undo(m, op.Revision)
	case pawl.Create:
		return "create", t.create(op)
	case pawl.Update:
		return "update", t.update(op)
	case pawl.ClaimTask:
		return "claim", t.claim(op)
	case pawl.Start:
		return "start", t.each(op.IDs, func(task *pawl.Task) error { return t.start(task, op) })
	case pawl.Complete:
		err := t.each(t.afterBlockers(nil, op.IDs, op.IDs), func(task *pawl.Task) error { return t.complete(task, op) })
		t.came.IDs = op.IDs
		return "complete", err
	case pawl.Reopen:
		return "reopen", t.each(op.IDs, t.reopen)
	case pawl.Release:
		return "release", t.each(op.IDs, func(task *pawl.Task) error { return t.release(task, op) })
	case pawl.Assign:
		return "assign", t.each(op.IDs, func(task *pawl.Task) error { return t.assign(task, op) })
	case pawl.PutHold:
		return "hold", t.each(op.IDs, func(task *pawl.Task) error { return t.hold(task, op.Reason) })
	case pawl.LiftHold:
		return "lift", t.each(op.IDs, func(task *pawl.Task) error { task.Hold, task.Expired = nil, 0; return nil })
	case pawl.AddNote:
		return "note", t.each([]pawl.ID{op.ID}, func(task *pawl.Task) error {
			task.Notes = append(task.Notes, pawl.Note{At: t.now, By: t.by.Name, Text: op.Text})
			return nil
		})
	case pawl.AddEvidence:
		return "check", t.each([]pawl.ID{op.ID}, func(task *pawl.Task) error { t.check(task, op.Evidence); return nil })
	case pawl.All:
		return t.all(op, m)
	case pawl.Delete:
		return "delete", t.each(op.IDs, func(task *pawl.Task) error {
			if t.heldByOther(task) && !op.Force {
				return pawl.Conflict
			}
			t.tasks.remove(task.ID)
			return nil
		})
	case pawl.Renew:
		return "renew", t.renew(op)
	}
	return "", fmt.Errorf("the model does not know %T", op)
}

// finish derives what follows, and refuses a board that cannot be.
func (t *turn) finish(before draft) error {
	if t.tasks.cyclic() {
		return pawl.Invalid
	}
	for _, task := range t.tasks { // any op renews the leases of its session
		if task.Status == pawl.InProgress && task.Claim.Token != 0 && task.Claim.Session == t.by.Session && task.Claim.Lease > 0 {
			task.Claim.Until = t.now.Add(time.Duration(task.Claim.Lease))
		}
	}
	t.tasks.settle()
	for id, fields := range before.differs(t.tasks) {
		fields = slices.DeleteFunc(fields, func(f pawl.Field) bool { return f == pawl.FieldClaim || f == pawl.FieldExpired })
		if len(fields) > 0 {
			t.tasks[id].UpdatedAt = t.now
		}
	}
	for id, task := range t.tasks {
		if was := before[id]; was != nil && free(task) && !free(was) && !slices.Contains(t.came.IDs, id) {
			t.came.Ready = append(t.came.Ready, id)
		}
	}
	t.came.Ready = t.tasks.urgent(t.came.Ready)
	return nil
}

// each does something to tasks, one after the other, each as the one before
// left the board.
func (t *turn) each(ids []pawl.ID, do func(*pawl.Task) error) error {
	if t.lacks(ids...) {
		return pawl.NotFound
	}
	for _, id := range ids {
		task := t.tasks[id]
		if task == nil { // deleted a moment ago: it was named twice
			return pawl.NotFound
		}
		if err := do(task); err != nil {
			return err
		}
		t.came.IDs = append(t.came.IDs, id)
		t.tasks.settle()
	}
	return nil
}

// lacks reports whether any of the tasks is not there. That is found out before
// anything else, so that all of them can be told.
func (t *turn) lacks(ids ...pawl.ID) bool {
	return slices.ContainsFunc(ids, func(id pawl.ID) bool { return t.tasks[id] == nil })
}

// all carries out ops, each on what the one before left.
func (t *turn) all(op pawl.All, m *model) (verb string, err error) {
	var ids []pawl.ID
	for _, one := range op.Ops {
		t.came.IDs = nil
		if verb, err = t.run(one, m); err != nil {
			return verb, err
		}
		for _, id := range t.came.IDs {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	t.came.IDs = ids
	return verb, nil
}

// check keeps of each check its last run. One of the project's, which may have another
// command by now, also takes the place of a run under its name that was left out.
func (t *turn) check(task *pawl.Task, runs []pawl.Evidence) {
	for _, e := range runs {
		e.At, e.By = t.now, t.by.Name
		t.forget(task, e.Sum)
		own := func(sum string) bool {
			return slices.ContainsFunc(task.Checks, func(c pawl.Check) bool { return c.Sum() == sum })
		}
		task.Evidence = slices.DeleteFunc(task.Evidence, func(old pawl.Evidence) bool {
			return old.LeftOut() && old.Check == e.Check && !own(old.Sum) && !own(e.Sum)
		})
		task.Evidence = append(task.Evidence, e)
		if t.shown == nil {
			t.shown = map[pawl.ID][]string{}
		}
		t.shown[task.ID] = append(t.shown[task.ID], e.Sum)
	}
}

func (t *turn) forget(task *pawl.Task, sum string) {
	var left []pawl.Evidence
	for _, e := range task.Evidence {
		if e.Sum != sum {
			left = append(left, e)
		}
	}
	task.Evidence = left
}

// acceptance changes checks and criteria: what is removed, then what is added, then what
// is ticked.
func (t *turn) acceptance(task *pawl.Task, op pawl.Update) error {
	var left []pawl.Check
	for _, name := range op.RemoveChecks {
		if !slices.ContainsFunc(task.Checks, func(c pawl.Check) bool { return c.Name == name }) {
			return pawl.NotFound
		}
	}
	was := task.Checks
	for _, c := range was {
		if !slices.Contains(op.RemoveChecks, c.Name) {
			left = append(left, c)
		}
	}
	for _, c := range op.AddChecks {
		if at := slices.IndexFunc(left, func(old pawl.Check) bool { return old.Name == c.Name }); at >= 0 {
			left[at] = c
		} else {
			left = append(left, c)
		}
	}
	task.Checks = left
	for _, old := range was { // what a check showed goes with it
		if !slices.ContainsFunc(left, func(c pawl.Check) bool { return c.Sum() == old.Sum() }) {
			t.forget(task, old.Sum())
		}
	}
	criterion := func(text string) int {
		return slices.IndexFunc(task.Accept, func(c pawl.Criterion) bool { return c.Text == text })
	}
	for _, text := range op.RemoveAccept {
		at := criterion(text)
		if at < 0 {
			return pawl.NotFound
		}
		task.Accept = slices.Delete(slices.Clone(task.Accept), at, at+1)
	}
	for _, text := range op.AddAccept {
		if criterion(text) < 0 {
			task.Accept = append(slices.Clip(task.Accept), pawl.Criterion{Text: text})
		}
	}
	task.Accept = slices.Clone(task.Accept)
	for _, text := range op.Tick {
		at := criterion(text)
		if at < 0 {
			return pawl.NotFound
		}
		if c := &task.Accept[at]; c.At.IsZero() {
			c.At, c.By = t.now, t.by.Name
		}
	}
	for _, text := range op.Untick {
		at := criterion(text)
		if at < 0 {
			return pawl.NotFound
		}
		task.Accept[at] = pawl.Criterion{Text: text}
	}
	return nil
}

// required are the sums of the checks that a task has to pass.
func required(task *pawl.Task, op pawl.Complete) map[string]bool {
	required := map[string]bool{}
	for _, c := range task.Checks {
		if !c.Optional {
			required[c.Sum()] = true
		}
	}
	for _, r := range op.Rules {
		if !r.Optional && (len(r.Labels) == 0 || slices.Contains(task.Labels, r.Labels[0])) {
			required[r.Sum()] = true
		}
	}
	return required
}

// unmet reports whether something that a task is required to show is not shown.
func (t *turn) unmet(task *pawl.Task, op pawl.Complete) bool {
	for sum := range required(task, op) {
		shown := slices.ContainsFunc(task.Evidence, func(e pawl.Evidence) bool {
			return e.Sum == sum && e.Passed && op.Tree != "" && e.Tree == op.Tree && (op.Tree != pawl.NoTree || slices.Contains(t.shown[task.ID], sum))
		})
		if !shown {
			return true
		}
	}
	return slices.ContainsFunc(task.Accept, func(c pawl.Criterion) bool { return c.At.IsZero() })
}

// leaveOut notes which checks a task was completed without.
func (t *turn) leaveOut(task *pawl.Task, op pawl.Complete) {
	for _, c := range task.AllChecks(op.Rules) {
		sum := c.Sum()
		e := task.LastEvidence(sum)
		shown := e != nil && op.Tree != "" && e.Tree == op.Tree && (op.Tree != pawl.NoTree || slices.Contains(t.shown[task.ID], sum))
		if !c.Optional && (e == nil || e.Passed && !shown) {
			t.forget(task, sum)
			task.Evidence = append(task.Evidence, pawl.Evidence{Check: c.Name, Sum: sum, Tree: pawl.NoTree, Exit: pawl.NoExit, At: t.now, By: t.by.Name})
		}
	}
}

// neverMet reports whether one of the task's own required checks has not passed, on whatever
// files, or a criterion is not ticked.
func (t *turn) neverMet(task *pawl.Task) bool {
	return slices.ContainsFunc(task.Checks, func(c pawl.Check) bool {
		return !c.Optional && !slices.ContainsFunc(task.Evidence, func(e pawl.Evidence) bool { return e.Sum == c.Sum() && e.Passed })
	}) || slices.ContainsFunc(task.Accept, func(c pawl.Criterion) bool { return c.At.IsZero() })
}

func (t *turn) create(op pawl.Create) error {
	ids := map[string]pawl.ID{}
	for i, n := range op.Tasks {
		t.last++
		t.tasks[t.last] = &pawl.Task{
			ID: t.last, Subject: n.Subject, Description: n.Description, Status: pawl.Pending, Priority: n.Priority,
			Owner: n.Owner, Labels: n.Labels, Checks: n.Checks, CreatedAt: t.now, UpdatedAt: t.now,
		}
		for _, text := range n.Accept {
			t.tasks[t.last].Accept = append(t.tasks[t.last].Accept, pawl.Criterion{Text: text})
		}
		t.came.IDs = append(t.came.IDs, t.last)
		if n.Ref != "" {
			ids[n.Ref] = t.came.IDs[i]
		}
	}
	t.came.Refs = ids
	find := func(ref pawl.Ref) pawl.ID {
		if ref.Name != "" {
			return ids[ref.Name]
		}
		return ref.ID
	}
	for i, n := range op.Tasks {
		id := t.came.IDs[i]
		if parent := find(n.Parent); parent != 0 {
			if err := t.adopt(id, parent); err != nil {
				return err
			}
		}
		for _, blocker := range n.BlockedBy {
			if err := t.link(find(blocker), id); err != nil {
				return err
			}
		}
		for _, waiter := range n.Blocks {
			if err := t.link(id, find(waiter)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *turn) link(blocker, waiter pawl.ID) error {
	switch {
	case blocker == waiter:
		return pawl.Invalid
	case t.tasks[blocker] == nil || t.tasks[waiter] == nil:
		return pawl.NotFound
	case !slices.Contains(t.tasks[blocker].Blocks, waiter):
		t.tasks.block(blocker, waiter)
	}
	return nil
}

func (t *turn) unlink(blocker, waiter pawl.ID) {
	if task := t.tasks[blocker]; task != nil {
		task.Blocks = slices.DeleteFunc(slices.Clone(task.Blocks), func(id pawl.ID) bool { return id == waiter })
	}
}

// adopt gives a task a parent, which must not be completed while the child is
// open.
func (t *turn) adopt(child, parent pawl.ID) error {
	switch p := t.tasks[parent]; {
	case p != nil && !p.Open() && t.tasks[child].Open():
		return pawl.Conflict
	case child == parent:
		return pawl.Invalid
	case p == nil:
		return pawl.NotFound
	}
	t.tasks[child].Parent = parent
	return nil
}

func (t *turn) update(op pawl.Update) error {
	if t.lacks(slices.Concat([]pawl.ID{op.ID}, op.AddBlockedBy, op.AddBlocks)...) {
		return pawl.NotFound
	}
	task := t.tasks[op.ID]
	if stale(task, op.Token) {
		return pawl.Conflict
	}
	t.came.IDs = []pawl.ID{op.ID}
	if op.Subject != nil {
		task.Subject = *op.Subject
	}
	if op.Priority != nil {
		task.Priority = *op.Priority
	}
	if err := t.acceptance(task, op); err != nil {
		return err
	}
	for _, label := range op.AddLabels {
		if !slices.Contains(task.Labels, label) {
			task.Labels = append(task.Labels, label)
		}
	}
	if op.Parent != nil && *op.Parent == 0 {
		task.Parent = 0
	} else if op.Parent != nil && *op.Parent != task.Parent {
		if err := t.adopt(op.ID, *op.Parent); err != nil {
			return err
		}
	}
	for _, id := range op.RemoveBlockedBy {
		t.unlink(id, op.ID)
	}
	for _, id := range op.RemoveBlocks {
		t.unlink(op.ID, id)
	}
	for _, id := range op.AddBlockedBy {
		if err := t.link(id, op.ID); err != nil {
			return err
		}
	}
	for _, id := range op.AddBlocks {
		if err := t.link(op.ID, id); err != nil {
			return err
		}
	}
	return nil
}

func stale(task *pawl.Task, token pawl.Revision) bool {
	return token != 0 && token != task.Claim.Token
}

func (t *turn) heldByOther(task *pawl.Task) bool {
	return task.Status == pawl.InProgress && task.Owner != "" && !t.owns(task)
}

// owns reports whether the caller holds a task: by name, and where there is a
// lease by session too.
func (t *turn) owns(task *pawl.Task) bool {
	return task.Status == pawl.InProgress && task.Owner == t.by.Name &&
		(task.Claim.Token == 0 || task.Claim.Lease == 0 || task.Claim.Session == t.by.Session)
}

// keptFor reports whether a task is assigned to somebody else.
func (t *turn) keptFor(task *pawl.Task) bool {
	return task.Status == pawl.Pending && task.Owner != "" && task.Owner != t.by.Name
}

func (t *turn) claim(op pawl.ClaimTask) error {
	if op.ID == 0 {
		return t.claimNext(op)
	}
	task := t.tasks[op.ID]
	if task == nil {
		return pawl.NotFound
	}
	t.came.IDs = []pawl.ID{op.ID}
	switch {
	case stale(task, op.Token):
		return pawl.Conflict
	case op.Token == 0 && !t.owns(task):
		if err := t.mayStart(task, op.Force); err != nil {
			return err
		}
		t.take(task, time.Duration(op.Lease))
	case task.Claim.Token == 0:
		t.take(task, time.Duration(op.Lease))
	default:
		if task.Owner == t.by.Name && task.Claim.Session != t.by.Session {
			task.Claim.Session, task.Claim.Agent = t.by.Session, t.by.Agent
		}
		if op.Lease != 0 {
			task.Claim.Lease = op.Lease
		}
		if task.Claim.Lease != 0 {
			task.Claim.Until = t.now.Add(time.Duration(task.Claim.Lease))
		}
	}
	return nil
}

func (t *turn) claimNext(op pawl.ClaimTask) error {
	for _, id := range t.tasks.ready(t.by.Name) {
		task := t.tasks[id]
		if !fits(op.Filter, task) {
			continue
		}
		for _, other := range slices.Sorted(maps.Keys(t.tasks)) {
			if t.owns(t.tasks[other]) {
				t.came.Holding = append(t.came.Holding, other)
			}
		}
		t.take(task, time.Duration(op.Lease))
		t.came.IDs = []pawl.ID{id}
		return nil
	}
	return t.nothingReady(op.Filter)
}

// nothingReady is why no task that fits is ready: none is open, somebody works
// on one or on what it waits for, or nobody does.
func (t *turn) nothingReady(f pawl.ClaimFilter) error {
	seen := map[pawl.ID]bool{}
	var inWork func(id pawl.ID) bool
	inWork = func(id pawl.ID) bool {
		task := t.tasks[id]
		if task == nil || !task.Open() || seen[id] {
			return false
		}
		seen[id] = true
		if task.Status == pawl.InProgress || slices.ContainsFunc(task.BlockedBy, inWork) {
			return true
		}
		for child, other := range t.tasks {
			if other.Parent == id && inWork(child) {
				return true
			}
		}
		return false
	}
	why := pawl.Idle
	for id, task := range t.tasks {
		if !task.Open() || !fits(f, task) {
			continue
		}
		if inWork(id) {
			return pawl.Busy
		}
		why = pawl.Blocked
	}
	return why
}

// fits reports whether a filter chooses a task.
func fits(f pawl.ClaimFilter, task *pawl.Task) bool {
	return (f.Priority == nil || task.Priority == *f.Priority) && (f.Parent == 0 || task.Parent == f.Parent) &&
		(f.Owner == "" || task.Owner == f.Owner) && (len(f.Labels) == 0 || slices.Contains(task.Labels, f.Labels[0]))
}

func (t *turn) mayStart(task *pawl.Task, force bool) error {
	switch {
	case task.Status == pawl.Completed:
		return pawl.Conflict
	case force:
		task.Hold = nil
	case task.Status == pawl.InProgress && task.Owner != "":
		return pawl.Conflict
	case task.Owner != "" && task.Owner != t.by.Name:
		return pawl.Conflict
	case len(task.BlockedBy) > 0 || task.Hold != nil:
		return pawl.Blocked
	}
	return nil
}

func (t *turn) take(task *pawl.Task, lease time.Duration) {
	if task.Status == pawl.Pending {
		task.StartedAt = t.now
	}
	task.Status, task.Owner = pawl.InProgress, t.by.Name
	task.Claim = pawl.Claim{Session: t.by.Session, Agent: t.by.Agent, Token: t.token, Lease: pawl.Duration(lease)}
	if lease != 0 {
		task.Claim.Until = t.now.Add(lease)
	}
}

func (t *turn) start(task *pawl.Task, op pawl.Start) error {
	if t.owns(task) {
		if task.Claim.Live() {
			return nil
		}
	} else if err := t.mayStart(task, op.Force); err != nil {
		return err
	}
	t.take(task, time.Duration(op.Lease))
	return nil
}

// afterBlockers adds to order what of these tasks is also wanted, each after
// those of the wanted that it waits for.
func (t *turn) afterBlockers(order, these, wanted []pawl.ID) []pawl.ID {
	for _, id := range these {
		if !slices.Contains(wanted, id) || slices.Contains(order, id) {
			continue
		}
		if task := t.tasks[id]; task != nil {
			others := slices.DeleteFunc(slices.Clone(wanted), func(other pawl.ID) bool { return other == id })
			order = t.afterBlockers(order, task.BlockedBy, others)
			order = t.afterBlockers(order, task.Children, others)
		}
		order = append(order, id)
	}
	return order
}

func (t *turn) complete(task *pawl.Task, op pawl.Complete) error {
	switch {
	case stale(task, op.Token):
		return pawl.Conflict
	case task.Status == pawl.Completed:
		return nil
	case op.Force:
	case t.heldByOther(task) && op.Token == 0:
		return pawl.Conflict
	case len(task.BlockedBy) > 0 || task.OpenChildren > 0 || task.Hold != nil && task.Status == pawl.Pending:
		return pawl.Blocked
	}
	switch unmet := t.unmet(task, op); {
	case unmet && op.Unchecked == "":
		return pawl.Unmet
	case op.Unchecked != "" && (unmet || len(op.IDs) == 1 && len(required(task, op)) == 0 && len(task.Accept) == 0):
		task.Notes = append(task.Notes, pawl.Note{At: t.now, By: t.by.Name, Text: "Completed without its checks: " + op.Unchecked})
		t.leaveOut(task, op)
	}
	task.Status, task.CompletedAt = pawl.Completed, t.now
	task.Claim, task.Expired, task.Hold = pawl.Claim{}, 0, nil
	return nil
}

func (t *turn) reopen(task *pawl.Task) error {
	switch {
	case task.Status == pawl.Pending:
		return nil
	case task.Status == pawl.InProgress:
		return pawl.Conflict
	case task.Parent != 0 && !t.tasks[task.Parent].Open():
		return pawl.Conflict
	}
	task.Status, task.Owner, task.StartedAt, task.CompletedAt = pawl.Pending, "", time.Time{}, time.Time{}
	task.Evidence = nil
	return nil
}

func (t *turn) release(task *pawl.Task, op pawl.Release) error {
	if stale(task, op.Token) || task.Status == pawl.Completed ||
		!op.Force && (t.heldByOther(task) && op.Token == 0 || t.keptFor(task)) {
		return pawl.Conflict
	}
	task.Status, task.Owner, task.StartedAt, task.Claim, task.Expired = pawl.Pending, "", time.Time{}, pawl.Claim{}, 0
	if op.Hold != "" {
		return t.hold(task, op.Hold)
	}
	return nil
}

func (t *turn) assign(task *pawl.Task, op pawl.Assign) error {
	if task.Status == pawl.Completed || task.Status == pawl.InProgress && task.Owner != "" ||
		!op.Force && t.keptFor(task) && op.Owner == t.by.Name {
		return pawl.Conflict
	}
	task.Owner = op.Owner
	return nil
}

func (t *turn) hold(task *pawl.Task, reason string) error {
	if task.Status == pawl.Completed {
		return pawl.Conflict
	}
	task.Hold = &pawl.Hold{Reason: reason, By: t.by.Name, At: t.now}
	return nil
}

func (t *turn) renew(op pawl.Renew) error {
	ids := op.IDs
	if len(ids) == 0 {
		for _, id := range slices.Sorted(maps.Keys(t.tasks)) {
			if task := t.tasks[id]; task.Status == pawl.InProgress && task.Claim.Session == t.by.Session {
				ids = append(ids, id)
			}
		}
	}
	return t.each(ids, func(task *pawl.Task) error {
		mine := op.Token != 0 || t.owns(task) || task.Claim.Session == t.by.Session
		if stale(task, op.Token) || task.Claim.Token == 0 || !mine {
			return pawl.Conflict
		}
		if op.Lease != 0 {
			task.Claim.Lease = op.Lease
		}
		if task.Claim.Lease != 0 {
			task.Claim.Until = t.now.Add(time.Duration(task.Claim.Lease))
		}
		return nil
	})
}
