package ask

import "github.com/pawl-dev/pawl"

// OverviewQuery asks how the board stands: the first First tasks of each section.
type OverviewQuery struct {
	First int `json:"first"`
}

// Overview is the answer to an [OverviewQuery]. A held task that waits for
// another one is in Blocked and in Held.
type Overview struct {
	Head    `json:"head"`
	Ready   Part `json:"ready"`   // for the asker, in the order of urgency
	Working Part `json:"working"` // in progress
	Blocked Part `json:"blocked"`
	Held    Part `json:"held"`
	Damaged Part `json:"damaged"`
	Done    Part `json:"done"` // the newest first
	All     int  `json:"all"`
}

// A Part is the first tasks of some, in brief, and how many there are in all.
type Part struct {
	Total int         `json:"total"`
	Tasks []pawl.Task `json:"tasks,omitempty"`
}

// mostFirst bounds a section of an overview.
const mostFirst = 50

func (q OverviewQuery) read(r pawl.Reader, who Asker) (Answer, error) {
	o := &Overview{Head: headOf(r)}
	for _, section := range []struct {
		part  *Part
		query pawl.Query
	}{
		{&o.Ready, pawl.Query{Ready: true, For: who.By.Name, Order: pawl.ByUrgency}},
		{&o.Working, pawl.Query{Status: []pawl.Status{pawl.InProgress}}},
		{&o.Blocked, pawl.Query{Blocked: true}},
		{&o.Held, pawl.Query{Held: true}},
		{&o.Damaged, pawl.Query{Damaged: true}},
		{&o.Done, pawl.Query{Status: []pawl.Status{pawl.Completed}, Order: pawl.ByCompletion}},
		{nil, pawl.Query{}},
	} {
		query := section.query
		query.Brief, query.Limit = true, min(max(q.First, 1), mostFirst)
		if section.part == nil {
			query.Limit = 1
		}
		page, err := r.Select(query)
		if err != nil {
			return nil, err
		}
		if section.part == nil {
			o.All = page.Total
		} else {
			*section.part = Part{page.Total, page.Tasks[:min(max(q.First, 0), len(page.Tasks))]}
		}
	}
	return o, nil
}

func (OverviewQuery) kind() string              { return "overview" }
func (OverviewQuery) answer(a Answer) *Overview { return a.(*Overview) }
func (*Overview) answers() string               { return "overview" }
