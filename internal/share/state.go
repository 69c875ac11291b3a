package share

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
)

// A Memory keeps a clone's state. Save returns when the state is on the disk.
type Memory interface {
	Load(ctx context.Context) (*State, error)
	Save(ctx context.Context, s *State) error
}

// State is what a clone remembers of sharing, beside its commits. Losing it costs
// convenience and no task.
type State struct {
	Clone  string   `json:"clone"`            // what the others call this clone
	Former []string `json:"former,omitempty"` // what those were called that this one is a copy of
	Copied bool     `json:"copied,omitempty"` // the board shows claims of the last of these as this clone's, until the next sync
	Tip    string   `json:"tip,omitempty"`    // the remote's, as last seen and accepted

	// Counted says up to which revision the changes of this board are in a commit of
	// this clone, by commit: the own one, and the one that is about to be.
	Counted map[string]pawl.Revision `json:"counted,omitempty"`
	// Even: at this revision the board is what the commit says.
	Even *Even `json:"even,omitempty"`
	// Pending is a board that is about to be written.
	Pending *Pending `json:"pending,omitempty"`

	// Undue are claims of other clones that this board ended before their time. The
	// next write to the board gives them back.
	Undue map[string]bool `json:"undue,omitempty"`
	// Owed are claims and completions that were lost; no sync has told of them yet.
	Owed []merge.Yielded `json:"owed,omitempty"`

	Written map[string]Renewal `json:"written,omitempty"` // of this clone's claims: the last renewal in a snapshot
	Agreed  map[string]Renewal `json:"agreed,omitempty"`  // of this clone's claims: the last renewal that the remote has
	Seen    map[string]Renewal `json:"seen,omitempty"`    // of other clones' claims: when their last renewal was first seen

	Turn     *Turn     `json:"turn,omitempty"`     // the last push that the remote took
	Synced   time.Time `json:"synced,omitzero"`    // when the remote was last reached
	Failed   string    `json:"failed,omitempty"`   // why it was not, since
	Since    time.Time `json:"since,omitzero"`     // the first failure in a row
	Failures int       `json:"failures,omitempty"` // in a row
	Stopped  Stop      `json:"stopped,omitempty"`
	Notices  []Notice  `json:"notices,omitempty"` // what sessions have to hear, until they did
}

// Even is a board that is the same as a commit.
type Even struct {
	Commit   string        `json:"commit"`
	Revision pawl.Revision `json:"revision"`
}

// Pending is one write to the board: if its op id stands in the history, it was made.
type Pending struct {
	Op   pawl.OpID `json:"op"`
	From string    `json:"from,omitempty"` // the own commit before
	To   string    `json:"to"`             // and after
}

// A Turn is a push of this clone that the remote took.
type Turn struct {
	At   Instant       `json:"at"`
	Took time.Duration `json:"took"`          // the try
	Row  int           `json:"row,omitempty"` // how many turns came just before, each at the first try
}

// next is the turn after t, which is nil before the first one.
func (t *Turn) next(now Instant, took time.Duration, first bool) *Turn {
	n := &Turn{At: now, Took: took}
	if first && t.just(now) {
		n.Row = t.Row + 1
	}
	return n
}

// round is about how long another clone's try takes, which has to merge, too. This
// clone's own may be shorter.
func (t *Turn) round() time.Duration { return min(max(t.Took, 500*time.Millisecond), 2*time.Second) }

// just reports whether the turn ended so little ago that those who lost the race may
// still be trying.
func (t *Turn) just(now Instant) bool {
	if t == nil {
		return false
	}
	_, up := now.since(t.At)
	return up >= 0 && up < 4*t.round()
}

// giveWay is how long a clone waits before it claims again. Clones that lost a race have
// to fetch and merge what came of it, and would lose the next one, too, against a clone
// that has it. A single turn costs nothing, and a row of turns soon more than a try.
func (t *Turn) giveWay(now Instant, random float64) time.Duration {
	if !t.just(now) {
		return 0
	}
	return time.Duration(random * float64(min(2*t.Row, 4)) * float64(t.round()))
}

// A Renewal says that the owner of a claim is at work, and is the moment that its lease counts from.
type Renewal struct {
	N     int           `json:"n,omitempty"`
	At    Instant       `json:"at"`
	Lease time.Duration `json:"lease,omitempty"`
	Until time.Time     `json:"until,omitzero"` // of this clone's claims: the end of the lease in the store, when it was written
}

// A Notice tells a session that it lost a claim.
type Notice struct {
	Session string        `json:"session,omitempty"`
	At      time.Time     `json:"at"`
	Lost    merge.Yielded `json:"lost"`
}

// maxNotices bounds what is kept for sessions that never come back.
const maxNotices = 50

// key names a claim.
func key(h *merge.Held) string { return h.Clone + "/" + strconv.FormatInt(int64(h.Token), 10) }

// heldAs is a claim of this clone as all clones know it.
func (s *State) heldAs(c pawl.Claim) *merge.Held {
	return &merge.Held{Clone: s.Clone, Token: c.Token, Session: c.Session, Agent: c.Agent, Lease: c.Lease}
}

