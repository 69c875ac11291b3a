//go:build unix

package server

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
)

// TestOpIDs: an id names a request of one token. Sent again by its sender it is
// answered as before, changed it is refused, and to any other token it says nothing:
// not that it was used, and not what came of it.
func TestOpIDs(t *testing.T) { on(t, Options{}, opIDs) }

func opIDs(t *testing.T, s *Server) {
	ada := s.Token("ada", "--board", "shop", "--role", "work")
	bob := s.Token("bob", "--board", "shop", "--role", "work", "--agent")
	eve := s.Token("ada", "--board", "shop", "--role", "work", "--also") // another machine of ada's
	create := func(id, subject string) string {
		return fmt.Sprintf(`{"opId":%q,"op":{"op":"create","tasks":[{"subject":%q}]}}`, id, subject)
	}
	one := func(token Token, request string) (pawl.Result, *pawl.Error) {
		t.Helper()
		reply, done := s.Do(token, "shop", request)
		if reply.Status != http.StatusOK {
			e := reply.Failure()
			return pawl.Result{}, &e
		}
		if len(done.Errors) > 0 && done.Errors[0] != nil {
			return pawl.Result{}, done.Errors[0]
		}
		return done.Outcomes[0].Result, nil
	}
	first, failed := one(ada, create("x1", "secret of ada"))
	if failed != nil || len(first.IDs) != 1 {
		t.Fatalf("%+v, %v", first, failed)
	}
	again, failed := one(ada, create("x1", "secret of ada"))
	if failed != nil || !again.Repeated || again.Revision != first.Revision || again.IDs[0] != first.IDs[0] {
		t.Errorf("sent again: %+v, %v", again, failed)
	}
	if _, failed := one(ada, create("x1", "another")); failed == nil {
		t.Error("an id names two requests")
	}
	seen := map[pawl.Revision]string{first.Revision: "ada x1"}
	forged := []string{"x1", ada.ID() + "/x1", "../" + ada.ID() + "/x1", ada.ID() + "#x1", "/x1", strings.Repeat("x", pawl.MaxOpID), strings.Repeat("x", pawl.MaxOpID-1), "x1\u0000", "x1\n"}
	for _, token := range []Token{bob, eve} {
		for _, id := range forged {
			for _, subject := range []string{"secret of ada", "another"} {
				res, failed := one(token, create(id, subject))
				if failed != nil {
					if strings.Contains(failed.Error(), "secret") {
						t.Errorf("%s, %q: an error tells of ada: %v", token.Name, id, failed)
					}
					continue
				}
				if who := seen[res.Revision]; who != "" || res.Repeated {
					t.Errorf("%s (%s) got the outcome of %s by the id %q: %+v", token.Name, token.ID(), who, id, res)
				}
				seen[res.Revision] = token.Secret + " " + id
			}
		}
	}
	// A claim without a task that is sent again is the same claim, also between others.
	claim := `{"opId":"c1","op":{"op":"claim","lease":"1h"}}`
	a, failed := one(bob, claim)
	if failed != nil {
		t.Fatal(failed)
	}
	b, failed := one(eve, claim)
	if failed != nil || b.IDs[0] == a.IDs[0] {
		t.Errorf("two tokens have one claim: %+v, %v", b, failed)
	}
	for range 3 {
		if again, failed := one(bob, claim); failed != nil || again.IDs[0] != a.IDs[0] || again.Revision != a.Revision {
			t.Errorf("a claim that is sent again is %+v, %v; it was %+v", again, failed, a)
		}
	}
	s.Kill()
	s.Again()
	if again, failed := one(bob, claim); failed != nil || again.IDs[0] != a.IDs[0] || !again.Repeated {
		t.Errorf("after the server was killed, a claim that is sent again is %+v, %v; it was %+v", again, failed, a)
	}
}
