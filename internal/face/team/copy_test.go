package team

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/transfer"
	"github.com/pawl-dev/pawl/store/memory"
)

// copied is a board that can be copied as a whole.
type copied struct{ ask.Board }

func (copied) Transfer() transfer.Local { return transfer.Store(memory.New()) }

// A board that is copied is one that is sent, and holds a view as long: it counts among
// them.
func TestCopiesAreExports(t *testing.T) {
	w := newWorld(t, func(o *Options) {
		folder := o.Boards.(*Folder)
		folder.OpenBoard = func(string, func(string)) (ask.Board, error) {
			return copied{ask.Local(pawl.NewBoard(memory.New()))}, nil
		}
	})
	w.board("shop")
	_, token := w.token("ada", access.Admin, access.All)
	copyRead := func(ctx context.Context) (string, error) {
		r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/", strings.NewReader(`{"after":0}`))
		r.Header.Set("Content-Type", kindJSON)
		got := httptest.NewRecorder()
		err := (&visit{server: w.Server, token: token, name: "shop"}).copyRead(got, r)
		return got.Body.String(), err
	}
	if got, err := copyRead(t.Context()); err != nil || got == "" {
		t.Fatalf("got %q, %v", got, err)
	}
	over, stop := context.WithCancel(t.Context())
	stop() // who has to wait is told so at once
	for range ofOneToken {
		if _, err := w.export(t.Context(), token.ID); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := copyRead(over); !errors.Is(err, context.Canceled) {
		t.Errorf("one too many: %q, %v", got, err)
	}
}
