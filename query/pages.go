package query

import "github.com/pawl-dev/pawl"

// PagesQuery asks for a page of tasks by each of several queries, all of one
// moment. At most [MostPages].
type PagesQuery struct {
	Queries []pawl.Query `json:"queries,omitempty"`
}

// MostPages bounds how many pages a question asks for.
const MostPages = 10

// Pages is the answer to a [PagesQuery]: one for each query, in its order.
type Pages struct {
	Head  `json:"head"`
	Pages []pawl.Page `json:"pages"`
}

func (q PagesQuery) read(r pawl.Reader, _ Asker) (Answer, error) {
	if len(q.Queries) > MostPages {
		return nil, pawl.Errorf(pawl.Invalid, "%d pages at once are too many: ask for at most %d", len(q.Queries), MostPages)
	}
	a := &Pages{Head: headOf(r), Pages: []pawl.Page{}}
	for i := range q.Queries {
		page, err := r.Select(q.Queries[i])
		if err != nil {
			return nil, err
		}
		a.Pages = append(a.Pages, page)
	}
	return a, nil
}

func (PagesQuery) kind() string           { return "pages" }
func (PagesQuery) answer(a Answer) *Pages { return a.(*Pages) }
func (*Pages) answers() string            { return "pages" }
