package pawl

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ID is the number of a task on its board. It is positive, counts up, and is
// never given a second time on one board.
type ID int64

// String is the form in which people and agents name a task: #12.
func (id ID) String() string { return "#" + strconv.FormatInt(int64(id), 10) }

// ParseID reads "12" or "#12".
func ParseID(s string) (ID, error) {
	digits := strings.TrimPrefix(strings.TrimSpace(s), "#")
	n, err := strconv.ParseInt(digits, 10, 64)
	if errors.Is(err, strconv.ErrRange) && n > 0 || err == nil && ID(n) > MaxID {
		return 0, invalid("%q is not a task id: the largest is %d", clip(s, 40), int64(MaxID))
	}
	if err != nil || n < 1 || digits[0] == '+' {
		return 0, invalid("%q is not a task id: ids are whole numbers such as 12 or #12", clip(s, 40))
	}
	return ID(n), nil
}

// Status is where a task stands. There are three; that a task is blocked, on hold
// or ready follows from its other fields.
type Status string

// The states of a task, as they are written in its file.
const (
	Pending    Status = "pending"
	InProgress Status = "in_progress"
	Completed  Status = "completed"
)

// Valid reports whether s is one of the three states.
func (s Status) Valid() bool { return s == Pending || s == InProgress || s == Completed }

// Priority orders tasks that are ready. The zero value is medium.
type Priority int8

// The priorities, lowest first, so that a larger one is more urgent.
const (
	Low    Priority = -1
	Medium Priority = 0
	High   Priority = 1
)

// Valid reports whether p is one of the three priorities.
func (p Priority) Valid() bool { return p >= Low && p <= High }

func (p Priority) String() string {
	switch p {
	case Low:
		return "low"
	case High:
		return "high"
	default:
		return "medium"
	}
}

// ParsePriority reads "high", "medium" or "low"; an empty text is medium.
func ParsePriority(s string) (Priority, error) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "high":
		return High, nil
	case "medium", "":
		return Medium, nil
	case "low":
		return Low, nil
	}
	return Medium, invalid("%q is not a priority: use high, medium or low", clip(s, 40))
}

// A Task is one piece of work. The fields of the first group are what a task's
// file holds; those of the second are derived or kept beside the file, and an
// op never sets them directly.
type Task struct {
	ID          ID                         `json:"id"`
	Subject     string                     `json:"subject,omitempty"`
	Description string                     `json:"description,omitempty"`
	Status      Status                     `json:"status,omitempty"`
	BlockedBy   []ID                       `json:"blockedBy,omitempty"` // blockers that are not completed; empty when the task itself is
	Blocks      []ID                       `json:"blocks,omitempty"`    // every task that waits or ever waited for this one
	Owner       string                     `json:"owner,omitempty"`
	ActiveForm  string                     `json:"activeForm,omitempty"` // what is being done, in the present tense: "Writing tests"
	Priority    Priority                   `json:"priority,omitzero"`
	Parent      ID                         `json:"parent,omitempty"` // zero: none
	Was         []ID                       `json:"was,omitempty"`    // the numbers that it had before merges gave it another, the first one first; at most MaxWas
	Labels      []string                   `json:"labels,omitempty"`
	Notes       []Note                     `json:"notes,omitempty"`
	Hold        *Hold                      `json:"hold,omitempty"`
	Checks      []Check                    `json:"checks,omitempty"`
	Accept      []Criterion                `json:"accept,omitempty"`
	Evidence    []Evidence                 `json:"evidence,omitempty"` // the oldest first, one for each check that ran
	Metadata    map[string]json.RawMessage `json:"metadata,omitempty"`
	CreatedAt   time.Time                  `json:"createdAt,omitzero"` // times are UTC, in whole milliseconds; zero: not known
	UpdatedAt   time.Time                  `json:"updatedAt,omitzero"`
	StartedAt   time.Time                  `json:"startedAt,omitzero"`
	CompletedAt time.Time                  `json:"completedAt,omitzero"`
	Extra       map[string]json.RawMessage `json:"extra,omitempty"` // fields of the file that Pawl does not know

	Blockers     []ID     `json:"blockers,omitempty"`     // every recorded blocker, completed or not, in id order
	Children     []ID     `json:"children,omitempty"`     // tasks that name this one as their parent, in id order
	OpenChildren int      `json:"openChildren,omitempty"` // how many of them are not completed
	Urgency      Priority `json:"urgency,omitzero"`       // highest priority among this task and the open ones that wait for it
	Height       int      `json:"height,omitempty"`       // longest chain of open tasks that wait for this one
	Claim        Claim    `json:"claim,omitzero"`
	Expired      int      `json:"expired,omitempty"`    // leases in a row that ran out
	Checked      Checked  `json:"checked,omitempty"`    // of a brief task: [Task.Standing]
	Merging      []Task   `json:"merging,omitempty"`    // tasks of another branch in the same file, until a merge gives them numbers of their own
	Conflicted   bool     `json:"conflicted,omitempty"` // git's conflict lines are in the file: it reads as this side of them, and ops refuse to write it
	Damage       string   `json:"damage,omitempty"`     // not empty: the file cannot be read as a task, for this reason; ops refuse to write it
}

