//go:build unix

package server

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/server/pg"
)

// newDatabase makes a database with Pawl's tables, and returns its address.
func newDatabase(t *testing.T) string {
	t.Helper()
	return pgtest.Server(t).From(t, "pawl", func(dsn string) error {
		_, _, err := pg.Migrate(context.Background(), dsn)
		return err
	})
}

// on proves something of a server of boards in a folder, and of one of boards in a
// database; with -long of both.
func on(t *testing.T, o Options, prove func(*testing.T, *Server)) {
	folder := long.Turn(t.Name(), 2)
	t.Run("folder", func(t *testing.T) {
		if !folder {
			long.Only(t)
		}
		prove(t, Start(t, o))
	})
	t.Run("database", func(t *testing.T) {
		if folder {
			long.Only(t)
		}
		o.Store = newDatabase(t)
		prove(t, Start(t, o))
	})
}

// TestInstances: clients of several servers, which are one by their database, claim and
// complete the tasks of one board. The long run has 32 of them and many more tasks.
func TestInstances(t *testing.T) {
	long.Only(t)
	o := Options{Store: newDatabase(t)}
	c := NewCampaign(t, "shop", *clients, Start(t, o), Start(t, o))
	c.Calm(*tasks)
	c.Check()
}

// TestSlowReaders: clients that export a large board and do not read on keep nobody
// else from reading or claiming.
func TestSlowReaders(t *testing.T) {
	long.Only(t)
	on(t, Options{}, slowReaders)
}

func slowReaders(t *testing.T, s *Server) {
	boss := s.Token("boss", "--board", "shop", "--role", "admin")
	board := s.Client(boss, "shop")
	text := strings.Repeat("x", pawl.MaxDescription/2)
	for range 5 {
		var op pawl.Create
		for range 100 { // 3 MB
			op.Tasks = append(op.Tasks, pawl.NewTask{Subject: "task", Description: text})
		}
		_, err := board.Do(t.Context(), pawl.Request{Op: op}, 0)
		must(t, err)
	}
	s.stuck(boss, "shop", 40, 8)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			began := time.Now()
			if _, err := query.Of(t.Context(), board, query.Asker{}, query.OverviewQuery{}); err != nil {
				t.Errorf("a read: %v", err)
			}
			if _, err := board.Do(t.Context(), pawl.Request{By: pawl.Actor{Name: "boss"}, Op: pawl.ClaimTask{Lease: pawl.Duration(time.Hour)}}, 0); err != nil {
				t.Errorf("a claim: %v", err)
			}
			if took := time.Since(began); *long.Asked && took > 5*time.Second {
				t.Errorf("a read and a claim took %v", took)
			}
		})
	}
	group.Wait()
}

// TestAudience: many watch a board, and each sees every change.
func TestAudience(t *testing.T) { on(t, Options{}, audience) }

func audience(t *testing.T, s *Server) {
	boss := s.Token("boss", "--board", "shop", "--role", "admin")
	board := s.Client(boss, "shop")
	Fill(t, board, 1)
	n := 100
	if *long.Asked {
		n = 1000
	}
	took, missed := s.Watch(boss, "shop", n).Sees(board, 20, 50*time.Millisecond)
	if missed > 0 {
		t.Errorf("%d changes were not seen", missed)
	}
	t.Logf("%d watchers, %d sights, the slowest %v", n, len(took), slowest(took))
}

func slowest(all []time.Duration) (most time.Duration) {
	for _, d := range all {
		most = max(most, d)
	}
	return most
}

// TestManyBoards: a server works on more boards at once than it has connections to its
// database, and each caller gets its turn.
func TestManyBoards(t *testing.T) { on(t, Options{}, manyBoards) }

func manyBoards(t *testing.T, s *Server) {
	token := s.Token("boss", "--all-boards", "--role", "admin")
	var group sync.WaitGroup
	for i := range 40 {
		group.Go(func() {
			name := fmt.Sprint("board", i)
			board := s.Client(token, name)
			for n := range 5 {
				began := time.Now()
				Fill(t, board, 1)
				claimed, err := board.Do(t.Context(), pawl.Request{Op: pawl.ClaimTask{Lease: pawl.Duration(time.Hour)}}, 0)
				if err != nil || len(claimed.Result.IDs) != 1 || claimed.Result.IDs[0] != pawl.ID(n+1) {
					t.Errorf("%s: claimed %v, %v", name, claimed.Result.IDs, err)
					return
				}
				shown, err := query.Of(t.Context(), board, query.Asker{}, query.TaskQuery{Names: []string{fmt.Sprint(n + 1)}, History: 5})
				if err != nil || len(shown.Tasks) != 1 || shown.Tasks[0].Detail == nil || shown.Tasks[0].Detail.Task.Owner != "boss" || shown.Tasks[0].Past == nil {
					t.Errorf("%s: %+v, %v", name, shown, err)
				}
				if took := time.Since(began); *long.Asked && took > 9*time.Second {
					t.Errorf("%s: it took %v", name, took)
				}
			}
		})
	}
	group.Wait()
}

// stuck has so many clients ask for all of a board and read nothing of it, and returns
// when some of them are sent it.
func (s *Server) stuck(token Token, board string, clients, sent int) {
	s.Helper()
	reached := make(chan struct{}, clients)
	for i := range clients {
		conn := s.post(i, token, board, remote.PathExport, "{}")
		go func() {
			if _, err := conn.Read(make([]byte, 1)); err == nil {
				reached <- struct{}{}
			}
		}()
	}
	late := time.After(within)
	for range sent {
		select {
		case <-reached:
		case <-late:
			s.Fatalf("fewer than %d clients are sent the board", sent)
		}
	}
}
