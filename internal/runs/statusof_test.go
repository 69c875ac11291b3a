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
