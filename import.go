package pawl

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

func (Import) Verb() string { return VerbImport }

func (op Import) check() []Fault {
	var f faults
	if len(op.Tasks) == 0 {
		f.add("tasks", "is empty")
	}
	if len(op.Tasks) > MaxImport {
		f.add("tasks", "has %d tasks; the most is %d", len(op.Tasks), MaxImport)
		return f
	}
	f.refs(len(op.Tasks), func(i int) *NewTask { return &op.Tasks[i].NewTask })
	f.rules("rules", op.Rules)
	if op.LastID < 0 || op.LastID > MaxForeignID {
		f.add("lastId", "is %d; the largest that may be is %d", int64(op.LastID), int64(MaxForeignID))
	}
	for i := range op.Tasks {
		t, at := &op.Tasks[i], fmt.Sprintf("tasks[%d]", i)
		if t.ID > MaxForeignID {
			f.add(at+".id", "is %d; new ids count on from those that are brought in, and the largest that may be is %d", int64(t.ID), int64(MaxForeignID))
		} else if t.ID != 0 {
			f.id(at+".id", t.ID)
		}
		if t.Status != "" && !t.Status.Valid() {
			f.add(at+".status", "%q is not pending, in_progress or completed", clip(string(t.Status), 40))
		}
		if len(t.Was) > MaxWas {
			f.add(at+".was", "has %d numbers; the most is %d", len(t.Was), MaxWas)
		}
		for j, id := range t.Was {
			f.id(fmt.Sprintf("%s.was[%d]", at, j), id)
		}
		if len(t.Notes) > MaxNotes {
			f.add(at+".notes", "has %d notes; the most is %d", len(t.Notes), MaxNotes)
		}
		for j, note := range t.Notes {
			f.name(fmt.Sprintf("%s.notes[%d].by", at, j), note.By)
			f.text(fmt.Sprintf("%s.notes[%d].text", at, j), note.Text, MaxNote)
		}
		if t.Hold != nil {
			f.required(at+".hold.reason", t.Hold.Reason, MaxReason)
			f.name(at+".hold.by", t.Hold.By)
		}
		f.evidence(at+".evidence", t.Evidence)
		if len(t.Ticked) > MaxCriteria {
			f.add(at+".ticked", "has %d criteria; the most is %d", len(t.Ticked), MaxCriteria)
		}
		for j, c := range t.Ticked {
			f.required(fmt.Sprintf("%s.ticked[%d].text", at, j), c.Text, MaxSubject)
			f.name(fmt.Sprintf("%s.ticked[%d].by", at, j), c.By)
		}
		f.raw(at+".extra", t.Extra)
	}
	return f
}

// apply makes or finds all tasks first, then adds parents and edges, so that
// the order of the lines does not matter.
func (op Import) apply(x *tx) error {
	known, err := op.known(x)
	if err != nil {
		return err
	}
	ids := newRefs{}
	changed := make([]bool, len(op.Tasks))
	assigned, err := op.assign(x, known)
	if err != nil {
		return err
	}
	last := op.LastID
	x.exact = op.Exact || op.LastID != 0 && x.lastID == 0
	for i, id := range assigned {
		in := &op.Tasks[i]
		if id != in.ID {
			last = 0
		}
		if x.exact && id != in.ID {
			return Errorf(Conflict, "%v cannot keep its number: it was given on this board", in.ID)
		}
		if x.exact && known[i] == 0 && in.lastTime().After(x.now) {
			return Errorf(Conflict, "%v cannot keep its times: by this board's clock, %s is still to come: import it after that, or correct its line", in.ID, in.lastTime().Format(time.RFC3339))
		}
		ids.name(in.Ref, id)
		x.res.IDs = append(x.res.IDs, id)
		if known[i] == 0 {
			made := in.task(x, id)
			if x.agent {
				made.Record(made.Unproven(&Task{}, op.Rules)...) // no run that this board knows of showed it
			}
			made.leaveOut(op.Rules)
			x.add(made)
			x.moved = append(x.moved, id)
			continue
		}
		t, err := x.touch(id)
		if err != nil {
			return at(fmt.Sprintf("tasks[%d]", i), err)
		}
		before := t.Clone()
		if err := in.update(x, t, op.Rules); err != nil {
			return err
		}
		changed[i] = len(Diff(&before, t)) > 0
	}
	for i := range op.Tasks {
		id := x.res.IDs[i]
		var before Task
		if known[i] != 0 {
			before = x.tasks[id].Clone()
		}
		if err := op.Tasks[i].connect(x, id, ids); err != nil {
			return at(fmt.Sprintf("tasks[%d]", i), err)
		}
		if known[i] == 0 {
			continue
		}
		if changed[i] || len(Diff(&before, x.tasks[id])) > 0 {
			x.res.Updated = append(x.res.Updated, id)
		} else {
			x.res.Kept = append(x.res.Kept, id)
		}
	}
	for i, id := range assigned {
		if x.exact || known[i] == 0 {
			op.Tasks[i].order(x.tasks[id], ids)
		}
	}
	x.lastID = max(x.lastID, last)
	x.res.Refs = ids
	return nil
}

