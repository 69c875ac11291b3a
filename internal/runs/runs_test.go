package runs

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
)

var noon = time.Date(2026, 9, 21, 12, 0, 0, 0, time.UTC)

func failed(reason Reason, more ...func(*Attempt)) Attempt {
	a := Attempt{Phase: Released, Reason: reason, Why: string(reason), Tree: "tree"}
	for _, f := range more {
		f(&a)
	}
	return a
}

func tail(text string) func(*Attempt) { return func(a *Attempt) { a.Check, a.Tail = "tests", text } }

func TestAfter(t *testing.T) {
	three := Limits{Attempts: 3}
	tests := []struct {
		name  string
		limit Limits
		all   []Attempt
		hold  string
		pause time.Duration
		again bool
	}{
		{"first failure", three, []Attempt{failed(CheckFailed)}, "", time.Second, true},
		{"another failure", three, []Attempt{failed(CheckFailed, tail("a")), failed(CheckFailed, tail("b"))}, "", 2 * time.Second, true},
		{"the same failure", three, []Attempt{failed(CheckFailed, tail("x 0.2s at 0x12")), failed(CheckFailed, tail("x 1.7s at 0x99"))}, "two attempts in a row failed alike", 0, false},
		{"too many", three, []Attempt{failed(CheckFailed, tail("a")), failed(NoCommits), failed(CheckFailed, tail("b"))}, "3 of 3 attempts failed", 0, false},
		{"no limit", Limits{}, []Attempt{failed(CheckFailed, tail("a")), failed(NoCommits), failed(CheckFailed, tail("b"))}, "", 4 * time.Second, true},
		{"on the merged files", three, []Attempt{failed(CheckFailed, func(a *Attempt) { a.Merged = true })}, "", time.Second, false},
		{"conflict", three, []Attempt{failed(Conflict)}, "", time.Second, false},
		{"two conflicts", three, []Attempt{failed(Conflict), failed(Conflict)}, "two attempts in a row conflict", 0, false},
		{"stall", three, []Attempt{failed(Stalled)}, "", 10 * time.Second, false},
		{"limit", three, []Attempt{failed(Budget)}, "budget", 0, false},
		{"stopped", three, []Attempt{failed(CheckFailed, tail("a")), failed(StoppedBy)}, "", 0, true},
		{"rate limit is no attempt", Limits{Attempts: 1}, []Attempt{failed(RateLimit, func(a *Attempt) { a.Until = noon.Add(time.Hour) })}, "", time.Hour, true},
		{"a restart of the machine", Limits{Attempts: 1}, []Attempt{failed(CutOff), failed(CutOff)}, "", time.Second, true},
		{"three of them", three, []Attempt{failed(CutOff), failed(CutOff), failed(CutOff)}, "three attempts in a row were cut off", 0, false},
		{"sent back counts for nothing", three, []Attempt{failed(SentBack), failed(SentBack), failed(SentBack), failed(CheckFailed)}, "", time.Second, true},
		{"lost", three, []Attempt{failed(LostLease)}, "", 10 * time.Second, false},
		{"three faults", three, []Attempt{failed(Faulty), failed(Faulty), failed(Faulty)}, "three attempts failed before", 0, false},
	}
	for _, test := range tests {
		got := After(&Work{Attempts: test.all}, test.limit, noon)
		if !strings.HasPrefix(got.Hold, test.hold) || (got.Hold == "") != (test.hold == "") || got.Pause != test.pause || got.Again != test.again {
			t.Errorf("%s: %+v, want %q, %v, again %t", test.name, got, test.hold, test.pause, test.again)
		}
	}
	retried := &Work{Attempts: []Attempt{failed(NoCommits), failed(NoCommits), failed(NoCommits)}, Since: 2}
	if got := After(retried, three, noon); got.Hold != "" || got.Pause != 10*time.Second {
		t.Errorf("after a person asked for more: %+v", got)
	}
}

