package runs

import (
	"testing"
	"time"
)

// A task that a person had tried again has so many attempts more: no attempt is the
// fourth of three.
func TestOfAfterRetry(t *testing.T) {
	s := &State{Run: &Run{Limits: Limits{Attempts: 3}}}
	for n, since := range map[int]int{2: 0, 4: 2} {
		key := Key{Task: "1-5", N: n}
		s.Tasks = map[Identity]*Work{key.Task: {Since: since, Attempts: []Attempt{{Key: key, Phase: Held}}}}
		if st := StatusOf(s, Live{}, false, time.Now()); st.Held[0].Of != 3+since || st.Held[0].N > st.Held[0].Of {
			t.Errorf("attempt %d of %d", st.Held[0].N, st.Held[0].Of)
		}
	}
}

// The agent's own list is shown while it works, and what it was refused also afterwards.
func TestTodosOfAttempt(t *testing.T) {
	a := Attempt{Key: Key{Task: "1-5", N: 1}, Phase: Running, Slot: 1, Refused: []string{"Shell curl …"}}
	s := &State{Tasks: map[Identity]*Work{a.Task: {Attempts: []Attempt{a}}}}
	live := Live{Attempts: map[string]Doing{a.Key.String(): {Todos: []Todo{{"Read", "completed"}, {"Write", "pending"}}}}}
	if v := StatusOf(s, live, true, time.Now()).Slots[0].Attempt; len(v.Todos) != 2 || len(v.Refused) != 1 {
		t.Errorf("%+v", v)
	}
	if v := StatusOf(s, live, false, time.Now()).Slots[0].Attempt; v.Todos != nil {
		t.Errorf("no runner is at work, and %+v", v)
	}
}
