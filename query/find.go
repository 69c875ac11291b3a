package query

import (
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl"
)

// FindQuery completes a reference to a task: first the task with exactly that number, then the
// most urgent. Begun is the beginning of a number, with # or without, or else part of a
// subject, a description or a note; empty finds all.
type FindQuery struct {
	Begun string `json:"begun,omitempty"`
	Verb  string `json:"verb,omitempty"`  // of a claim, say: what is ready; completing, releasing and renewing are done to one's own, completing to nobody's too; of a lift: what is on hold; empty: what is open
	Done  bool   `json:"done,omitempty"`  // without Verb: completed ones too
	Limit int    `json:"limit,omitempty"` // at most [MostRows], which zero stands for
}

// MostRows bounds what a [FindQuery] finds.
const MostRows = 200

// Rows are the answer to a [FindQuery].
type Rows struct {
	Head `json:"head"`
	Rows []Row `json:"rows,omitempty"`
	More bool  `json:"more,omitempty"` // others fit, too
}

// A Row is a task to choose from several.
type Row struct {
	ID      pawl.ID  `json:"id"`
	Subject string   `json:"subject,omitempty"`
	State   State    `json:"state"`
	Owner   string   `json:"owner,omitempty"`
	Labels  []string `json:"labels,omitempty"`
}

func rowOf(t *pawl.Task, name string) Row {
	return Row{t.ID, t.Subject, StateOf(t, name), t.Owner, t.Labels}
}

func (q FindQuery) read(r pawl.Reader, who Asker) (Answer, error) {
	if err := refuseText(q.Begun); err != nil {
		return nil, err
	}
	query, fits := q.among(who.By.Name)
	query.Order, query.Brief = pawl.ByUrgency, true
	begun := strings.TrimPrefix(strings.TrimSpace(q.Begun), "#")
	number := strings.Trim(begun, "0123456789") == ""
	if !number {
		query.Text = begun
	}
	limit := q.Limit
	if limit <= 0 || limit > MostRows {
		limit = MostRows
	}
	if query.Limit = pawl.MaxPage; begun == "" || !number {
		query.Limit = limit + 1
	}
	a := &Rows{Head: headOf(r)}
	exact, err := pawl.ParseID(begun)
	if number && err == nil {
		one := query
		one.IDs, one.Limit = []pawl.ID{exact}, 1
		page, err := r.Select(one)
		if err != nil {
			return nil, err
		}
		for i := range page.Tasks {
			if fits(&page.Tasks[i]) {
				a.Rows = append(a.Rows, rowOf(&page.Tasks[i], who.By.Name))
			}
		}
	}
	for {
		page, err := r.Select(query)
		if err != nil {
			return nil, err
		}
		for i := range page.Tasks {
			t := &page.Tasks[i]
			if number && (t.ID == exact || !strings.HasPrefix(strconv.FormatInt(int64(t.ID), 10), begun)) || !fits(t) {
				continue
			}
			if a.More = len(a.Rows) == limit; a.More {
				return a, nil
			}
			a.Rows = append(a.Rows, rowOf(t, who.By.Name))
		}
		if query.After = page.Next; query.After == nil {
			return a, nil
		}
	}
}

// among chooses the tasks to find some in.
func (q FindQuery) among(name string) (query pawl.Query, fits func(*pawl.Task) bool) {
	fits = func(*pawl.Task) bool { return true }
	query.Status = []pawl.Status{pawl.Pending, pawl.InProgress}
	switch q.Verb {
	case pawl.VerbClaim:
		query.Ready, query.For = true, name
	case pawl.VerbComplete:
		fits = func(t *pawl.Task) bool {
			mine := t.Owner == "" || t.Owner == name
			return mine && len(t.BlockedBy) == 0 && t.OpenChildren == 0 && (t.Hold == nil || t.Status == pawl.InProgress)
		}
	case pawl.VerbRelease, pawl.VerbRenew:
		query.Status, query.Owner = []pawl.Status{pawl.InProgress}, name
	case pawl.VerbLift:
		query.Held = true
	case pawl.VerbReopen:
		query.Status = []pawl.Status{pawl.Completed}
	case "":
		if q.Done {
			query.Status = nil
		}
	}
	return query, fits
}

func (FindQuery) kind() string          { return "find" }
func (FindQuery) answer(a Answer) *Rows { return a.(*Rows) }
func (*Rows) answers() string           { return "find" }