// A Note is a remark that stays with its task.
type Note struct {
	At   time.Time `json:"at,omitzero"`
	By   string    `json:"by,omitempty"`
	Text string    `json:"text"`
}

// A Hold keeps a task from being ready until somebody lifts it.
type Hold struct {
	Reason string    `json:"reason"`
	By     string    `json:"by,omitempty"`
	At     time.Time `json:"at,omitzero"`
}

// finishedBy and waitsTrust are the fixed parts of the reason of a hold that waits for
// trust. The reason alone says it, so that every store, merge and older program keeps it.
const (
	finishedBy = "finished by "
	waitsTrust = ", waits for trust of "
)

// trustChecks is what a person does about such a hold. To lift it would give finished work
// to another agent.
const trustChecks = "a person runs: pawl trust checks"

// FinishedReason is the reason of a hold on a task that an agent has finished and that
// only a person's trust in its checks keeps from completion: what names their
// commands.
func FinishedReason(by, what string) string {
	return clip(finishedBy+oneLine(by)+waitsTrust+oneLine(what), MaxReason-1)
}

// Finished reports whether the hold is one of [FinishedReason]. It stops nobody from
// completing the task: the checks decide that.
func (h *Hold) Finished() bool {
	if h == nil {
		return false
	}
	by, _, waits := strings.Cut(h.Reason, waitsTrust)
	return waits && strings.HasPrefix(by, finishedBy)
}

// approvalOf is how the reason of a hold begins that waits for a person's decision about an
// attempt of pawl run. As with finishedBy, the reason alone says it.
const approvalOf = "waits for approval of attempt "

// ApprovalReason is the reason of a hold on a task until a person has approved an attempt
// at it, or sent it back: what says how to do that.
func ApprovalReason(attempt int, what string) string {
	return clip(fmt.Sprintf("%s%d: %s", approvalOf, attempt, oneLine(what)), MaxReason-1)
}

// Approval reports whether the hold is one of [ApprovalReason]. Only the run lifts it, by
// its reason, so that no other agent gets the task while its approval is open.
func (h *Hold) Approval() bool { return h != nil && strings.HasPrefix(h.Reason, approvalOf) }

// A Claim is an owner's right to work on a task. It is kept beside the task's file:
// a task whose file says in_progress and names an owner may have no claim.
type Claim struct {
	Session string    `json:"session,omitempty"`
	Agent   string    `json:"agent,omitempty"`
	Token   Revision  `json:"token,omitempty"` // the revision at which the claim was made; zero: no claim
	Until   time.Time `json:"until,omitzero"`  // when the lease ends; zero with Lease

	// Of a board that is shared through a git remote:
	Clone     string    `json:"clone,omitempty"`    // the other clone that has the claim, as "mac-mini-3f2a9c1d"; empty: this one
	Confirmed time.Time `json:"confirmed,omitzero"` // of a claim of this clone: when the last renewal that the remote has was written; zero: the remote does not have the claim

	Lease Duration `json:"lease,omitempty"` // time until the claim expires unless it is renewed; zero: it does not expire
}

// Live reports whether there is a claim at all.
func (c Claim) Live() bool { return c.Token != 0 }

// Of reports whether the claim is that of a session of this clone.
func (c Claim) Of(session string) bool { return c.Session == session && c.Clone == "" }

// leased reports whether the claim is an agent's, which ends unless it is renewed.
func (c *Claim) leased() bool { return c.Live() && c.Lease > 0 }

// LastSign returns when the lease was last renewed, or zero without a lease.
func (c Claim) LastSign() time.Time {
	if c.Lease == 0 {
		return time.Time{}
	}
	return c.Until.Add(-time.Duration(c.Lease))
}

// expired reports whether the lease has ended at now.
func (c Claim) expired(now time.Time) bool {
	return c.leased() && !now.Before(c.Until)
}

// Rank is a task's place in the order in which ready tasks are chosen.
type Rank struct {
	ID      ID       `json:"id"`
	Urgency Priority `json:"urgency"`
	Height  int      `json:"height,omitempty"`
}

// Rank returns the task's place.
func (t *Task) Rank() Rank { return Rank{t.ID, t.Urgency, t.Height} }

// RefKey is the metadata key under which a task keeps the name that it has
// elsewhere, for instance in the tracker that it was imported from.
const RefKey = "ref"

