package cli

import (
	"strings"
	"testing"
	"time"
)

// waiter is a fixture of an agent at which somebody else has claimed the one task
// that is ready: 2 waits for it.
func waiter(t *testing.T) *fixture {
	d := newFixture(t)
	d.env["PAWL_AGENT"] = "worker"
	d.must("add", "one")
	d.must("add", "two", "--after", "1")
	d.must("claim", "1", "--session", "s1")
	return d
}

// meanwhile runs a command when another one waits.
func (d *fixture) meanwhile(args ...string) {
	other := *d
	other.heard = nil
	d.heard = func(said string) {
		if strings.Contains(said, "waiting: ") {
			d.heard = nil
			if a := other.run(args...); a.code != 0 {
				d.t.Errorf("pawl %s: %+v", strings.Join(args, " "), a)
			}
		}
	}
}

// A claim that waits gets what becomes ready, ends when there is nothing to wait
// for, and says of the end of its time what it says without waiting.
func TestClaimWaits(t *testing.T) {
	for _, c := range []struct {
		name, meanwhile string
		code            int
		says            string
	}{
		{"others complete theirs", "done 1 --session s1", 0, "Claimed #2 two"},
		{"others give theirs back", "release 1 --session s1", 0, "Claimed #1 one"},
		{"somebody adds a task", "add three", 0, "Claimed #3 three"},
		{"all is done", "done 1 2 --session s1", 9, "all 2 tasks are completed"},
		{"a person has to act", "release 1 --session s1 --hold no-key", 5, "#1 is on hold: no-key"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := waiter(t)
			d.meanwhile(strings.Fields(c.meanwhile)...)
			a := d.run("claim", "--wait", "--session", "s2")
			if a.code != c.code || !strings.Contains(a.out+a.err, c.says) {
				t.Errorf("%+v", a)
			}
			if strings.Count(a.err, "waiting: ") != 1 {
				t.Errorf("it does not say once that it waits: %s", a.err)
			}
		})
	}
	d := waiter(t)
	a := d.run("claim", "--wait=1ms", "--session", "s2")
	if a.code != 10 || !strings.Contains(a.err, "hint: pawl claim --session s2 --wait=90s\n") {
		t.Errorf("at the end of its time: %+v", a)
	}
	if e := d.json("claim", "--wait=1ms", "--session", "s2")["error"].(map[string]any); e["kind"] != "busy" {
		t.Errorf("at the end of its time: %v", e)
	}
	if a := d.run("claim", "--wait", "--session", "s1"); a.code != 10 || strings.Contains(a.err, "waiting: ") || !strings.Contains(a.err, "finish it first") {
		t.Errorf("it waits for itself: %+v", a)
	}
	if a := d.run("claim", "2", "--wait"); a.code != 2 || !strings.Contains(a.err, "leave out \"2\"") {
		t.Errorf("it waits for one task: %+v", a)
	}
	if a := d.run("claim", "--wait", "30m"); a.code != 2 || !strings.Contains(a.err, "hint: pawl claim --wait=30m\n") {
		t.Errorf("the time stands apart: %+v", a)
	}
	for _, value := range []string{"0", "soon", "-1m"} {
		if a := d.run("claim", "--wait="+value); a.code != 2 {
			t.Errorf("--wait=%s: %+v", value, a)
		}
	}
}

// Nobody makes a change when a lease ends, so the claim looks by itself.
func TestClaimWaitsForLease(t *testing.T) {
	d := newFixture(t)
	d.env["PAWL_AGENT"] = "worker"
	back := 15*time.Minute - 20*time.Millisecond
	d.clock = func() time.Time { return time.Now().Add(-back) }
	d.must("add", "one")
	d.must("claim", "--session", "s1")
	back = 0
	if a := d.run("claim", "--wait", "--session", "s2"); a.code != 0 || !strings.Contains(a.out, "Claimed #1 one") {
		t.Errorf("%+v", a)
	}
}
