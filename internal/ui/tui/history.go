package tui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/query"
)

// A history is the changes of the board, or of one task, that were read so far. It
// is immutable, so that the next reading may start from it.
type history struct {
	told    []told        // newest first; without renewals of leases
	upTo    pawl.Revision // all changes up to here were looked at
	more    bool          // older ones exist
	trimmed bool          // older ones are no longer kept
}

// told is a change set, ready to be shown.
type told struct {
	set    pawl.ChangeSet // without long texts
	names  query.Subjects // of its tasks
	fields []string       // what became of each field
	undone bool           // by a later one
	short  string         // its revision, as people write it
	undid  *query.Undid   // of an undo: what it took back; nil: that is not known
}

const (
	// mostHistory limits the changes that are shown; pawl log has older ones.
	mostHistory = 2_000
	// mostFields is how many lines about its fields a change has.
	mostFields = 60
)

// A span is what a history is read of.
type span struct {
	task  pawl.ID    // zero: the board
	want  int        // so many changes, if there are so many
	clock show.Clock // of the reader
}

// read reads history. It asks only for the changes that are not in known, if that
// reaches as far back as is wanted; nil: nothing is known.
func (s span) read(ctx context.Context, b query.Board, who query.Asker, known *history) (*history, error) {
	h := &history{}
	if known != nil && (len(known.told) >= s.want || !known.more) {
		*h = *known
	}
	after, before := h.upTo, pawl.Revision(0)
	var news []told
	for first := true; ; {
		page, err := query.Of(ctx, b, who, query.HistoryQuery{Task: s.task, After: after, Before: before, Limit: min(s.want-len(news), query.MostSets), Undid: true})
		switch {
		case err != nil:
			return nil, err
		case first && page.Revision < after: // it is another board
			*h, after = history{}, 0
			continue
		case first:
			h.upTo, first = page.Revision, false
		}
		for i := range page.Sets {
			news = append(news, s.tell(&page, i))
		}
		if page.Trimmed != nil { // a gap between the news and what is known
			h.told, h.trimmed, h.more = nil, true, false
		}
		if !page.More {
			break
		}
		if before = news[len(news)-1].set.Revision; len(news) >= s.want {
			h.told, h.more = nil, true
			break
		}
	}
	h.told = slices.Concat(news, h.told)
	if len(h.told) > mostHistory {
		h.told, h.more = h.told[:mostHistory], true
	}
	h.mark()
	return h, nil
}

// tell makes a set of a page ready to be told.
func (s span) tell(page *query.History, i int) told {
	t := s.one(page.Sets[i], page.Names)
	t.short = t.set.Revision.Short(page.Origin)
	if undid, ok := page.Undid[t.set.Revision]; ok {
		undid.Set = new(s.one(*undid.Set, page.Names).set)
		t.undid = &undid
	}
	return t
}

// one makes a set ready to be told. Of one task's history its name is not
// repeated in each line.
func (s span) one(set pawl.ChangeSet, names query.Subjects) told {
	t := told{set: set, names: query.Subjects{}}
	keep := func(id pawl.ID) {
		if name, ok := names[id]; ok && id != s.task {
			t.names[id] = name
		}
	}
	for _, id := range set.Ready {
		keep(id)
	}
	t.set.Result, t.set.Changes = nil, slices.Clone(set.Changes)
	for i := range set.Changes {
		c := &set.Changes[i]
		keep(c.ID)
		if !set.Bulk && (s.task == 0 || s.task == c.ID) && len(t.fields) < mostFields {
			lines := show.ChangeDetail(c, names, s.clock)
			if s.task != 0 || len(set.Changes) == 1 {
				lines = lines[1:] // which task it is
			}
			t.fields = append(t.fields, lines...)
		}
		unnamed := s.task == c.ID && !slices.Contains(c.Fields, pawl.FieldSubject)
		t.set.Changes[i].Before, t.set.Changes[i].After = light(c.Before, unnamed), light(c.After, unnamed)
	}
	if len(t.fields) > mostFields {
		t.fields = append(t.fields[:mostFields], "and more")
	}
	return t
}

