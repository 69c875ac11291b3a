package hook

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/attribution"
	"github.com/pawl-dev/pawl/internal/caller"
	"github.com/pawl-dev/pawl/nudge"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/todo"
)

const (
	// shownReady are the ready tasks that a text may name.
	shownReady = 5
	// shownNotes are the notes that it may tell.
	shownNotes = 3
	// lookAgain is how long a session that holds nothing is left alone. It may
	// claim a task at any time, whose lease is renewed first by the claim.
	lookAgain = 5 * time.Minute
	// renewSoon is when what failed is tried again.
	renewSoon = 30 * time.Second
)

// open opens the board once; nil: there is none.
func (s *session) open() (query.Board, error) {
	if s.board == nil {
		board, err := s.env.boardOf(s.place)
		if err != nil {
			return nil, err
		}
		s.board = board
	}
	return s.board, nil
}

// name is what the agent is called on the board.
func (s *session) name() string {
	return cmp.Or(s.env.Getenv(caller.EnvName), s.client.Name)
}

// look finds what there is on the board for the agent.
func (s *session) look(ctx context.Context, f *nudge.Facts, all bool) error {
	var g query.Glance
	var err error
	if p := s.post(); p != nil {
		g, err = s.glimpse(ctx, p)
	} else {
		board, missing := s.open()
		if board == nil || missing != nil {
			return missing
		}
		g, err = s.glance(ctx, board, s.query(all))
	}
	if err != nil {
		return err
	}
	s.lookBy(g.Claimed)
	for _, t := range g.Claimed {
		if (todo.Key{Agent: t.Claim.Agent}).Normal().Agent == s.key.Agent {
			f.Owned = append(f.Owned, t)
		}
	}
	f.Ready, f.Free = g.Ready, g.Free
	for _, t := range g.Tasks {
		switch {
		case slices.ContainsFunc(f.Owned, func(o pawl.Task) bool { return o.ID == t.ID }):
		case s.hadClaimed(&t):
			if !s.old.IsZero() {
				break // it may be another loss than of now
			}
			f.Lost = append(f.Lost, t)
		case t.Open():
			f.Made = append(f.Made, t)
		}
	}
	for _, t := range slices.Concat(f.Owned, f.Lost) {
		f.Notes = append(f.Notes, t.Notes...)
	}
	slices.SortStableFunc(f.Notes, func(a, b pawl.Note) int { return a.At.Compare(b.At) })
	f.Notes = f.Notes[max(0, len(f.Notes)-shownNotes):]
	return nil
}

// query is what the agent wants to see of the board: what it has claimed, and with all
// what it made, had claimed, and could claim.
func (s *session) query(all bool) pawl.GlanceQuery {
	q := pawl.GlanceQuery{Session: s.key.Session, For: s.name()}
	if !all {
		return q
	}
	q.Ready = shownReady
	q.IDs = slices.Clone(s.mem.Made)
	held := s.mem.Nudge.Claimed // the last ones first
	for _, h := range held[:max(0, min(len(held), pawl.MaxGlance-len(q.IDs)))] {
		q.IDs = append(q.IDs, h.ID)
	}
	slices.Sort(q.IDs)
	q.IDs = slices.Compact(q.IDs)
	return q
}

// hadClaimed reports whether a task is one that the agent had claimed when the
// board was last read.
func (s *session) hadClaimed(t *pawl.Task) bool {
	return slices.ContainsFunc(s.mem.Nudge.Claimed, func(h nudge.Claimed) bool {
		return h.ID == t.ID && (h.CreatedAt.IsZero() || t.CreatedAt.IsZero() || h.CreatedAt.Equal(t.CreatedAt))
	})
}

// renew extends the leases of what the session has claimed, each after a third of
// it has passed, because that changes the board.
func (s *session) renew(ctx context.Context) {
	if s.place.board == nil {
		return
	}
	if p := s.post(); p != nil {
		s.tend(ctx, p, false)
		return
	}
	if wait := s.mem.RenewAt.Sub(s.now); wait > 0 && wait <= lookAgain { // more: the clock was set back
		return
	}
	s.next()
	ctx, cancel := context.WithTimeout(ctx, s.env.Wait/5) // the answer waits with a board that others write to
	defer cancel()
	defer func(before int) {
		if soon := s.now.Add(renewSoon).UTC(); len(s.failed) > before && soon.Before(s.mem.RenewAt) {
			s.mem.RenewAt = soon
		}
	}(len(s.failed))
	board, err := s.open()
	if board == nil || err != nil {
		s.try(err)
		return
	}
	held := s.heldBy(ctx, board, s.key.Session)
	s.lookBy(held)
	var requests []pawl.Request
	for _, t := range held {
		if t.Claim.Lease > 0 && t.Claim.Until.Sub(s.now) < time.Duration(t.Claim.Lease*2/3) {
			requests = append(requests, s.request(&t, pawl.Renew{IDs: []pawl.ID{t.ID}}))
		}
	}
	s.carry(ctx, board, requests)
}

// lookBy schedules the next renewal before a third of a lease has passed: it
// may have been claimed for less than the settings say.
func (s *session) lookBy(held []pawl.Task) {
	for i := range held {
		if lease := held[i].Claim.Lease; lease > 0 {
			if by := s.now.Add(time.Duration(lease / 3)).UTC(); by.Before(s.mem.RenewAt) {
				s.mem.RenewAt = by
			}
		}
	}
}