// known finds the tasks that the board has already: zero for one it has not.
func (op Import) known(x *tx) ([]ID, error) {
	var refs []string
	var wanted []ID
	for i := range op.Tasks {
		refs = append(refs, op.Tasks[i].names()...)
		if id := op.Tasks[i].ID; id != 0 {
			wanted = append(wanted, id)
		}
	}
	slices.Sort(refs)
	byRef := map[string]ID{}
	for q := (Query{Refs: slices.Compact(refs)}); len(q.Refs) > 0; {
		page, err := x.Select(q)
		if err != nil {
			return nil, err
		}
		for i := range page.Tasks {
			byRef[page.Tasks[i].Ref()] = page.Tasks[i].ID
		}
		if q.After = page.Next; q.After == nil {
			break
		}
	}
	created, err := op.createdAt(x, wanted)
	if err != nil {
		return nil, err
	}
	known := make([]ID, len(op.Tasks))
	var moved map[identity]ID // read when it is needed, which is seldom
	for i := range op.Tasks {
		t := &op.Tasks[i]
		at, there := created[t.ID]
		if there && at.Equal(t.CreatedAt) && !at.IsZero() {
			known[i] = t.ID
			continue
		}
		if (there || t.ID <= x.lastID) && !t.CreatedAt.IsZero() {
			if moved == nil {
				if moved, err = movedTasks(x); err != nil {
					return nil, err
				}
			}
			if known[i] = moved[identity{t.ID, t.CreatedAt.UnixMilli()}]; known[i] != 0 {
				continue
			}
		}
		for _, name := range t.names() {
			known[i] = max(known[i], byRef[name])
		}
	}
	return known, nil
}

// An identity is a number that a task had, and when it was made.
type identity struct {
	id        ID
	createdAt int64 // Unix milliseconds
}

// movedTasks finds the tasks to which merges gave other numbers, by those that they had.
func movedTasks(x *tx) (map[identity]ID, error) {
	moved := map[identity]ID{}
	for q := (Query{Was: AnyNumber, Brief: true}); ; {
		page, err := x.Select(q)
		if err != nil {
			return nil, err
		}
		for i := range page.Tasks {
			t := &page.Tasks[i]
			for _, id := range t.Was {
				moved[identity{id, t.CreatedAt.UnixMilli()}] = t.ID
			}
		}
		if q.After = page.Next; q.After == nil {
			return moved, nil
		}
	}
}

// createdAt returns when those of ids that exist were made.
func (op Import) createdAt(x *tx, ids []ID) (map[ID]time.Time, error) {
	nodes, err := x.Nodes(ids...)
	if err != nil {
		return nil, err
	}
	var there []ID
	for i := range nodes {
		if !nodes[i].Missing {
			there = append(there, nodes[i].ID)
		}
	}
	tasks, err := x.Get(there...)
	if err != nil {
		return nil, err
	}
	created := map[ID]time.Time{}
	for i := range tasks {
		created[tasks[i].ID] = tasks[i].CreatedAt
	}
	return created, nil
}

