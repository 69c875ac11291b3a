package merge

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
)

// A line is a remote as the merge sees it: states of a board, each made from the one
// before, and clones that bring theirs onto its tip. The protocol around it is
// simulated in package share.
type line struct {
	*sim
	tip    *state
	states int
	clones []*twig
	tally  tally

	// The remote forgot: numbers may have changed. Turns may go down, since it can have
	// been taken back to what a clone has gone on from, to what the line had instead.
	rewound bool
	number  map[string]pawl.ID    // of a task, since it is on the line
	owner   map[pawl.ID]string    // of a number
	done    map[string]completion // by the claim
	stood   map[string]bool       // claims that were completed on the line, and words
	yielded int
}

// A completion has to be on the line, or in a note, unless it was taken back.
type completion struct {
	task, note, says string
	undone           bool
}

// saysOf is what a file says of a completion. Two clones that complete a task in the same
// name and millisecond say the same, as when git has brought the file from one to the
// other: then it is one completion, and needs no note.
func saysOf(t *pawl.Task) string { return fmt.Sprint(uid(t), t.Owner, t.StartedAt, t.CompletedAt) }

// A state is a commit. Its ancestors are known by their places.
type state struct {
	at      int
	board   Board
	history map[int]*state
}

// A twig is a clone's end of the line.
type twig struct {
	who  int
	own  *state
	now  Board
	next pawl.Revision // the next claim
}

func (l *line) state(b Board, parents ...*state) *state {
	l.states++
	s := &state{at: l.states, board: b, history: map[int]*state{}}
	for _, p := range parents {
		maps.Copy(s.history, p.history)
	}
	s.history[s.at] = s
	return s
}

// bases are the merge bases of two states, as git finds them. There are several only
// after the line was taken back.
func bases(a, b *state) (all []Board) {
	var found []*state
	for _, at := range slices.Backward(slices.Sorted(maps.Keys(a.history))) {
		older := func(s *state) bool { return s.history[at] != nil }
		if b.history[at] != nil && !slices.ContainsFunc(found, older) {
			found = append(found, a.history[at])
			all = slices.Insert(all, 0, a.history[at].board)
		}
	}
	return all
}

func newLine(seed uint64) *line {
	l := &line{sim: newSim(seed), number: map[string]pawl.ID{}, owner: map[pawl.ID]string{}, done: map[string]completion{}, stood: map[string]bool{}}
	first := Board{Tasks: map[pawl.ID][]byte{}}
	for range l.rng.IntN(10) {
		first = l.act(first, 1)
	}
	first.Mark = open(first).last()
	clear(l.gone)
	l.tip = l.state(first)
	for name, task := range one(l.sim, first) {
		l.number[name], l.owner[task.ID] = task.ID, name
	}
	for who := range 2 + l.rng.IntN(3) {
		l.clones = append(l.clones, &twig{who: who, own: l.tip, now: l.tip.board})
	}
	return l
}

// work does something in a clone, and counts turns and claims as a snapshot does.
func (l *line) work(c *twig) {
	was := l.look(c.now)
	b := l.act(c.now, c.who)
	b.Gone, b.Beside = c.now.Gone, map[pawl.ID]Beside{}
	for id, task := range l.look(b).tasks {
		about := c.now.Beside[id]
		old := was.tasks[id]
		switch {
		case old == nil && task.Status == pawl.Pending:
		case old != nil && old.Status == task.Status && old.Owner == task.Owner && old.StartedAt.Equal(task.StartedAt) && old.CompletedAt.Equal(task.CompletedAt):
			if h := about.Held; h != nil && task.Status == pawl.InProgress && h.Clone == c.name() && l.rng.IntN(6) == 0 {
				renewed := *h
				renewed.Renewal++
				about.Held = &renewed
			}
		default:
			about.Turn++
			l.undo(about)
			mine := about.Held
			if about.Held, about.Ended = nil, ""; task.Status == pawl.Pending {
				break
			}
			if mine == nil || mine.Clone != c.name() || task.Status == pawl.InProgress {
				c.next++
				mine = &Held{Clone: c.name(), Token: c.next}
			}
			if about.Held = mine; task.Status == pawl.Completed {
				about.Held, about.Ended = nil, EndedUnder(c.name(), mine)
				l.done[claimOf(about)] = completion{task: uid(task), note: fmt.Sprintf("in %s (claim %d)", c.name(), mine.Token), says: saysOf(task)}
			}
		}
		if about != (Beside{}) {
			b.Beside[id] = about
		}
	}
	for id := range was.tasks {
		if b.Tasks[id] == nil {
			l.undo(c.now.Beside[id])
		}
	}
	if len(b.Beside) == 0 {
		b.Beside = nil
	}
	c.now = b
}

