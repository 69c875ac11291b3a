package taskjson

import (
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/jsonscan"
)

// EncodeFast is [pawl.Encode], byte for byte, and several times as fast for a [pawl.Task],
// [pawl.Claim], [pawl.Result] and [pawl.ChangeSet]: Encode uses reflection for each field,
// and makes an encoder for each claim.
func EncodeFast(v any) ([]byte, error) {
	if text, ok := encodedFast(v); ok {
		return text, nil
	}
	return pawl.Encode(v)
}

// EncodeTrimmed encodes a set whose changes are trimmed first: see [pawl.Change.Trim].
func EncodeTrimmed(set pawl.ChangeSet) ([]byte, error) {
	var scratch pawl.Task
	text, err := jsonscan.AppendObject(make([]byte, 0, 512+2*len(set.Result)+250*len(set.Changes)), func(o *jsonscan.Object) {
		fillSet(o, &set, func(o *jsonscan.Object, c *pawl.Change) { fillTrimmed(o, c, &scratch) })
	})
	if err == nil {
		return text, nil
	}
	set.Changes = slices.Clone(set.Changes)
	for i, c := range set.Changes {
		set.Changes[i] = c.Trim()
	}
	return pawl.Encode(set)
}

// fillTrimmed needs a task for a moment, one for all changes.
func fillTrimmed(o *jsonscan.Object, c *pawl.Change, scratch *pawl.Task) {
	if c.Fields == nil {
		whole := c.Trim()
		fillChange(o, &whole)
		return
	}
	fillHead(o, c)
	for _, side := range []struct {
		name string
		of   *pawl.Task
	}{{"before", c.Before}, {"after", c.After}} {
		if side.of == nil {
			continue
		}
		*scratch = pawl.Task{ID: side.of.ID}
		pawl.CopyFields(scratch, side.of, c.Fields...)
		o.Object(side.name, func(o *jsonscan.Object) { fillTask(o, scratch) })
	}
}

// encodedFast is false of what it does not know, or what there is an error to say about.
func encodedFast(v any) ([]byte, bool) {
	var fill func(*jsonscan.Object)
	size := 256
	switch v := v.(type) {
	case pawl.Task:
		size += sizeOf(&v)
		fill = func(o *jsonscan.Object) { fillTask(o, &v) }
	case pawl.Claim:
		fill = func(o *jsonscan.Object) { fillClaim(o, &v) }
	case pawl.Result:
		for i := range v.Tasks {
			size += sizeOf(&v.Tasks[i])
		}
		size += sizeOfAll(v.Changes)
		fill = func(o *jsonscan.Object) { fillResult(o, &v) }
	case pawl.ChangeSet:
		size += 2*len(v.Result) + sizeOfAll(v.Changes)
		fill = func(o *jsonscan.Object) { fillSet(o, &v, fillChange) }
	default:
		return nil, false
	}
	text, err := jsonscan.AppendObject(make([]byte, 0, size), fill)
	return text, err == nil
}

// sizeOf is about how long a task is in JSON.
func sizeOf(t *pawl.Task) int { return 350 + len(t.Subject) + len(t.Description) }

func sizeOfAll(all []pawl.Change) (size int) {
	for i := range all {
		for _, t := range []*pawl.Task{all[i].Before, all[i].After} {
			if t != nil {
				size += sizeOf(t)
			}
		}
	}
	return size
}

func fillTask(o *jsonscan.Object, t *pawl.Task) {
	o.Number("id", int64(t.ID))
	o.Text("subject", t.Subject)
	o.Text("description", t.Description)
	o.Text("status", string(t.Status))
	numbers(o, "blockedBy", t.BlockedBy)
	numbers(o, "blocks", t.Blocks)
	o.Text("owner", t.Owner)
	o.Text("activeForm", t.ActiveForm)
	fillPriority(o, "priority", t.Priority)
	o.Int("parent", int64(t.Parent))
	numbers(o, "was", t.Was)
	words(o, "labels", t.Labels)
	o.Objects("notes", len(t.Notes), func(o *jsonscan.Object, i int) { fillNote(o, &t.Notes[i]) })
	if t.Hold != nil {
		o.Object("hold", func(o *jsonscan.Object) { fillHold(o, t.Hold) })
	}
	o.Objects("checks", len(t.Checks), func(o *jsonscan.Object, i int) { fillCheck(o, &t.Checks[i]) })
	o.Objects("accept", len(t.Accept), func(o *jsonscan.Object, i int) { fillCriterion(o, &t.Accept[i]) })
	o.Objects("evidence", len(t.Evidence), func(o *jsonscan.Object, i int) { fillEvidence(o, &t.Evidence[i]) })
	fillMap(o, "metadata", t.Metadata)
	o.Time("createdAt", t.CreatedAt)
	o.Time("updatedAt", t.UpdatedAt)
	o.Time("startedAt", t.StartedAt)
	o.Time("completedAt", t.CompletedAt)
	fillMap(o, "extra", t.Extra)
	numbers(o, "blockers", t.Blockers)
	numbers(o, "children", t.Children)
	o.Int("openChildren", int64(t.OpenChildren))
	fillPriority(o, "urgency", t.Urgency)
	o.Int("height", int64(t.Height))
	if t.Claim != (pawl.Claim{}) {
		o.Object("claim", func(o *jsonscan.Object) { fillClaim(o, &t.Claim) })
	}
	o.Int("expired", int64(t.Expired))
	o.Text("checked", string(t.Checked))
	o.Objects("merging", len(t.Merging), func(o *jsonscan.Object, i int) { fillTask(o, &t.Merging[i]) })
	o.Bool("conflicted", t.Conflicted)
	o.Text("damage", t.Damage)
}