// mine reports whether a claim was made in this clone.
func (s *State) mine(h *merge.Held) bool { return h != nil && h.Clone == s.Clone }

// worked reports whether somebody in this clone works on a task, or has completed it.
func (s *State) worked(b merge.Beside) bool {
	clone, _, _ := strings.Cut(b.Ended, "/")
	return s.mine(b.Held) || clone == s.Clone
}

// copied reports whether a claim was made in the clone that this one is a copy of.
func (s *State) copied(h *merge.Held) bool { return h != nil && slices.Contains(s.Former, h.Clone) }

// see notes which claims a board of the remote has, at the moment it was fetched.
func (s *State) see(b *merge.Board, now Instant) {
	seen := map[string]Renewal{}
	for _, beside := range b.Beside {
		h := beside.Held
		if h == nil || s.mine(h) || h.Lease == 0 {
			continue
		}
		last, ok := s.Seen[key(h)]
		if !ok || last.N != h.Renewal || last.At.Boot != now.Boot {
			// After a restart of the machine nobody knows how long it was off.
			last = Renewal{N: h.Renewal, At: now}
		}
		last.Lease = time.Duration(h.Lease)
		seen[key(h)] = last
	}
	s.Seen = seen
}

// agree notes which claims of this clone a board of the remote has, and returns the
// tasks whose claim is new there.
func (s *State) agree(b *merge.Board) (confirmed []pawl.ID) {
	agreed := map[string]Renewal{}
	for id, beside := range b.Beside {
		h := beside.Held
		if !s.mine(h) {
			continue
		}
		k := key(h)
		last, had := s.Agreed[k]
		if w, ok := s.Written[k]; ok && w.N == h.Renewal {
			last = w
		} else if !had {
			continue // it is on the remote, but when it was written is forgotten
		}
		last.Lease = time.Duration(h.Lease)
		agreed[k] = last
		if !had {
			confirmed = append(confirmed, id)
		}
	}
	s.Agreed = agreed
	slices.Sort(confirmed)
	return confirmed
}

// ended reports whether another clone's claim has ended for certain: by both clocks,
// counted from when its last renewal was first seen here, and with a margin for
// clocks that do not run alike.
func (s *State) ended(h *merge.Held, now Instant) bool {
	if h.Lease == 0 {
		return false
	}
	first, ok := s.Seen[key(h)]
	if !ok || first.N != h.Renewal || first.At.Boot != now.Boot {
		return false
	}
	wall, up := now.since(first.At)
	return min(wall, up) > time.Duration(h.Lease)+margin(time.Duration(h.Lease))
}

// Leases reports whether this clone may have claims that can be renewed.
func (s *State) Leases() bool {
	for _, r := range s.Written {
		if r.Lease > 0 {
			return true
		}
	}
	return len(s.Former) > 0
}

// Due reports whether a claim of this clone needs a renewal at the remote: at half
// a lease, by either clock.
func (s *State) Due(now Instant) bool {
	for _, r := range s.Agreed {
		if r.Lease > 0 && r.half(now) {
			return true
		}
	}
	return false
}

// half reports whether half a lease has passed since a renewal.
func (r Renewal) half(now Instant) bool {
	wall, up := now.since(r.At)
	return r.At.Boot != now.Boot || max(wall, up) >= r.Lease/2
}

// since returns how much time has passed by each of the clocks. After a restart of
// the machine only the wall clock tells.
func (i Instant) since(then Instant) (wall, up time.Duration) {
	wall = i.Wall.Sub(then.Wall)
	if i.Boot != then.Boot {
		return wall, wall
	}
	return wall, i.Up - then.Up
}

// margin is by how much clocks of two machines may differ over a lease.
func margin(lease time.Duration) time.Duration { return lease/50 + 5*time.Second }

// notice keeps what a session has to hear.
func (s *State) notice(now Instant, lost []merge.Yielded) {
	for _, y := range lost {
		if s.mine(y.Held) || s.copied(y.Held) {
			s.Notices = append(s.Notices, Notice{Session: y.Held.Session, At: now.Wall, Lost: y})
		}
	}
	if n := len(s.Notices); n > maxNotices {
		s.Notices = s.Notices[n-maxNotices:]
	}
}

// Renamed gives the clone another name: it is a copy of the one that had it.
func (s *State) Renamed(to string) {
	if s.Clone != "" && !slices.Contains(s.Former, s.Clone) {
		s.Former = append(s.Former, s.Clone)
	}
	s.Clone, s.Written, s.Agreed, s.Copied = to, nil, nil, true
	s.Even = nil // whose the claims are has to be written
}

// count says up to which revision a commit has the changes of this board.
func (s *State) count(commit string, rev pawl.Revision, keep ...string) {
	counted := map[string]pawl.Revision{commit: rev}
	for _, k := range keep {
		if r, ok := s.Counted[k]; ok && k != commit {
			counted[k] = r
		}
	}
	s.Counted = counted
}