// undo takes note that a completion was reopened, or deleted.
func (l *line) undo(b Beside) {
	if d, ok := l.done[claimOf(b)]; ok {
		d.undone = true
		l.done[claimOf(b)] = d
	}
}

func claimOf(b Beside) string {
	if b.Held != nil {
		return EndedUnder(b.Held.Clone, b.Held)
	}
	return b.Ended
}

func (c *twig) name() string { return fmt.Sprint("clone", c.who) }

// sync brings a clone's board onto the line, and the line into the clone; it may
// end anywhere, and the clone does not know then how far it came.
func (l *line) sync(c *twig, whole bool) error {
	ends := func() bool { return !whole && l.rng.IntN(8) == 0 }
	if !sameBoard(c.now, c.own.board) {
		c.own = l.state(c.now, c.own)
	}
	if ends() {
		return nil
	}
	s, t := c.own, l.tip
	m, _, err := l.onto(bases(s, t), s.board, t.board)
	if err != nil {
		return err
	}
	to := t
	if !sameBoard(m, t.board) {
		to = l.state(m, t, s)
		if err := l.accept(to); err != nil {
			return err
		}
	}
	if ends() {
		return nil
	}
	for !whole && l.rng.IntN(4) == 0 {
		l.work(c)
	}
	if c.now, _, err = l.onto([]Board{s.board}, c.now, to.board); err != nil {
		return fmt.Errorf("written back: %w", err)
	}
	c.own = to
	return nil
}

// onto merges, and checks what holds for any two boards.
func (l *line) onto(bases []Board, o, t Board) (Board, Report, error) {
	m, r := Onto(bases, o, t)
	l.tally.add(r)
	l.yielded += len(r.Yielded)
	if slow, told := wholly(bases, o, t); !sameBoard(o, t) && (!sameBoard(slow, m) || fmt.Sprint(r, len(r.Yielded)) != fmt.Sprint(told, len(r.Yielded))) {
		return m, r, fmt.Errorf("the short way leads elsewhere:\n%s%+v\n%+v\nbases\n%sours\n%stheirs\n%s", differ(slow, m), told, r, brief(bases...), brief(o), brief(t))
	}
	fail := func(err error) (Board, Report, error) {
		return m, r, fmt.Errorf("%w\nbases\n%sours\n%stheirs\n%sgone\n%smerged\n%sgone\n%s", err, brief(bases...), brief(o), brief(t), graves(t), brief(m), graves(m))
	}
	if err := check(l.sim, bases, o, t, m, r); err != nil {
		return fail(err)
	}
	if err := checkOnto(l.sim, bases, o, t, m, r); err != nil {
		return fail(err)
	}
	if !l.rewound && l.rng.IntN(3) == 0 {
		var err error
		settled(fatalFunc(func(s string) { err = fmt.Errorf("%s", s) }), bases, o, t, m)
		if err != nil {
			return fail(err)
		}
	}
	return m, r, nil
}

// graves shows the deleted tasks of a board.
func graves(b Board) string {
	var out strings.Builder
	for _, g := range b.Gone {
		fmt.Fprintf(&out, "  %v %s\n", g.ID, strings.Join(strings.Fields(string(g.Text)), " "))
	}
	return out.String()
}

