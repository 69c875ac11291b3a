package remote

import (
	"context"
	"errors"
	"iter"
	"net/http"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/transfer"
)

// Copies of whole boards, with a token of the role admin.
const (
	PathCopyLook = "/v1/copy/look" // POST CopyLook: transfer.Look
	PathCopyRead = "/v1/copy/read" // POST CopyRead: a stream of Item
	PathCopyPart = "/v1/copy/part" // POST pawl.Part: {}
)

// CopyLook asks how a board stands, and for the set of a revision.
type CopyLook struct {
	Revision pawl.Revision `json:"revision"`
}

// CopyRead asks for a whole board, from a revision on.
type CopyRead struct {
	After pawl.Revision `json:"after"`
}

var (
	_ transfer.Source = (*Board)(nil)
	_ transfer.Target = (*Board)(nil)
)

// Look says how the board stands.
func (b *Board) Look(ctx context.Context, rev pawl.Revision) (transfer.Look, error) {
	var look transfer.Look
	body, err := pawl.Encode(CopyLook{rev})
	if err != nil {
		return look, plain(err)
	}
	text, err := b.send(ctx, call{method: http.MethodPost, path: PathCopyLook, body: body, limit: maxItem})
	if err != nil {
		return look, err
	}
	return look, b.decode(text, &look)
}

// Receive sends a part of a copy. One that is sent again because its answer was lost is
// refused as one that does not fit: who copies looks then how far the board is.
func (b *Board) Receive(ctx context.Context, part pawl.Part) error {
	body, err := pawl.Encode(part)
	if err != nil {
		return plain(err)
	}
	_, err = b.send(ctx, call{method: http.MethodPost, path: PathCopyPart, body: body, limit: maxHello, changes: true})
	return err
}

// Read goes through the board.
func (b *Board) Read(ctx context.Context, after pawl.Revision) iter.Seq2[transfer.Item, error] {
	return func(yield func(transfer.Item, error) bool) {
		for item, err := range b.stream(ctx, PathCopyRead, CopyRead{after}) {
			if u, broke := errors.AsType[*unanswered](err); broke {
				err = b.gone(ctx, call{}, u, false)
			}
			switch {
			case err != nil:
				yield(transfer.Item{}, err)
				return
			case item.Error != nil:
				yield(transfer.Item{}, bounded(item.Error))
				return
			case item.Copy == nil:
				continue // the server is still there
			}
			if !yield(*item.Copy, nil) || item.Copy.End != nil {
				return
			}
		}
	}
}