func TestOverlap(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"a.go", "a.go", true}, {"a.go", "b.go", false}, {"a/b.go", "a", true}, {"a/*.go", "a/b.go", true}, {"a/*.go", "b/b.go", false},
		{"a/**", "a/b/c.go", true}, {"a/**", "b/**", false}, {"a/**", "a/b/**", true}, {"*.md", "docs/x.md", false}, {"**/*.go", "x/y.go", true},
		{"./a", "a", true}, {"a*", "b", false}, {"ab/c", "a", false},
	} {
		for _, pair := range [][2]string{{test.a, test.b}, {test.b, test.a}} {
			if _, _, got := Overlap(pair[:1], pair[1:]); got != test.want {
				t.Errorf("%s and %s: %t", pair[0], pair[1], got)
			}
		}
	}
}

func task(id pawl.ID, touches ...string) pawl.Task {
	t := pawl.Task{ID: id, Subject: fmt.Sprint("T", id), CreatedAt: noon}
	if len(touches) > 0 {
		text, _ := json.Marshal(touches)
		t.Metadata = map[string]json.RawMessage{TouchesKey: text}
	}
	return t
}

func at(s *State, t pawl.Task, n int, phase Phase, more ...func(*Attempt)) {
	a := Attempt{Key: Key{IdentityOf(&t), n}, ID: t.ID, Phase: phase, Slot: n, Began: noon, Globs: Touches(&t)}
	for _, f := range more {
		f(&a)
	}
	s.Apply(Record{N: s.N + 1, Kind: KindAttempt, Attempt: &a})
}

func TestPick(t *testing.T) {
	tests := []struct {
		name  string
		have  func(*State)
		ready []pawl.Task
		want  string
		why   string
	}{
		{"two slots", nil, []pawl.Task{task(1), task(2), task(3)}, "1.1 2.1", ""},
		{"one is taken", func(s *State) { at(s, task(9), 1, Running) }, []pawl.Task{task(1), task(2)}, "1.1", ""},
		{"what is integrated takes none", func(s *State) { at(s, task(9), 1, Integrating) }, []pawl.Task{task(1), task(2)}, "1.1 2.1", ""},
		{"the same files", nil, []pawl.Task{task(1, "a/**"), task(2, "a/b.go"), task(3)}, "1.1 3.1", ""},
		{"files that are being integrated", func(s *State) {
			at(s, task(9), 1, Rebased, func(a *Attempt) { a.Files = []string{"a/b.go"} })
		}, []pawl.Task{task(1, "a/**")}, "", "#1 waits for #9, which changes the same files"},
		{"a pause", func(s *State) {
			at(s, task(1), 1, Released, func(a *Attempt) { a.Until = noon.Add(time.Minute) })
		}, []pawl.Task{task(1)}, "", "the next attempt at #1 begins at"},
		{"again", func(s *State) {
			at(s, task(1), 1, Released, func(a *Attempt) { a.Reason, a.Tree = CheckFailed, "tree" })
		}, []pawl.Task{task(1)}, "1.2+", ""},
		{"again without its tree", func(s *State) {
			at(s, task(1), 1, Released, func(a *Attempt) { a.Reason, a.Tree, a.Cleaned = CheckFailed, "tree", true })
		}, []pawl.Task{task(1)}, "1.2", ""},
		{"one that did not begin", func(s *State) { at(s, task(1), 1, Dropped) }, []pawl.Task{task(1)}, "1.1", ""},
		{"reviews", func(s *State) {
			for id := range 4 {
				at(s, task(pawl.ID(6+id)), 1, Waiting)
			}
		}, []pawl.Task{task(1)}, "", "4 attempts wait for approval"},
		{"few reviews", func(s *State) {
			for id := range 3 {
				at(s, task(pawl.ID(6+id)), 1, Waiting)
			}
		}, []pawl.Task{task(1)}, "1.1", ""},
		{"agent pauses", func(s *State) {
			s.Apply(Record{N: s.N + 1, Kind: KindPause, Pause: &Pause{Agent: "bot", Why: "limit", Until: noon.Add(time.Hour)}})
		}, []pawl.Task{task(1)}, "", "bot pauses until"},
		{"at work", func(s *State) { at(s, task(1), 1, Saved) }, []pawl.Task{task(1)}, "", ""},
	}
	for _, test := range tests {
		s := &State{}
		if test.have != nil {
			test.have(s)
		}
		c := s.Pick(test.ready, 2, Limits{Attempts: 3}, "bot", noon)
		var got []string
		for _, p := range c.Picks {
			word := fmt.Sprintf("%d.%d", p.Task.ID, p.N)
			if p.Again {
				word += "+"
			}
			got = append(got, word)
		}
		if strings.Join(got, " ") != test.want || !strings.HasPrefix(c.Why, test.why) || (c.Why == "") != (test.why == "") {
			t.Errorf("%s: %v, %q; want %s, %q", test.name, got, c.Why, test.want, test.why)
		}
	}
}