type fatalFunc func(string)

func (f fatalFunc) Helper()                           {}
func (f fatalFunc) Fatalf(format string, args ...any) { f(fmt.Sprintf(format, args...)) }

// one are the tasks of a board by name, without those that nothing tells apart.
func one(s *sim, b Board) map[string]*pawl.Task {
	all := map[string]*pawl.Task{}
	for name, tasks := range byName(s.look(b)) {
		if len(tasks) == 1 && !s.odd[name] && !strings.HasPrefix(name, "u90") {
			all[name] = tasks[0]
		}
	}
	return all
}

// stands is where a task stands on a board.
func stands(b Board, t *pawl.Task) work {
	return work{t.Status, t.Owner, t.StartedAt, t.CompletedAt, b.Beside[t.ID]}
}

// checkOnto checks what theirs is promised.
func checkOnto(s *sim, bases []Board, o, t, m Board, r Report) error {
	ours, theirs, merged := one(s, o), one(s, t), one(s, m)
	var old map[string]*pawl.Task
	if len(bases) == 1 {
		old = one(s, bases[0])
	}
	for name, task := range theirs {
		now := merged[name]
		if now == nil {
			continue
		}
		if now.ID != task.ID {
			return fmt.Errorf("%s: %v became %v", name, task.ID, now.ID)
		}
		reopened := slices.ContainsFunc(r.Reopened, func(n Named) bool { return n.ID == now.ID })
		of, was := ours[name], old[name]
		if of == nil || was == nil {
			continue
		}
		mine, yours, before := stands(o, of), stands(t, task), stands(bases[0], was)
		if !yours.equal(before) && !stands(m, now).equal(yours) && !mine.equal(before) && !reopened {
			return fmt.Errorf("%s: where it stands on the line was not left: %+v became %+v", name, yours, stands(m, now))
		}
		if bytes.Equal(o.Tasks[of.ID], bases[0].Tasks[was.ID]) && was.ID == of.ID && was.ID == task.ID && !reopened &&
			slices.Equal(now.Blocks, task.Blocks) && slices.Equal(now.BlockedBy, task.BlockedBy) && now.Parent == task.Parent && !bytes.Equal(m.Tasks[now.ID], t.Tasks[task.ID]) {
			return fmt.Errorf("%s: ours did not touch it, and it is not as theirs has it:\n%s\n%s", name, t.Tasks[task.ID], m.Tasks[now.ID])
		}
	}
	for id, b := range m.Beside {
		if m.Tasks[id] == nil || b == (Beside{}) {
			return fmt.Errorf("%v is no task, and something is said of it", id)
		}
	}
	return nil
}

// accept makes a state the tip, and checks what the line promises.
func (l *line) accept(to *state) error {
	m := to.board
	if m.Mark < l.tip.board.Mark && !l.rewound {
		return fmt.Errorf("the mark went down, from %v to %v", l.tip.board.Mark, m.Mark)
	}
	before, now := one(l.sim, l.tip.board), one(l.sim, m)
	buried := map[string]bool{}
	for _, g := range m.Gone {
		for name := range one(l.sim, Board{Tasks: map[pawl.ID][]byte{g.ID: g.Text}}) {
			if now[name] != nil || buried[name] {
				return fmt.Errorf("%s is gone, and there or gone twice", name)
			}
			buried[name] = true
		}
	}
	for name, task := range now {
		if had, ok := l.number[name]; ok && had != task.ID && !l.rewound {
			return fmt.Errorf("%s had %v on the line, and has %v", name, had, task.ID)
		}
		if of, ok := l.owner[task.ID]; ok && of != name && !l.rewound {
			return fmt.Errorf("%v was %s on the line, and is %s", task.ID, of, name)
		}
		l.number[name], l.owner[task.ID] = task.ID, name
		if task.Status == pawl.Completed {
			l.stood[claimOf(m.Beside[task.ID])], l.stood[saysOf(task)] = true, true
		}
		if old := before[name]; old != nil && !l.rewound && m.Beside[task.ID].Turn < l.tip.board.Beside[old.ID].Turn {
			return fmt.Errorf("%s turned back: %+v became %+v", name, l.tip.board.Beside[old.ID], m.Beside[task.ID])
		}
	}
	if !l.rewound {
		for name := range l.number {
			if now[name] == nil && !buried[name] {
				return fmt.Errorf("%s was on the line, and nobody remembers it", name)
			}
		}
	}
	l.tip = to
	return nil
}

