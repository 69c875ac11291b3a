package web

import (
	"net/http"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
)

// maxWrong bounds the wrong access tokens and codes in a minute. Nobody guesses
// 130 bits, but a client that tries should not be served all day. The right one
// always works.
const maxWrong = 30

// wrongs are those of the minute that runs.
type wrongs struct {
	mu    sync.Mutex
	since time.Time
	count int
}

// answer refuses one more.
func (w *wrongs) answer(now time.Time, why string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if now.Sub(w.since) >= time.Minute || now.Before(w.since) {
		w.since, w.count = now, 0
	}
	if w.count++; w.count > maxWrong {
		left := int(time.Minute-now.Sub(w.since)) / int(time.Second)
		return &refusal{pawl.Errorf(pawl.Unavailable, "%s, and so were %d others: wait %d s", why, maxWrong, left+1), http.StatusTooManyRequests}
	}
	return refused(http.StatusUnauthorized, "%s", why)
}