func fillNote(o *jsonscan.Object, n *pawl.Note) {
	o.Time("at", n.At)
	o.Text("by", n.By)
	o.Always("text", n.Text)
}

func fillHold(o *jsonscan.Object, h *pawl.Hold) {
	o.Always("reason", h.Reason)
	o.Text("by", h.By)
	o.Time("at", h.At)
}

func fillCheck(o *jsonscan.Object, c *pawl.Check) {
	o.Always("name", c.Name)
	words(o, "run", c.Run)
	o.Text("dir", c.Dir)
	words(o, "env", c.Env)
	o.Int("expect", int64(c.Expect))
	o.Bool("optional", c.Optional)
	if c.Timeout != 0 {
		o.Text("timeout", c.Timeout.String())
	}
}

func fillCriterion(o *jsonscan.Object, c *pawl.Criterion) {
	o.Always("text", c.Text)
	o.Text("by", c.By)
	o.Time("at", c.At)
}

func fillEvidence(o *jsonscan.Object, e *pawl.Evidence) {
	o.Always("check", e.Check)
	o.Always("sum", e.Sum)
	o.Time("at", e.At)
	o.Text("by", e.By)
	o.Text("commit", e.Commit)
	o.Text("tree", e.Tree)
	o.Bool("dirty", e.Dirty)
	o.Bool("passed", e.Passed)
	o.Int("exit", int64(e.Exit))
	o.Int("ms", e.Millis)
	o.Text("output", e.Output)
}

func fillClaim(o *jsonscan.Object, c *pawl.Claim) {
	o.Text("session", c.Session)
	o.Text("agent", c.Agent)
	o.Int("token", int64(c.Token))
	o.Time("until", c.Until)
	o.Text("clone", c.Clone)
	o.Time("confirmed", c.Confirmed)
	if c.Lease != 0 {
		o.Text("lease", c.Lease.String())
	}
}

func fillHead(o *jsonscan.Object, c *pawl.Change) {
	o.Number("id", int64(c.ID))
	o.Time("createdAt", c.CreatedAt)
	words(o, "fields", c.Fields)
}

func fillChange(o *jsonscan.Object, c *pawl.Change) {
	fillHead(o, c)
	if c.Before != nil {
		o.Object("before", func(o *jsonscan.Object) { fillTask(o, c.Before) })
	}
	if c.After != nil {
		o.Object("after", func(o *jsonscan.Object) { fillTask(o, c.After) })
	}
}

func fillResult(o *jsonscan.Object, r *pawl.Result) {
	o.Int("revision", int64(r.Revision))
	o.Bool("changed", r.Changed)
	o.Bool("repeated", r.Repeated)
	numbers(o, "ids", r.IDs)
	fillMap(o, "refs", r.Refs)
	numbers(o, "updated", r.Updated)
	numbers(o, "kept", r.Kept)
	numbers(o, "ready", r.Ready)
	numbers(o, "holding", r.Holding)
	o.Objects("tasks", len(r.Tasks), func(o *jsonscan.Object, i int) { fillTask(o, &r.Tasks[i]) })
	o.Int("undoes", int64(r.Undoes))
	numbers(o, "passed", r.Passed)
	o.Objects("cut", len(r.Cut), func(o *jsonscan.Object, i int) {
		o.Number("task", int64(r.Cut[i].Task))
		o.Number("for", int64(r.Cut[i].For))
		o.Bool("parent", r.Cut[i].Parent)
	})
	o.Objects("changes", len(r.Changes), func(o *jsonscan.Object, i int) { fillChange(o, &r.Changes[i]) })
}

func fillSet(o *jsonscan.Object, s *pawl.ChangeSet, change func(*jsonscan.Object, *pawl.Change)) {
	o.Number("revision", int64(s.Revision))
	o.Time("at", s.At)
	if s.By != (pawl.Actor{}) {
		o.Object("by", func(o *jsonscan.Object) { fillActor(o, &s.By) })
	}
	o.Always("verb", s.Verb)
	o.Text("opId", string(s.OpID))
	o.Base64("result", s.Result)
	o.Objects("changes", len(s.Changes), func(o *jsonscan.Object, i int) { change(o, &s.Changes[i]) })
	numbers(o, "ready", s.Ready)
	o.Bool("bulk", s.Bulk)
	o.Int("undoes", int64(s.Undoes))
}

func fillActor(o *jsonscan.Object, a *pawl.Actor) {
	o.Text("name", a.Name)
	o.Text("session", a.Session)
	o.Text("agent", a.Agent)
}

func fillPriority(o *jsonscan.Object, name string, p pawl.Priority) {
	if p != pawl.Medium {
		o.Text(name, p.String())
	}
}

func numbers[N ~int64](o *jsonscan.Object, name string, all []N) {
	o.Numbers(name, len(all), func(i int) int64 { return int64(all[i]) })
}

func words[S ~string](o *jsonscan.Object, name string, all []S) {
	o.List(name, len(all), func(text []byte, i int) []byte { return jsonscan.AppendText(text, string(all[i])) })
}

// fillMap leaves a map to package json, which sorts it.
func fillMap[V any](o *jsonscan.Object, name string, m map[string]V) {
	if len(m) > 0 {
		o.Value(name, plainly{m})
	}
}

// plainly is a value that is written without the escapes for web pages.
type plainly struct{ v any }

func (p plainly) MarshalJSON() ([]byte, error) { return pawl.Encode(p.v) }
