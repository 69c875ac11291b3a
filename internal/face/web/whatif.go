package web

import (
	"context"

	"github.com/pawl-dev/pawl"
)

// look runs fn on the board; where tasks are given, on the board as it would be
// if they were completed, one after the other, each by whoever works on it.
// done are those that are completed only so. Nothing is written, and what could
// not be completed is refused as it would be then.
func (s *Server) look(ctx context.Context, board *pawl.Board, ids []pawl.ID, fn func(r pawl.Reader, done map[pawl.ID]bool) error) error {
	if len(ids) == 0 {
		return board.View(ctx, func(r pawl.Reader) error { return fn(r, nil) })
	}
	var requests []pawl.Request
	err := board.View(ctx, func(r pawl.Reader) error {
		nodes, err := r.Nodes(ids...)
		for i := range nodes {
			by := pawl.Actor{Name: s.By.Name} // without a session, of which this would be a sign of life
			if nodes[i].Status == pawl.InProgress && nodes[i].Owner != "" {
				by.Name = nodes[i].Owner
			}
			requests = append(requests, pawl.Request{By: by, Op: pawl.Complete{IDs: ids[i : i+1]}})
		}
		return err
	})
	if err != nil {
		return err
	}
	return board.Preview(ctx, requests, func(r pawl.Reader, results []pawl.Result, err error) error {
		done := map[pawl.ID]bool{}
		for i := range results {
			if err := pawl.ErrorAt(err, i); err != nil {
				return err
			}
			if results[i].Changed {
				done[ids[i]] = true
			}
		}
		return fn(r, done)
	})
}