// names are what the task may be known by here: its ref, or the id and the
// time that it had on the board it came from.
func (t *ImportTask) names() []string {
	var names []string
	if ref := (&Task{Metadata: t.Metadata}).Ref(); ref != "" {
		names = append(names, ref)
	}
	if t.ID != 0 && !t.CreatedAt.IsZero() {
		names = append(names, t.origin())
	}
	return names
}

// origin is the ref of a task that had to be given another id here.
func (t *ImportTask) origin() string {
	return fmt.Sprintf("%v@%s", t.ID, t.CreatedAt.UTC().Format("2006-01-02T15:04:05.000Z"))
}

// assign chooses the id of each task: the known one, the wanted one where it
// was never given, or the next.
func (op Import) assign(x *tx, known []ID) ([]ID, error) {
	ids := slices.Clone(known)
	taken := map[ID]bool{}
	last := x.lastID
	for i := range op.Tasks {
		if want := op.Tasks[i].ID; ids[i] == 0 && want > x.lastID && !taken[want] {
			ids[i], taken[want] = want, true
			last = max(last, want)
		}
	}
	for i := range ids {
		if ids[i] == 0 {
			var err error
			if last, err = x.idAfter(last); err != nil {
				return nil, err
			}
			ids[i] = last
		}
	}
	return ids, nil
}

// task makes the task as it comes, without its edges.
func (t *ImportTask) task(x *tx, id ID) *Task {
	made := t.NewTask.task(x, id)
	made.Status = t.Status
	if made.Status == "" && t.Done {
		made.Status = Completed
	} else if made.Status == "" {
		made.Status = Pending
	}
	made.Notes, made.Extra = append(slices.Clone(t.Notes), made.Notes...), cloneRaw(t.Extra)
	made.Hold = (Task{Hold: t.Hold}).Clone().Hold
	made.Evidence = slices.Clone(t.Evidence)
	t.tick(x, made)
	t.times(made, x.now)
	t.was(made)
	if t.ID != 0 && t.ID != id && made.Ref() == "" && !t.CreatedAt.IsZero() {
		setRaw(&made.Metadata, RefKey, t.origin())
	}
	return made
}

// update applies an import to a task that the board knows. Fields that the import
// leaves out stay, and so does the status if the board changed it later, and the owner
// of a task that is somebody else's or on hold: an import takes nobody's task away.
// Notes that the board gained since its export stay.
func (t *ImportTask) update(x *tx, known *Task, rules []CheckRule) error {
	older := !t.UpdatedAt.IsZero() && known.UpdatedAt.After(t.UpdatedAt)
	asks := known.asksFor(rules)
	if known.Priority != t.Priority {
		x.moved = append(x.moved, known.ID)
	}
	for _, p := range plain() {
		if v := p.of(&t.NewTask, inNew); !v.IsZero() || p.name == FieldPriority { // whose zero is medium
			p.put(known, v)
		}
	}
	if t.Labels != nil {
		known.Labels = cleanLabels(t.Labels)
	}
	if t.Notes != nil && !(older && t.ID == known.ID) {
		known.Notes = slices.Clone(t.Notes)
	}
	for key, value := range t.Metadata {
		if !bytes.Equal(known.Metadata[key], value) {
			setRaw(&known.Metadata, key, value)
		}
	}
	for key, value := range t.Extra {
		if !bytes.Equal(known.Extra[key], value) {
			setRaw(&known.Extra, key, value)
		}
	}
	t.was(known)
	if t.Checks != nil && !known.odd(FieldChecks) {
		known.setChecks(cleanChecks(t.Checks))
	}
	if t.Accept != nil && !known.odd(FieldAccept) {
		was := known.Accept
		known.Accept = nil
		known.addCriteria(t.Accept)
		for i := range known.Accept {
			if at := slices.IndexFunc(was, func(c Criterion) bool { return c.Text == known.Accept[i].Text }); at >= 0 {
				known.Accept[i] = was[at]
			}
		}
	}
	if older || t.UpdatedAt.IsZero() && known.Claim.Live() ||
		x.claimedByOther(known) || known.keptFor(x.by) || known.Hold != nil {
		return nil
	}
	if t.Evidence != nil && !x.agent {
		known.Evidence = slices.Clone(t.Evidence)
	}
	t.tick(x, known)
	if t.Hold != nil {
		known.Hold = (Task{Hold: t.Hold}).Clone().Hold
	}
	if t.Owner != "" && t.Owner != known.Owner {
		known.Owner, known.Claim = oneLine(t.Owner), Claim{}
	}
	// An import cannot complete a task past its checks: what an import says of them, or
	// said before, is a claim.
	unshown := t.Status == Completed && known.Open() && (asks || known.asksFor(rules))
	if t.Status != "" && t.Status != known.Status && !unshown {
		if known.Claim = (Claim{}); !known.Open() {
			known.Evidence = nil // as any reopening
		}
		x.moved = append(x.moved, known.ID)
		if err := x.setStatus(known, t.Status); err != nil {
			return err
		}
		if known.Status == Completed {
			x.moved = append(append(x.moved, known.Blockers...), known.Children...)
		}
	}
	done, made := known.CompletedAt, known.CreatedAt
	t.times(known, x.now)
	known.CreatedAt = made // by which merges, and clones that remember its checks, know it
	if unshown {
		known.CompletedAt = done
	}
	return nil
}

