package storetest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

// A lens shows what stands on a board in the same words whatever the store:
// revisions count from its first change, times from the start of the clock.
type lens struct {
	base  pawl.Revision
	start time.Time
}

func (l lens) rev(r pawl.Revision) string {
	if r == 0 {
		return "-"
	}
	return fmt.Sprintf("@%d", r-l.base)
}

func (l lens) time(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	d := t.Sub(l.start)
	if d < 0 {
		return d.String()
	}
	return "+" + d.String()
}

func showIDs(ids []pawl.ID) string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = id.String()
	}
	return strings.Join(texts, ",")
}

// sayings is a line in the making; what is empty is left out of it.
type sayings struct{ strings.Builder }

func (s *sayings) say(key, value string) {
	if value != "" && value != "-" {
		fmt.Fprintf(s, " %s:%s", key, value)
	}
}

func (s *sayings) ids(key string, ids []pawl.ID) { s.say(key, showIDs(ids)) }

// task is a line about a task: what people and agents act on. Lists of edges
// are sorted, for their order is nobody's business.
func (l lens) task(t pawl.Task) string {
	marks := map[pawl.Status]string{pawl.Pending: "[ ]", pawl.InProgress: "[>]", pawl.Completed: "[x]"}
	var s sayings
	fmt.Fprintf(&s, "%s %v %s", marks[t.Status], t.ID, t.Subject)
	s.say("owner", t.Owner)
	s.ids("waits", slices.Sorted(slices.Values(t.BlockedBy)))
	s.ids("waited", slices.DeleteFunc(slices.Clone(t.Blockers), func(id pawl.ID) bool { return slices.Contains(t.BlockedBy, id) }))
	s.ids("blocks", slices.Sorted(slices.Values(t.Blocks)))
	if t.Parent != 0 {
		s.say("parent", t.Parent.String())
	}
	if len(t.Children) > 0 {
		s.say("children", fmt.Sprintf("%s/%d", showIDs(t.Children), t.OpenChildren))
	}
	if t.Priority != pawl.Medium {
		s.say("pri", t.Priority.String())
	}
	if t.Urgency != t.Priority {
		s.say("urg", t.Urgency.String())
	}
	if t.Height > 0 {
		s.say("height", fmt.Sprint(t.Height))
	}
	if t.Claim.Live() {
		s.say("session", t.Claim.Session)
		s.say("agent", t.Claim.Agent)
		s.say("token", l.rev(t.Claim.Token))
		s.say("until", l.time(t.Claim.Until))
	}
	if t.Expired > 0 {
		s.say("expired", fmt.Sprint(t.Expired))
	}
	if t.Hold != nil {
		s.say("hold", fmt.Sprintf("%q", t.Hold.Reason))
	}
	s.say("labels", strings.Join(t.Labels, ","))
	return s.String()
}

// details are the rest of a task, so that with the line it is told whole.
func (l lens) details(t pawl.Task) string {
	var s sayings
	s.say("created", l.time(t.CreatedAt))
	s.say("updated", l.time(t.UpdatedAt))
	s.say("started", l.time(t.StartedAt))
	s.say("completed", l.time(t.CompletedAt))
	if t.Claim.Lease > 0 {
		s.say("lease", t.Claim.Lease.String())
	}
	for _, text := range []struct{ key, value string }{{"desc", t.Description}, {"active", t.ActiveForm}, {"damage", t.Damage}} {
		if text.value != "" {
			s.say(text.key, fmt.Sprintf("%q", text.value))
		}
	}
	for _, id := range t.Was {
		s.say("was", id.String())
	}
	for i := range t.Merging {
		s.say("merging", fmt.Sprintf("%q", t.Merging[i].Subject))
	}
	if t.Conflicted {
		s.say("conflicted", "yes")
	}
	if t.Hold != nil {
		s.say("holder", fmt.Sprintf("%q%s", t.Hold.By, l.time(t.Hold.At)))
	}
	for _, n := range t.Notes {
		s.say("note", fmt.Sprintf("%q%s:%q", n.By, l.time(n.At), n.Text))
	}
	for i := range t.Checks {
		c := &t.Checks[i]
		optional := ""
		if c.Optional {
			optional = "?"
		}
		s.say("check"+optional, fmt.Sprintf("%q=%q %q %v %q %d", c.Name, c.Run, c.Dir, c.Timeout, c.Env, c.Expect))
	}
	for _, c := range t.Accept {
		s.say("accept", fmt.Sprintf("%q%s/%q", c.Text, l.time(c.At), c.By))
	}
	for i := range t.Evidence {
		e := t.Evidence[i]
		at := l.time(e.At)
		e.At = time.Time{}
		s.say("evidence", fmt.Sprintf("%s%+v", at, e))
	}
	s.say("checked", string(t.Checked))
	for _, key := range slices.Sorted(maps.Keys(t.Metadata)) {
		s.say("meta", fmt.Sprintf("%q=%s", key, t.Metadata[key]))
	}
	for _, key := range slices.Sorted(maps.Keys(t.Extra)) {
		s.say("extra", fmt.Sprintf("%q=%s", key, t.Extra[key]))
	}
	return s.String()
}

