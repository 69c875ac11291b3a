package merge

import (
	"cmp"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// joinTwins makes one task of two on a board that have one identity and one subject:
// a branch that was cut before a task got another number has brought it back under
// the old one. Two people would each do one of them.
func (m *merger) joinTwins() {
	if !m.twins {
		return
	}
	boards, found := make([]Board, len(m.all)), false
	for i, l := range m.all {
		boards[i] = l.board
		for _, pair := range m.twinsOn(l) {
			if b, ok := joinTwin(boards[i], pair.stays, pair.goes); ok {
				boards[i], found = b, true
			}
		}
	}
	if found {
		*m = merger{sided: true, taken: map[pawl.ID]bool{}}
		m.layers(boards)
		for _, l := range m.all { // no number that went is given again
			m.mention(l.board.Mark)
		}
		m.match()
	}
}

// twin is a task under two numbers.
type twin struct{ stays, goes pawl.ID }

func (m *merger) twinsOn(l *layer) []twin {
	by := map[identity][]*item{}
	for i := range l.items {
		if it := &l.items[i]; it.task != nil && !it.task.CreatedAt.IsZero() {
			by[identityOf(it.task)] = append(by[identityOf(it.task)], it)
		}
	}
	var all []twin
	for _, items := range by {
		for len(items) > 1 {
			first := items[0]
			rest := items[1:]
			items = nil
			for _, it := range rest {
				if !sameSubject(first, it) {
					items = append(items, it)
					continue
				}
				pair := twin{first.id, it.id}
				if m.rather(it, first) {
					first, pair = it, twin{it.id, first.id}
				}
				all = append(all, pair)
			}
		}
	}
	slices.SortFunc(all, func(a, b twin) int { return cmp.Or(cmp.Compare(a.goes, b.goes), cmp.Compare(a.stays, b.stays)) })
	return all
}

// rather reports whether of two files of one task a is the one whose number stays:
// that which theirs has, else that which moved last.
func (m *merger) rather(a, b *item) bool {
	on := func(it *item) bool {
		other := m.theirs.byID[it.id]
		return other != nil && other.task != nil && identityOf(other.task) == identityOf(it.task)
	}
	if x, y := on(a), on(b); x != y {
		return x
	}
	return cmp.Or(cmp.Compare(len(b.task.Was), len(a.task.Was)), cmp.Compare(a.id, b.id)) < 0
}

// joinTwin merges the file of one number into that of another one. It is not ok if
// that is too much for a file.
func joinTwin(b Board, stays, goes pawl.ID) (Board, bool) {
	now := func(id pawl.ID) pawl.ID {
		if id == goes {
			return stays
		}
		return id
	}
	first, ok := versionsOf(b.Tasks[stays])
	if !ok {
		return b, false
	}
	text, ok := renamed(b.Tasks[goes], now, first[0].task.Was)
	if !ok {
		return b, false
	}
	second, ok := versionsOf(text)
	if !ok || second[0].task.ID != stays {
		return b, false
	}
	one, ok := united(nil, first[0], second[0])
	if !ok {
		return b, false
	}
	task := one.task.Clone()
	if len(task.Was) == 0 {
		task.Was = []pawl.ID{identityOf(&task).first}
	}
	if !slices.Contains(task.Was, goes) {
		task.Was = taskjson.CutWas(append(task.Was, goes))
	}
	text, err := taskjson.Patch(one.text, &task)
	if err != nil {
		return b, false
	}
	joined := b
	joined.Mark = max(b.Mark, stays)
	if goes <= pawl.MaxForeignID {
		joined.Mark = max(joined.Mark, goes)
	}
	joined.Tasks = make(map[pawl.ID][]byte, len(b.Tasks))
	for id, old := range b.Tasks {
		switch id {
		case goes:
		case stays:
			old = text
			fallthrough
		default:
			if joined.Tasks[id], ok = renamed(old, now, nil); !ok {
				return b, false
			}
		}
	}
	joined.Beside = maps.Clone(b.Beside)
	delete(joined.Beside, goes)
	if was, is := b.Beside[stays], b.Beside[goes]; is != (Beside{}) || was != (Beside{}) {
		if !sameStatus(first[0].task, &task) { // it is that of the other one
			was, is = is, was
			was.Turn = max(was.Turn, is.Turn) + 1
		}
		joined.Beside[stays] = was
	}
	return joined, true
}

func sameStatus(a, b *pawl.Task) bool {
	return a.Status == b.Status && a.Owner == b.Owner && a.StartedAt.Equal(b.StartedAt) && a.CompletedAt.Equal(b.CompletedAt)
}
