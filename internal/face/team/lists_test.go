package team

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/internal/sessions/keeper"
	"github.com/pawl-dev/pawl/todo"
)

// Todo lists travel: a machine sends its own, everybody on the board reads them, and
// nobody else writes them or sees them.
func TestLists(t *testing.T) {
	w := newWorld(t, func(o *Options) {
		o.Lists = keeper.Open(t.TempDir(), time.Now, func(text string) { t.Error(text) })
	})
	w.board("shop")
	w.board("blog")
	adas, _ := w.token("ada", access.Work, "shop")
	bobs, _ := w.token("bob", access.Read, "shop")
	eves, _ := w.token("eve", access.Admin, "blog")
	ada, bob, eve := w.client(adas, "shop"), w.client(bobs, "shop"), w.client(eves, "blog")
	ctx := t.Context()

	send := remote.Send{Home: "h1", Now: time.Now(), Sessions: []remote.Session{{
		Session: "s1", Version: 1, Machine: "mini", Name: "bob", Person: true, Home: "h9", ID: "x", // which the server knows better
		List: &remote.List{UpdatedAt: time.Now(), Items: []todo.Item{{ID: "1", Content: "Read \x1b[2J it", Status: todo.Pending}}},
	}}}
	for range 2 { // as after a lost answer
		if sent, err := ada.SendLists(ctx, send); err != nil || sent.Versions[0] != 1 {
			t.Fatal(sent, err)
		}
	}
	lists, err := bob.Lists(ctx, "", 0)
	if err != nil || len(lists.Sessions) != 1 {
		t.Fatalf("bob reads %+v, %v", lists, err)
	}
	s := lists.Sessions[0]
	if s.Name != "ada" || s.Home != "h1" || s.ID == "x" || s.List == nil || s.Head.Pending != 1 {
		t.Errorf("the server says %+v", s)
	}
	one, err := bob.List(ctx, s.ID)
	if err != nil || len(one.List.Items) != 1 {
		t.Errorf("one list: %+v, %v", one, err)
	}
	if _, err := bob.SendLists(ctx, send); err == nil || !strings.Contains(err.Error(), "bob") {
		t.Errorf("a token that may only look has sent: %v", err)
	}

	// On another board nothing of it is seen, nor by its id; the board itself is not there
	// for a token of another one.
	if lists, err := eve.Lists(ctx, "", 0); err != nil || len(lists.Sessions) > 0 {
		t.Errorf("another board has %+v, %v", lists, err)
	}
	if _, err := eve.List(ctx, s.ID); !errors.Is(err, pawl.NotFound) {
		t.Errorf("another board has the list: %v", err)
	}
	other := w.client(eves, "shop")
	if _, err := other.Lists(ctx, "", 0); !errors.Is(err, pawl.NotFound) {
		t.Errorf("a token of another board reads: %v", err)
	}
	if _, err := other.SendLists(ctx, send); !errors.Is(err, pawl.NotFound) {
		t.Errorf("a token of another board sends: %v", err)
	}

	// Who waits hears of the next change.
	heard := make(chan error, 1)
	go func() {
		next, err := bob.Lists(ctx, lists.Stamp, remote.MaxWait)
		if err == nil && (len(next.Sessions) != 1 || next.Sessions[0].Session != "s2") {
			err = errors.New("heard something else")
		}
		heard <- err
	}()
	send.Sessions[0].Session = "s2"
	if _, err := ada.SendLists(ctx, send); err != nil {
		t.Fatal(err)
	}
	if err := <-heard; err != nil {
		t.Error(err)
	}
	send.Sessions = append(send.Sessions, remote.Session{Session: "bad", Version: 1, List: &remote.List{Items: make([]todo.Item, todo.MaxItems+1)}})
	if _, err := ada.SendLists(ctx, send); !errors.Is(err, pawl.Invalid) {
		t.Errorf("a list that is too long: %v", err)
	}
	resp, err := http.Get(ada.Address().String() + remote.PathLists)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("without a token the lists are answered with %s", resp.Status)
	}
}
