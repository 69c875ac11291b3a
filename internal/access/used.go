package access

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"sync"
	"time"
)

// flushEach is how often the uses of tokens are written. A crash loses the last minutes
// of them, in what list shows.
const flushEach = time.Minute

// flushTime bounds how long that takes: a reader of the tokens waits for it.
const flushTime = 2 * time.Second

// uses keeps when each token was used last: in memory, and now and then in the storage.
// Nothing depends on it.
type uses struct {
	storage Storage

	mu      sync.Mutex
	at      map[string]time.Time // since the last flush
	flushed time.Time
}

func newUses(s Storage) *uses { return &uses{storage: s, at: map[string]time.Time{}} }

func (u *uses) note(id string, now time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.at[id] = now.UTC().Truncate(time.Second)
}

// flushSometimes writes what was noted, if it was not written for a while.
func (u *uses) flushSometimes(ctx context.Context, now time.Time) {
	u.mu.Lock()
	due := now.Sub(u.flushed) >= flushEach && len(u.at) > 0
	if due {
		u.flushed = now
	}
	u.mu.Unlock()
	if due {
		u.flush(ctx)
	}
}

// flush writes the noted uses, and keeps those that it cannot write.
func (u *uses) flush(ctx context.Context) {
	u.mu.Lock()
	at := maps.Clone(u.at)
	u.mu.Unlock()
	if len(at) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, flushTime)
	defer cancel()
	if err := u.storage.Use(ctx, at); err != nil {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	maps.DeleteFunc(u.at, func(id string, t time.Time) bool { return !t.After(at[id]) })
}

// all is when each token was used last, as far as it is known.
func (u *uses) all(ctx context.Context) map[string]time.Time {
	all, err := u.storage.Uses(ctx)
	if err != nil {
		all = map[string]time.Time{}
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	for id, t := range u.at {
		if t.After(all[id]) {
			all[id] = t
		}
	}
	return all
}

// Use writes when tokens were used into a file that nothing depends on:
//
//	{"k3v7q2mx": "2026-11-23T06:12:00Z"}
func (f file) Use(ctx context.Context, at map[string]time.Time) error {
	_, err := f.used.Change(ctx, func(old []byte) ([]byte, error) {
		all := parseUses(old)
		for id, t := range at {
			if t.After(all[id]) {
				all[id] = t
			}
		}
		const most = 2 * MaxTokens // tokens that were forgotten are left out at some time
		if len(all) > most {
			all = at
		}
		return json.Marshal(all)
	})
	return err
}

// Uses reads the file that Use writes.
func (f file) Uses(context.Context) (map[string]time.Time, error) {
	text, _ := os.ReadFile(f.used.Path())
	return parseUses(text), nil
}

// parseUses reads the file, of which a broken one is begun again.
func parseUses(text []byte) map[string]time.Time {
	var all map[string]time.Time
	if err := json.Unmarshal(text, &all); err != nil || all == nil {
		return map[string]time.Time{}
	}
	return all
}