// heldBy are the tasks that any agent of a session has. They are nearly always few enough
// for a glance.
func (s *session) heldBy(ctx context.Context, board query.Board, session string) []pawl.Task {
	g, err := s.glance(ctx, board, pawl.GlanceQuery{Session: session})
	if err != nil || len(g.Claimed) < pawl.MaxGlance {
		s.try(err)
		return g.Claimed
	}
	selection := pawl.Query{Session: session, Status: []pawl.Status{pawl.InProgress}}
	all, err := query.Of(ctx, board, query.Asker{}, query.TasksQuery{Query: selection})
	s.try(err)
	return all.Page.Tasks
}

func (s *session) glance(ctx context.Context, board query.Board, q pawl.GlanceQuery) (query.Glance, error) {
	return query.Of(ctx, board, query.Asker{}, query.GlanceQuery{GlanceQuery: q})
}

// request is one in the name under which a task is claimed.
func (s *session) request(t *pawl.Task, op pawl.Op) pawl.Request {
	return pawl.Request{By: pawl.Actor{Name: t.Owner, Session: t.Claim.Session, Agent: t.Claim.Agent}, Op: op}
}

func (s *session) carry(ctx context.Context, board query.Board, requests []pawl.Request) {
	if len(requests) == 0 {
		return
	}
	_, err := board.DoAll(ctx, 0, requests...)
	for i := range requests {
		s.try(pawl.ErrorAt(err, i))
	}
}

// end releases the session's claims, and remembers them for when it comes again.
// Claims that another session of the program will go on with are kept: see
// [session.inherit].
func (s *session) end(ctx context.Context, e agent.Event) {
	s.try(s.todos.CallsInterrupted(ctx, s.key))
	if s.key.Agent != "" {
		return
	}
	follows := false
	if s.process() != "" {
		s.try(s.notes().End(s.process(), s.key.Session))
		follows = e.Source == nudge.Clear && s.notes().Latest(s.process()) == s.key.Session
	}
	if p := s.post(); p != nil {
		s.leave(ctx, p, follows)
		return
	}
	board, err := s.open()
	if board == nil || err != nil {
		s.try(err)
		return
	}
	var requests []pawl.Request
	for _, t := range s.heldBy(ctx, board, s.key.Session) {
		s.keep(nudge.Claimed{ID: t.ID, CreatedAt: t.CreatedAt})
		if !follows {
			requests = append(requests, s.request(&t, pawl.Release{IDs: []pawl.ID{t.ID}}))
		}
	}
	s.carry(ctx, board, requests)
}

// keep remembers a claim, before those that are over.
func (s *session) keep(held nudge.Claimed) {
	if !slices.ContainsFunc(s.mem.Nudge.Claimed, func(n nudge.Claimed) bool { return n.ID == held.ID }) {
		s.mem.Nudge.Claimed = slices.Insert(s.mem.Nudge.Claimed, 0, held)
	}
}

// takeOver has the session go on with what another one of the program holds,
// under the same tokens.
func (s *session) takeOver(ctx context.Context, from string) {
	if p := s.post(); p != nil {
		s.follow(ctx, p, from)
		return
	}
	board, err := s.open()
	if board == nil || err != nil {
		s.try(err)
		return
	}
	var requests []pawl.Request
	for _, t := range s.heldBy(ctx, board, from) {
		by := pawl.Actor{Name: t.Owner, Session: s.key.Session}
		requests = append(requests, pawl.Request{By: by, Op: pawl.ClaimTask{ID: t.ID, Token: t.Claim.Token}})
	}
	s.carry(ctx, board, requests)
}

// inherit gives a conversation that begins again under another name, as after
// /clear, what the one before had.
func (s *session) inherit(ctx context.Context, e agent.Event) {
	if s.key.Agent != "" || s.process() == "" {
		return
	}
	before, err := s.notes().Enter(attribution.Report{Process: s.process(), Session: s.key.Session})
	s.try(err)
	if (e.Source == nudge.Clear || e.Source == nudge.Fork) && before != "" && before != s.key.Session {
		s.try(s.inheritFrom(ctx, todo.Key{Session: before}))
	}
}

func (s *session) inheritFrom(ctx context.Context, from todo.Key) error {
	book, mem, err := openNotebook(ctx, s.state, from)
	if err != nil {
		return err
	}
	book.close()
	if mem.Project != s.place.project {
		return nil // another project's plan
	}
	if s.mem.Nudge.Claimed == nil {
		s.mem.Nudge.Claimed = mem.Nudge.Claimed
	}
	if s.mem.Made == nil {
		s.mem.Made = mem.Made
	}
	s.takeOver(ctx, from.Session)
	s.mem.Shown, s.mem.Maker = cmp.Or(s.mem.Shown, mem.Shown), cmp.Or(s.mem.Maker, mem.Maker)
	list, err := s.todos.Look(ctx, s.key)
	if err != nil || len(list.Items) > 0 {
		return err
	}
	old, err := s.todos.Look(ctx, from)
	if err != nil || old.Open() == 0 {
		return err
	}
	now, err := s.todos.Resume(ctx, s.key, todo.Editing{Project: s.place.project}, from)
	if err == nil {
		s.mem.Waits = renamed(mem.Waits, old.Items, now.Items)
	}
	return err
}

// renamed is what waits for what by the ids that todos have got instead of those
// that they had.
func renamed(waits map[string][]string, was, is []todo.Item) map[string][]string {
	ids := map[string]string{}
	for i := range min(len(was), len(is)) {
		ids[was[i].ID] = is[i].ID
	}
	var out map[string][]string
	for id, blockers := range waits {
		if ids[id] == "" {
			continue
		}
		var known []string
		for _, blocker := range blockers {
			if ids[blocker] != "" {
				known = append(known, ids[blocker])
			}
		}
		if out == nil {
			out = map[string][]string{}
		}
		out[ids[id]] = known
	}
	return out
}
