package ask

import (
	"slices"

	"github.com/pawl-dev/pawl"
)

// MostBytes is about how many bytes of texts an answer has. What more there is comes
// with the next page; a task or a change set that is longer alone comes alone. A
// thousand tasks of a megabyte would fill the memory of a server.
const MostBytes = 32 << 20

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
func Bounded() Option { return func(l *local) { l.bounded = true } }

// bounded is a reader for one answer.
type bounded struct {
	pawl.Reader
	bytes int // of the tasks that were read
}

// Get reads tasks, but not without end for one answer.
func (b *bounded) Get(ids ...pawl.ID) ([]pawl.Task, error) {
	tasks, err := b.Reader.Get(ids...)
	for i := range tasks {
		b.bytes += taskBytes(&tasks[i])
	}
	if err == nil && b.bytes > 2*MostBytes {
		return nil, pawl.Errorf(pawl.Invalid, "the answer would have more than %d MiB: ask for fewer tasks at once", 2*MostBytes>>20)
	}
	return tasks, err
}

// Select ends a page of whole tasks early.
func (b *bounded) Select(q pawl.Query) (pawl.Page, error) {
	if q.Brief || q.Limit > 0 && q.Limit <= exportPart {
		return b.Reader.Select(q)
	}
	q.Brief = true
	briefs, err := b.Reader.Select(q)
	if err != nil {
		return briefs, err
	}
	page := briefs
	page.Tasks = make([]pawl.Task, 0, len(briefs.Tasks))
	for some := range slices.Chunk(briefs.Tasks, exportPart) {
		tasks, err := b.Reader.Get(idsOf(some)...)
		if err != nil {
			return page, err
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
			return page, nil
		}
	}
	return page, nil
}