// tick carries over which criteria are met. A tick that an agent imports counts as the
// agent's, and names it.
func (t *ImportTask) tick(x *tx, to *Task) {
	for _, c := range t.Ticked {
		at := to.criterion(c.Text)
		switch {
		case at < 0, x.agent && to.Accept[at].Ticked():
		case x.agent:
			to.Accept[at].By, to.Accept[at].At = x.by.Name, x.now
		default:
			to.Accept[at].By, to.Accept[at].At = c.By, c.At.UTC().Truncate(time.Millisecond)
		}
	}
}

// order puts the edges of a task into the order that they came in, unless it has others.
func (t *ImportTask) order(to *Task, ids newRefs) {
	for _, of := range []struct {
		has  []ID
		came []Ref
	}{{to.BlockedBy, t.BlockedBy}, {to.Blocks, t.Blocks}} {
		place := map[ID]int{}
		for i, ref := range of.came {
			place[ids.resolve(ref)] = i + 1
		}
		if !slices.ContainsFunc(of.has, func(id ID) bool { return place[id] == 0 }) {
			slices.SortFunc(of.has, func(a, b ID) int { return place[a] - place[b] })
		}
	}
}

// was carries over the numbers that the task had, unless it has more of them here.
func (t *ImportTask) was(to *Task) {
	if to.ID == t.ID && len(t.Was) > len(to.Was) {
		to.Was = slices.Clone(t.Was)
	}
}

// times carries over the times that are known. One after now counts as unknown, or nothing that
// happens here would be later. The board knows the task by createdAt, so that one stays.
func (t *ImportTask) times(to *Task, now time.Time) {
	for i, at := range []struct{ to, from *time.Time }{
		{&to.CreatedAt, &t.CreatedAt}, {&to.UpdatedAt, &t.UpdatedAt},
		{&to.StartedAt, &t.StartedAt}, {&to.CompletedAt, &t.CompletedAt},
	} {
		if !at.from.IsZero() && (i == 0 || !at.from.After(now)) {
			*at.to = at.from.UTC().Truncate(time.Millisecond)
		}
	}
}

// lastTime is the latest time that says what happened to the task.
func (t *ImportTask) lastTime() time.Time {
	return slices.MaxFunc([]time.Time{t.UpdatedAt, t.StartedAt, t.CompletedAt}, time.Time.Compare)
}

func setRaw[V string | json.RawMessage](m *map[string]json.RawMessage, key string, value V) {
	if *m == nil {
		*m = map[string]json.RawMessage{}
	}
	switch v := any(value).(type) {
	case json.RawMessage:
		(*m)[key] = slices.Clone(v)
	case string:
		text, _ := json.Marshal(v) // a string always encodes
		(*m)[key] = text
	}
}
