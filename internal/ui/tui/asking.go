package tui

import (
	"context"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// who asks the board.
func (m *model) who() query.Asker { return query.Asker{By: m.By, Archive: m.Archive} }

// boardNow is the time by the board's clock.
func (m *model) boardNow() time.Time { return m.now.Add(m.feed.skew) }

// detailOf asks for a task in full. It fails with NotFound if the board has no
// such task.
func detailOf(ctx context.Context, b query.Board, who query.Asker, id pawl.ID) (*query.Detail, error) {
	found, err := query.Of(ctx, b, who, taskQuery(id))
	if err != nil {
		return nil, err
	}
	return oneOf(&found)
}

func taskQuery(id pawl.ID) query.TaskQuery { return query.TaskQuery{Names: []string{id.String()}} }

// oneOf is the answer of a question about one task.
func oneOf(found *query.Details) (*query.Detail, error) {
	if fault := found.Tasks[0].Fault; fault != nil {
		return nil, fault
	}
	return found.Tasks[0].Detail, nil
}