// result says what came of a request, or how it failed.
func (l lens) result(res outcome) string {
	if res.Err != nil {
		return l.error(res.Err)
	}
	var s sayings
	if s.WriteString("ok"); res.Revision != 0 {
		s.WriteString(" " + l.rev(res.Revision))
	}
	if res.Repeated {
		s.WriteString(" again")
	}
	for _, id := range res.IDs {
		s.WriteString(" " + id.String())
	}
	for _, ref := range slices.Sorted(maps.Keys(res.Refs)) {
		s.say(ref, res.Refs[ref].String())
	}
	s.ids("updated", res.Updated)
	s.ids("kept", res.Kept)
	s.ids("ready", res.Ready)
	s.ids("holding", res.Holding)
	return s.String()
}

var steps = map[pawl.Step]string{
	pawl.HintFinish: "finish", pawl.HintClaim: "claim", pawl.HintShow: "show", pawl.HintList: "list", pawl.HintNext: "next", pawl.HintReopen: "reopen",
	pawl.HintRelease: "release", pawl.HintLift: "lift", pawl.HintRetry: "retry", pawl.HintReach: "reach", pawl.HintHistory: "history", pawl.HintDiagnose: "diagnose", pawl.HintMerge: "merge", pawl.HintApprove: "approve",
	pawl.HintCreate: "create", pawl.HintWait: "wait", pawl.HintAssign: "assign", pawl.HintUndo: "undo",
	pawl.HintCheck: "check",
}

// error is the kind, the tasks in question, who holds them and what to do.
// The sentence is for people and may change.
func (l lens) error(err error) string {
	e, ok := errors.AsType[*pawl.Error](err)
	if !ok {
		return fmt.Sprintf("! not a *pawl.Error: %v", err)
	}
	var s sayings
	fmt.Fprintf(&s, "! %v", e.Kind)
	for _, id := range e.IDs {
		s.WriteString(" " + id.String())
	}
	for _, f := range e.Faults {
		s.WriteString(" " + f.Path)
	}
	if e.Holder != nil {
		s.say("holder", e.Holder.Name)
		s.say("session", e.Holder.Claim.Session)
		s.say("until", l.time(e.Holder.Claim.Until))
	}
	s.say("until", l.time(e.Until))
	if e.Undoes != 0 { // else it is where to go on reading
		s.say("revision", l.rev(e.Revision))
	}
	if step := steps[e.Hint.Step]; step != "" {
		fmt.Fprintf(&s, " → %s %s", step, showIDs(e.Hint.IDs))
	}
	return strings.TrimRight(s.String(), " ")
}

// set is a line of history.
func (l lens) set(set pawl.ChangeSet) string {
	var s sayings
	fmt.Fprintf(&s, "%s %s %s", l.rev(set.Revision), l.time(set.At), set.Verb)
	s.say("by", strings.TrimRight(set.By.Name+"/"+set.By.Session+"/"+set.By.Agent, "/"))
	s.say("op", string(set.OpID))
	if set.Undoes != 0 {
		s.say("undoes", l.rev(set.Undoes))
	}
	for _, c := range set.Changes {
		switch {
		case c.Before == nil && c.After != nil:
			fmt.Fprintf(&s, " +%v", c.ID)
		case c.Before != nil && c.After == nil:
			fmt.Fprintf(&s, " -%v", c.ID)
		default:
			fields := make([]string, len(c.Fields))
			for i, f := range c.Fields {
				fields[i] = string(f)
			}
			fmt.Fprintf(&s, " %v(%s)", c.ID, strings.Join(fields, " "))
		}
	}
	return s.String()
}

// dump is the whole board: every field of every task, the order in which they
// are ready, and history with what each change was before and after. Two
// stores that were told the same have the same dump.
func (l lens) dump(b *board) string {
	var s strings.Builder
	fmt.Fprintf(&s, "board %s last %v\n", l.rev(b.revision), b.lastID)
	for _, t := range b.tasks {
		fmt.Fprintf(&s, "%s%s\n", l.task(t), l.details(t))
	}
	fmt.Fprintf(&s, "ready %s\n", showIDs(b.ready))
	for _, set := range b.sets {
		fmt.Fprintf(&s, "%s\n", l.set(set))
		for _, c := range set.Changes {
			for i, t := range []*pawl.Task{c.Before, c.After} {
				if t != nil {
					fmt.Fprintf(&s, "  %c %s%s\n", "-+"[i], l.task(*t), l.details(*t))
				}
			}
		}
	}
	return s.String()
}
