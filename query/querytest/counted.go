package querytest

import (
	"context"

	"github.com/pawl-dev/pawl"
)

// Counted is a store that counts how often it is accessed, its history aside: each
// access of a board that is far away takes a round trip.
type Counted struct {
	pawl.Store
	N int
}

// View counts and passes on.
func (c *Counted) View(ctx context.Context, fn func(pawl.Reader) error) error {
	c.N++
	return c.Store.View(ctx, fn)
}

// Update counts and passes on.
func (c *Counted) Update(ctx context.Context, fn func(pawl.Reader) (pawl.Commit, error)) (pawl.Revision, error) {
	c.N++
	return c.Store.Update(ctx, fn)
}
