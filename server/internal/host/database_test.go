package host

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
)

// A database that is away has the server remember no more names than it has room for;
// boards that were found are not forgotten for them.
func TestNamesThatCannotBeLookedFor(t *testing.T) {
	gone := pawl.Errorf(pawl.Unavailable, "the database does not answer")
	away := false
	d := &databaseBoards{now: time.Now, found: map[string]*boardLook{}}
	d.find = func(context.Context, string) (int64, error) {
		if away {
			return 0, gone
		}
		return 7, nil
	}
	if at, err := d.Find(t.Context(), "shop"); at == nil || err != nil {
		t.Fatalf("got %v, %v", at, err)
	}
	away = true
	for n := range 2 * mostMissed {
		if at, err := d.Find(t.Context(), fmt.Sprint("guess-", n)); at != nil || !errors.Is(err, pawl.Unavailable) {
			t.Fatalf("got %v, %v", at, err)
		}
	}
	if len(d.found) > mostMissed {
		t.Errorf("%d names are remembered", len(d.found))
	}
	if at, err := d.Find(t.Context(), "shop"); at == nil || err != nil {
		t.Errorf("the board that was there: %v, %v", at, err)
	}
}

// Who asks again and again whether the server is ready does not ask the database each
// time, and one who goes before the answer spoils it for nobody.
func TestReadyIsAskedSeldom(t *testing.T) {
	now := time.Now()
	var says error
	asked := 0
	d := &databaseBoards{now: time.Now, found: map[string]*boardLook{}}
	d.now = func() time.Time { return now }
	d.live = func(ctx context.Context) error {
		asked++
		return errors.Join(says, ctx.Err())
	}
	over, stop := context.WithCancel(t.Context())
	stop()
	for range 5 {
		if err := d.Ready(over); err != nil {
			t.Error(err)
		}
	}
	if says = errors.New("away"); asked != 1 {
		t.Errorf("the database was asked %d times", asked)
	}
	now = now.Add(readyFor)
	if err := d.Ready(t.Context()); !errors.Is(err, pawl.Unavailable) {
		t.Errorf("got %v", err)
	}
	now = now.Add(readyFor)
	if says = nil; d.Ready(t.Context()) != nil {
		t.Error("it is not ready again")
	}
}
