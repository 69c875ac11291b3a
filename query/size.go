package query

import (
	"errors"
	"slices"

	"github.com/pawl-dev/pawl"
)

// MostBytes is about how many bytes of texts an answer has. The rest comes with the
// next page; a task or a change set that is longer alone comes alone. A thousand
// tasks of a megabyte would fill the memory of a server.
const MostBytes = 4 << 20

func taskBytes(t *pawl.Task) int {
	n := 300 + len(t.Subject) + len(t.Description) + len(t.ActiveForm) + 8*(len(t.BlockedBy)+len(t.Blocks))
	for i := range t.Notes {
		n += 100 + len(t.Notes[i].Text)
	}
	for i := range t.Checks {
		n += 120 + len(t.Checks[i].Name) + len(t.Checks[i].Dir)
		for _, words := range [][]string{t.Checks[i].Run, t.Checks[i].Env} {
			for _, word := range words {
				n += 4 + len(word)
			}
		}
	}
	for i := range t.Accept {
		n += 80 + len(t.Accept[i].Text)
	}
	n += 500 * len(t.Evidence)
	for _, value := range t.Metadata {
		n += 20 + len(value)
	}
	return n
}

func setBytes(set *pawl.ChangeSet) int {
	n := 100
	for i := range set.Changes {
		for _, t := range []*pawl.Task{set.Changes[i].Before, set.Changes[i].After} {
			if t != nil {
				n += taskBytes(t)
			}
		}
	}
	return n
}

// Bounded keeps answers to about [MostBytes]: for a server, which has many callers. A
// page of whole tasks ends early, and of named tasks fewer can be asked
// for at once.
//
// Under [pawl.Within] with less room than that, a question that reads more than the room
// fails with [pawl.ErrTooMuch], so that its caller can ask again when fewer others do.
func Bounded() Option { return func(l *local) { l.bounded = true } }

// bounded is a reader for one answer.
type bounded struct {
	pawl.Reader
	bytes int // of the tasks that were read
	room  int // zero, [MostBytes] or more: as much as an answer may have
	read  int // of room
}

// count counts what was read of the room.
func (b *bounded) count(tasks []pawl.Task, nodes []pawl.Node, err error) error {
	if err != nil || b.room == 0 || b.room >= MostBytes {
		return err
	}
	for i := range tasks {
		b.read += taskBytes(&tasks[i])
	}
	for i := range nodes {
		b.read += 150 + 8*(len(nodes[i].Blockers)+len(nodes[i].Blocks)+len(nodes[i].Children))
	}
	return tooLarge(b.read, b.room)
}

// tooLarge refuses an answer that has more bytes than its room, where that is less than
// any answer may have.
func tooLarge(bytes, room int) error {
	if room > 0 && room < MostBytes && bytes > room {
		return pawl.TooMuch("the answer has more than %d KiB", room>>10)
	}
	return nil
}

// Briefs, Nodes and Reach read little of each of many tasks.
func (b *bounded) Briefs(ids ...pawl.ID) ([]pawl.Task, error) {
	tasks, err := b.Reader.Briefs(ids...)
	return tasks, b.count(tasks, nil, err)
}

func (b *bounded) Nodes(ids ...pawl.ID) ([]pawl.Node, error) {
	nodes, err := b.Reader.Nodes(ids...)
	return nodes, b.count(nil, nodes, err)
}

func (b *bounded) Reach(dir pawl.Direction, from ...pawl.ID) ([]pawl.Node, error) {
	nodes, err := b.Reader.Reach(dir, from...)
	return nodes, b.count(nil, nodes, err)
}

// Get reads tasks, but not without end for one answer.
func (b *bounded) Get(ids ...pawl.ID) ([]pawl.Task, error) {
	if len(ids) > partTasks { // the error names all that are missing, not those of one part
		nodes, err := b.Reader.Nodes(ids...)
		if err != nil {
			return nil, err
		}
		nodes = slices.DeleteFunc(nodes, func(n pawl.Node) bool { return !n.Missing })
		if len(nodes) > 0 {
			missing := make([]pawl.ID, len(nodes))
			for i := range nodes {
				missing[i] = nodes[i].ID
			}
			return nil, pawl.NotFoundError(missing...)
		}
	}
	all := make([]pawl.Task, 0, len(ids))
	err := inParts(b.Reader, ids, func(tasks []pawl.Task) error {
		for i := range tasks {
			b.bytes += taskBytes(&tasks[i])
		}
		if b.bytes > 2*MostBytes {
			return pawl.TooMuch("the answer would have more than %d MiB: ask for fewer tasks at once", 2*MostBytes>>20)
		}
		all = append(all, tasks...)
		return b.count(tasks, nil, nil)
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// Select ends a page of whole tasks early.
func (b *bounded) Select(q pawl.Query) (pawl.Page, error) {
	if q.Brief || q.Limit > 0 && q.Limit <= partTasks {
		page, err := b.Reader.Select(q)
		return page, b.count(page.Tasks, nil, err)
	}
	q.Brief = true
	briefs, err := b.Reader.Select(q)
	if err != nil {
		return briefs, err
	}
	page := briefs
	page.Tasks = make([]pawl.Task, 0, len(briefs.Tasks))
	full := errors.New("the page is full")
	err = inParts(b.Reader, idsOf(briefs.Tasks), func(tasks []pawl.Task) error {
		if err := b.count(tasks, nil, nil); err != nil {
			return err
		}
		for i := range tasks {
			if b.bytes += taskBytes(&tasks[i]); b.bytes <= MostBytes || len(page.Tasks) == 0 {
				page.Tasks = append(page.Tasks, tasks[i])
				continue
			}
			last := briefs.Tasks[len(page.Tasks)-1].Cursor()
			if last.Revision = page.Revision; q.After != nil {
				last.Revision = q.After.Revision
			}
			page.Next = &last
			return full
		}
		return nil
	})
	if errors.Is(err, full) {
		err = nil
	}
	return page, err
}

// partTasks is how many whole tasks are read at once, as long as they have not more than
// partBytes: each may have [pawl.MaxTask] bytes, and more as values.
const (
	partTasks = 20
	partBytes = 256 << 10
)

// inParts reads whole tasks, a few at a time.
func inParts(r pawl.Reader, ids []pawl.ID, use func([]pawl.Task) error) error {
	for part := 1; len(ids) > 0; {
		n := min(part, len(ids))
		tasks, err := r.Get(ids[:n]...)
		if err == nil {
			err = use(tasks)
		}
		if err != nil {
			return err
		}
		ids, part = ids[n:], min(2*part, partTasks)
		bytes := 0
		for i := range tasks {
			bytes += taskBytes(&tasks[i])
		}
		if bytes > partBytes {
			part = 1
		}
	}
	return nil
}
