package postgres

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/server/pg"
)

// fullColumns are all columns of a row, except the revision that wrote it, which
// nothing reads.
const fullColumns = columns + ", clone, labels, ref, was, sign, done, done_at, search, unshown"

func scanFull(rows pg.Rows) (*row, error) {
	var r row
	return &r, r.scan(rows, &r.clone, &r.labels, &r.ref, &r.was, &r.sign, &r.done, &r.doneAt, &r.search, &r.unshown)
}

// copied are the columns that are copies from the row's own document.
var copied = []struct {
	name string
	same func(a, b *row) bool
}{
	{"status", func(a, b *row) bool { return a.status == b.status }},
	{"priority", func(a, b *row) bool { return a.priority == b.priority }},
	{"owner", func(a, b *row) bool { return a.owner == b.owner }},
	{"claim", func(a, b *row) bool { return equal(a.claim, b.claim) }},
	{"session", func(a, b *row) bool { return a.session == b.session }},
	{"clone", func(a, b *row) bool { return a.clone == b.clone }},
	{"lease_until", func(a, b *row) bool { return equal(a.leaseUntil, b.leaseUntil) }},
	{"expired", func(a, b *row) bool { return a.expired == b.expired }},
	{"held", func(a, b *row) bool { return a.held == b.held }},
	{"parent", func(a, b *row) bool { return a.parent == b.parent }},
	{"blocks", func(a, b *row) bool { return slices.Equal(a.blocks, b.blocks) }},
	{"blocked_by", func(a, b *row) bool { return slices.Equal(a.blockedBy, b.blockedBy) }},
	{"labels", func(a, b *row) bool { return slices.Equal(a.labels, b.labels) }},
	{"ref", func(a, b *row) bool { return a.ref == b.ref }},
	{"was", func(a, b *row) bool { return slices.Equal(a.was, b.was) }},
	{"sign", func(a, b *row) bool { return a.sign == b.sign }},
	{"done", func(a, b *row) bool { return a.done == b.done }},
	{"done_at", func(a, b *row) bool { return equal(a.doneAt, b.doneAt) }},
	{"search", func(a, b *row) bool { return a.search == b.search }},
	{"unshown", func(a, b *row) bool { return a.unshown == b.unshown }},
}

func equal[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

// unlike names the columns in which a row is not as its document has it.
func unlike(is, want *row) string {
	var names []string
	for _, column := range copied {
		if !column.same(is, want) {
			names = append(names, column.name)
		}
	}
	return strings.Join(names, ", ")
}

// readTasks reads all rows, and compares each with its own document.
func (c *checkup) readTasks() error {
	after := int64(-1 << 63)
	for more := true; more; {
		n := 0
		err := c.r.ask(func(rows pg.Rows) error {
			is, err := scanFull(rows)
			if err != nil {
				return err
			}
			n, after = n+1, int64(is.id)
			c.row(is)
			return nil
		}, "select "+fullColumns+" from pawl.task where board = $1 and id > $2 order by id limit $3", c.r.board, after, tasksAtOnce)
		if err != nil {
			return err
		}
		more = n == tasksAtOnce
	}
	return nil
}

// row looks at a row by itself.
func (c *checkup) row(is *row) {
	s := shape{id: is.id, there: true, is: derived{is.blockers, is.children, is.openChildren, is.u, is.h, is.free}}
	var t pawl.Task
	err := errNoDocument
	if is.exists() {
		t, err = readDoc(is)
	}
	switch {
	case err == nil:
		s.exists = true
		c.count(is.id)
		c.document(&s, is, &t)
	case !is.exists() && is.status == "": // what is named and not on the board
		if other := unlike(is, ghost(is.id)); other != "" {
			c.outdated(is.id, "the row of %s, which is not on the board, has columns of a task: %s", is.id, other)
		}
	default:
		s.exists, s.damaged = true, true
		if is.exists() {
			c.r.store.db.damaged.note(c.r.store.name, is.id)
		}
		c.count(is.id)
		s.from(is, c.text(is.owner))
		c.add(find{Problem: pawl.Problem{
			Kind: "damaged", IDs: []pawl.ID{is.id}, Text: fmt.Sprintf("the document of %s cannot be read: %v", is.id, err),
			Mend: fmt.Sprintf("take the text from a backup: update pawl.task set doc = … where board = %d and id = %d", c.r.board, is.id),
		}})
	}
	c.at[is.id] = int32(len(c.shapes))
	c.shapes = append(c.shapes, s)
}

var errNoDocument = errors.New("it is empty, although the columns beside it are those of a task")

// readDoc reads the document of a row, which has to be that of a task.
func readDoc(is *row) (t pawl.Task, err error) {
	if err := json.Unmarshal([]byte(is.doc), &t); err != nil {
		return t, err
	}
	return t, sound(&t, is.id)
}

// document compares the columns of a row with its document, which counts.
func (c *checkup) document(s *shape, is *row, t *pawl.Task) {
	want, err := rowOf(t, nil)
	if err != nil { // what was read can be written
		want = is
	}
	if other := unlike(is, want); other != "" {
		c.outdated(s.id, "columns of %s do not say what its document says: %s", s.id, other)
	}
	s.from(want, c.text(want.owner))
	for _, id := range t.Was {
		c.count(id)
	}
	c.token = max(c.token, t.Claim.Token)
	if t.Claim.Live() && (t.Status != pawl.InProgress || t.Owner == "") {
		c.add(find{Problem: pawl.Problem{
			Kind: "claim", IDs: []pawl.ID{s.id}, Text: fmt.Sprintf("%s has a claim, but is %s with owner %q", s.id, t.Status, t.Owner),
			Mend: fmt.Sprintf("pawl release %d --force", s.id),
		}})
	}
	for _, field := range []pawl.Field{pawl.FieldChecks, pawl.FieldAccept} {
		if _, odd := t.Extra[string(field)]; odd && t.Status != pawl.Completed {
			c.add(find{Problem: pawl.Problem{
				Kind: "unreadable", IDs: []pawl.ID{s.id}, Text: fmt.Sprintf("%q of %s cannot be read, so nothing shows that it is done", string(field), s.id),
				Mend: fmt.Sprintf("a person can complete it as it is: pawl done %d --unchecked REASON; or put %q in its document right: update pawl.task set doc = … where board = %d and id = %[1]d", s.id, string(field), c.r.board),
			}})
		}
	}
}

// count notes an id that was given.
func (c *checkup) count(id pawl.ID) {
	if id <= pawl.MaxForeignID {
		c.lastID = max(c.lastID, id)
	}
}

// text is a text that is kept once, however many rows have it.
func (c *checkup) text(s string) string {
	if kept, known := c.texts[s]; known {
		return kept
	}
	c.texts[s] = s
	return s
}

// outdated notes a row that does not follow from the documents.
func (c *checkup) outdated(id pawl.ID, format string, args ...any) {
	c.add(find{
		Problem: pawl.Problem{Kind: "outdated", IDs: []pawl.ID{id}, Text: fmt.Sprintf(format, args...), Mend: byMend},
		did:     "its row says what follows from the documents", rows: []pawl.ID{id},
	})
}
