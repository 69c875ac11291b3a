//go:build unix

package fleet

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"
)

// crew is the workers of a board, each with a token and connections of its own.
func (s *Server) crew(board string, n int, l *Ledger) (all []*Worker) {
	s.Helper()
	for i := range n {
		token := s.Token(fmt.Sprint("w", i), "--board", board, "--role", "work", "--agent")
		all = append(all, &Worker{Name: token.Name, Board: s.ClientAt(s.Origin, token, board, within), Ledger: l})
	}
	return all
}

// TestClaims: clients claim and complete the tasks of one board until all are done.
func TestClaims(t *testing.T) {
	s := Start(t, Options{TLS: true})
	boss := s.Client(s.Token("boss", "--board", "shop", "--role", "admin"), "shop")
	Fill(t, boss, *tasks)
	ledger := NewLedger()
	began := time.Now()
	Crowd(t, s.crew("shop", *clients, ledger), *tasks)
	took := time.Since(began)
	AllDone(t, boss, *tasks)
	s.Stop()
	ledger.Check(t, s.Kept("shop"))
	all, _, unknown := ledger.Acknowledged()
	t.Logf("%d clients, %d tasks: %d ops acknowledged in %.1f s", *clients, *tasks, all, took.Seconds())
	if all < 2**tasks || unknown > 0 {
		t.Errorf("%d ops were acknowledged, and of %d it is not known", all, unknown)
	}
}

// TestKilled: the server is killed while clients work, with SIGKILL and in turns with
// SIGTERM, and started again on its port.
func TestKilled(t *testing.T) {
	for _, how := range []string{"at once", "gracefully"} {
		t.Run(how, func(t *testing.T) {
			s := Start(t, Options{TLS: true})
			boss := s.Client(s.Token("boss", "--board", "shop", "--role", "admin"), "shop")
			ledger := NewLedger()
			workers := s.crew("shop", *clients, ledger)
			filled := 0
			seed := uint64(time.Now().UnixNano())
			rnd := rand.New(rand.NewPCG(seed, 0))
			for killed := 0; killed < *kills; {
				Fill(t, boss, *tasks)
				filled += *tasks
				var group sync.WaitGroup
				atWork, over := context.WithCancel(context.Background())
				group.Go(func() {
					Crowd(t, workers, filled)
					over()
				})
				for killed < *kills {
					select {
					case <-atWork.Done():
					case <-time.After(time.Duration(20+rnd.IntN(150)) * time.Millisecond):
					}
					if atWork.Err() != nil {
						break
					}
					if how == "at once" {
						s.Kill()
					} else if took, clean := s.Stop(); !clean || took > 10*time.Second {
						t.Errorf("the server ended after %v, cleanly: %v", took, clean)
					}
					killed++
					s.Again()
				}
				group.Wait()
			}
			AllDone(t, boss, filled)
			s.Stop()
			ledger.Check(t, s.Kept("shop"))
			all, again, unknown := ledger.Acknowledged()
			t.Logf("seed %d: %d clients, %d tasks, the server killed %d times: %d ops acknowledged, none lost; %d on being repeated, %d not known", seed, *clients, filled, *kills, all, again, unknown)
			if all < 2*filled {
				t.Error("the test did not test what it means to")
			}
		})
	}
}