// rewind takes the line back, as a person can by force.
func (l *line) rewind() {
	at := l.tip
	for range 1 + l.rng.IntN(3) {
		last := 0
		for i := range at.history {
			if i != at.at {
				last = max(last, i)
			}
		}
		if last > 0 {
			at = at.history[last]
		}
	}
	l.tip, l.rewound = at, true
}

// lineOf goes through one history, and checks that all clones have the line's board
// in the end, and that nobody's work was lost.
func lineOf(seed uint64, total *line) error {
	l := newLine(seed)
	defer func() {
		total.tally.Moved += l.tally.Moved
		total.tally.Cut += l.tally.Cut
		total.tally.Kept += l.tally.Kept
		total.tally.Reopened += l.tally.Reopened
		total.tally.Noted += l.tally.Noted
		total.yielded += l.yielded
	}()
	for range 15 + l.rng.IntN(40) {
		c := l.clones[l.rng.IntN(len(l.clones))]
		switch n := l.rng.IntN(40); {
		case n == 0 && seed%4 == 0:
			l.rewind()
		case n < 26:
			l.work(c)
		default:
			if err := l.sync(c, false); err != nil {
				return err
			}
		}
	}
	for range 3 {
		for _, c := range l.clones {
			if err := l.sync(c, true); err != nil {
				return err
			}
		}
	}
	for _, c := range l.clones {
		if !sameBoard(Board{Tasks: c.now.Tasks, Beside: c.now.Beside, Mark: c.now.Mark}, Board{Tasks: l.tip.board.Tasks, Beside: l.tip.board.Beside, Mark: l.tip.board.Mark}) {
			return fmt.Errorf("clone %d has not the line's board:\n%s", c.who, differ(l.tip.board, c.now))
		}
	}
	return l.completions()
}

// completions checks that each is on the line, or in a note of its task.
func (l *line) completions() error {
	now := one(l.sim, l.tip.board)
	for claim, d := range l.done {
		task := now[d.task]
		if d.undone || l.stood[claim] || l.stood[d.says] || task == nil || l.gone[d.task] {
			continue
		}
		seen := map[string]bool{}
		for _, n := range task.Notes {
			if seen[n.Text] {
				return fmt.Errorf("%s: a note is there twice: %q", d.task, n.Text)
			}
			seen[n.Text] = true
		}
		if !slices.ContainsFunc(task.Notes, func(n pawl.Note) bool { return strings.Contains(n.Text, d.note) }) {
			return fmt.Errorf("%s was completed (%s), which does not stand, and no note says so: %+v", d.task, claim, task.Notes)
		}
	}
	return nil
}

// Clones that did anything share a line.
func TestClonesOnALine(t *testing.T) {
	var total line
	for seed := range (*histories + 1) / 2 { // each has many merges
		seed += *from
		if err := lineOf(uint64(seed), &total); err != nil {
			t.Fatalf("history %d: %v", seed, err)
		}
	}
	t.Logf("%+v, %d yielded", total.tally, total.yielded)
	if *histories >= 400 && (total.tally.Moved == 0 || total.tally.Cut == 0 || total.tally.Kept == 0 || total.tally.Reopened == 0 || total.tally.Noted == 0 || total.yielded == 0) {
		t.Errorf("the histories lack something: %+v", total.tally)
	}
}
