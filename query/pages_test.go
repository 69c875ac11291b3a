package query

import (
	"errors"
	"testing"

	"github.com/pawl-dev/pawl"
)

// endless is a board of more tasks than any memory has.
type endless struct{ pawl.Reader }

func (endless) Select(pawl.Query) (pawl.Page, error) {
	return pawl.Page{Tasks: make([]pawl.Task, 1), Next: &pawl.Cursor{}, Total: 1 << 60}, nil
}

// TestPagesTakeRoomAsTheyCome: twenty questions at once about a large board take the memory
// of what each may read, not of what the board has.
func TestPagesTakeRoomAsTheyCome(t *testing.T) {
	_, err := pages(&bounded{Reader: endless{}, room: 64 << 10}, pawl.Query{Brief: true})
	if !errors.Is(err, pawl.ErrTooMuch) {
		t.Errorf("a board of 2^60 tasks is read: %v", err)
	}
}