func TestBreach(t *testing.T) {
	l := Limits{
		Attempt: Limit{Time: time.Hour, Usage: Usage{Tokens: 1000, Money: 1}}, Task: Limit{Time: 2 * time.Hour, Usage: Usage{Tokens: 1500}},
		Run: Limit{Usage: Usage{Money: 5}}, Idle: 10 * time.Minute,
	}
	sight := func(f func(*Sight)) Sight {
		s := Sight{Now: noon, Started: noon.Add(-time.Minute), Sign: noon, Progress: noon}
		f(&s)
		return s
	}
	for _, test := range []struct {
		is   func(*Sight)
		want Reason
		why  string
	}{
		{func(*Sight) {}, "", ""},
		{func(s *Sight) { s.Started = noon.Add(-time.Hour) }, Timeout, "the attempt has used its time of 1h0m0s"},
		{func(s *Sight) { s.Task.Time = 2 * time.Hour }, Timeout, "the task has used its time of 2h0m0s"},
		{func(s *Sight) { s.Used.Tokens = 1000 }, Budget, "the attempt has used 1000 model tokens of 1000"},
		{func(s *Sight) { s.Used.Tokens, s.Task.Tokens = 900, 600 }, Budget, "the task has used 1500 model tokens of 1500"},
		{func(s *Sight) { s.Run.Money, s.Used.Money = 4.5, 0.6 }, Budget, "the run has used $5.10 of $5.00"},
		{func(s *Sight) { s.Output = MaxOutput + 1 }, Output, "the agent has printed more"},
		{func(s *Sight) { s.Sign = noon.Add(-10 * time.Minute) }, Stalled, "the agent neither printed"},
		{func(s *Sight) { s.Progress = noon.Add(-30 * time.Minute) }, NoProgress, "the agent changed neither"},
	} {
		reason, why := l.Breach(sight(test.is))
		if reason != test.want || !strings.HasPrefix(why, test.why) {
			t.Errorf("%q, %q; want %q, %q", reason, why, test.want, test.why)
		}
	}
	if near := l.Near(sight(func(s *Sight) { s.Used.Tokens = 850 })); near == "" {
		t.Error("850 of 1000 tokens are not near the limit")
	}
	if near := l.Near(sight(func(s *Sight) { s.Used.Tokens = 500 })); near != "" {
		t.Errorf("500 of 1000 tokens: %s", near)
	}
}

func TestBranchOf(t *testing.T) {
	for subject, want := range map[string]string{
		"Add: the parser!": "refs/heads/pawl/7-add-the-parser", "…": "refs/heads/pawl/7", "../../x": "refs/heads/pawl/7-x",
		strings.Repeat("word ", 20): "refs/heads/pawl/7-word-word-word-word-word-word-word-word",
	} {
		if got := BranchOf(7, subject, 1); got != want {
			t.Errorf("%q: %s", subject, got)
		}
	}
	if got := BranchOf(7, "x", 2); got != "refs/heads/pawl/7-x-2" {
		t.Error(got)
	}
}
