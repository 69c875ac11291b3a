package query

import (
	"context"
	"iter"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/epoch"
	"github.com/pawl-dev/pawl/internal/share"
)

// A Board is a board as interfaces use it: requests and answers are data. One in
// this process answers from its store ([Local]); a distant one asks a server. It is
// safe for concurrent use.
type Board interface {
	// Do carries out a request, as [pawl.Board.Do] does.
	Do(ctx context.Context, request pawl.Request, want Want) (Outcome, error)
	// DoAll carries out several in one commit. A [*pawl.BatchError] names those
	// that fail.
	DoAll(ctx context.Context, want Want, requests ...pawl.Request) ([]Outcome, error)
	// Try is DoAll that writes nothing.
	Try(ctx context.Context, want Want, requests ...pawl.Request) ([]Outcome, error)
	// Ask answers one question from one snapshot; [Of] gives the answer its type.
	Ask(ctx context.Context, who Asker, q Question) (Answer, error)
	// Watch yields first the revision of the board, with no set, and then each
	// change set after it, as [pawl.Board.Watch] does.
	Watch(ctx context.Context, who Asker, from From) iter.Seq2[News, error]
	// Export yields each task that a query chooses, whole, all as at one moment.
	Export(ctx context.Context, who Asker, q pawl.Query) iter.Seq2[pawl.Task, error]
	Close() error
}

// An Asker says who asks, and whether about the real board or a what-if.
type Asker struct {
	By     pawl.Actor `json:"by,omitzero"`
	AsDone []pawl.ID  `json:"asDone,omitempty"` // answer as if their owners had completed these, in this order; fails as that would
	// Archive leaves tasks out of lists, lanes and counts that were completed longer
	// ago than this; zero: none.
	Archive time.Duration `json:"archive,omitempty"`
}

// Head begins each answer.
type Head struct {
	Revision pawl.Revision `json:"revision"`         // of the board
	Origin   pawl.Revision `json:"origin,omitempty"` // that [pawl.Revision.Short] counts from
	LastID   pawl.ID       `json:"lastId,omitempty"` // the highest that was ever given
	Epoch    int64         `json:"epoch,omitempty"`  // see [pawl.Reader]
	Now      time.Time     `json:"now"`              // by the board's clock, which decides leases
	Until    time.Time     `json:"until,omitzero"`   // when the answer changes though nobody writes; zero: not known, or never
	AsDone   []pawl.ID     `json:"asDone,omitempty"` // those of [Asker.AsDone] that are completed only in this answer
	Shared   *share.Status `json:"shared,omitempty"` // how the board is shared, in answers that show who works where; nil: it is not
	// Old is when the answer was given, of a board at an address whose server does
	// not answer now; zero: it is new. No server sends it.
	Old time.Time `json:"old,omitzero"`
}

// High is how far the board has come.
func (h *Head) High() epoch.High {
	return epoch.High{Revision: h.Revision, LastID: h.LastID, Epoch: h.Epoch}
}

// Age marks an answer as given earlier.
func (h *Head) Age(given time.Time) { h.Old = given }

// Aged is when the answer was given, if that was earlier; else zero.
func (h *Head) Aged() time.Time { return h.Old }

// A Distant board is at an address: a server answers for it.
type Distant interface {
	// Name is what the server calls the caller, by the caller's token.
	Name() string
	// Away says since when the server does not answer; zero: it does, as far as is
	// known.
	Away() time.Time
}

func (h *Head) suppose(done []pawl.ID) { h.AsDone = done }

// A Question is one of the queries of this package.
type Question interface {
	kind() string
	read(r pawl.Reader, who Asker) (Answer, error)
}

// An Answer is a pointer to what the question's [Asks] names.
type Answer interface{ answers() string }

// Asks is a question with the type of its answer.
type Asks[A any] interface {
	Question
	answer(Answer) *A
}

// Of asks a question and returns its answer:
//
//	lanes, err := query.Of(ctx, board, who, query.LanesQuery{Done: 20})
func Of[A any](ctx context.Context, b Board, who Asker, q Asks[A]) (A, error) {
	answer, err := b.Ask(ctx, who, q)
	if err != nil {
		var none A
		return none, err
	}
	return *q.answer(answer), nil
}
