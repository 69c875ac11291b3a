package pg

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
)

// While rings do not come through, one look for all topics tells which of them have news.
func TestOneLookForAllTopics(t *testing.T) {
	var mu sync.Mutex
	now := map[string]int64{}
	asked := make(chan []string)
	away := false
	look := func(ctx context.Context, topics []string) (map[string]int64, error) {
		select {
		case asked <- slices.Sorted(slices.Values(topics)):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		mu.Lock()
		defer mu.Unlock()
		if away {
			return nil, errors.New("away")
		}
		found := map[string]int64{}
		for _, topic := range topics {
			if n := now[topic]; n != 0 {
				found[topic] = n
			}
		}
		return found, nil
	}
	c, err := parse("postgres://nobody@127.0.0.1:1/none?sslmode=disable") // where nobody answers
	if err != nil {
		t.Fatal(err)
	}
	d := &Database{config: c, timeout: Timeout}
	d.bells = newBells(d)
	defer d.bells.close()
	d.LookBy(look)

	const topics = 1000
	var want []string
	hints := map[string]<-chan struct{}{}
	for n := range topics {
		topic := fmt.Sprint("topic ", n)
		want = append(want, topic)
		hints[topic] = d.Listen(t.Context(), topic)
	}
	slices.Sort(want)
	// news are the topics that a look has found news of. When the next look asks, all
	// hints of the one before are out.
	set := func(topic string, n int64, gone bool) {
		mu.Lock()
		defer mu.Unlock()
		now[topic], away = n, gone
	}
	news := func() (some []string) {
		t.Helper()
		for topic, hint := range hints {
			select {
			case <-hint:
				some = append(some, topic)
			default:
			}
		}
		slices.Sort(some)
		return some
	}
	for got := []string{}; !slices.Equal(got, want); { // the first looks may be before the last topic
		got = <-asked
	}
	<-asked
	if got := news(); !slices.Equal(got, want) {
		t.Errorf("a look at what nobody has seen before hints at %d topics of %d", len(got), topics)
	}
	for _, step := range []struct {
		number int64
		away   bool
		want   []string
	}{
		{0, false, nil},
		{7, false, []string{"topic 7"}},
		{7, false, nil},
		{9, true, nil}, // nobody could look now
		{9, false, []string{"topic 7"}},
		{0, false, []string{"topic 7"}}, // the board was removed
	} {
		set("topic 7", step.number, step.away)
		<-asked // this one may have begun before
		<-asked
		if got := news(); !slices.Equal(got, step.want) {
			t.Errorf("%+v: hints at %v", step, got)
		}
	}
}
