//go:build unix

package server

import (
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/long"
)

// TestClaims: clients claim and complete the tasks of one board until all are done.
func TestClaims(t *testing.T) { on(t, Options{TLS: true}, claims) }

func claims(t *testing.T, s *Server) {
	c := NewCampaign(t, "shop", *clients, s)
	c.Calm(*tasks)
	c.Check()
	if _, _, unknown := c.Ledger.Acknowledged(); unknown > 0 {
		t.Errorf("of %d ops it is not known whether they ran", unknown)
	}
}

// TestKilled: the server is killed while clients work, with SIGKILL and in turns with
// SIGTERM, and started again on its port.
func TestKilled(t *testing.T) {
	for _, how := range []string{"at once", "gracefully"} {
		t.Run(how, func(t *testing.T) {
			if how != "at once" {
				long.Only(t)
			}
			s := Start(t, Options{TLS: true})
			c := NewCampaign(t, "shop", *clients, s)
			c.Under(*kills, *tasks, func() {
				if how == "at once" {
					s.Kill()
				} else if took, clean := s.Stop(); !clean || *long.Asked && took > 10*time.Second {
					t.Errorf("the server ended after %v, cleanly: %v", took, clean)
				}
				s.Again()
			})
			c.Check()
		})
	}
}