// light returns a task without the fields that no line shows, which may be large.
func light(t *pawl.Task, unnamed bool) *pawl.Task {
	if t == nil {
		return nil
	}
	l := *t
	l.Description, l.Metadata, l.Extra = "", nil, nil
	if n := len(l.Notes); n > 0 {
		l.Notes = slices.Clone(l.Notes[n-1:])
	}
	if unnamed {
		l.Subject = ""
	}
	return &l
}

// mark says of each change whether it was undone: by an undo that was not undone
// itself.
func (h *history) mark() {
	undone := map[pawl.Revision]bool{}
	for i := range h.told {
		t := &h.told[i]
		t.undone = undone[t.set.Revision]
		if t.set.Undoes != 0 && !t.undone {
			undone[t.set.Undoes] = true
		}
	}
}

// index is where the change with a revision stands; -1: nowhere.
func (h *history) index(rev pawl.Revision) int {
	return slices.IndexFunc(h.told, func(t told) bool { return t.set.Revision == rev })
}

// end says where older changes are; log tells of them all.
func (h *history) end(log string) string {
	switch {
	case h.more && len(h.told) >= mostHistory:
		return "older changes: " + log
	case h.more:
		return "older changes: End"
	case h.trimmed:
		return "older changes are no longer kept"
	}
	return ""
}

// lengths are those to which subjects are shortened where a line is too long.
var lengths = []int{0, 60, 40, 28, 20, 12, 8}

// vast is the number of tasks from which on a change is shown with the shortest
// names at once: trying all lengths would take a while.
const vast = 200

// line tells a change in so many columns, with names shortened before anything
// is cut. asked is the task that is named first.
func (t *told) line(sc term.Screen, asked pawl.ID) string {
	end, tries := "", lengths
	if t.undone {
		end = " (undone)"
	}
	if len(t.set.Changes) > vast {
		tries = lengths[len(lengths)-1:]
	}
	var line string
	for _, few := range []bool{false, true} {
		for _, most := range tries {
			line = show.Telling{Names: t.names, Asked: asked, Most: most, Few: few, Words: true, Undid: t.undid}.Line(&t.set)
			if term.Width(line+end) <= sc.Width {
				return line + end
			}
		}
	}
	return sc.Fit(line, sc.Width-term.Width(end)) + end
}

// mark is the glyph of what a change did, and how it is drawn.
func (t *told) mark(unicode bool) term.Part {
	tone, state := term.Normal, query.Missing
	switch t.set.Verb {
	case "complete":
		tone, state = term.Good, query.Done
	case "claim", "start":
		tone, state = term.Busy, query.Working
	case "hold":
		tone, state = term.Bad, query.Held
	}
	if state == query.Missing || t.undone {
		return term.Part{Text: " "}
	}
	return term.Part{Text: state.Glyph(unicode), Tone: tone}
}

// A past keeps a history up to date, one reading at a time.
type past struct {
	history *history // nil: it has not been read yet
	of      span
	reading bool
	stale   bool
	stop    context.CancelFunc // ends the reading
}

// read has a history read, or what is new of it.
func (p *past) read(m *model, s historian, of span) tea.Cmd {
	if of.task != p.of.task {
		p.history = nil
		if p.reading {
			p.stop()
		}
	}
	p.of, p.stale = of, true
	if p.reading {
		return nil
	}
	ctx, stop := context.WithCancel(m.ctx)
	p.reading, p.stale, p.stop = true, false, stop
	board, who, known := m.board, m.who(), p.history
	return func() tea.Msg {
		defer stop()
		msg := pastMsg{s: s, of: of}
		msg.history, msg.err = of.read(ctx, board, who, known)
		return msg
	}
}

// pastMsg is what was read of a history.
type pastMsg struct {
	s       historian
	of      span
	history *history
	err     error
}

func (msg pastMsg) update(m *model) tea.Cmd {
	p := msg.s.past()
	p.reading = false
	switch {
	case m.ctx.Err() != nil:
		return nil
	case msg.of.task != p.of.task, msg.err != nil && p.stale: // the reader went on, and may have come back
	case msg.err != nil:
		m.notice = notice{text: sentence(msg.err), bad: true}
	default:
		msg.s.recalled(m, msg.history)
	}
	if p.stale {
		return p.read(m, msg.s, p.of)
	}
	return nil
}
