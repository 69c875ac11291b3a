package file

import (
	"cmp"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// An endedClaim is a claim that another program's edit of its task's file has ended. Git
// brings back what it takes away: with a stash, with another branch, under a new number.
// So the journal keeps the claim, and it comes back with the text that it belongs to.
type endedClaim struct {
	journalClaim
	Owner   string `json:"owner"`
	Started int64  `json:"startedAt,omitempty"` // Unix milliseconds
}

// mostEnded is how many ended claims a checkpoint keeps, the latest ones.
const mostEnded = 1_000

// An endedKey is the task that an ended claim is of.
type endedKey struct {
	id        pawl.ID
	createdAt int64
}

// ended finds the claims that have ended so since the checkpoint of a mark, or before it,
// and that no request has replaced, given up, or settled. Unreadable records count as
// missing.
func (s *Store) ended(m *mark) map[endedKey]endedClaim {
	all := map[endedKey]endedClaim{}
	t, _ := readTail(s.fs, &mark{applied: m.checkpoint})
	for _, r := range t.records {
		if r.Rev > m.revision { // later than what is shown; all of another clone's, of which nothing is
			break
		}
		if r.gap || r.Kind == checkpointRecord {
			clear(all)
		}
		for _, c := range r.Claims {
			delete(all, endedKey{c.ID, c.CreatedAt})
		}
		for i := range r.Files {
			f := &r.Files[i]
			if _, ended := all[endedKey{f.ID, f.CreatedAt}]; ended && r.Kind == commitRecord && f.settled() {
				delete(all, endedKey{f.ID, f.CreatedAt})
			}
		}
		for _, c := range r.Ended {
			all[endedKey{c.ID, c.CreatedAt}] = c
		}
		for _, moved := range r.Moved { // and its claim with it
			delete(all, endedKey{moved.From, moved.CreatedAt})
		}
	}
	return all
}

// settled reports whether a request has completed or removed a task: no claim of it is left.
func (f *journalFile) settled() bool {
	if f.Text == nil {
		return f.After == ""
	}
	is, err := taskjson.Decode([]byte(*f.Text))
	return err == nil && !is.Task.Open()
}

// endedClaims are those that a checkpoint keeps.
func (s *Store) endedClaims() []endedClaim {
	all := slices.SortedFunc(maps.Values(s.ended(&s.loaded.mark)), func(a, b endedClaim) int { return cmp.Compare(b.Token, a.Token) })
	return all[:min(len(all), mostEnded)]
}

// giveBack gives tasks that say again what they said with a claim that claim.
func (s *Store) giveBack(changes map[pawl.ID]*entry, m *mark) {
	var all map[endedKey]endedClaim
	for id, e := range changes {
		if e == nil || e.status != pawl.InProgress || e.claim.Live() || e.times.started == 0 {
			continue
		}
		if all == nil {
			all = s.ended(m)
		}
		if c, ended := all[endedKey{id, e.createdAt}]; ended && c.Started == e.times.started {
			e.inherit(c.entry())
		}
	}
}

// entry is the task as it was with its claim.
func (c *endedClaim) entry() *entry {
	e := &entry{id: c.ID, createdAt: c.CreatedAt, owner: c.Owner}
	c.restore(e)
	return e
}

// inherit takes over what was kept beside the file of the same task.
func (e *entry) inherit(old *entry) {
	e.expired = old.expired
	if e.status == pawl.InProgress && e.owner == old.owner {
		e.claim = old.claim
	}
}

// compare notes in a record whose claims are other than they were, and which of them
// another program has ended: where nobody said what becomes of them.
func (r *journalRecord) compare(was *table, merged map[pawl.ID]*entry, said map[pawl.ID]Held) {
	for _, id := range slices.Sorted(maps.Keys(merged)) {
		e, old := merged[id], was.get(id)
		if old == nil {
			old = &entry{}
		}
		if e != nil && (e.claim != old.claim || e.expired != old.expired || e.createdAt != old.createdAt && e.claim.Live()) {
			r.Claims = append(r.Claims, claimOf(e))
		}
		if e == nil || e.createdAt != old.createdAt {
			e = &entry{}
		}
		if _, ok := said[id]; !ok && !old.isShared() && (old.claim.Live() && !e.claim.Live() || old.expired > e.expired) {
			r.Ended = append(r.Ended, endedClaim{claimOf(old), old.owner, old.times.started})
		}
	}
}
