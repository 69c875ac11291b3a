//go:build unix

package server

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/remote"
)

// An opCase is an op at the wire. Before it, the board has the tasks 1 to 5: 1 is
// pending, 2 is completed, 3 is on hold, and 4 and 5 are claimed, 4 by the caller and
// 5 by somebody else with the token %d.
type opCase struct {
	op     string
	person bool // it is for people: an agent's token is refused
}

// opCases say of each op what a role may do with it; those that override what somebody
// else decided are for people.
var opCases = map[string][]opCase{
	"create":   {{op: `{"op":"create","tasks":[{"subject":"more"}]}`}},
	"import":   {{op: `{"op":"import","tasks":[{"subject":"old","status":"completed"}]}`, person: true}},
	"update":   {{op: `{"op":"update","id":1,"subject":"One"}`}},
	"claim":    {{op: `{"op":"claim","id":1,"lease":"1h"}`}, {op: `{"op":"claim"}`}, {op: `{"op":"claim","id":5,"force":true}`, person: true}, {op: `{"op":"claim","id":5,"token":%d}`, person: true}},
	"start":    {{op: `{"op":"start","ids":[1],"lease":"1h"}`}, {op: `{"op":"start","ids":[5],"force":true}`, person: true}},
	"complete": {{op: `{"op":"complete","ids":[4]}`}, {op: `{"op":"complete","ids":[5],"force":true}`, person: true}, {op: `{"op":"complete","ids":[5],"token":%d}`, person: true}, {op: `{"op":"complete","ids":[4],"unchecked":"down"}`, person: true}},
	"reopen":   {{op: `{"op":"reopen","ids":[2]}`}},
	"release":  {{op: `{"op":"release","ids":[4]}`}, {op: `{"op":"release","ids":[5],"force":true}`, person: true}},
	"assign":   {{op: `{"op":"assign","ids":[1],"owner":"bob"}`}, {op: `{"op":"assign","ids":[1],"owner":"bob","force":true}`, person: true}},
	"hold":     {{op: `{"op":"hold","ids":[1],"reason":"wait"}`}},
	"lift":     {{op: `{"op":"lift","ids":[3]}`, person: true}},
	"note":     {{op: `{"op":"note","id":1,"text":"hello"}`}},
	"check":    {{op: `{"op":"check","id":4,"evidence":[{"check":"c","sum":"` + strings.Repeat("a", 64) + `","tree":"none","passed":true}]}`}},
	"delete":   {{op: `{"op":"delete","ids":[1]}`}, {op: `{"op":"delete","ids":[5],"force":true}`, person: true}},
	"renew":    {{op: `{"op":"renew","ids":[4],"lease":"1h"}`}},
	"undo":     {{op: `{"op":"undo"}`}},
	"all":      {{op: `{"op":"all","ops":[{"op":"note","id":1,"text":"hello"},{"op":"complete","ids":[4]}]}`}, {op: `{"op":"all","ops":[{"op":"note","id":1,"text":"hello"},{"op":"release","ids":[5],"force":true}]}`, person: true}},
}

// opNames are the ops that package pawl knows, which it names to who asks for another.
func opNames(t *testing.T) []string {
	t.Helper()
	_, err := pawl.ParseOp([]byte(`{"op":"nonesuch"}`))
	_, list, found := strings.Cut(fmt.Sprint(err), "they are ")
	if !found {
		t.Fatalf("the ops are not named: %v", err)
	}
	return strings.Split(list, ", ")
}

// TestRoles: every role against every op, at the wire. Who may not is refused with
// words and leaves no trace, and who may is not. What a role may is decided before the store
// is asked, so the long run alone tries both stores.
func TestRoles(t *testing.T) {
	if *long.Asked {
		on(t, Options{}, rolesHold)
	} else {
		rolesHold(t, Start(t, Options{}))
	}
}

