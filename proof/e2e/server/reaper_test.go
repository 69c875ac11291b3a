//go:build unix

package server

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
)

// TestLeases: the server's clock decides a lease. What ends is recorded by the server
// without anybody asking, each claim has a token of its own, and after three leases
// that ended the task is put on hold.
func TestLeases(t *testing.T) { on(t, Options{}, leases) }

func leases(t *testing.T, s *Server) {
	boss := s.Token("boss", "--board", "shop", "--role", "admin")
	board := s.Client(boss, "shop")
	Fill(t, board, 1)
	ctx, stop := context.WithTimeout(t.Context(), within)
	defer stop()
	ledger := NewLedger()
	last := pawl.Revision(0)
	for round := range pawl.MaxExpired {
		w := &Worker{Name: fmt.Sprint("w", round), Ledger: ledger}
		w.Board = s.Client(s.Token(w.Name, "--board", "shop", "--role", "work", "--agent"), "shop")
		res, err := w.Do(ctx, 1, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(time.Second)})
		if err != nil {
			t.Fatal(err)
		}
		token := res.Tasks[0].Claim.Token
		if token <= last {
			t.Errorf("the token %d of a later claim is not above %d", token, last)
		}
		last = token
		s.expired(ctx, boss, res.Revision)
		if _, err := w.Do(ctx, 1, pawl.Complete{IDs: []pawl.ID{1}, Token: token}); err == nil {
			t.Error("a task is completed with the token of a lease that has ended")
		}
	}
	reply, _ := s.Do(boss, "shop", `{"op":{"op":"claim","id":1,"lease":"1h"}}`)
	if !strings.Contains(reply.Body, "hold") {
		t.Errorf("after %d leases that ended, a claim is answered with %s", pawl.MaxExpired, clip(reply.Body))
	}
}

// expired waits until somebody who looks on is told that leases have ended.
func (s *Server) expired(ctx context.Context, token Token, after pawl.Revision) {
	s.Helper()
	for news, err := range s.Client(token, "shop").Watch(ctx, query.Asker{}, query.From{After: after}) {
		must(s.TB, err)
		if news.Set != nil && news.Set.Verb == pawl.VerbExpire {
			return
		}
	}
}
