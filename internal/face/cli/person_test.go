package cli

import (
	"strings"
	"testing"
)

// Only a person at a terminal agrees to something: not a known agent, and not a program that
// sets no variable, whatever flags it gives. No hint leads one of them to agree.
func TestConsents(t *testing.T) {
	for _, verb := range [][]string{
		{"trust", "checks"}, {"trust", "checks", "--yes"}, {"trust", "checks", "--yes", "--json"},
		{"trust"}, {"trust", "--json"}, {"done", "1", "--unchecked", "sure"}, {"join"},
	} {
		for _, who := range []struct {
			name string
			env  string
			tty  bool
			says string
		}{
			{"an agent", "CLAUDECODE", false, "this is an agent's command"},
			{"an agent with a terminal", "CLAUDECODE", true, "this is an agent's command"},
			{"a name", "PAWL_AGENT", true, "this is an agent's command"},
			{"a program without a terminal", "", false, "this command has no terminal"},
			{"a person", "", true, ""},
		} {
			if verb[0] == "join" && who.says == "" {
				continue // it waits for the token
			}
			t.Run(strings.Join(verb, " ")+": "+who.name, func(t *testing.T) {
				d := newMember(t)
				d.must("add", "One", "--check", "unit: ./unit")
				d.must("config", "set", "board", map[bool]string{true: shop, false: "../planning"}[verb[0] == "join"])
				if who.env != "" {
					d.env[who.env] = "1"
				}
				d.tty = who.tty
				a := d.run(verb...)
				if who.says == "" {
					if strings.Contains(a.err, "only a person") {
						t.Errorf("refused: %+v", a)
					}
					return
				}
				said := a.out + a.err
				if a.code != 2 || !strings.Contains(said, "only a person") || !strings.Contains(said, who.says) {
					t.Errorf("%+v", a)
				}
				if strings.Contains(said, " --yes") || !strings.Contains(said, "ask a person to run pawl ") && !strings.HasSuffix(said, "hint: pawl check\n") {
					t.Errorf("the hint leads on: %s", said)
				}
				d.tty = false
				delete(d.env, who.env)
				if out := d.must("trust", "--list"); strings.Contains(out, "unit") || strings.Contains(out, "leads to") {
					t.Errorf("agreed to: %s", out)
				}
			})
		}
	}
}