func rolesHold(t *testing.T, s *Server) {
	roles := []struct {
		flags           []string
		changes, person bool
	}{
		{[]string{"--role", "read"}, false, true},
		{[]string{"--role", "read", "--agent"}, false, false},
		{[]string{"--role", "work"}, true, true},
		{[]string{"--role", "work", "--agent"}, true, false},
		{[]string{"--role", "admin"}, true, true},
		{[]string{"--role", "admin", "--agent"}, true, false},
	}
	boss := s.Token("boss", "--all-boards", "--role", "admin")
	other := s.Token("other", "--all-boards", "--role", "work")
	tried, boards := 0, 0
	names := opNames(t)
	if len(names) < 16 {
		t.Errorf("only %d ops", len(names))
	}
	for n, role := range roles {
		if n > 0 { // boards stay open, and a system watches only so many
			s.Stop()
			s.Again()
		}
		caller := s.Token(fmt.Sprint("caller", n), append(role.flags, "--all-boards")...)
		for _, name := range names {
			if len(opCases[name]) == 0 {
				t.Errorf("nothing says who may %s", name)
			}
			for _, c := range opCases[name] {
				for _, try := range []bool{true, false} {
					boards++
					board := fmt.Sprint("b", boards)
					token := s.prepare(boss, other, caller, board, role.changes)
					op := strings.ReplaceAll(c.op, "%d", fmt.Sprint(int64(token)))
					before := s.revision(boss, board)
					body := fmt.Sprintf(`{"try":%v,"requests":[{"by":{"name":"other"},"op":%s}]}`, try, op)
					reply := s.Request(caller.Secret, http.MethodPost, "/boards/"+board+remote.PathDo, body)
					allowed := role.changes && (role.person || !c.person)
					what := fmt.Sprintf("%v, try %v: %s", role.flags, try, op)
					refused := reply.Status != http.StatusOK || strings.Contains(reply.Body, `"errors":[{`)
					changed := s.revision(boss, board) != before
					tried++
					switch {
					case allowed == refused:
						t.Errorf("%s: allowed %v, but: %d %s", what, allowed, reply.Status, clip(reply.Body))
					case changed != (allowed && !try):
						t.Errorf("%s: the board has changed: %v", what, changed)
					case !allowed && !strings.Contains(reply.Body, `"message":"`):
						t.Errorf("%s: refused without a word: %s", what, reply.Body)
					}
				}
			}
		}
	}
	t.Logf("%d roles, %d ops: %d requests", len(roles), len(names), tried)
}

// prepare makes the board of an opCase and returns the token of the claim of 5.
func (s *Server) prepare(boss, other, caller Token, board string, changes bool) pawl.Revision {
	s.Helper()
	do := func(token Token, ops ...string) remote.Done {
		s.Helper()
		for i, op := range ops {
			ops[i] = `{"op":` + op + `}`
		}
		reply, done := s.Do(token, board, ops...)
		if reply.Status != http.StatusOK || len(done.Errors) > 0 {
			s.Fatalf("%v: %d %s", ops, reply.Status, reply.Body)
		}
		return done
	}
	do(boss, `{"op":"create","tasks":[{"subject":"one"},{"subject":"two","done":true},{"subject":"three"},{"subject":"four"},{"subject":"five"}]}`,
		`{"op":"hold","ids":[3],"reason":"a person must look"}`)
	if changes {
		do(caller, `{"op":"claim","id":4,"lease":"1h"}`)
	}
	done := do(other, `{"op":"claim","id":5,"lease":"1h"}`)
	if changes { // which is what the caller may undo
		do(caller, `{"op":"note","id":4,"text":"mine"}`)
	}
	return done.Outcomes[0].Result.Tasks[0].Claim.Token
}

func (s *Server) revision(token Token, board string) pawl.Revision {
	s.Helper()
	reply := s.Request(token.Secret, http.MethodPost, "/boards/"+board+remote.PathAsk, `{"question":{"ask":"overview","data":{}}}`)
	var rev struct {
		Data struct {
			Head struct{ Revision pawl.Revision }
		}
	}
	if reply.Status != http.StatusOK {
		s.Fatalf("%d %s", reply.Status, reply.Body)
	}
	s.read(reply, &rev)
	if rev.Data.Head.Revision == 0 {
		s.Fatalf("no revision in %s", clip(reply.Body))
	}
	return rev.Data.Head.Revision
}
