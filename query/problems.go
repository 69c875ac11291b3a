package query

import (
	"context"

	"github.com/pawl-dev/pawl"
)

// ProblemsQuery asks what is wrong with the board, which reads all of it.
type ProblemsQuery struct{}

// Problems is the answer to a [ProblemsQuery].
type Problems struct {
	Head     `json:"head"`
	Problems []pawl.Problem `json:"problems,omitempty"` // empty: none was found
	Tasks    int            `json:"tasks"`              // how many the board has
	Unshown  int            `json:"unshown,omitempty"`  // how many of them are completed and not shown to be done; Problems has none of it
}

func (q ProblemsQuery) read(r pawl.Reader, who Asker) (Answer, error) {
	if len(who.AsDone) > 0 {
		return nil, pawl.Errorf(pawl.Invalid, "problems are those of the board as it is, not of a what-if")
	}
	page, err := r.Select(pawl.Query{Limit: 1, Brief: true})
	if err != nil && pawl.KindOf(err) == pawl.Internal {
		err = nil // a task that cannot be read is what the check is to name
	}
	if err != nil {
		return nil, err
	}
	unshown, err := r.Select(pawl.Query{Unshown: true, Limit: 1, Brief: true})
	if err != nil && pawl.KindOf(err) == pawl.Internal {
		err = nil
	}
	return &Problems{Head: headOf(r), Tasks: page.Total, Unshown: unshown.Total}, err
}

// fill checks the files, which a reader does not know.
func (q ProblemsQuery) fill(ctx context.Context, b *pawl.Board, _ pawl.Reader, answer Answer) (err error) {
	answer.(*Problems).Problems, err = b.Check(ctx)
	return err
}

func (ProblemsQuery) kind() string              { return "problems" }
func (ProblemsQuery) answer(a Answer) *Problems { return a.(*Problems) }
func (*Problems) answers() string               { return "problems" }
