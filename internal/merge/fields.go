package merge

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
)

// fields are what a task's file says, but for its numbers and edges.
type fields struct {
	subject, description, active words
	work
	ranked
	parent kref    // none: no parent
	number pawl.ID // by which the file names it
	labels []string
	notes  []note
	hold   *note // whose text is the reason
	shown
	metadata  map[string]json.RawMessage
	extra     map[string]json.RawMessage
	created   time.Time
	updated   time.Time
	unchanged *item // the file that says this
}

// work is where a task stands: who works on it, and since when. Owner and times
// belong to the status.
type work struct {
	status             pawl.Status
	owner              string
	started, completed time.Time
	beside             Beside // on shared boards
}

// higher are the fields of which of two values the higher one stands.
var higher = [...]struct {
	name pawl.Field
	get  func(*pawl.Task) int
	set  func(*pawl.Task, int)
	word func(int) string
}{
	{
		pawl.FieldPriority, func(t *pawl.Task) int { return int(t.Priority) }, func(t *pawl.Task, n int) { t.Priority = pawl.Priority(n) },
		func(n int) string { return pawl.Priority(n).String() },
	},
}

// ranked are the values of these fields.
type ranked [len(higher)]int

func rankedOf(t *pawl.Task) (r ranked) {
	for i := range higher {
		r[i] = higher[i].get(t)
	}
	return r
}

type note struct {
	words
	at time.Time
	by string
}

func (m *merger) fieldsOf(it *item, l *layer) *fields {
	t := it.task
	w := func(text string) words { return words{text, l} }
	f := &fields{
		subject: w(t.Subject), description: w(t.Description), active: w(t.ActiveForm),
		work:   work{t.Status, t.Owner, t.StartedAt, t.CompletedAt, it.beside},
		ranked: rankedOf(t), parent: none, labels: t.Labels, shown: shownOf(t), metadata: t.Metadata, extra: t.Extra,
		created: t.CreatedAt, updated: t.UpdatedAt, unchanged: it,
	}
	if t.Parent != 0 {
		f.parent, f.number = m.resolve(l, t.Parent), t.Parent
	}
	for _, n := range t.Notes {
		f.notes = append(f.notes, note{w(n.Text), n.At, n.By})
	}
	if t.Hold != nil {
		f.hold = &note{w(t.Hold.Reason), t.Hold.At, t.Hold.By}
	}
	return f
}

// alike reports whether two versions of a task say the same, but for when it was
// last changed.
func (m *merger) alike(a, b *fields) bool {
	return m.same(a.subject, b.subject) && m.same(a.description, b.description) && m.same(a.active, b.active) &&
		a.work.equal(b.work) && a.ranked == b.ranked && a.parent == b.parent && sameSet(a.labels, b.labels) &&
		slices.EqualFunc(a.notes, b.notes, m.sameNote) && m.sameHold(a.hold, b.hold) && a.shown.equal(&b.shown) &&
		sameRaw(a.metadata, b.metadata) && sameRaw(a.extra, b.extra)
}

func (a work) equal(b work) bool {
	return a.status == b.status && a.owner == b.owner && a.started.Equal(b.started) && a.completed.Equal(b.completed) && a.beside.equal(b.beside)
}

func (m *merger) sameNote(a, b note) bool {
	return a.at.Equal(b.at) && a.by == b.by && m.same(a.words, b.words)
}

func (m *merger) sameHold(a, b *note) bool {
	return a == nil && b == nil || a != nil && b != nil && m.sameNote(*a, *b)
}

// fields says what every task of the merged board is.
func (m *merger) fields() {
	for i := 0; i < len(m.kinds); i++ { // it grows by what they mention
		k := m.kinds[i]
		switch {
		case !k.lives || k.opaque != nil:
		case k.o == nil:
			k.now = m.fieldsOf(k.t, m.theirs)
			m.settle(k)
		case k.t == nil:
			k.now = m.fieldsOf(k.o, m.ours)
			m.settle(k)
		case k.o.file == k.t.file && !m.doubtful(k) && k.o.beside.equal(k.t.beside):
			k.now = m.fieldsOf(k.o, m.ours)
		default:
			k.now = m.mergeFields(k)
			m.settle(k)
		}
	}
}

// doubtful reports whether one text may say two things, each on its board.
func (m *merger) doubtful(k *kind) bool {
	p := k.o.task.Parent
	if p != 0 && m.resolve(m.ours, p) != m.resolve(m.theirs, p) {
		return true
	}
	if len(m.shifty) == 0 {
		return false
	}
	return m.shifty[p] || !slices.ContainsFunc(k.b, func(b *item) bool { return b.file == k.o.file })
}

// settle gives the texts of a task the numbers of the merged board, where they
// were written since the bases. All others stay to the letter: what they meant when
// they were written is not known.
func (m *merger) settle(k *kind) {
	if len(m.shifty) == 0 {
		return
	}
	f := k.now
	put := func(w *words, old func(*pawl.Task) string) {
		if !slices.ContainsFunc(k.known(), func(b *item) bool { return b.task != nil && old(b.task) == w.text }) {
			w.text = m.lower(*w)
		}
		w.in = nil
	}
	put(&f.subject, func(t *pawl.Task) string { return t.Subject })
	put(&f.description, func(t *pawl.Task) string { return t.Description })
	put(&f.active, func(t *pawl.Task) string { return t.ActiveForm })
	if f.hold != nil {
		hold := *f.hold
		put(&hold.words, func(t *pawl.Task) string {
			if t.Hold == nil {
				return ""
			}
			return t.Hold.Reason
		})
		f.hold = &hold
	}
	old := map[string]bool{}
	for _, b := range k.known() {
		if b.task != nil {
			for _, n := range b.task.Notes {
				old[note{words{text: n.Text}, n.At, n.By}.raw()] = true
			}
		}
	}
	for i := range f.notes {
		if n := &f.notes[i]; !old[n.raw()] {
			n.text = m.lower(n.words)
			n.in = nil
		}
	}
}

// known are the files by which the bases know a task.
func (k *kind) known() []*item {
	if len(k.b) > 0 {
		return k.b
	}
	return k.past
}

// mergeFields merges a task that both sides have.
func (m *merger) mergeFields(k *kind) *fields {
	o, t := m.fieldsOf(k.o, m.ours), m.fieldsOf(k.t, m.theirs)
	var base *fields
	for _, b := range k.known() {
		if b.task == nil {
			continue
		}
		f := m.fieldsOf(b, m.all[b.on])
		if base != nil {
			f = (&meeting{m: m, k: k, o: base, t: f, quiet: true}).merge()
		}
		base = f
	}
	return (&meeting{m: m, k: k, b: base, o: o, t: t}).merge()
}
