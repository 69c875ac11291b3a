package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// A screen is a way to look at the board, and knows where in it the reader is.
// Its methods are called by the model only, one after another.
type screen interface {
	// read returns a function that reads what the screen shows beside the lanes;
	// nil: nothing. The function runs while the model goes on, so it has copies of
	// all that it needs.
	read(m *model) func(ctx context.Context, b query.Board) (any, error)
	// take is given the function's result.
	take(m *model, found any)
	// draw returns a frame of this size.
	draw(m *model, width, height int) frame
	// key does what a key means here. It reports false for one that means nothing
	// special, which the model then looks at.
	key(m *model, k tea.KeyPressMsg) (tea.Cmd, bool)
	// task is the task that the reader is at; zero: none.
	task() pawl.ID
	// show brings the reader to a task.
	show(m *model, id pawl.ID)
	// click does what a click on something means here, double: the second of two.
	click(m *model, h hit, double bool) tea.Cmd
	// scroll moves by so many rows, as a wheel does.
	scroll(m *model, rows int)
	// keys are those worth naming at the bottom, the most useful ones first.
	keys(m *model) []binding
}

// A historian is a screen that shows history. Reading history can take a while, so
// it runs after cards and tasks are shown.
type historian interface {
	// recall reads what happened, after a look at the board.
	recall(m *model) tea.Cmd
	// recalled is given what was read.
	recalled(m *model, h *history)
	// past is what is kept of it.
	past() *past
}

// A dialog takes all keys until it closes itself (model.close). It stands at the
// bottom of the screen.
type dialog interface {
	// draw returns a frame of this width, and at most this height, and where in it
	// the cursor is; nil: nowhere.
	draw(m *model, width, height int) (frame, *tea.Position)
	key(m *model, k tea.KeyPressMsg) tea.Cmd
}

// A paster is a dialog into which text can be pasted.
type paster interface {
	paste(m *model, text string) tea.Cmd
}

// which names the screens.
type which uint8

const (
	onLanes which = iota
	onGraph
	onDetail
	onTimeline
	numScreens = iota
)