// Ref returns the name that the task has elsewhere, or "".
func (t *Task) Ref() string {
	var ref string
	if json.Unmarshal(t.Metadata[RefKey], &ref) != nil {
		return ""
	}
	return ref
}

// Open reports whether the task is not completed.
func (t *Task) Open() bool { return t.Status != Completed }

// Free reports whether nothing but an owner keeps the task from being started:
// it is pending, waits for no blocker and no child, is not on hold, and its file
// can be read.
func (t *Task) Free() bool {
	return t.Status == Pending && len(t.BlockedBy) == 0 && t.OpenChildren == 0 && t.Hold == nil && t.Damage == ""
}

// Ready reports whether name may claim the task now: it is free and has no
// owner, or was assigned to name.
func (t *Task) Ready(name string) bool {
	return t.Free() && (t.Owner == "" || t.Owner == name)
}

// LastSign returns when the task last changed or its lease was last renewed;
// zero if neither is known.
func (t *Task) LastSign() time.Time {
	last := t.Claim.LastSign()
	for _, at := range []time.Time{t.CreatedAt, t.UpdatedAt, t.StartedAt, t.CompletedAt} {
		if at.After(last) {
			last = at
		}
	}
	return last
}

// Settle returns the task as every reader sees it at now: a lease that has
// ended makes the task pending and free of its owner, before anybody has
// recorded the expiry; recording it changes nothing that a reader sees. After
// [MaxExpired] of them in a row the task is put on hold.
func (t Task) Settle(now time.Time) Task {
	if t.Status != InProgress || !t.Claim.expired(now) {
		return t
	}
	t.Status, t.Owner, t.StartedAt = Pending, "", time.Time{}
	t.Expired++
	if t.Expired >= MaxExpired && t.Hold == nil {
		t.Hold = &Hold{
			Reason: strconv.Itoa(t.Expired) + " leases in a row ran out",
			By:     systemName,
			At:     t.Claim.Until,
		}
	}
	t.UpdatedAt = t.Claim.Until
	t.Claim = Claim{}
	return t
}

// Brief returns the task without its longer texts: description, active form,
// notes, checks, criteria and evidence but for how it stands with them, metadata
// but for the ref, and fields that Pawl does not know. That is
// enough for a line of a list, and a store may have it at hand where the whole
// task would have to be read.
func (t Task) Brief() Task {
	ref := t.Ref()
	if len(t.Checks)+len(t.Accept)+len(t.Evidence) > 0 || t.unreadable() != "" {
		t.Checked = t.Standing()
	}
	t.Description, t.ActiveForm, t.Notes, t.Metadata, t.Extra = "", "", nil, nil, nil
	t.Checks, t.Accept, t.Evidence = nil, nil, nil
	t.Merging = BriefMerging(t.Merging)
	if ref != "" {
		raw, _ := json.Marshal(ref)
		t.Metadata = map[string]json.RawMessage{RefKey: raw}
	}
	return t.Clone()
}

// BriefMerging returns the tasks of [Task.Merging] as a brief task has them: with
// id, subject, status, owner and creation time.
func BriefMerging(others []Task) []Task {
	var brief []Task
	for i := range others {
		o := &others[i]
		brief = append(brief, Task{ID: o.ID, Subject: o.Subject, Status: o.Status, Owner: o.Owner, CreatedAt: o.CreatedAt})
	}
	return brief
}

// Clone returns a copy that shares no memory with t.
func (t Task) Clone() Task {
	t.BlockedBy = slices.Clone(t.BlockedBy)
	t.Blocks = slices.Clone(t.Blocks)
	t.Labels = slices.Clone(t.Labels)
	t.Notes = slices.Clone(t.Notes)
	if t.Hold != nil {
		hold := *t.Hold
		t.Hold = &hold
	}
	t.Checks = cloneChecks(t.Checks)
	t.Accept = slices.Clone(t.Accept)
	t.Evidence = slices.Clone(t.Evidence)
	t.Metadata = cloneRaw(t.Metadata)
	t.Extra = cloneRaw(t.Extra)
	t.Blockers = slices.Clone(t.Blockers)
	t.Children = slices.Clone(t.Children)
	t.Was = slices.Clone(t.Was)
	t.Merging = slices.Clone(t.Merging)
	for i := range t.Merging {
		t.Merging[i] = t.Merging[i].Clone()
	}
	return t
}

func cloneChecks(all []Check) []Check {
	all = slices.Clone(all)
	for i := range all {
		all[i] = all[i].Clone()
	}
	return all
}

func cloneRaw(m map[string]json.RawMessage) map[string]json.RawMessage {
	m = maps.Clone(m)
	for k, v := range m {
		m[k] = slices.Clone(v)
	}
	return m
}
